use ad_runtime::differentiate;

#[differentiate(reverse)]
fn total(x: f64, n: usize) -> f64 {
    let range = 0..n;
    let mut total = 0.0;
    for _ in range {
        total += x;
    }
    total
}

fn main() {}
