//! `Option` and `Result`: as parameters, results, in loops, and with `?`.

use crate::check_both;
use ad_runtime::differentiate;
use num_dual::DualNum;

/// The derivative comes back in the same wrapper.
#[differentiate(reverse, forward, second_order, cross_check)]
fn scaled(x: f64, scale: Option<f64>) -> f64 {
    match scale {
        Some(s) => (s * x).exp(),
        None => x,
    }
}

fn scaled_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    (v[0] * v[1]).exp()
}

#[test]
fn an_optional_parameter() {
    let at = [0.4, 1.7];
    let (value, (x, scale)) = scaled::value_and_gradient(at[0], Some(at[1]));
    let scale = scale.expect("the adjoint has the primal's variant");
    let f = |v: &[f64]| scaled(v[0], Some(v[1]));
    check_both("scaled", f, scaled_twin, &at, value, &[x, scale]);
    assert_eq!(scaled::value_and_gradient(0.4, None), (0.4, (1.0, None)));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn log(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn iterated(x: f64, y: f64) -> Option<f64> {
    let once = log(x)?;
    let twice = log(once * y)?;
    Some(once + twice * y)
}

fn iterated_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let once = v[0].ln();
    once + (once.ln() + v[1].ln()) * v[1]
}

#[test]
fn a_question_mark_ends_both_sweeps() {
    let at = [4.0, 1.3];
    let (value, x, y) = iterated::adjoint(at[0], at[1], Some(1.0));
    let f = |v: &[f64]| iterated(v[0], v[1]).expect("the point is in the domain");
    let inside = value.expect("the point is in the domain");
    check_both("iterated", f, iterated_twin, &at, inside, &[x, y]);
    assert_eq!(iterated::gradient(at[0], at[1]), Some((x, y)), "in the same wrapper");
    assert_eq!(iterated::value_and_gradient(at[0], at[1]), value.map(|value| (value, (x, y))));
    let (mut x_adj, mut y_adj) = (f64::NAN, f64::NAN);
    let into = iterated::value_and_gradient_into(at[0], &mut x_adj, at[1], &mut y_adj);
    assert_eq!((into, x_adj, y_adj), (value, x, y));
    assert_eq!(iterated::gradient(0.5, 1.3), None);
    assert_eq!(iterated::adjoint(0.5, 1.3, None), (None, 0.0, 0.0));
    assert_eq!(iterated::adjoint(-0.5, 1.3, None), (None, 0.0, 0.0));
}

#[test]
#[should_panic(
    expected = "`value_adj` does not have the shape of `value`: the variant `None`, not `Some`"
)]
fn a_seed_of_another_variant_is_named() {
    log::adjoint(2.0, None);
}

#[derive(Clone, Debug, PartialEq)]
enum Failure {
    Negative(f64),
    Unbounded,
}

impl From<std::num::TryFromIntError> for Failure {
    fn from(_: std::num::TryFromIntError) -> Self {
        Failure::Unbounded
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn root(x: f64, k: i64) -> Result<f64, Failure> {
    if x < 0.0 {
        return Err(Failure::Negative(x));
    }
    let k = u8::try_from(k)?;
    Ok(x.sqrt() + x * k as f64)
}

/// Early returns from within a loop, after some trips.
#[differentiate(reverse, forward, second_order, cross_check)]
fn roots(x: &[f64], shift: f64) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        let r = root(v - shift, k as i64)?;
        sum += r * r * v;
    }
    Ok(sum)
}

fn roots_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for k in 0..3 {
        let z = v[k] - v[3];
        let r = z.sqrt() + z * k as f64;
        sum += r * r * v[k];
    }
    sum
}

#[test]
fn a_result_from_within_a_loop() {
    let at = [1.3, 2.1, 0.9, 0.4];
    let mut x_adj = vec![0.0; 3];
    let (value, shift) = roots::adjoint(&at[..3], &mut x_adj, at[3], Ok(1.0));
    x_adj.push(shift);
    let gradient = x_adj;
    let f = |v: &[f64]| roots(&v[..3], v[3]).expect("no root of a negative number");
    let real = value.expect("no root of a negative number");
    check_both("roots", f, roots_twin, &at, real, &gradient);

    let (again, (x_adj, shift_adj)) = roots::value_and_gradient(&at[..3], at[3]).unwrap();
    assert_eq!((Ok(again), [x_adj, vec![shift_adj]].concat()), (roots(&at[..3], at[3]), gradient));
    assert_eq!(roots::gradient(&[1.0, 0.25], 0.5), Err(Failure::Negative(-0.25)));

    let mut x_adj = vec![0.0; 2];
    let failed = Err(Failure::Unbounded);
    let (value, shift) = roots::adjoint(&[1.0, 0.25], &mut x_adj, 0.5, failed);
    assert_eq!(value, Err(Failure::Negative(-0.25)));
    assert_eq!((x_adj, shift), (vec![0.0, 0.0], 0.0));
}

/// A value that there may be, kept over the trips of a loop.
#[differentiate(reverse, forward, second_order, cross_check)]
fn best(x: &[f64], limit: f64) -> f64 {
    let mut best: Option<f64> = None;
    for &v in x {
        let y = v * v - limit * v;
        best = match best {
            Some(b) if b <= y => Some(b),
            _ => Some(y),
        };
    }
    if let Some(b) = best { b * limit } else { limit }
}

/// The least of them.
fn best_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let limit = v[3];
    let mut least = v[0] * (v[0] - limit);
    for k in 1..3 {
        let y = v[k] * (v[k] - limit);
        if y.re() < least.re() {
            least = y;
        }
    }
    least * limit
}

#[test]
fn an_option_kept_over_a_loop() {
    let at = [0.2, 0.7, -0.4, 1.2];
    let (value, (x, limit)) = best::value_and_gradient(&at[..3], at[3]);
    let gradient = [x, vec![limit]].concat();
    check_both("best", |v| best(&v[..3], v[3]), best_twin, &at, value, &gradient);
    assert_eq!(best::value_and_gradient(&[], 3.0), (3.0, (vec![], 1.0)));
}

/// What options hold, without patterns.
#[differentiate(reverse, forward, second_order, cross_check)]
fn defaults(a: Option<f64>, b: Option<f64>, x: f64) -> f64 {
    let first = a.unwrap_or(x * x);
    let second = b.map_or(1.0, |v| v * x);
    let third = if a.is_some() { a.unwrap() * 2.0 } else { 0.5 };
    first * second + third
}

fn defaults_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], (use_a, use_b): (bool, bool)) -> D {
    let first = if use_a { v[0] } else { v[2] * v[2] };
    let second = if use_b { v[1] * v[2] } else { D::from(1.0) };
    let third = if use_a { v[0] + v[0] } else { D::from(0.5) };
    first * second + third
}

#[test]
fn methods_of_options() {
    let at = [0.3, 1.4, 0.8];
    for (use_a, use_b) in [(true, true), (true, false), (false, true), (false, false)] {
        let wrap = |v: &[f64]| (use_a.then_some(v[0]), use_b.then_some(v[1]), v[2]);
        let f = |v: &[f64]| {
            let (a, b, x) = wrap(v);
            defaults(a, b, x)
        };
        let (a, b, x) = wrap(&at);
        let (value, (a, b, x)) = defaults::value_and_gradient(a, b, x);
        let gradient = [a.unwrap_or(0.0), b.unwrap_or(0.0), x];
        let twin = |v: &[_]| defaults_twin(v, (use_a, use_b));
        check_both("defaults", f, twin, &at, value, &gradient);
    }
}

/// A vector inside of an option, by reference and by value.
#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted(weights: &Option<Vec<f64>>, x: &[f64]) -> f64 {
    let Some(weights) = weights else { return x[0] };
    let mut sum = 0.0;
    for (w, v) in weights.iter().zip(x) {
        sum += w * v.sin();
    }
    sum
}

fn weighted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0] * v[3].sin() + v[1] * v[4].sin() + v[2] * v[5].sin()
}

#[test]
fn a_vector_in_an_option() {
    let at = [0.5, -1.2, 0.9, 0.3, 0.7, 1.1];
    let weights = Some(at[..3].to_vec());
    let (value, (w, x)) = weighted::value_and_gradient(&weights, &at[3..]);
    let gradient = [w.expect("there are weights"), x].concat();
    let f = |v: &[f64]| weighted(&Some(v[..3].to_vec()), &v[3..]);
    check_both("weighted", f, weighted_twin, &at, value, &gradient);
    assert_eq!(weighted::gradient(&None, &[2.0]), (None, vec![1.0]));
}

/// What calls give is taken apart in loops, and by methods.
#[differentiate(reverse, forward, second_order, cross_check)]
fn half(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x * 0.5 * x) } else { None }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn halves(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        if let Some(w) = half(*v) {
            s += w;
        }
        match half(*v + 0.4) {
            Some(w) if w > 0.6 => s += w * w,
            Some(w) => s += w.sin(),
            None => s *= 2.0,
        }
        s += half(*v + 1.0).unwrap_or(0.3) * v;
    }
    s * half(s).unwrap()
}

fn halves_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut s = D::from(0.0);
    for v in x {
        if v.re() > 0.0 {
            s += *v * *v / 2.0;
        }
        let raised = *v + 0.4;
        let half = raised * raised / 2.0;
        if raised.re() <= 0.0 {
            s += s;
        } else {
            s += if half.re() > 0.6 { half * half } else { half.sin() };
        }
        let next = *v + 1.0;
        s += *v * if next.re() > 0.0 { next * next / 2.0 } else { D::from(0.3) };
    }
    s * s * s / 2.0
}

#[test]
fn options_that_calls_give_in_loops() {
    let at = [1.1, -2.0, 0.3, 0.9];
    let (value, x) = halves::value_and_gradient(&at);
    check_both("halves", halves, halves_twin, &at, value, &x);
}

/// A loop that ends where there is no value any more.
#[differentiate(reverse, forward, second_order, cross_check)]
fn while_there_is_one(x: &[f64]) -> Option<f64> {
    let (mut s, mut k) = (0.0, 0);
    while let Some(w) = half(x[k]) {
        s += w * (k + 1) as f64;
        k += 1;
    }
    let q = half(s)?;
    Some(q * s)
}

fn while_there_is_one_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let s = x[0] * x[0] * 0.5 + x[1] * x[1] + x[2] * x[2] * 1.5;
    s.powi(3) / 2.0
}

#[test]
fn while_let_over_what_a_call_gives() {
    let at = [1.0, 0.7, 1.3, -0.5];
    let mut x_adj = vec![0.0; 4];
    let value = while_there_is_one::adjoint(&at, &mut x_adj, Some(1.0));
    let f = |v: &[f64]| while_there_is_one(v).expect("the sum is positive");
    let sum = value.expect("the sum is positive");
    check_both("while_there_is_one", f, while_there_is_one_twin, &at, sum, &x_adj);
    assert_eq!(x_adj[3], 0.0);
    assert_eq!(while_there_is_one::adjoint(&[-1.0], &mut [0.0], None), None);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn corrected(x: f64, #[constant] measured: &Result<f64, f64>) -> Result<f64, Failure> {
    let size = match roots(&[x, 1.0], 0.0) {
        Ok(size) => size,
        Err(failure) => {
            eprintln!("{failure:?}");
            return Err(failure);
        }
    };
    Ok(match measured {
        Ok(exact) => size * exact,
        Err(guess) => size * x * guess,
    })
}

fn corrected_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], exact: bool) -> D {
    let size = v[0] * v[0] + 4.0;
    if exact { size * 3.0 } else { size * v[0] * 0.5 }
}

/// A pair in an option and a number in a result: both, one, or neither.
#[differentiate(reverse, forward, second_order, cross_check)]
fn blended(a: Option<(f64, f64)>, b: Result<f64, u8>, x: f64) -> f64 {
    if let Some((p, q)) = a
        && let Ok(r) = b
    {
        return p * r.sin() + q * x;
    }
    let Some((p, q)) = a else {
        return match b {
            Ok(r) => r * x * x,
            Err(_) => x.powi(3),
        };
    };
    p * q * x
}

fn blended_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], wrapped: (bool, bool)) -> D {
    match wrapped {
        (true, true) => v[0] * v[2].sin() + v[1] * v[3],
        (true, false) => v[0] * v[1] * v[3],
        (false, true) => v[2] * v[3] * v[3],
        (false, false) => v[3] * v[3] * v[3],
    }
}

#[test]
fn two_wrappers_in_one_condition() {
    let at = [0.3, 1.4, 0.8, 1.7];
    for wrapped in [(true, true), (true, false), (false, true), (false, false)] {
        let a = |v: &[f64]| wrapped.0.then_some((v[0], v[1]));
        let b = |v: &[f64]| if wrapped.1 { Ok(v[2]) } else { Err(3) };
        let (value, (a_adj, b_adj, x)) = blended::value_and_gradient(a(&at), b(&at), at[3]);
        let (p, q) = a_adj.unwrap_or((0.0, 0.0));
        let gradient = [p, q, b_adj.unwrap_or(0.0), x];
        let f = |v: &[f64]| blended(a(v), b(v), v[3]);
        check_both("blended", f, |v| blended_twin(v, wrapped), &at, value, &gradient);
    }
}

#[test]
fn errors_are_passed_on_and_constant_ones_are_used() {
    for measured in [Ok(3.0), Err(0.5)] {
        let (value, x) = corrected::value_and_gradient(4.0, &measured).unwrap();
        let f = |v: &[f64]| corrected(v[0], &measured).unwrap();
        let twin = |v: &[_]| corrected_twin(v, measured.is_ok());
        check_both("corrected", f, twin, &[4.0], value, &[x]);
    }
    assert_eq!(corrected::gradient(-4.0, &Err(0.5)), Err(Failure::Negative(-4.0)));
}
