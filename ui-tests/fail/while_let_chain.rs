use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64, #[constant] mut scales: Vec<f64>) -> f64 {
    let mut y = x;
    while y < 100.0
        && let Some(scale) = scales.pop()
    {
        y *= scale;
    }
    y
}

fn main() {}
