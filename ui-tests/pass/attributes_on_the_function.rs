#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

/// Documented,
/// on two lines, with `code` and a [link](square).
#[inline]
#[must_use]
#[allow(clippy::many_single_char_names)]
#[differentiate(reverse, forward)]
pub fn square(x: f64) -> f64 {
    x * x
}

/** A block comment. */
#[differentiate(reverse, forward)]
#[inline(always)]
#[cold]
#[track_caller]
fn cube(
    /* comment */ x: f64,
    // another
    #[allow(unused)] n: usize,
) -> f64 {
    // in the body
    x * square(x)
}

#[deprecated]
#[differentiate(reverse, forward)]
fn old(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
#[expect(unused_variables)]
fn expected(x: f64) -> f64 {
    let y = x;
    x * 2.0
}

#[differentiate(reverse, forward)]
#[doc(hidden)]
#[expect(non_snake_case)]
fn Shouting(x: f64) -> f64 {
    x * x
}

fn main() {
    assert_eq!(square::gradient(3.0), 6.0);
    assert_eq!(cube::gradient(3.0, 1), 27.0);
    #[allow(deprecated)]
    let _ = old(1.0);
    assert_eq!(expected::gradient(1.0), 2.0);
    assert_eq!(Shouting::gradient(1.0), 2.0);
}
