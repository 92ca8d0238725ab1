//! `num_complex::Complex`.

mod idioms;
mod language;
mod methods;
mod operators;
mod programs;
mod transforms;

use ad_tests::check::{check, sample};
use num_complex::Complex64;

fn c(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

/// Complex numbers of pairs of parts.
fn complex(parts: &[f64]) -> Vec<Complex64> {
    parts.chunks_exact(2).map(|part| c(part[0], part[1])).collect()
}

/// The parts of complex numbers, in order.
fn parts(numbers: &[Complex64]) -> Vec<f64> {
    numbers.iter().flat_map(|z| [z.re, z.im]).collect()
}

/// `n` numbers without a pattern, with parts between -1 and 1.
fn numbers(n: usize, shift: f64) -> Vec<Complex64> {
    complex(&sample(2 * n, shift))
}

/// Compares a real function of complex numbers, and its gradient, with differences by all parts.
#[track_caller]
fn check_at(
    name: &str,
    at: &[Complex64],
    f: impl Fn(&[Complex64]) -> f64,
    (value, gradient): (f64, Vec<Complex64>),
) {
    check(name, |x| f(&complex(x)), &parts(at), value, &parts(&gradient));
}
