#![deny(warnings)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn loss(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
fn generic<T: num_traits::Float, const N: usize>(x: [T; N]) -> T {
    x[0] * x[1]
}

fn main() {
    assert_eq!(loss::gradient(3.0), 6.0);
    assert_eq!(generic::gradient([2.0, 3.0]), [3.0, 2.0]);
}
