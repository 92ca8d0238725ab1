//! Conventions where there is no derivative: 0 at a local extremum, else that of the branch that ran; ties of `max` and
//! `min` go to the receiver; what is piecewise constant has the derivative 0.
//!
//! Differences show nothing at such points, so the results are compared exactly.

use ad_runtime::differentiate;

#[differentiate(reverse, forward, cross_check)]
fn magnitude(x: f64) -> f64 {
    x.abs()
}

#[test]
fn the_magnitude_at_zero() {
    assert_eq!(magnitude::gradient(0.0), 0.0);
    assert_eq!(magnitude::gradient(-0.0), 0.0);
    assert_eq!(magnitude::gradient(1e-300), 1.0);
    assert_eq!(magnitude::gradient(-1e-300), -1.0);
}

#[differentiate(reverse, forward, cross_check)]
fn larger(x: f64, y: f64) -> f64 {
    x.max(y)
}

#[differentiate(reverse, forward, cross_check)]
fn smaller(x: f64, y: f64) -> f64 {
    x.min(y)
}

#[test]
fn ties_go_to_the_receiver() {
    assert_eq!(larger::gradient(2.0, 2.0), (1.0, 0.0));
    assert_eq!(smaller::gradient(2.0, 2.0), (1.0, 0.0));
    assert_eq!(larger::gradient(1.0, 2.0), (0.0, 1.0));
    assert_eq!(smaller::gradient(1.0, 2.0), (1.0, 0.0));
}

#[test]
fn a_missing_number_takes_no_part() {
    assert_eq!(larger::value_and_gradient(f64::NAN, 2.0), (2.0, (0.0, 1.0)));
    assert_eq!(larger::value_and_gradient(2.0, f64::NAN), (2.0, (1.0, 0.0)));
    assert_eq!(smaller::value_and_gradient(f64::NAN, 2.0), (2.0, (0.0, 1.0)));
    assert_eq!(smaller::value_and_gradient(2.0, f64::NAN), (2.0, (1.0, 0.0)));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn stair(x: f64) -> f64 {
    let steps = x.floor() + x.ceil() + x.round() + x.trunc() + x.signum();
    let cell = (x * 10.0) as usize;
    steps + cell as f64 + 5.0 * x
}

#[test]
fn steps_and_casts_to_integers_are_constant() {
    for x in [0.73, 1.0, 2.5] {
        assert_eq!(stair::value_and_gradient(x), (stair(x), 5.0));
    }
}

#[differentiate(reverse, forward, cross_check)]
fn rectifier(x: f64) -> f64 {
    if x > 0.0 { 2.0 * x } else { 0.5 * x }
}

#[test]
fn a_branch_has_the_derivative_of_what_ran() {
    assert_eq!(rectifier::gradient(0.0), 0.5);
    assert_eq!(rectifier::gradient(1.0), 2.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn angle(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn length(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

#[test]
fn the_origin() {
    assert_eq!(length::gradient(0.0, 0.0), (0.0, 0.0));
    assert_eq!(length::gradient(-2.0, 0.0), (-1.0, 0.0));
    assert_eq!(angle::gradient(0.0, 2.0), (0.5, 0.0));
    assert_eq!(angle::gradient(2.0, 0.0), (0.0, -0.5));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn power(x: f64, p: f64) -> f64 {
    x.powf(p)
}

#[test]
fn powers_of_zero() {
    assert_eq!(power::gradient(0.0, 2.0), (0.0, 0.0));
    assert_eq!(power::gradient(0.0, 1.0), (1.0, 0.0));
    assert_eq!(power::gradient(0.0, 0.5).0, f64::INFINITY);
    // Constant in x; in p it jumps, which has no derivative.
    assert_eq!(power::gradient(0.0, 0.0).0, 0.0);
    assert_eq!(power::gradient(-2.0, 3.0).0, 12.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn integer_power(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[test]
fn integer_powers_of_zero() {
    assert_eq!(integer_power::gradient(0.0, 0), 0.0);
    assert_eq!(integer_power::gradient(0.0, 1), 1.0);
    assert_eq!(integer_power::gradient(0.0, 2), 0.0);
    assert_eq!(integer_power::gradient(2.0, -1), -0.25);
}
