use ad_runtime::differentiate;

#[differentiate(reverse)]
fn apply(f: Box<dyn Fn(f64) -> f64>, x: f64) -> f64 {
    f(x)
}

fn main() {}
