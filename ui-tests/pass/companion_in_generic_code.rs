#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn loss(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

fn descend(mut x: f64, steps: usize, slope: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..steps {
        x -= 0.5 * slope(x);
    }
    x
}

fn main() {
    let x = descend(1.0, 2, |x| loss::gradient(x, &[1.0]).0);
    assert_eq!(x, 0.0);
    let (value, pullback) = loss::vjp(ad_runtime::Unspecified, 2.0, &[3.0]);
    let mut w_adj = [0.0];
    let x_adj = pullback(&[3.0], &mut w_adj, 1.0);
    assert_eq!((value, x_adj, w_adj), (6.0, 3.0, [2.0]));
    let _: fn(f64, &[f64]) -> (f64, Vec<f64>) = loss::gradient;
}
