use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: f64, #[constant] scales: &[Option<f64>]) -> f64 {
    let mut total = 0.0;
    for k in 0..scales.len() {
        if let None = scales[k] {
            break;
        }
        total += x;
    }
    total
}

fn main() {}
