use ad_runtime::differentiate;

type Real = f64;

#[differentiate(reverse)]
fn scaled(x: f64, n: usize) -> f64 {
    n as Real * x
}

fn main() {}
