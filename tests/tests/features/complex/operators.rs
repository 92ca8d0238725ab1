//! Arithmetic of complex numbers with each other and with real numbers.

use super::{c, check_at};
use ad_runtime::differentiate;
use ad_tests::check::check;
use num_complex::{Complex, Complex64};
use num_traits::Float;

#[differentiate(reverse)]
fn between(z: Complex64, w: Complex64) -> f64 {
    let p = z * w + z / w - w * 2.0;
    let q = -(p - z) * p.conj();
    q.re - q.im
}

#[test]
fn complex_with_complex() {
    for at in
        [[c(0.7, 0.4), c(-0.6, 0.9)], [c(-1.3, 0.2), c(0.5, -0.1)], [c(2.0, 0.0), c(0.0, 1.0)]]
    {
        let (value, (z, w)) = between::value_and_gradient(at[0], at[1]);
        check_at("between", &at, |x| between(x[0], x[1]), (value, vec![z, w]));
    }
}

#[differentiate(reverse)]
fn with_reals(z: Complex64, x: f64) -> f64 {
    let right = (z + x) * (z - x) / x + z * x;
    let left = (x + z) / (x - z) + x * z - x / z;
    let literal = (2.0 * z + 1.0) / 3.0 - (1.0 - z);
    (right * left + literal).norm_sqr()
}

#[test]
fn complex_with_real_on_either_side() {
    for (z, x) in [(c(0.7, 0.4), 1.3), (c(-0.6, 0.9), -0.8), (c(0.2, -1.5), 0.5)] {
        let (value, (z_adj, x_adj)) = with_reals::value_and_gradient(z, x);
        let f = |v: &[f64]| with_reals(c(v[0], v[1]), v[2]);
        check("with_reals", f, &[z.re, z.im, x], value, &[z_adj.re, z_adj.im, x_adj]);
    }
}

#[differentiate(reverse)]
fn by_reference(z: &[Complex64], w: &Complex64, x: f64) -> f64 {
    let a = &z[0] * w;
    let b = &z[1] / &z[0];
    let d = (&a - &b) * x + w;
    let e = x * &z[1] - &d;
    (d * &e).re + e.im
}

#[test]
fn operands_by_reference() {
    let (z, w, x) = ([c(0.7, 0.4), c(-0.6, 0.9)], c(0.3, -1.1), 0.8);
    let (value, (z_adj, w_adj, x_adj)) = by_reference::value_and_gradient(&z, &w, x);
    let f = |v: &[f64]| by_reference(&super::complex(&v[..4]), &c(v[4], v[5]), v[6]);
    let at = [z[0].re, z[0].im, z[1].re, z[1].im, w.re, w.im, x];
    let mut gradient = super::parts(&z_adj);
    gradient.extend([w_adj.re, w_adj.im, x_adj]);
    check("by_reference", f, &at, value, &gradient);
}

#[differentiate(reverse)]
fn compound(z: Complex64, w: Complex64, x: f64) -> Complex64 {
    let mut acc = z;
    acc += w;
    acc *= 2.0;
    acc -= z * x;
    acc /= w;
    acc *= acc;
    acc += x;
    acc /= x;
    acc
}

#[test]
fn compound_assignments() {
    let (z, w, x) = (c(0.7, 0.4), c(-0.6, 0.9), 1.3);
    let (value, z_adj, w_adj, x_adj) = compound::adjoint(z, w, x, c(1.0, 2.0));
    let f = |v: &[f64]| {
        let y = compound(c(v[0], v[1]), c(v[2], v[3]), v[4]);
        y.re + 2.0 * y.im
    };
    let gradient = [z_adj.re, z_adj.im, w_adj.re, w_adj.im, x_adj];
    check("compound", f, &[z.re, z.im, w.re, w.im, x], value.re + 2.0 * value.im, &gradient);
}

#[differentiate(reverse)]
fn generic<T: Float>(z: Complex<T>, x: T) -> T {
    let w = z * x + z * z;
    (w - z.conj()).norm_sqr()
}

#[test]
fn generic_over_the_parts() {
    let (value, (z, x)) = generic::value_and_gradient(c(0.7, 0.4), 1.3);
    let f = |v: &[f64]| generic(c(v[0], v[1]), v[2]);
    check("generic", f, &[0.7, 0.4, 1.3], value, &[z.re, z.im, x]);
    let (z, x) = generic::gradient(Complex::new(0.5_f32, 0.25), 2.0);
    let (wide, wide_x) = generic::gradient(c(0.5, 0.25), 2.0);
    assert_eq!((f64::from(z.re), f64::from(z.im), f64::from(x)), (wide.re, wide.im, wide_x));
}

#[differentiate(reverse)]
fn constants(x: f64) -> f64 {
    let z = Complex64::I * x + Complex64::ONE - x * Complex64::I * Complex64::i() * 2.0;
    (z * z * z).im
}

#[test]
fn constants_of_the_type() {
    // z = 1 + 2x + ix, so Im z³ = 3 (1 + 2x)² x - x³.
    let x = 0.7;
    let expected = 12.0 * (1.0 + 2.0 * x) * x + 3.0 * (1.0_f64 + 2.0 * x).powi(2) - 3.0 * x * x;
    ad_tests::check::assert_exact("constants", &[constants::gradient(x)], &[expected]);
}

/// A zero seed absorbs what is infinite, and a partial of zero an infinite seed.
#[differentiate(reverse)]
fn masked(z: Complex64, w: Complex64, weight: f64) -> f64 {
    weight * (z / w).norm() + z.norm_sqr().sqrt()
}

#[test]
fn strong_zero() {
    let zero = c(0.0, 0.0);
    assert_eq!(masked::gradient(zero, zero, 0.0).0, zero);
    assert_eq!(masked::gradient(zero, zero, 0.0).1, zero);
    assert_eq!(masked::gradient(zero, c(1.0, 1.0), 1.0).0, zero);
}
