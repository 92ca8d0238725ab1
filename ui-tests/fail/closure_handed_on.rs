use ad_runtime::differentiate;

fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiate(reverse)]
fn scaled(x: f64, k: f64) -> f64 {
    apply(|y| k * y, x)
}

fn main() {}
