//! Calls: of other companions, with closures, with parts of one buffer, through rules and generics.

use crate::check;
use ad_runtime::{custom_rule, differentiate};
use ad_tests::check::{assert_exact, sample};
use num_traits::Float;

#[differentiate(forward)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiate(forward)]
fn axpy(k: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += k * x;
    }
}

#[differentiate(forward)]
fn halves(x: &[f64]) -> (f64, f64) {
    let (a, b) = x.split_at(x.len() / 2);
    (dot(a, b), dot(x, x))
}

/// Active and constant arguments in every position, parts of one buffer, a result that is thrown away.
#[differentiate(forward)]
fn caller(x: &[f64], k: f64) -> Vec<f64> {
    let mut y = vec![1.0; x.len()];
    axpy(k, x, &mut y);
    axpy(2.0, &[1.0; 2], &mut y[1..3]);
    let (a, b) = halves(&y);
    let n = y.len();
    let (low, high) = y.split_at_mut(n / 2);
    axpy(b, low, high);
    dot(&y, x);
    y.push(dot(&y[1..], &y[..n - 1]) + a);
    y
}

#[test]
fn calls() {
    let (at, direction) = (sample(5, 0.3), sample(5, 1.4));
    let (value, tangent) = caller::tangent(&at[..4], &direction[..4], at[4], direction[4]);
    check("caller", |v| caller(&v[..4], v[4]), &at, &direction, (value, tangent));
}

#[differentiate(forward)]
fn relax(f: impl Fn(f64) -> f64, x0: f64, n: usize) -> f64 {
    let mut x = x0;
    for _ in 0..n {
        x = 0.5 * (x + f(x));
    }
    x
}

#[differentiate(forward)]
fn relaxed(a: f64, w: &[f64], x0: f64) -> f64 {
    let b = a * a;
    let inner = |x: f64| (b * x).sin() + w[1] / (1.0 + x * x);
    let first = relax(inner, x0, 3);
    first * relax(|x| relax(|y| y * x * a, x, 2), 0.5, 2) + relax(step, first, 2)
}

#[differentiate(forward)]
fn step(x: f64) -> f64 {
    x.cos() + 0.1 * x
}

#[test]
fn closures_and_functions() {
    let (at, direction) = ([0.7, 0.3, 1.4, 0.9], [0.5, 1.0, -1.0, 0.25]);
    let (value, tangent) =
        relaxed::tangent(at[0], direction[0], &at[1..3], &direction[1..3], at[3], direction[3]);
    let f = |v: &[f64]| vec![relaxed(v[0], &v[1..3], v[3])];
    check("relaxed", f, &at, &direction, (vec![value], vec![tangent]));
}

/// Users hand over the `tangent` of a companion, or a closure of that shape.
#[test]
fn a_companion_takes_the_tangent_of_another() {
    let (value, tangent) = relax::tangent(step::tangent, 0.4, 1.5, 3);
    check("path", |v| vec![relax(step, v[0], 3)], &[0.4], &[1.5], (vec![value], vec![tangent]));
    // Along k as well as x.
    let (k, k_tan) = (0.8, 0.3);
    let square = |x: f64, x_tan: f64| (k * x * x, k_tan * x * x + 2.0 * k * x * x_tan);
    let (value, tangent) = relax::tangent(square, 0.4, 1.5, 3);
    let f = |v: &[f64]| vec![relax(|x| v[1] * x * x, v[0], 3)];
    check("closure", f, &[0.4, k], &[1.5, k_tan], (vec![value], vec![tangent]));
}

#[differentiate(forward)]
fn in_place(f: impl Fn(&[f64], &mut [f64]), x: &[f64], out: &mut [f64]) {
    f(x, out);
    for (o, x) in out.iter_mut().zip(x) {
        *o *= x;
    }
}

#[differentiate(forward)]
fn squares(x: &[f64], out: &mut [f64]) {
    for (o, x) in out.iter_mut().zip(x) {
        *o += x * x;
    }
}

#[differentiate(forward)]
fn cubes(x: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    in_place(squares, x, &mut out);
    out
}

#[test]
fn functions_of_buffers() {
    assert_eq!(cubes::tangent(&[2.0, 3.0], &[1.0, 0.5]), (vec![8.0, 27.0], vec![12.0, 13.5]));
}

#[differentiate(forward)]
fn softplus<T: Float>(x: T, sharpness: T) -> T {
    ((sharpness * x).exp() + T::one()).ln() / sharpness
}

#[differentiate(forward)]
fn norms<T: Float, const N: usize>(x: &[T; N]) -> [T; 2] {
    let mut sums = [T::zero(); 2];
    for v in x {
        sums[0] = sums[0] + *v * *v;
        sums[1] = sums[1] + softplus(*v, T::one());
    }
    [sums[0].sqrt(), sums[1]]
}

#[test]
fn scalars_of_either_precision() {
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let want = [0.6 * 2.0 + 0.8, logistic(3.0) * 2.0 + logistic(4.0)];
    let (_, tangent) = norms::tangent(&[3.0, 4.0], &[2.0, 1.0]);
    assert_exact("double", &tangent, &want);
    let (_, single) = norms::tangent(&[3.0_f32, 4.0], &[2.0, 1.0]);
    let single = single.map(f64::from);
    // f32 rounds at 6e-8.
    ad_tests::check::assert_close("single", &single, &want, 1e-6);
}

#[custom_rule(partials(x = value * (1.0 - value) * k, k = value * (1.0 - value) * x))]
fn logistic(x: f64, k: &f64) -> f64 {
    1.0 / (1.0 + (-k * x).exp())
}

/// `xₖ ← gain · xₖ²`
#[custom_rule(jvp = scale_tangent)]
fn scale(x: &mut [f64], gain: f64, #[constant] power: i32) -> usize {
    x.iter_mut().for_each(|x| *x = gain * x.powi(power));
    x.len()
}

fn scale_tangent(x: &mut [f64], x_tan: &mut [f64], gain: f64, gain_tan: f64, power: i32) -> usize {
    for (x, tan) in x.iter_mut().zip(x_tan) {
        let slope = f64::from(power) * x.powi(power - 1);
        *tan = gain_tan * x.powi(power) + gain * slope * *tan;
        *x = gain * x.powi(power);
    }
    x.len()
}

#[custom_rule(zero)]
fn shown(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

#[custom_rule(zero)]
fn emptied(x: &mut Vec<f64>) {
    x.fill(1.0);
    x.push(2.0);
}

#[differentiate(forward)]
fn ruled(x: &[f64], k: f64) -> Vec<f64> {
    let mut y = x.to_vec();
    let n = scale(&mut y, k, 2);
    y[0] *= logistic(y[1], &k) * n as f64;
    y[2] = x[2] * shown(y[2]);
    let mut z = y.clone();
    emptied(&mut z);
    y.extend(z.iter().map(|z| z * k));
    y
}

#[test]
fn rules() {
    let (at, direction) = ([0.7, 1.1, 0.53, 0.8], [1.0, -0.5, 2.0, 0.3]);
    let (value, tangent) = ruled::tangent(&at[..3], &direction[..3], at[3], direction[3]);
    check("ruled", |v| ruled(&v[..3], v[3]), &at, &direction, (value, tangent));
    // A tangent of 0 absorbs a partial that is infinite.
    assert_eq!(logistic::tangent(1.0, 0.0, &f64::INFINITY, &0.0), (1.0, 0.0));
    let (mut x, mut x_tan) = (vec![5.0], vec![7.0]);
    emptied::tangent(&mut x, &mut x_tan);
    assert_eq!((x, x_tan), (vec![1.0, 2.0], vec![0.0, 0.0]));
}

mod outside {
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
}

#[custom_rule(jvp = cube_tangent)]
fn cube(x: f64) -> f64 {
    outside::cube(x)
}

fn cube_tangent(x: f64, x_tan: f64) -> (f64, f64) {
    (outside::cube(x), 3.0 * x * x * x_tan)
}

#[differentiate(forward, rules(outside::cube = cube))]
fn through_a_wrapper(x: f64) -> f64 {
    outside::cube(x) * x
}

#[test]
fn calls_that_cannot_be_wrapped() {
    assert_eq!(through_a_wrapper::tangent(2.0, 0.5), (16.0, 16.0));
}
