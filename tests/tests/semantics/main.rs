//! The semantics that are easy to get wrong: each test has a small function and its derivative, derived by hand.
//!
//! The formula in a test is exact, so the comparison allows rounding only ([`ad_tests::check::EXACT`]); central
//! differences of the function itself guard against a mistake in the formula.
//! Where the derivative is zero, infinite or a convention, the test says so and compares exactly.

#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::let_and_return,
    clippy::mut_range_bound,
    clippy::blocks_in_conditions,
    reason = "the functions are written as their users would write them"
)]

mod branches;
mod buffers;
mod contract;
mod elementary;
mod generic;
mod kinks;
mod loops;
mod names;
mod options;
mod scoping;
mod sweeps;
mod zero;

use ad_tests::check::{assert_exact, assert_gradient};

/// Checks a function of one variable: the value that the adjoint returned is the function's own, the derivative is
/// `want`, and differences of the function show it too.
#[track_caller]
fn check(f: impl Fn(f64) -> f64, x: f64, (value, x_adj): (f64, f64), want: f64) {
    assert_exact("value", &[value], &[f(x)]);
    assert_exact("formula", &[x_adj], &[want]);
    assert_gradient("differences", |v| f(v[0]), &[x], &[x_adj]);
}

/// The same for two variables.
#[track_caller]
fn check_two(
    f: impl Fn(f64, f64) -> f64,
    (x, y): (f64, f64),
    (value, x_adj, y_adj): (f64, f64, f64),
    want: (f64, f64),
) {
    assert_exact("value", &[value], &[f(x, y)]);
    assert_exact("formula", &[x_adj, y_adj], &[want.0, want.1]);
    assert_gradient("differences", |v| f(v[0], v[1]), &[x, y], &[x_adj, y_adj]);
}

/// Sum of `a[k] * b[k]`, for linear combinations of outputs.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
