//! Iterator chains as users write them: sources, adaptors, consumers, closures, `for` loops and small models.
//!
//! Every derivative by every input is compared with central differences, and with dual numbers where a generic twin is
//! short: it follows the arguments of the macros below, behind a semicolon. All points are away from kinks.

#![allow(
    clippy::needless_range_loop,
    clippy::let_and_return,
    clippy::unnecessary_fold,
    clippy::map_identity,
    clippy::manual_memcpy,
    clippy::ptr_arg,
    clippy::useless_vec,
    clippy::misrefactored_assign_op,
    clippy::manual_repeat_n,
    clippy::unnecessary_lazy_evaluations,
    clippy::manual_next_back,
    clippy::flat_map_identity,
    clippy::filter_map_bool_then,
    clippy::iter_nth,
    clippy::reversed_empty_ranges,
    clippy::useless_conversion,
    clippy::double_ended_iterator_last,
    clippy::skip_while_next,
    reason = "the functions are written as their users would write them"
)]

mod adaptors;
mod chains;
mod choose;
mod closures;
mod collections;
mod consumers;
mod effects;
mod joined;
mod loops;
mod mixed;
mod models;
mod numbers;
mod options;
mod programs;
mod sources;
mod stages;

use ad_tests::check::{assert_dual, check, sample};

/// Compares a function of one slice, and of constants behind it, with `f` itself, and with its twin if there is one.
macro_rules! one {
    ($f:ident, $at:expr $(, $constant:expr)* $(; $twin:expr)?) => {{
        let at: &[f64] = &$at;
        let (value, gradient) = $f::value_and_gradient(at $(, $constant)*);
        crate::check(stringify!($f), |v| $f(v $(, $constant)*), at, value, &gradient);
        $(crate::assert_dual(stringify!($f), value, $twin, at, &gradient);)?
    }};
}

/// Compares a function of two slices, and of constants behind them, with `f` itself.
macro_rules! two {
    ($f:ident, $a:expr, $b:expr $(, $constant:expr)* $(; $twin:expr)?) => {{
        let (a, b): (&[f64], &[f64]) = (&$a, &$b);
        let n = a.len();
        let (value, (a_adj, b_adj)) = $f::value_and_gradient(a, b $(, $constant)*);
        let f = |v: &[f64]| $f(&v[..n], &v[n..] $(, $constant)*);
        let (at, gradient) = ([a, b].concat(), [a_adj, b_adj].concat());
        crate::check(stringify!($f), f, &at, value, &gradient);
        $(crate::assert_dual(stringify!($f), value, $twin, &at, &gradient);)?
    }};
}

/// Compares a function of a slice and a number with `f` itself.
macro_rules! and_number {
    ($f:ident, $a:expr, $b:expr $(, $constant:expr)* $(; $twin:expr)?) => {{
        let (a, b): (&[f64], f64) = (&$a, $b);
        let n = a.len();
        let (value, (a_adj, b_adj)) = $f::value_and_gradient(a, b $(, $constant)*);
        let f = |v: &[f64]| $f(&v[..n], v[n] $(, $constant)*);
        let (at, gradient) = ([a, &[b]].concat(), [a_adj, vec![b_adj]].concat());
        crate::check(stringify!($f), f, &at, value, &gradient);
        $(crate::assert_dual(stringify!($f), value, $twin, &at, &gradient);)?
    }};
}

/// Compares a function that changes a slice, then gives a number, with `f` itself.
macro_rules! in_place {
    ($f:ident, $at:expr $(, $constant:expr)* $(; $twin:expr)?) => {{
        let at: &[f64] = &$at;
        let (value, gradient) = $f::value_and_gradient(&mut at.to_vec() $(, $constant)*);
        let f = |v: &[f64]| $f(&mut v.to_vec() $(, $constant)*);
        crate::check(stringify!($f), f, at, value, &gradient);
        $(crate::assert_dual(stringify!($f), value, $twin, at, &gradient);)?
    }};
}

pub(crate) use {and_number, in_place, one, two};

/// Numbers without a pattern, between 0.2 and 2.2.
fn positive(n: usize, shift: f64) -> Vec<f64> {
    sample(n, shift).iter().map(|v| v + 1.2).collect()
}
