use ad_runtime::differentiate;

#[differentiate(reverse)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse)]
fn wrong(x: f64) -> f64 {
    square(x, x)
}

fn main() {}
