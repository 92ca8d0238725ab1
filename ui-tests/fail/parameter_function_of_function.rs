use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(f: impl Fn(&dyn Fn(f64) -> f64) -> f64, x: f64) -> f64 {
    f(&|y| x * y)
}

fn main() {}
