//! Vectors that grow, shrink and are put in another order.
//!
//! Every program is compared with central differences of itself; where the same program can be
//! written over dual numbers, with those too.

#![allow(
    clippy::manual_unwrap_or,
    clippy::manual_while_let_some,
    clippy::needless_range_loop,
    clippy::redundant_slicing,
    clippy::vec_init_then_push,
    reason = "programs are written in every way in which they may be"
)]

mod growth;
mod lengths;
mod neighbours;
mod nested;
mod options;
mod order;
mod seats;
mod stacks;
