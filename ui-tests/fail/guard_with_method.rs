use ad_runtime::differentiate;

#[differentiate(reverse)]
fn choose(x: f64, n: usize, #[constant] scale: Option<f64>) -> f64 {
    match n {
        0 if scale.is_some_and(|scale| scale > x) => x,
        _ => x * x,
    }
}

fn main() {}
