use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: f64, #[constant] scale: Option<f64>) -> f64 {
    let scale = match scale {
        Some(scale) => scale,
        None => return x,
    };
    scale * x
}

fn main() {}
