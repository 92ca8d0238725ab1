use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

fn main() {}
