//! Kinds of programs that once went wrong, each with its neighbours: every function is compared with
//! central differences at points on both sides of its branches.

#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::useless_vec,
    unused_assignments,
    unused_mut,
    unused_variables,
    reason = "the functions are written as their users would write them"
)]

mod closures;
mod exits;
mod length;
mod lent;
mod memory;
mod swaps;
mod values;

use ad_tests::check::check;
