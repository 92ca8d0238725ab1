#![no_std]
#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

extern crate std;

#[differentiate(reverse, forward)]
fn looped(x: &[f64], out: &mut [f64], n: usize) -> f64 {
    let mut y = x[0];
    for k in 0..n {
        y = y * y + x[k];
        out[k] = y;
    }
    y
}

#[differentiate(reverse, forward)]
fn recursive(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { recursive(x * x, n - 1) }
}

fn main() {
    let (x_adj, _) = looped::gradient(&[1.0, 2.0], &mut [0.0, 0.0], 1);
    assert!(x_adj[0] == 3.0 && x_adj[1] == 0.0);
    assert!(recursive::gradient(1.0, 2) == 4.0);
}
