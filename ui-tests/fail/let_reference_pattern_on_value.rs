use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let &a = x.first().unwrap();
    a * a
}

fn main() {}
