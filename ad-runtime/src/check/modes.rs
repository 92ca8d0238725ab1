//! Checks of forward mode: against differences, and against reverse mode.

use super::{Point, STEP, TOLERANCE, report, set, test_rule};
use alloc::{format, string::String, vec, vec::Vec};

/// Agreement that is asked of derivatives that are both exact but for rounding, relative to the
/// larger of them and one.
const ROUNDING: f64 = 1e-12;

/// Panics unless `value_and_tangent` gives the value of `f` at `point`, and along every argument a
/// tangent that agrees with central differences of `f` to six digits; along a direction without
/// zeros, the tangent has to be the sum of these.
///
/// `value_and_tangent` takes the point and a direction of its shape. The result may have any number
/// of real parts; the message names each that is off, and along which argument.
///
/// ```
/// use ad_runtime::{check, differentiate};
///
/// #[differentiate(forward)]
/// fn scale(x: &mut [f64], gain: f64) {
///     for x in x {
///         *x *= gain;
///     }
/// }
///
/// check::tangent(
///     (vec![1.5, -2.0], 0.5),
///     |(x, gain)| {
///         let mut x = x.clone();
///         scale(&mut x, *gain);
///         x
///     },
///     |(x, gain), (x_tan, gain_tan)| {
///         let (mut x, mut x_tan) = (x.clone(), x_tan.clone());
///         scale::tangent(&mut x, &mut x_tan, *gain, *gain_tan);
///         (x, x_tan)
///     },
/// );
/// ```
///
/// Choose points away from kinks and from the border of the domain.
///
/// # Panics
///
/// If something disagrees.
#[track_caller]
pub fn tangent<P: Point + Clone, R: Point>(
    point: P,
    f: impl Fn(&P) -> R,
    value_and_tangent: impl Fn(&P, &P) -> (R, R),
) {
    let mut wrong = Vec::new();
    let expected = parts("value", f(&point));
    let (value, _) = value_and_tangent(&point, &along(&point, |_| 0.0));
    for ((name, value), (_, expected)) in same_parts("value", value, &expected) {
        report(&mut wrong, &name, value, "the function gives", expected, TOLERANCE);
    }
    let mut sums = vec![0.0; expected.len()];
    for (k, (argument, x)) in parts("argument", point.clone()).into_iter().enumerate() {
        let h = STEP * x.abs().max(1.0);
        let moved = |steps: f64| {
            let mut point = point.clone();
            set(&mut point, k, x + steps * h);
            parts("value", f(&point))
        };
        let [far_below, below, above, far_above] = [-2.0, -1.0, 1.0, 2.0].map(moved);
        let (_, tangent) = value_and_tangent(&point, &along(&point, |j| unit(j, k)));
        let tangents = same_parts("value", tangent, &expected);
        for (i, ((name, tangent), _)) in tangents.into_iter().enumerate() {
            let (near, far) = (above[i].1 - below[i].1, far_above[i].1 - far_below[i].1);
            let what = format!("the tangent of {name} along {argument}");
            let difference = (8.0 * near - far) / (12.0 * h);
            report(&mut wrong, &what, tangent, "differences give", difference, TOLERANCE);
            sums[i] += tangent * dense(k);
        }
    }
    let (_, tangent) = value_and_tangent(&point, &along(&point, dense));
    let tangents = same_parts("value", tangent, &expected);
    for (((name, tangent), _), sum) in tangents.into_iter().zip(sums) {
        let what = format!("the tangent of {name} along all arguments");
        report(&mut wrong, &what, tangent, "those along each add up to", sum, TOLERANCE);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// [`test_rule`], and the tangent along every argument is that part of the gradient, exact to
/// rounding (10⁻¹²).
///
/// For a rule with `vjp` and `jvp`:
///
/// ```
/// use ad_runtime::{check, custom_rule};
///
/// #[custom_rule(vjp = product_rule, jvp = product_tangent)]
/// fn product(x: f64, y: f64) -> f64 {
///     x * y
/// }
///
/// fn product_rule(x: f64, y: f64) -> (f64, impl FnOnce(f64) -> (f64, f64) + use<>) {
///     (product(x, y), move |seed| (seed * y, seed * x))
/// }
///
/// fn product_tangent(x: f64, x_tan: f64, y: f64, y_tan: f64) -> (f64, f64) {
///     (product(x, y), x_tan * y + x * y_tan)
/// }
///
/// check::test_rule_in_both_modes(
///     (1.3, -0.7),
///     |(x, y)| product(*x, *y),
///     |(x, y)| product::value_and_gradient(*x, *y),
///     |(x, y), (x_tan, y_tan)| product::tangent(*x, *x_tan, *y, *y_tan),
/// );
/// ```
///
/// # Panics
///
/// If something disagrees.
#[track_caller]
pub fn test_rule_in_both_modes<P: Point + Clone>(
    point: P,
    f: impl Fn(&P) -> f64,
    value_and_gradient: impl Fn(&P) -> (f64, P),
    value_and_tangent: impl Fn(&P, &P) -> (f64, f64),
) {
    test_rule(point.clone(), &f, &value_and_gradient);
    let mut wrong = Vec::new();
    let (value, _) = value_and_tangent(&point, &along(&point, |_| 0.0));
    report(
        &mut wrong,
        "the value next to the tangent",
        value,
        "the function gives",
        f(&point),
        TOLERANCE,
    );
    dot_product_of(
        &mut wrong,
        &point,
        |point, direction| value_and_tangent(point, direction).1,
        // The gradient is linear in the seed.
        |point, seed| {
            let (_, gradient) = value_and_gradient(point);
            let gradient = parts("", gradient);
            along(point, |k| gradient[k].1 * seed)
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Panics unless both modes give the same derivatives at `point`, exact to rounding (10⁻¹²):
/// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ for unit directions ẋ and seeds ȳ, which are the entries of the Jacobian
/// `J`, and for one pair without zeros.
///
/// `tangent` takes the point and a direction, and gives the tangent of the result; `adjoint` takes
/// the point and a seed of the result's shape, and gives the adjoint of the arguments. The message
/// names the part of the result and the argument of each entry that is off.
///
/// ```
/// use ad_runtime::{check, differentiate};
///
/// #[differentiate(reverse, forward)]
/// fn running(x: &[f64]) -> Vec<f64> {
///     let mut y = x.to_vec();
///     for i in 1..y.len() {
///         y[i] += y[i - 1] * y[i - 1];
///     }
///     y
/// }
///
/// check::dot_product(
///     vec![0.5, 1.0, -0.3],
///     |x, x_tan| running::tangent(x, x_tan).1,
///     |x, seed| {
///         let mut x_adj = vec![0.0; x.len()];
///         running::adjoint(x, &mut x_adj, seed.clone());
///         x_adj
///     },
/// );
/// ```
///
/// Agreement says nothing of mistakes that both modes make; see [`tangent`] for these.
///
/// # Panics
///
/// If something disagrees.
#[track_caller]
pub fn dot_product<P: Point + Clone, R: Point + Clone>(
    point: P,
    tangent: impl Fn(&P, &P) -> R,
    adjoint: impl Fn(&P, &R) -> P,
) {
    let mut wrong = Vec::new();
    dot_product_of(&mut wrong, &point, tangent, adjoint);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn dot_product_of<P: Point + Clone, R: Point + Clone>(
    wrong: &mut Vec<String>,
    point: &P,
    tangent: impl Fn(&P, &P) -> R,
    adjoint: impl Fn(&P, &R) -> P,
) {
    let arguments = parts("argument", point.clone());
    let whole = tangent(point, &along(point, dense));
    let results = parts("value", whole.clone());
    let columns: Vec<_> = (0..arguments.len())
        .map(|k| same_parts("value", tangent(point, &along(point, |j| unit(j, k))), &results))
        .collect();
    for (i, (result, _)) in results.iter().enumerate() {
        let row = adjoint(point, &along(&whole, |j| unit(j, i)));
        let row = same_parts("argument", row, &arguments);
        for (((argument, adjoint), _), column) in row.into_iter().zip(&columns) {
            let what = format!("the tangent of {result} along {argument}");
            let ((_, tangent), _) = column[i];
            report(wrong, &what, tangent, "the adjoint is", adjoint, ROUNDING);
        }
    }
    let back = same_parts("argument", adjoint(point, &along(&whole, dense)), &arguments);
    let by_tangent = results.iter().enumerate().map(|(i, (_, tangent))| tangent * dense(i));
    let by_adjoint = back.iter().enumerate().map(|(k, ((_, adjoint), _))| adjoint * dense(k));
    // Terms may cancel, so the agreement is relative to their size.
    let size = |sum: f64, term: f64| sum + term.abs();
    let scale = by_tangent.clone().fold(1.0, size).max(by_adjoint.clone().fold(1.0, size));
    let (by_tangent, by_adjoint): (f64, f64) = (by_tangent.sum(), by_adjoint.sum());
    let tol = ROUNDING * scale / by_tangent.abs().max(by_adjoint.abs()).max(1.0);
    report(wrong, "⟨ȳ, J ẋ⟩ without zeros", by_tangent, "⟨Jᵀ ȳ, ẋ⟩ is", by_adjoint, tol);
}

/// The real parts with their names.
fn parts<T: Point>(name: &str, mut of: T) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    of.parts(name, &mut |name, part| found.push((String::from(name), *part)));
    found
}

type Named = (String, f64);

/// The same, next to those of what has to have the same shape.
#[track_caller]
fn same_parts<T: Point>(name: &str, of: T, like: &[Named]) -> Vec<(Named, Named)> {
    let found = parts(name, of);
    assert!(
        found.len() == like.len(),
        "a derivative has {} real parts, and the {name} has {}",
        found.len(),
        like.len()
    );
    found.into_iter().zip(like.iter().cloned()).collect()
}

/// Something of the shape of `like` with other real parts.
fn along<T: Point + Clone>(like: &T, part: impl Fn(usize) -> f64) -> T {
    let (mut made, mut k) = (like.clone(), 0);
    made.parts("", &mut |_, x| {
        *x = part(k);
        k += 1;
    });
    made
}

fn unit(j: usize, k: usize) -> f64 {
    if j == k { 1.0 } else { 0.0 }
}

/// Numbers between -1 and 1, of which none is 0.
fn dense(k: usize) -> f64 {
    let odd = u8::try_from((74 * k + 11) % 64).expect("a remainder of 64 is small");
    f64::from(odd) / 32.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    type At = (f64, Vec<f64>);

    fn f((x, w): &At) -> Vec<f64> {
        vec![x * w[0], w[0] * w[1], x.exp()]
    }

    fn jacobian((x, w): &At) -> [[f64; 3]; 3] {
        [[w[0], *x, 0.0], [0.0, w[1], w[0]], [x.exp(), 0.0, 0.0]]
    }

    fn forward(at: &At, (x_tan, w_tan): &At, wrong: f64) -> Vec<f64> {
        let mut j = jacobian(at);
        j[1][2] += wrong;
        let direction = [*x_tan, w_tan[0], w_tan[1]];
        j.iter().map(|row| row.iter().zip(&direction).map(|(a, b)| a * b).sum()).collect()
    }

    fn reverse(at: &At, seed: &[f64]) -> At {
        let j = jacobian(at);
        let part = |k: usize| (0..3).map(|i| j[i][k] * seed[i]).sum();
        (part(0), vec![part(1), part(2)])
    }

    fn at() -> At {
        (0.7, vec![1.5, -2.0])
    }

    #[test]
    fn right_derivatives_pass() {
        tangent(at(), f, |at, direction| (f(at), forward(at, direction, 0.0)));
        dot_product(
            at(),
            |at, direction| forward(at, direction, 0.0),
            |at, seed| reverse(at, seed),
        );
    }

    #[test]
    #[should_panic(expected = "the tangent of value[1] along argument.1[1] is 1.501, but \
                               differences give 1.4999")]
    fn a_wrong_tangent_is_named() {
        tangent(at(), f, |at, direction| (f(at), forward(at, direction, 1e-3)));
    }

    #[test]
    #[should_panic(expected = "the tangent of value[1] along argument.1[1] is 1.50000000001, but \
                               the adjoint is 1.5 (off by 1.0e-11)")]
    fn modes_that_disagree_are_named() {
        let forward = |at: &At, direction: &At| forward(at, direction, 1e-11);
        dot_product(at(), forward, |at, seed| reverse(at, seed));
    }

    #[test]
    #[should_panic(expected = "the tangent of value[0] along all arguments is 0, but those along")]
    fn a_tangent_that_is_not_linear_is_found() {
        let bent = |x: &[f64; 2], d: &[f64; 2]| match d {
            [a, b] if *a != 0.0 && *b != 0.0 => ([x[0] * x[1]], [0.0]),
            [a, b] => ([x[0] * x[1]], [a * x[1] + b * x[0]]),
        };
        tangent([2.0, 3.0], |x| [x[0] * x[1]], bent);
    }

    #[test]
    #[should_panic(expected = "⟨ȳ, J ẋ⟩ without zeros is -0, but ⟨Jᵀ ȳ, ẋ⟩ is 1.74")]
    fn modes_that_agree_on_the_axes_only_are_found() {
        let bent = |x: &[f64; 2], d: &[f64; 2]| match d {
            [a, b] if *a != 0.0 && *b != 0.0 => 0.0,
            [a, b] => a * x[1] + b * x[0],
        };
        dot_product([2.0, 3.0], bent, |x, seed| [seed * x[1], seed * x[0]]);
    }

    #[test]
    #[should_panic(expected = "value[0] is 5, but the function gives 2 (off by 3.0e0)")]
    fn a_wrong_value_is_named() {
        tangent([2.0], |x| *x, |_, d| ([5.0], *d));
    }

    #[test]
    #[should_panic(expected = "a derivative has 1 real parts, and the value has 2")]
    fn a_part_that_is_missing_is_no_zero() {
        tangent([2.0], |x| vec![x[0], x[0]], |x, d| (vec![x[0], x[0]], vec![d[0]]));
    }

    #[test]
    fn both_modes_of_one_result() {
        let f = |x: &[f64; 2]| x[0] * x[1].sin();
        let gradient = |x: &[f64; 2]| (f(x), [x[1].sin(), x[0] * x[1].cos()]);
        let tangent = |x: &[f64; 2], d: &[f64; 2]| {
            let (value, gradient) = gradient(x);
            (value, gradient[0] * d[0] + gradient[1] * d[1])
        };
        test_rule_in_both_modes([2.0, 0.4], f, gradient, tangent);
    }

    #[test]
    #[should_panic(
        expected = "the tangent of value along argument is 3.000000001, but the adjoint \
                               is 3 (off by 1.0e-9)"
    )]
    fn a_tangent_that_differences_cannot_tell_from_the_gradient() {
        test_rule_in_both_modes(
            2.0,
            |x| 3.0 * x,
            |x| (3.0 * x, 3.0),
            |x, d| (3.0 * x, 3.000000001 * d),
        );
    }

    #[test]
    #[should_panic(expected = "the value next to the tangent is 2, but the function gives 6")]
    fn the_value_next_to_the_tangent_counts() {
        test_rule_in_both_modes(2.0, |x| 3.0 * x, |x| (3.0 * x, 3.0), |x, d| (*x, 3.0 * d));
    }
}
