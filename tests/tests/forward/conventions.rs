//! Kinks, ties, steps and the strong zero, as the chapter on conventions has them, along directions.

use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(forward)]
fn magnitude(x: f64) -> f64 {
    x.abs()
}

#[differentiate(forward)]
fn rectifier(x: f64) -> f64 {
    if x > 0.0 { 2.0 * x } else { 0.5 * x }
}

#[differentiate(forward)]
fn extremes(x: f64, y: f64) -> (f64, f64) {
    (x.max(y), x.min(y))
}

#[differentiate(forward)]
fn stair(x: f64) -> f64 {
    let steps = x.floor() + x.ceil() + x.round() + x.trunc() + x.signum();
    steps + (x * 10.0) as usize as f64 + 5.0 * x
}

#[test]
fn kinks() {
    assert_eq!(magnitude::tangent(0.0, 3.0).1, 0.0);
    assert_eq!(magnitude::tangent(-1e-300, 3.0).1, -3.0);
    assert_eq!(rectifier::tangent(0.0, 3.0).1, 1.5);
    assert_eq!(extremes::tangent(2.0, 1.0, 2.0, 10.0).1, (1.0, 1.0));
    assert_eq!(extremes::tangent(1.0, 1.0, 2.0, 10.0).1, (10.0, 1.0));
    assert_eq!(extremes::tangent(f64::NAN, 1.0, 2.0, 10.0), ((2.0, 2.0), (10.0, 10.0)));
    for x in [0.73, 1.0, 2.5] {
        assert_eq!(stair::tangent(x, 2.0), (stair(x), 10.0));
    }
}

#[differentiate(forward)]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[differentiate(forward)]
fn quotient(x: f64, y: f64) -> f64 {
    x / y
}

#[differentiate(forward)]
fn power(x: f64, p: f64) -> f64 {
    x.powf(p)
}

#[test]
fn a_tangent_of_zero_absorbs_an_infinite_partial() {
    assert_eq!(root::tangent(0.0, 0.0).1, 0.0);
    assert_eq!(root::tangent(-1.0, 0.0).1, 0.0);
    assert_eq!(quotient::tangent(1.0, 0.0, 0.0, 0.0).1, 0.0);
    assert_eq!(power::tangent(0.0, 0.0, -1.0, 0.0).1, 0.0);
    assert_eq!(power::tangent(-1.0, 0.0, 0.5, 0.0).1, 0.0);
    // The partial by the exponent is NaN for a negative base, which nothing asks for.
    assert_eq!(power::tangent(-2.0, 1.0, 3.0, 0.0).1, 12.0);
}

#[differentiate(forward)]
fn radius(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

#[differentiate(forward)]
fn saturating(x: f64, w: f64) -> f64 {
    (x.exp() * w).min(1.0)
}

#[test]
fn a_partial_of_zero_absorbs_an_infinite_tangent() {
    assert_eq!(radius::tangent(0.0, 1.0, 0.0, 1.0), (0.0, 0.0));
    assert_exact("elsewhere", &[radius::tangent(3.0, 1.0, 4.0, 2.0).1], &[0.6 + 1.6]);
    assert_eq!(saturating::tangent(800.0, 1.0, 1.0, 0.0), (1.0, 0.0));
}

#[test]
fn a_true_infinity_comes_through() {
    assert_eq!(root::tangent(0.0, 1.0).1, f64::INFINITY);
    assert_eq!(root::tangent(0.0, -2.0).1, f64::NEG_INFINITY);
    assert!(root::tangent(-1.0, 1.0).1.is_nan());
    assert_eq!(quotient::tangent(1.0, 1.0, 0.0, 0.0).1, f64::INFINITY);
}

#[differentiate(forward, strong_zero = false)]
fn weighted_root_plainly(x: f64, w: f64) -> f64 {
    w * x.sqrt()
}

#[differentiate(forward)]
fn weighted_root(x: f64, w: f64) -> f64 {
    w * x.sqrt()
}

#[test]
fn the_option_gives_the_plain_product() {
    assert_eq!(weighted_root::tangent(0.0, 1.0, 0.0, 0.0).1, 0.0);
    assert!(weighted_root_plainly::tangent(0.0, 1.0, 0.0, 0.0).1.is_nan());
    assert_exact("regular", &[weighted_root_plainly::tangent(4.0, 2.0, 3.0, 1.0).1], &[3.5]);
}

#[differentiate(forward)]
fn chosen(x: f64, use_log: bool) -> f64 {
    let y = x.ln();
    let z = 1.0 / x;
    if use_log { y + z } else { x * x }
}

#[test]
fn singular_values_that_are_not_used() {
    assert_eq!(chosen::tangent(0.0, 1.0, false), (0.0, 0.0));
    assert_exact("used", &[chosen::tangent(2.0, 1.0, true).1], &[0.25]);
}

#[differentiate(forward)]
fn cut(x: f64) -> f64 {
    #[constant]
    let frozen = x.sin();
    x * frozen
}

#[test]
fn what_is_declared_constant_is_cut_off() {
    assert_eq!(cut::tangent(0.5, 2.0), (0.5 * 0.5_f64.sin(), 2.0 * 0.5_f64.sin()));
}
