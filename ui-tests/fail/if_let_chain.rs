use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64, #[constant] scale: Option<f64>) -> f64 {
    let mut y = x;
    if x > 0.0
        && let Some(scale) = scale
    {
        y = scale * x;
    }
    y
}

fn main() {}
