use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64, #[constant] scale: Option<f64>) -> f64 {
    match scale {
        Some(scale) => scale * x,
        None => x,
    }
}

fn main() {}
