//! Structs, enums, `Option` and `Result` in functions as users write them: as parameters, in loops, taken apart by
//! patterns, changed through `&mut`, made and returned.
//!
//! Every derivative by every real part is compared with central differences, and with dual numbers where a generic
//! twin is short. All points are away from kinks.

#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    clippy::manual_map,
    clippy::manual_unwrap_or,
    clippy::single_match,
    clippy::boxed_local,
    clippy::unnecessary_unwrap,
    reason = "the functions are written as their users would write them"
)]

mod enums;
mod exits;
mod nested;
mod options;
mod structs;
mod variants;

use ad_tests::check::{assert_dual, check, check_both};
