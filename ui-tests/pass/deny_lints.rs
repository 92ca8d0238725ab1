#![deny(warnings, missing_docs, unused, nonstandard_style, future_incompatible)]
#![deny(let_underscore, rust_2018_idioms, rust_2024_compatibility)]
#![deny(
    ambiguous_negative_literals,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    missing_copy_implementations,
    missing_debug_implementations,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
//! A documented crate without a warning.

use ad_runtime::differentiate;

/// Straight-line code, in public.
#[differentiate(reverse, forward)]
pub fn straight(x: f64, y: f64) -> f64 {
    let (a, b) = (x * y, x.sin());
    a / b
}

/// Loops, branches and an early return.
#[differentiate(reverse, forward)]
pub fn branches(x: &[f64], y: &mut [f64], n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        if x[k] < 0.0 {
            continue;
        }
        total += match k % 3 {
            0 => x[k],
            1 if total > 1.0 => x[k] * x[k],
            _ => x[k].exp(),
        };
        if total > 100.0 {
            return total;
        }
        y[k] = total;
    }
    while total > 3.0 {
        total *= 0.5;
    }
    total
}

/// Recursion.
#[differentiate(reverse, forward)]
pub fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

/// Nothing is returned.
#[differentiate(reverse, forward)]
pub fn step(x: &mut [f64], dt: f64) {
    for k in 1..x.len() {
        x[k] += dt * x[k - 1];
    }
}

/// A parameter without an influence.
#[differentiate(reverse, forward)]
pub fn without_influence(x: f64, _y: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
fn private(x: f64) -> f64 {
    straight(x, x)
}

fn main() {
    let _ = private(1.0);
    let _ = private::gradient(1.0);
    let _ = power::gradient(1.0, 3);
}
