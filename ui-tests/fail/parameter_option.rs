use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scale(x: f64, factor: Option<f64>) -> f64 {
    x * factor.unwrap_or(1.0)
}

fn main() {}
