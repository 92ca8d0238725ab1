use ad_runtime::differentiate;

#[differentiate(forward)]
fn scaled(x: f64, #[constant] by: f64) -> f64 {
    x * by
}

#[differentiate(forward)]
fn product(x: f64, y: f64) -> f64 {
    scaled(x, y)
}

fn main() {}
