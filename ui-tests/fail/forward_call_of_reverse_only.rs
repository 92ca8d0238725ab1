use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(forward)]
fn sum(x: f64, y: f64) -> f64 {
    square(x) + y
}

fn main() {}
