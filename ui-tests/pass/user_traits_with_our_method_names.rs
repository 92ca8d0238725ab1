#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

trait Meddling: Sized {
    fn accumulate(&mut self, _: &Self) {
        unreachable!()
    }
    fn zeros_like(&self) -> Self {
        unreachable!()
    }
    fn set_zero(&mut self) {
        unreachable!()
    }
    fn push(&mut self, _: f64) {
        unreachable!()
    }
    fn view(&self) -> &Self {
        unreachable!()
    }
    fn with(&self) {
        unreachable!()
    }
    fn nearest(_: f64) -> Self {
        unreachable!()
    }
}

impl<T> Meddling for T {}

#[differentiate(reverse, forward)]
fn inner(x: &[f64], scale: f64) -> f64 {
    x[0] * x[1] * scale
}

#[differentiate(reverse, forward)]
fn outer(x: &[f64], scale: f64, n: usize) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..n {
        y[0] *= inner(&y, scale);
    }
    y[0]
}

fn main() {
    let (x_adj, scale_adj) = outer::gradient(&[2.0, 3.0], 1.0, 1);
    assert_eq!((x_adj, scale_adj), (vec![12.0, 4.0], 12.0));
}
