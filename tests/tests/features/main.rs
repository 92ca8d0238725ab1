//! Types of other crates that features of ad-runtime make differentiable, as users write programs with them.
//!
//! Derivatives are compared with central differences by every real part, and with formulas where differences do
//! not reach: at 0, and for very large and small numbers.

#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::let_and_return,
    clippy::op_ref,
    clippy::needless_late_init,
    reason = "the functions are written as their users would write them"
)]

mod complex;
mod nalgebra;
mod ndarray;
mod programs;
