use ad_runtime::differentiate;

#[differentiate(reverse)]
fn product(x: f64, y: f64) -> f64 {
    match (x, y) {
        (a, b) if a > b => a,
        (a, b) => a * b,
    }
}

fn main() {}
