use ad_runtime::differentiate;

#[differentiate(reverse)]
fn first(x: f64, #[constant] scale: Option<f64>) -> f64 {
    let mut y = x;
    if let Some(scale) = scale {
        if scale > 1.0 {
            return y;
        }
        y *= scale;
    }
    y
}

fn main() {}
