use ad_runtime::differentiate;

#[differentiate(reverse)]
fn of_pair(f: impl Fn((f64, f64)) -> f64, x: f64) -> f64 {
    f((x, 1.0))
}

#[differentiate(reverse)]
fn product(x: f64) -> f64 {
    of_pair(|(a, b)| a * b, x)
}

fn main() {}
