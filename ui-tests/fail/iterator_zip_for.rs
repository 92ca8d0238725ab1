use ad_runtime::differentiate;

#[differentiate(reverse)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut total = 0.0;
    for (x, y) in x.iter().zip(y) {
        total += x * y;
    }
    total
}

fn main() {}
