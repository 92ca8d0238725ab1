//! Second derivatives, and the drivers of ad-runtime that take companions as types.
//!
//! - `second`: Hessian-vector products and Hessians against formulas and published numbers;
//! - `dense`: gradients, Jacobians and Hessians in the caller's buffers;
//! - `elementary`: second derivatives of the elementary functions against numbers of high precision;
//! - `sparse`: coloured Jacobians and Hessians;
//! - `lecture`: the examples of a well-known lecture on automatic differentiation.

#![allow(
    clippy::needless_range_loop,
    reason = "the functions are written as their users would write them"
)]

mod dense;
mod elementary;
mod lecture;
mod second;
mod sparse;
