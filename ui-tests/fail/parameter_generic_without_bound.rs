use ad_runtime::differentiate;

#[differentiate(reverse)]
fn keep<T: Clone>(x: f64, other: T) -> f64 {
    drop(other);
    x * x
}

fn main() {}
