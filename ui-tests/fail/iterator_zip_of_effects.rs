use ad_runtime::differentiate;

#[differentiate(reverse)]
fn running(x: &[f64], w: &[f64]) -> f64 {
    let mut t = 1.0;
    let sum: f64 = x
        .iter()
        .map(|v| {
            t = t * v + 1.0;
            t
        })
        .zip(w)
        .map(|(a, b)| a * b)
        .sum();
    sum * t
}

fn main() {}
