//! Vectors that grow, shrink and are put in another order.
//!
//! Every program is compared with central differences of itself; where the same program can be
//! written over dual numbers, with those too.

#![allow(
    clippy::manual_memcpy,
    clippy::manual_unwrap_or,
    clippy::manual_while_let_some,
    clippy::misrefactored_assign_op,
    clippy::needless_late_init,
    clippy::needless_range_loop,
    clippy::redundant_slicing,
    clippy::useless_vec,
    clippy::vec_init_then_push,
    reason = "programs are written in every way in which they may be"
)]

mod fields;
mod growth;
mod invariant;
mod lengths;
mod neighbours;
mod nested;
mod options;
mod order;
mod overwritten;
mod seats;
mod stacks;
