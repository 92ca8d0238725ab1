use ad_runtime::differentiate;

#[differentiate(reverse; wrt(x))]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {}
