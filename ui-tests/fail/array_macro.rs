use ad_runtime::differentiate;
use ndarray::array;

#[differentiate(reverse)]
fn made(x: f64) -> f64 {
    let a = array![x, 2.0 * x];
    a.dot(&a)
}

fn main() {}
