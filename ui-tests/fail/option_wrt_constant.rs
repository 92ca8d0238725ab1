use ad_runtime::differentiate;

#[differentiate(reverse, wrt(x, y))]
fn product(x: f64, #[constant] y: f64) -> f64 {
    x * y
}

fn main() {}
