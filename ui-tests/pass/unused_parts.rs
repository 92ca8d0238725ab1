#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn unused_results(x: f64, _unused: f64, _: usize, w: &[f64]) -> f64 {
    let _y = x * x;
    let _ = w[0] * x;
    x
}

fn main() {
    assert_eq!(
        unused_results::gradient(1.0, 2.0, 3, &[4.0]),
        (1.0, 0.0, vec![0.0])
    );
}
