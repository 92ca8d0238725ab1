use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for k @ _ in 0..n {
        total += k as f64 * x;
    }
    total
}

fn main() {}
