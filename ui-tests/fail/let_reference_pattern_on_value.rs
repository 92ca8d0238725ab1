use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let &a = x.split_first().unwrap().0;
    a * a
}

fn main() {}
