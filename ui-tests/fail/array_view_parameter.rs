use ad_runtime::differentiate;
use ndarray::ArrayView1;

#[differentiate(reverse)]
fn first(x: ArrayView1<f64>) -> f64 {
    x[0] * x[0]
}

fn main() {}
