//! Tests of derivatives, for users' own test suites.
//!
//! A rule is as right as its author made it, so test it.
//!
//! | Function | Compares |
//! |---|---|
//! | [`test_rule`] | a gradient with central differences of the function |
//! | [`tangent`] | a tangent with central differences of the function |
//! | [`test_rule_in_both_modes`] | a gradient with differences, and the tangent with the gradient |
//! | [`dot_product`] | tangents with adjoints, for functions with any results |

mod modes;
mod point;

pub use modes::{dot_product, tangent, test_rule_in_both_modes};
pub use point::Point;

use alloc::{format, string::String, vec::Vec};

/// Agreement that is asked of a derivative, relative to the larger of it and one.
///
/// The formula and rounding cost some 10⁻¹⁰ where a value and its derivatives are near one; a wrong
/// term is mostly larger than the tolerance by many orders of magnitude.
const TOLERANCE: f64 = 1e-6;

/// Step of the differences, relative to the larger of an entry's magnitude and one.
const STEP: f64 = 2e-4;

/// Panics unless `value_and_gradient` gives the value of `f` at `point`, and derivatives that agree
/// with central differences of `f` to six digits. The message names every part that is off, and by
/// how much.
///
/// The point has the type of the gradient: one argument by itself, several as a tuple, and data
/// behind a reference as what owns it.
///
/// ```
/// use ad_runtime::{check, custom_rule};
///
/// #[custom_rule(vjp = weighted_rule)]
/// fn weighted(scale: f64, w: &[f64]) -> f64 {
///     w.iter().map(|w| scale * w * w).sum()
/// }
///
/// fn weighted_rule(
///     scale: f64,
///     w: &[f64],
/// ) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
///     let pullback = move |w: &[f64], w_adj: &mut [f64], seed: f64| {
///         for (adj, w) in w_adj.iter_mut().zip(w) {
///             *adj += seed * scale * 2.0 * w;
///         }
///         seed * w.iter().map(|w| w * w).sum::<f64>()
///     };
///     (weighted(scale, w), pullback)
/// }
///
/// check::test_rule(
///     (0.5, vec![1.5, -2.0, 0.3]),
///     |(scale, w)| weighted(*scale, w),
///     |(scale, w)| weighted::value_and_gradient(*scale, w),
/// );
/// ```
///
/// A factor that was forgotten is found:
///
/// ```should_panic
/// use ad_runtime::{check, custom_rule};
///
/// #[custom_rule(partials(x = x * y, y = x * x))]
/// fn volume(x: f64, y: f64) -> f64 {
///     x * x * y
/// }
///
/// // gradient.0 is 6, but differences give 12.0000000000… (off by 6.0e0)
/// check::test_rule(
///     (2.0, 3.0),
///     |(x, y)| volume(*x, *y),
///     |(x, y)| volume::value_and_gradient(*x, *y),
/// );
/// ```
///
/// Choose points away from kinks and from the border of the domain, at which no derivative is 0. A
/// function without one real result is tested through one that combines its results.
///
/// # Panics
///
/// If something disagrees.
#[track_caller]
pub fn test_rule<P: Point>(
    mut point: P,
    f: impl Fn(&P) -> f64,
    value_and_gradient: impl Fn(&P) -> (f64, P),
) {
    let (value, mut gradient) = value_and_gradient(&point);
    let mut wrong = Vec::new();
    report(&mut wrong, "the value", value, "the function gives", f(&point), TOLERANCE);
    let (mut found, mut at) = (Vec::new(), Vec::new());
    gradient.parts("gradient", &mut |name, part| found.push((String::from(name), *part)));
    point.parts("", &mut |_, part| at.push(*part));
    assert!(
        found.len() == at.len(),
        "the gradient has {} real parts, and the point has {}",
        found.len(),
        at.len()
    );
    for (k, ((name, part), x)) in found.into_iter().zip(at).enumerate() {
        let h = STEP * x.abs().max(1.0);
        let mut moved = |steps: f64| {
            set(&mut point, k, x + steps * h);
            f(&point)
        };
        let near = moved(1.0) - moved(-1.0);
        let far = moved(2.0) - moved(-2.0);
        set(&mut point, k, x);
        let difference = (8.0 * near - far) / (12.0 * h);
        report(&mut wrong, &name, part, "differences give", difference, TOLERANCE);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reports two numbers that disagree, relative to the larger of them and one.
fn report(wrong: &mut Vec<String>, what: &str, got: f64, source: &str, expected: f64, tol: f64) {
    let off = (got - expected).abs();
    let near = off.is_finite() && off <= tol * got.abs().max(expected.abs()).max(1.0);
    if got != expected && !near {
        wrong.push(format!("{what} is {got}, but {source} {expected} (off by {off:.1e})"));
    }
}

fn set<P: Point>(point: &mut P, part: usize, value: f64) {
    let mut k = 0;
    point.parts("", &mut |_, x| {
        if k == part {
            *x = value;
        }
        k += 1;
    });
}

#[cfg(test)]
mod tests {
    use super::test_rule;
    use alloc::vec;
    use alloc::vec::Vec;

    type At = (f64, Vec<[f64; 2]>);

    fn f((x, w): &At) -> f64 {
        w.iter().map(|[a, b]| x * a * a + b).sum()
    }

    fn gradient((x, w): &At, wrong: f64) -> (f64, At) {
        let parts = w
            .iter()
            .enumerate()
            .map(|(k, [a, _])| [2.0 * x * a, if k == 1 { 1.0 + wrong } else { 1.0 }]);
        let at = (w.iter().map(|[a, _]| a * a).sum(), parts.collect());
        (f(&(*x, w.clone())), at)
    }

    fn at() -> At {
        (0.7, vec![[1.0, 2.0], [-3.0, 1e3]])
    }

    #[test]
    fn a_right_gradient_passes() {
        test_rule(at(), f, |at| gradient(at, 0.0));
        test_rule(0.0, |x| x.exp(), |x| (x.exp(), x.exp()));
    }

    #[test]
    #[should_panic(expected = "gradient.1[1][1] is 1.001, but differences give")]
    fn a_wrong_part_is_named() {
        test_rule(at(), f, |at| gradient(at, 1e-3));
    }

    #[test]
    #[should_panic(expected = "the value is 4, but the function gives 2 (off by 2.0e0)")]
    fn a_wrong_value_is_named() {
        test_rule(2.0, |x| *x, |x| (2.0 * x, 1.0));
    }

    #[test]
    #[should_panic(expected = "gradient is NaN")]
    fn nan_agrees_with_nothing() {
        test_rule(2.0, |x| *x, |x| (*x, f64::NAN));
    }

    #[test]
    #[should_panic(expected = "gradient is inf")]
    fn an_infinite_derivative_is_not_near_another() {
        test_rule(2.0, |x| *x, |x| (*x, f64::INFINITY));
    }

    #[test]
    #[should_panic(expected = "the gradient has 1 real parts, and the point has 2")]
    fn a_part_that_is_missing_is_no_zero() {
        test_rule(vec![1.0, 2.0], |x| x[0], |x| (x[0], vec![1.0]));
    }
}
