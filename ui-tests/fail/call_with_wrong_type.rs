use ad_runtime::differentiate;

#[differentiate(reverse)]
fn sum(x: &[f64]) -> f64 {
    x[0] + x[1]
}

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    sum(x)
}

fn main() {}
