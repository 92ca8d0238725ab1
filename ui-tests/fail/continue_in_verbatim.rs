use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: f64, #[constant] scales: &[Option<f64>]) -> f64 {
    let mut total = 0.0;
    'outer: for k in 0..scales.len() {
        if let None = scales[k] {
            continue 'outer;
        }
        total += x;
    }
    total
}

fn main() {}
