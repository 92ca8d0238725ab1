#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

use num_traits::Float;

#[differentiate(reverse, forward)]
fn square<T: Float>(x: T) -> T {
    x * x
}

#[differentiate(reverse, forward)]
fn dot<T, const N: usize>(x: &[T; N], y: &[T; N]) -> T
where
    T: Float,
{
    let mut total = T::zero();
    for k in 0..N {
        total = total + x[k] * y[k];
    }
    total
}

#[differentiate(reverse, forward)]
fn norm<const N: usize>(x: [f64; N]) -> f64 {
    let mut total = 0.0;
    for k in 0..N {
        total += x[k] * x[k];
    }
    total.sqrt()
}

#[differentiate(reverse, forward)]
fn labelled<T: Float, L>(x: T, #[constant] _label: L) -> T
where
    L: Clone,
{
    x.sin()
}

#[differentiate(reverse, forward)]
fn applied<F>(x: f64, #[constant] scale: F) -> f64
where
    F: Fn(usize) -> f64,
{
    let s = scale(2);
    s * x
}

fn main() {
    assert_eq!(square::gradient(3.0_f32), 6.0);
    assert_eq!(square::gradient(3.0_f64), 6.0);
    assert_eq!(
        dot::gradient(&[1.0, 2.0], &[3.0, 4.0]),
        ([3.0, 4.0], [1.0, 2.0])
    );
    let norm_adj = norm::gradient([3.0, 4.0]);
    assert!((norm_adj[0] - 0.6).abs() < 1e-15 && (norm_adj[1] - 0.8).abs() < 1e-15);
    assert_eq!(labelled::gradient(0.0, "zero"), 1.0);
    assert_eq!(applied::gradient(1.0, |n| n as f64), 2.0);
}
