//! Strong zero: a factor that is exactly zero absorbs a non-finite one on either side; other infinities come through.

use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(reverse, forward, second_order, cross_check)]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn logarithm(x: f64) -> f64 {
    x.ln()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn quotient(x: f64, y: f64) -> f64 {
    x / y
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn power(x: f64, p: f64) -> f64 {
    x.powf(p)
}

#[test]
fn a_zero_seed_gives_zero_at_singular_points() {
    assert_eq!(root::adjoint(0.0, 0.0).1, 0.0);
    assert_eq!(root::adjoint(-1.0, 0.0).1, 0.0);
    assert_eq!(logarithm::adjoint(0.0, 0.0).1, 0.0);
    let (_, x_adj, y_adj) = quotient::adjoint(1.0, 0.0, 0.0);
    assert_eq!((x_adj, y_adj), (0.0, 0.0));
    let (_, x_adj, p_adj) = power::adjoint(0.0, -1.0, 0.0);
    assert_eq!((x_adj, p_adj), (0.0, 0.0));
    let (_, x_adj, p_adj) = power::adjoint(-1.0, 0.5, 0.0);
    assert_eq!((x_adj, p_adj), (0.0, 0.0));
}

#[test]
fn a_true_infinity_comes_through() {
    assert_eq!(root::adjoint(0.0, 1.0).1, f64::INFINITY);
    assert_eq!(root::adjoint(0.0, -2.0).1, f64::NEG_INFINITY);
    assert_eq!(logarithm::adjoint(0.0, 1.0).1, f64::INFINITY);
    assert_eq!(quotient::adjoint(1.0, 0.0, 1.0).1, f64::INFINITY);
}

#[test]
fn outside_the_domain_the_derivative_is_nan() {
    assert!(root::adjoint(-1.0, 1.0).1.is_nan());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted_root(x: f64, w: f64) -> f64 {
    w * x.sqrt()
}

#[test]
fn a_zero_weight_hides_the_root() {
    assert_eq!(weighted_root::adjoint(0.0, 0.0, 1.0), (0.0, 0.0, 0.0));
    assert_eq!(weighted_root::adjoint(0.0, 2.0, 1.0).1, f64::INFINITY);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn saturating(x: f64, w: f64) -> f64 {
    (x.exp() * w).min(1.0)
}

#[test]
fn an_overflow_behind_a_cap() {
    // The cap holds, so nothing flows back; `exp` is infinite and must not turn the zero into NaN.
    assert_eq!(saturating::adjoint(800.0, 1.0, 1.0), (1.0, 0.0, 0.0));
    // Below the cap the derivative is the usual one.
    let (x, w) = (0.3_f64, 0.4);
    let (_, x_adj, w_adj) = saturating::adjoint(x, w, 1.0);
    assert_exact("below", &[x_adj, w_adj], &[w * x.exp(), x.exp()]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn radius(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

#[test]
fn the_radius_at_the_origin() {
    // Seed times 1/(2 · 0) is infinite; the partials 2x and 2y are exactly zero and absorb it.
    assert_eq!(radius::adjoint(0.0, 0.0, 1.0), (0.0, 0.0, 0.0));
    let (_, x_adj, y_adj) = radius::adjoint(3.0, 4.0, 1.0);
    assert_exact("elsewhere", &[x_adj, y_adj], &[0.6, 0.8]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn chosen(x: f64, use_log: bool) -> f64 {
    let y = x.ln();
    let z = 1.0 / x;
    if use_log { y + z } else { x * x }
}

#[test]
fn singular_values_that_are_not_used() {
    assert_eq!(chosen::adjoint(0.0, false, 1.0), (0.0, 0.0));
    let x = 2.0_f64;
    assert_exact("used", &[chosen::adjoint(x, true, 1.0).1], &[1.0 / x - 1.0 / (x * x)]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn entropy(p: &[f64]) -> f64 {
    let mut h = 0.0;
    for i in 0..p.len() {
        let term = p[i] * p[i].ln();
        if p[i] > 0.0 {
            h -= term;
        }
    }
    h
}

#[test]
fn a_term_that_is_left_out_of_a_sum() {
    let p = [0.25, 0.0, 0.75];
    let (value, p_adj) = entropy::value_and_gradient(&p);
    assert_exact("value", &[value], &[entropy(&p)]);
    assert_exact("entropy", &p_adj, &[-p[0].ln() - 1.0, 0.0, -p[2].ln() - 1.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn times_infinite(x: f64, #[constant] weights: &[f64]) -> f64 {
    let mut s = 0.0_f64;
    for w in weights {
        s = s.max(x * w);
    }
    s
}

#[test]
fn infinite_data_that_does_not_win() {
    // -∞ loses against 0, so its adjoint is zero: zero times infinite data is zero.
    assert_eq!(times_infinite::adjoint(2.0, &[f64::NEG_INFINITY, 3.0], 1.0), (6.0, 3.0));
}

#[differentiate(reverse, forward, cross_check, strong_zero = false)]
fn weighted_root_plainly(x: f64, w: f64) -> f64 {
    w * x.sqrt()
}

#[test]
fn the_option_gives_the_plain_product() {
    // Zero times infinity.
    assert!(weighted_root_plainly::adjoint(0.0, 0.0, 1.0).1.is_nan());
    let (_, x_adj, w_adj) = weighted_root_plainly::adjoint(4.0, 3.0, 1.0);
    assert_exact("regular", &[x_adj, w_adj], &[0.75, 2.0]);
}
