//! Methods, associated functions, traits, operators, generics and calls between them, as users write them.
//!
//! Every derivative by every real part is compared with central differences, and with dual numbers where a generic
//! twin is short. All points are away from kinks.

#![allow(
    clippy::borrowed_box,
    clippy::needless_range_loop,
    clippy::should_implement_trait,
    clippy::assign_op_pattern,
    reason = "the functions are written as their users would write them"
)]

mod blocks;
mod captured;
mod carried;
mod collections;
mod generics;
mod handed;
mod methods;
mod objects;
mod operators;
mod traits;

use ad_tests::check::{assert_dual, check, check_both};
