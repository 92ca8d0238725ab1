//! Types of other crates that features of ad-runtime make differentiable.

#![allow(
    clippy::needless_range_loop,
    clippy::op_ref,
    clippy::assign_op_pattern,
    reason = "the functions are written as their users would write them"
)]

mod nalgebra;
mod ndarray;
mod programs;
