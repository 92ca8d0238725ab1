use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: &[f64]) -> f64 {
    let y = x.first().unwrap().clone();
    y * y
}

fn main() {}
