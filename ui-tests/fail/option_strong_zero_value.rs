use ad_runtime::differentiate;

#[differentiate(reverse, strong_zero = 1)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
