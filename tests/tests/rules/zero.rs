//! Rules that declare a derivative of zero.

use ad_runtime::{Restored, custom_rule, differentiate};

#[custom_rule(zero)]
fn rounded(x: f64, digits: u32) -> f64 {
    format!("{x:.*}", digits as usize).parse().expect("a number was written")
}

#[differentiate(reverse)]
fn quantized(x: f64) -> f64 {
    x * rounded(x, 1)
}

#[test]
fn the_value_passes_and_its_derivative_does_not() {
    assert_eq!(rounded::value_and_gradient(1.26, 1), (1.3, 0.0));
    assert_eq!(quantized::value_and_gradient(1.26), (1.26 * 1.3, 1.3));
}

type Parts = (f64, [f64; 2], Vec<f64>);

/// Every way to pass an argument.
#[custom_rule(zero)]
fn ranks(scale: f64, pair: [f64; 2], list: Vec<f64>, x: &[f64], out: &mut Vec<f64>) -> usize {
    let above = |limit: f64| x.iter().filter(|v| **v > limit).count();
    let counts = [above(scale), above(pair[0]), above(pair[1]), above(list[0])];
    out.clear();
    out.extend(counts.map(|count| count as f64));
    counts.iter().sum()
}

#[test]
fn adjoints_are_zeros_and_buffers_are_taken_as_overwritten() {
    let (x, mut x_adj) = ([1.0, 2.0, 3.0], [7.0; 3]);
    let (mut out, mut out_adj) = (vec![9.0], vec![1.0; 4]);
    let (value, scale, pair, list): (usize, f64, [f64; 2], Vec<f64>) =
        ranks::adjoint(0.5, [1.5, 2.5], vec![3.5, 0.0], &x, &mut x_adj, &mut out, &mut out_adj);
    assert_eq!(value, 6);
    assert_eq!(out, [3.0, 2.0, 1.0, 0.0]);
    let found: Parts = (scale, pair, list);
    assert_eq!(found, (0.0, [0.0; 2], vec![0.0; 2]));
    assert_eq!(x_adj, [7.0; 3], "nothing is added");
    assert_eq!(out_adj, [0.0], "the adjoint of what was found, with its length");
}

#[differentiate(reverse)]
fn after_ranks(x: &[f64]) -> f64 {
    let mut out = vec![x[0] * x[1]];
    let before = out[0];
    let sum = ranks(x[0], [x[1], x[1]], vec![x[2]], x, &mut out);
    before * out[0] * x[2] + sum as f64
}

#[test]
fn callers_read_what_was_there_before() {
    let x = [1.0, 2.0, 3.0];
    // `x[0] * x[1] * 2 * x[2] + 4`: two entries are above the first, and one is above the second.
    assert_eq!(after_ranks::value_and_gradient(&x), (16.0, vec![12.0, 6.0, 4.0]));
}

#[test]
fn the_policy_is_kept() {
    let (mut out, mut out_adj) = (vec![9.0], vec![0.0; 4]);
    let (_, pullback) = ranks::vjp(Restored, 0.5, [1.5, 2.5], vec![3.5], &[1.0], &mut out);
    assert_eq!(out.len(), 4);
    pullback(&[1.0], &mut [0.0], &mut out, &mut out_adj);
    assert_eq!(out, [9.0]);
}

#[custom_rule(zero)]
fn stamp(x: f64, table: &mut [f64; 2]) {
    *table = [x.floor(), x.ceil()];
}

#[test]
fn without_a_result() {
    let (mut table, mut table_adj) = ([0.0; 2], [1.0; 2]);
    assert_eq!(stamp::adjoint(1.5, &mut table, &mut table_adj), 0.0);
    assert_eq!((table, table_adj), ([1.0, 2.0], [0.0; 2]));
}
