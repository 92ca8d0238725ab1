//! Derivatives from independent sources, and comparisons with stated tolerances.
//!
//! Two sources serve: central differences of the primal, which need nothing but the function, and dual numbers
//! (`num-dual`) on a generic twin of it, which are exact to rounding but need the function written twice.

use num_dual::Dual64;

/// Relative agreement asked of two derivatives that are both exact but for rounding, in double precision.
///
/// The programs here run at most some thousand operations and lose at most three digits to cancellation, so that
/// 10⁻¹² (about 4500 units of rounding) leaves room for another order of summation and for nothing else.
pub const EXACT: f64 = 1e-12;

/// Relative agreement asked of a derivative and [`central`] differences with [`STEP`].
///
/// The error of a difference is `|f| · 1e-16 / h` from rounding, some 10⁻¹² for `h = 2e-4` and a value near one, and
/// `h⁴ f⁽⁵⁾ / 30` from the formula, 10⁻¹⁶ for a fifth derivative near one. The tolerance leaves three orders of
/// magnitude for larger values and fifth derivatives; a wrong term in a derivative is many orders larger than that.
pub const DIFFERENCES: f64 = 1e-8;

/// Step of [`central`], relative to the larger of the entry's magnitude and one.
pub const STEP: f64 = 2e-4;

/// Whether `a` and `b` agree to `tol`, relative to the larger of them and one.
///
/// Equal values agree, infinite ones too; NaN agrees with nothing.
pub fn close(a: f64, b: f64, tol: f64) -> bool {
    let distance = (a - b).abs();
    a == b || distance.is_finite() && distance <= tol * a.abs().max(b.abs()).max(1.0)
}

/// Panics unless every entry of `got` agrees with that of `want` to [`EXACT`].
#[track_caller]
pub fn assert_exact(name: &str, got: &[f64], want: &[f64]) {
    assert_close(name, got, want, EXACT);
}

/// Panics unless every entry of `got` agrees with that of `want` to `tol`, and lists all that do not.
#[track_caller]
pub fn assert_close(name: &str, got: &[f64], want: &[f64], tol: f64) {
    assert_eq!(got.len(), want.len(), "{name}: number of entries");
    let wrong: Vec<String> = (0..got.len())
        .filter(|&i| !close(got[i], want[i], tol))
        .map(|i| format!("  entry {i}: {} but {} expected", got[i], want[i]))
        .collect();
    assert!(wrong.is_empty(), "{name}\n{}", wrong.join("\n"));
}

/// `at` with `h` added to entry `i`.
pub fn moved(at: &[f64], i: usize, h: f64) -> Vec<f64> {
    let mut at = at.to_vec();
    at[i] += h;
    at
}

/// Fourth-order central difference of `f` by entry `i`, with steps `h` and `2h`.
pub fn central(f: impl Fn(&[f64]) -> f64, at: &[f64], i: usize, h: f64) -> f64 {
    let d = |k: f64| f(&moved(at, i, k * h)) - f(&moved(at, i, -k * h));
    (8.0 * d(1.0) - d(2.0)) / (12.0 * h)
}

/// First-order difference of `f` by entry `i` to the right.
pub fn right(f: impl Fn(&[f64]) -> f64, at: &[f64], i: usize, h: f64) -> f64 {
    (f(&moved(at, i, h)) - f(at)) / h
}

/// Central differences of `f` by every entry.
pub fn differences(f: impl Fn(&[f64]) -> f64, at: &[f64]) -> Vec<f64> {
    (0..at.len()).map(|i| central(&f, at, i, STEP * at[i].abs().max(1.0))).collect()
}

/// Panics unless `gradient` agrees with central differences of `f` at `at`, to [`DIFFERENCES`].
///
/// A gradient that is zero throughout is refused: at the points that tests choose, that is a lost derivative.
#[track_caller]
pub fn assert_gradient(name: &str, f: impl Fn(&[f64]) -> f64, at: &[f64], gradient: &[f64]) {
    assert!(gradient.iter().any(|g| *g != 0.0), "{name}: no entry has a derivative");
    assert_close(name, gradient, &differences(f, at), DIFFERENCES);
}

/// Compares a value and all its derivatives, in the order of `at`, with `f` itself.
#[track_caller]
pub fn check(name: &str, f: impl Fn(&[f64]) -> f64, at: &[f64], value: f64, gradient: &[f64]) {
    assert_exact(&format!("{name}: value"), &[value], &[f(at)]);
    assert_gradient(name, f, at, gradient);
}

/// Numbers without a pattern, between -1 and 1.
pub fn sample(n: usize, shift: f64) -> Vec<f64> {
    (0..n).map(|k| (1.7 * k as f64 + shift).sin()).collect()
}

/// Gradient of a function over dual numbers: one evaluation per entry, exact to rounding.
pub fn dual_gradient(f: impl Fn(&[Dual64]) -> Dual64, at: &[f64]) -> Vec<f64> {
    (0..at.len())
        .map(|i| {
            let mut x: Vec<Dual64> = at.iter().map(|&v| Dual64::from_re(v)).collect();
            x[i].eps = 1.0;
            f(&x).eps
        })
        .collect()
}

/// Panics unless `gradient` agrees with dual numbers to [`EXACT`] and `f` with its twin.
///
/// The twin is the same function, written generically: `fn twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D`.
#[track_caller]
pub fn assert_dual(
    name: &str,
    value: f64,
    twin: impl Fn(&[Dual64]) -> Dual64,
    at: &[f64],
    gradient: &[f64],
) {
    let x: Vec<Dual64> = at.iter().map(|&v| Dual64::from_re(v)).collect();
    assert_exact(&format!("{name}: value"), &[value], &[twin(&x).re]);
    assert_exact(name, gradient, &dual_gradient(twin, at));
}

/// [`check`] and [`assert_dual`]: two sources that share nothing with the companion or with each other.
#[track_caller]
pub fn check_both(
    name: &str,
    f: impl Fn(&[f64]) -> f64,
    twin: impl Fn(&[Dual64]) -> Dual64,
    at: &[f64],
    value: f64,
    gradient: &[f64],
) {
    check(name, f, at, value, gradient);
    assert_dual(name, value, twin, at, gradient);
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_dual::DualNum;

    fn twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        (x[0] * x[1]).sin() + x[1].powi(3)
    }

    #[test]
    fn both_sources_agree_with_the_formula() {
        let at = [0.7, -1.3];
        let c = (at[0] * at[1]).cos();
        let gradient = [c * at[1], c * at[0] + 3.0 * at[1] * at[1]];
        assert_gradient("differences", |x| (x[0] * x[1]).sin() + x[1].powi(3), &at, &gradient);
        assert_dual("dual numbers", twin(&at), twin, &at, &gradient);
        check_both("both", twin, twin, &at, twin(&at), &gradient);
    }

    #[test]
    #[should_panic(expected = "entry 1")]
    fn a_wrong_entry_is_named() {
        assert_gradient("square", |x| x[0] * x[0] + x[1], &[1.0, 2.0], &[2.0, 1.0001]);
    }

    #[test]
    #[should_panic(expected = "no entry")]
    fn a_lost_derivative_is_refused() {
        assert_gradient("constant", |_| 1.0, &[1.0], &[0.0]);
    }

    #[test]
    fn what_agrees() {
        assert!(close(f64::INFINITY, f64::INFINITY, EXACT));
        assert!(!close(f64::NAN, f64::NAN, EXACT));
        assert!(!close(f64::INFINITY, 1.0, EXACT));
        assert!(close(1e200, 1e200 * (1.0 + 1e-13), EXACT));
    }
}
