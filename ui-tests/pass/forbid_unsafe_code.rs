#![forbid(unsafe_code)]
#![allow(dead_code)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn stepped(x: &mut [f64], w: &[f64], n: usize) -> f64 {
    let (first, rest) = x.split_at_mut(1);
    for k in 0..n {
        rest[k % 2] += first[0] * w[k];
        if rest[0] > 100.0 {
            return rest[0];
        }
    }
    rest[0] * rest[1]
}

fn main() {
    let (x_adj, w_adj) = stepped::gradient(&mut [1.0, 2.0, 3.0], &[1.0, 1.0], 2);
    assert_eq!(x_adj, vec![7.0, 4.0, 3.0]);
    assert_eq!(w_adj, vec![4.0, 3.0]);
}
