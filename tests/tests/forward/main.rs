//! Forward mode: values and tangents of functions whose results are not one number, where no gradient can be compared.
//!
//! Tangents are compared with formulas derived by hand, exact to rounding, or with central differences of the function
//! along the direction, whose error [`ad_tests::check::DIFFERENCES`] bounds. Points are away from kinks, except where
//! the kink is what is tested.

#![allow(
    clippy::assign_op_pattern,
    clippy::borrowed_box,
    clippy::boxed_local,
    clippy::let_and_return,
    clippy::manual_flatten,
    clippy::manual_swap,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::too_many_arguments,
    reason = "the functions are written as their users would write them"
)]

mod contract;
mod control;
mod conventions;
mod data;
mod functions;
mod methods;

use ad_tests::check::{DIFFERENCES, STEP, assert_close, assert_exact};

/// Checks value and tangent of a function between flat lists: the value is the function's own, and the tangent is what
/// fourth-order central differences along the direction show.
#[track_caller]
fn check(
    name: &str,
    f: impl Fn(&[f64]) -> Vec<f64>,
    at: &[f64],
    direction: &[f64],
    (value, tangent): (Vec<f64>, Vec<f64>),
) {
    assert_exact(&format!("{name}: value"), &value, &f(at));
    let moved = |steps: f64| {
        let moved: Vec<f64> = at.iter().zip(direction).map(|(x, d)| x + steps * STEP * d).collect();
        f(&moved)
    };
    let [far_below, below, above, far_above] = [-2.0, -1.0, 1.0, 2.0].map(moved);
    let want: Vec<f64> = (0..value.len())
        .map(|k| (8.0 * (above[k] - below[k]) - (far_above[k] - far_below[k])) / (12.0 * STEP))
        .collect();
    assert!(tangent.iter().any(|t| *t != 0.0), "{name}: no result has a tangent");
    assert_close(name, &tangent, &want, DIFFERENCES);
}
