#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward, wrt(x, w,), name = Chosen, crate = ::ad_runtime, strong_zero = false,)]
fn chosen(x: f64, w: &[f64], y: f64) -> f64 {
    x * w[0] * y
}

fn main() {
    assert_eq!(Chosen::gradient(2.0, &[3.0], 5.0), (15.0, vec![10.0]));
}
