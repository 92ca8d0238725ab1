#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn is_positive(x: f64) -> bool {
    x > 0.0
}

#[differentiate(reverse, forward)]
fn count(x: &[f64], out: &mut [f64]) -> usize {
    let mut n = 0;
    for k in 0..x.len() {
        if x[k] > 0.0 {
            out[n] = x[k] * x[k];
            n += 1;
        }
    }
    n
}

fn main() {
    assert_eq!(is_positive::adjoint(1.0), (true, 0.0));
    let (mut x_adj, mut out, mut out_adj) = ([0.0; 2], [0.0; 2], [1.0; 2]);
    assert_eq!(
        count::adjoint(&[-1.0, 3.0], &mut x_adj, &mut out, &mut out_adj),
        1
    );
    assert_eq!((x_adj, out, out_adj), ([0.0, 6.0], [9.0, 0.0], [0.0, 1.0]));
}
