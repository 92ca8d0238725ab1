use ad_runtime::differentiate;

fn square(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse)]
fn apply(x: f64) -> f64 {
    let f: fn(f64) -> f64 = square;
    f(x)
}

fn main() {}
