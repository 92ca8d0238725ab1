//! `vjp`: the forward sweep returns the value and the reverse sweep as a closure; the policy says whether the reverse
//! sweep gives `&mut` arguments back as they were before the call.

use crate::dot;
use ad_runtime::{Restored, Unspecified, differentiate};
use ad_tests::check::{assert_exact, assert_gradient};

#[differentiate(reverse, forward, second_order, cross_check)]
fn ratio(x: f64, y: f64) -> f64 {
    x.sin() / y
}

#[test]
fn numbers() {
    let (x, y) = (0.7_f64, 1.9);
    let (value, pullback) = ratio::vjp(Unspecified, x, y);
    assert_exact("value", &[value], &[ratio(x, y)]);
    let (x_adj, y_adj) = pullback(2.0);
    assert_exact("ratio", &[x_adj, y_adj], &[2.0 * x.cos() / y, -2.0 * x.sin() / (y * y)]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scalar_product(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[test]
fn shared_references_are_passed_again() {
    let (a, b) = ([1.0, 2.0], [3.0, -4.0]);
    let (mut a_adj, mut b_adj) = ([1.0, 1.0], [0.0, 0.0]);
    let (value, pullback) = scalar_product::vjp(Unspecified, &a, &b);
    assert_eq!(value, -5.0);
    pullback(&a, &mut a_adj, &b, &mut b_adj, 2.0);
    assert_eq!((a_adj, b_adj), ([7.0, -7.0], [2.0, 4.0]));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn decay(u: &mut [f64], rate: f64, steps: usize) {
    for _ in 0..steps {
        for i in 1..u.len() {
            u[i] -= rate * u[i] * u[i - 1];
        }
        u[0] = rate * u[0].sin();
    }
}

#[test]
fn restored_outputs() {
    let (before, rate, steps) = ([0.4, 0.9, -0.3], 0.2, 3);
    let mut after = before;
    decay(&mut after, rate, steps);

    let (mut u, mut u_adj) = (before, [1.0, 2.0, 3.0]);
    let pullback = decay::vjp(Restored, &mut u, rate, steps);
    assert_eq!(u, after, "the forward sweep leaves what the function leaves");
    let rate_adj = pullback(&mut u, &mut u_adj);
    assert_eq!(u, before, "the reverse sweep gives back what it found");

    let f = |v: &[f64]| {
        let mut u = v[..3].to_vec();
        decay(&mut u, v[3], steps);
        dot(&u, &[1.0, 2.0, 3.0])
    };
    let at = [before[0], before[1], before[2], rate];
    assert_gradient("decay", f, &at, &[u_adj[0], u_adj[1], u_adj[2], rate_adj]);
}

#[test]
fn both_policies_give_the_same_derivatives() {
    let run = |restored: bool| {
        let (mut u, mut u_adj) = ([0.4, 0.9, -0.3], [1.0, 2.0, 3.0]);
        let rate_adj = if restored {
            decay::vjp(Restored, &mut u, 0.2, 3)(&mut u, &mut u_adj)
        } else {
            decay::vjp(Unspecified, &mut u, 0.2, 3)(&mut u, &mut u_adj)
        };
        [u_adj[0], u_adj[1], u_adj[2], rate_adj]
    };
    assert_exact("policies", &run(true), &run(false));
}

/// Linear, so that nothing has to be recorded for the derivative; restoring still needs the old values.
#[differentiate(reverse, forward, second_order, cross_check)]
fn overwrite(x: &[f64], out: &mut [f64]) {
    out.copy_from_slice(x);
    out[0] = 2.0 * x[1];
}

#[test]
fn restored_outputs_of_a_linear_function() {
    let x = [3.0, 5.0];
    let (mut x_adj, mut out, mut out_adj) = ([0.0; 2], [7.0, 8.0], [1.0, 10.0]);
    let pullback = overwrite::vjp(Restored, &x, &mut out);
    assert_eq!(out, [10.0, 5.0]);
    pullback(&x, &mut x_adj, &mut out, &mut out_adj);
    assert_eq!((out, out_adj), ([7.0, 8.0], [0.0, 0.0]));
    assert_eq!(x_adj, [0.0, 12.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn trade(u: &mut Vec<f64>, v: &mut Vec<f64>) -> f64 {
    u[0] *= v[0];
    std::mem::swap(u, v);
    u[0] + 2.0 * v[0]
}

#[test]
fn restored_outputs_after_a_swap() {
    let (mut u, mut v) = (vec![2.0], vec![3.0]);
    let (mut u_adj, mut v_adj) = (vec![0.0], vec![0.0]);
    let (value, pullback) = trade::vjp(Restored, &mut u, &mut v);
    assert_eq!((value, u[0], v[0]), (15.0, 3.0, 6.0));
    pullback(&mut u, &mut u_adj, &mut v, &mut v_adj, 1.0);
    assert_eq!((u[0], v[0]), (2.0, 3.0));
    // v + 2 u v
    assert_eq!((u_adj[0], v_adj[0]), (6.0, 5.0));
}

#[test]
fn sweeps_compose_by_hand() {
    // overwrite, then decay, reversed in the opposite order
    let (x, rate) = ([0.6, 0.2], 0.3);
    let mut u = [0.0; 2];
    let first = overwrite::vjp(Unspecified, &x, &mut u);
    let second = decay::vjp(Restored, &mut u, rate, 2);
    let (mut x_adj, mut u_adj) = ([0.0; 2], [1.0, -1.0]);
    let rate_adj = second(&mut u, &mut u_adj);
    first(&x, &mut x_adj, &mut u, &mut u_adj);
    let f = |v: &[f64]| {
        let mut u = [0.0; 2];
        overwrite(&v[..2], &mut u);
        decay(&mut u, v[2], 2);
        u[0] - u[1]
    };
    assert_gradient("composed", f, &[x[0], x[1], rate], &[x_adj[0], x_adj[1], rate_adj]);
}

#[test]
fn sweeps_of_two_calls_may_overlap() {
    let (a, first) = ratio::vjp(Unspecified, 0.7, 1.9);
    let (b, second) = ratio::vjp(Unspecified, -0.3, 0.8);
    assert_eq!((a, b), (ratio(0.7, 1.9), ratio(-0.3, 0.8)));
    let (x_adj, _) = first(1.0);
    assert_exact("first", &[x_adj], &[0.7_f64.cos() / 1.9]);
    let (x_adj, _) = second(1.0);
    assert_exact("second", &[x_adj], &[0.3_f64.cos() / 0.8]);
}

/// Called by `calls_in_place`: its own values are needed again after it was called.
#[differentiate(reverse, forward, second_order, cross_check)]
fn square_all(u: &mut [f64]) {
    for v in u.iter_mut() {
        *v *= *v;
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn calls_in_place(u: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for _ in 0..2 {
        s += u[0] * u[1];
        square_all(u);
    }
    s * u[0]
}

#[test]
fn a_callee_restores_what_its_caller_reads() {
    let before = [0.9, 1.2];
    let (mut u, mut u_adj) = (before, [0.0; 2]);
    let value = calls_in_place::adjoint(&mut u, &mut u_adj, 1.0);
    let mut expected = before;
    assert_exact("value", &[value], &[calls_in_place(&mut expected)]);
    assert_eq!(u, expected);
    // (p q + p² q²) p⁴
    let [p, q] = before;
    let p_adj = 5.0 * p.powi(4) * q + 6.0 * p.powi(5) * q * q;
    let q_adj = p.powi(5) + 2.0 * p.powi(6) * q;
    assert_exact("in place", &u_adj, &[p_adj, q_adj]);
}
