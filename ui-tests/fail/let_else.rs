use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: f64, #[constant] scale: Option<f64>) -> f64 {
    let Some(scale) = scale else { return x };
    scale * x
}

fn main() {}
