use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: f64) -> f64 {
    let (a, b);
    (a, b) = (x, x);
    a * b
}

fn main() {}
