use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64, #[constant] scale: Option<f64>) -> f64 {
    if let Some(scale) = scale {
        scale * x
    } else {
        x
    }
}

fn main() {}
