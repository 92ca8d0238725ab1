use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: f64, y: f64) -> f64 {
    let pair = (&x, &y);
    *pair.0 * *pair.1
}

fn main() {}
