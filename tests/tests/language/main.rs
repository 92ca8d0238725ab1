//! Small numeric functions in the style of users, by construct of the language; every derivative by every input is
//! compared with central differences, and with dual numbers where a generic twin is short.
//!
//! [`check`] compares at a point with a tolerance that [`ad_tests::check::DIFFERENCES`] explains. All points are away
//! from kinks, so that the differences see one smooth function.

#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::let_and_return,
    clippy::mut_range_bound,
    clippy::blocks_in_conditions,
    reason = "the functions are written as their users would write them"
)]

mod calls;
mod dynamics;
mod idioms;
mod inplace;
mod linear;
mod loops;
mod matches;
mod models;
mod moves;
mod patterns;
mod slices;
mod transforms;

use ad_tests::check::{check, sample};

/// Weights that make one number of many outputs: 1, -2, 3, …
fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|k| if k % 2 == 0 { k as f64 + 1.0 } else { -(k as f64) - 1.0 }).collect()
}

/// The outputs `y` as one number, with [`weights`].
fn combine(y: &[f64]) -> f64 {
    y.iter().zip(weights(y.len())).map(|(y, w)| y * w).sum()
}
