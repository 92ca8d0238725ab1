use ad_runtime::differentiate;

struct Point {
    x: f64,
}

#[differentiate(reverse)]
fn sum(x: f64, #[constant] points: &[Point]) -> f64 {
    let mut total = 0.0;
    for Point { x: scale } in points {
        total += scale * x;
    }
    total
}

fn main() {}
