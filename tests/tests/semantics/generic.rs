//! Single precision, and one function for both precisions.

use ad_runtime::differentiate;
use ad_tests::check::{assert_close, assert_dual, assert_exact};
use num_traits::Float;

/// `f32` rounds at 6e-8; a handful of operations later this is still generous.
const SINGLE: f64 = 1e-6;

#[differentiate(reverse, forward, second_order, cross_check)]
fn single(x: f32, y: f32) -> f32 {
    let r = 0.5 * x * x + y.sin();
    if r > 1.0 { r.ln() } else { r * y }
}

#[test]
fn single_precision() {
    let (value, x_adj, y_adj): (f32, f32, f32) = single::adjoint(0.5, 0.7, 1.0);
    assert_close("value", &[value.into()], &[single(0.5, 0.7).into()], SINGLE);
    let (x, y) = (0.5_f64, 0.7_f64);
    let want = [x * y, y.cos() * y + 0.5 * x * x + y.sin()];
    assert_close("below", &[x_adj.into(), y_adj.into()], &want, SINGLE);
    let (_, x_adj, y_adj) = single::adjoint(2.0, 0.7, 1.0);
    let r = 2.0 + y.sin();
    assert_close("above", &[x_adj.into(), y_adj.into()], &[2.0 / r, y.cos() / r], SINGLE);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn single_slices(w: &[f32], out: &mut [f32; 2]) -> f32 {
    let mut s = 0.0;
    for (i, v) in w.iter().enumerate() {
        out[i % 2] += v * v;
        s += out[i % 2] * v;
    }
    s
}

#[test]
fn single_precision_behind_references() {
    // Small integers: everything is exact.
    let w = [1.0_f32, 2.0, 3.0];
    let (mut w_adj, mut out, mut out_adj) = ([0.0_f32; 3], [1.0_f32, 0.0], [0.0_f32; 2]);
    let value = single_slices::adjoint(&w, &mut w_adj, &mut out, &mut out_adj, 1.0);
    // (o₀ + a²) a + (o₁ + b²) b + (o₀ + a² + c²) c
    assert_eq!((value, out), (2.0 + 8.0 + 33.0, [11.0, 4.0]));
    assert_eq!(w_adj, [1.0 + 3.0 + 2.0 * 3.0, 12.0, 1.0 + 1.0 + 27.0]);
    assert_eq!(out_adj, [1.0 + 3.0, 2.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mean_radius<T: Float>(x: T, y: T) -> T {
    let two = T::one() + T::one();
    let r = (x * x + y * y).sqrt();
    r / two
}

#[test]
fn one_function_for_both_precisions() {
    let (value, x_adj, y_adj): (f64, f64, f64) = mean_radius::adjoint(3.0, 4.0, 1.0);
    assert_exact("double", &[value, x_adj, y_adj], &[2.5, 0.3, 0.4]);
    let (value, x_adj, y_adj): (f32, f32, f32) = mean_radius::adjoint(3.0, 4.0, 1.0);
    let single = [value.into(), x_adj.into(), y_adj.into()];
    assert_close("single", &single, &[2.5, 0.3, 0.4], SINGLE);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_dot<T: Float>(a: &[T], b: &[T]) -> T {
    let mut s = T::zero();
    for i in 0..a.len() {
        s = s + a[i] * b[i];
    }
    s
}

#[test]
fn generic_slices() {
    let (a, b) = ([1.0_f32, 2.0], [3.0_f32, 4.0]);
    let (mut a_adj, mut b_adj) = ([10.0_f32, 0.0], [0.0_f32; 2]);
    assert_eq!(generic_dot::adjoint(&a, &mut a_adj, &b, &mut b_adj, 2.0), 11.0);
    assert_eq!((a_adj, b_adj), ([16.0, 8.0], [2.0, 4.0]));
    let (a, b) = ([1.0_f64, 2.0], [3.0_f64, 4.0]);
    assert_eq!(generic_dot::gradient(&a, &b), (b.to_vec(), a.to_vec()));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_series<T: Float>(x: T, n: usize) -> T {
    let mut term = T::one();
    let mut sum = T::zero();
    for k in 1..n {
        term = term * x / T::from(k).unwrap();
        if term < T::zero() {
            term = -term;
        }
        sum = sum + term.sin();
    }
    sum
}

#[test]
fn generic_loops_and_branches() {
    for x in [0.9_f64, -0.9] {
        let (value, x_adj) = generic_series::adjoint(x, 6, 1.0);
        assert_exact("value", &[value], &[generic_series(x, 6)]);
        let twin = |v: &[num_dual::Dual64]| {
            use num_dual::DualNum;
            let mut term = num_dual::Dual64::from_re(1.0);
            let mut sum = num_dual::Dual64::from_re(0.0);
            for k in 1..6 {
                term = term * v[0] / k as f64;
                if term.re < 0.0 {
                    term = -term;
                }
                sum += term.sin();
            }
            sum
        };
        assert_dual("series", value, twin, &[x], &[x_adj]);
        let (_, x_adj_single) = generic_series::adjoint(x as f32, 6, 1.0);
        assert_close("single", &[x_adj_single.into()], &[x_adj], SINGLE);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_in_place<T>(x: &mut [T], s: T)
where
    T: Float,
{
    for v in x.iter_mut() {
        *v = *v * *v * s;
    }
}

#[test]
fn generic_outputs() {
    let (mut x, mut x_adj) = ([1.0, 3.0], [1.0, 2.0]);
    let s_adj = generic_in_place::adjoint(&mut x, &mut x_adj, 0.5);
    assert_eq!((x, x_adj), ([0.5, 4.5], [1.0, 6.0]));
    assert_exact("s", &[s_adj], &[1.0 + 18.0]);
}

/// A type parameter with the name that the policy has in generated code.
#[differentiate(reverse, forward, second_order, cross_check)]
fn parameter_named_p<P: Float>(policy: P) -> P {
    policy * policy.exp()
}

#[test]
fn a_type_parameter_named_p() {
    let (_, x_adj) = parameter_named_p::adjoint(0.5_f64, 1.0);
    assert_exact("policy", &[x_adj], &[1.5 * 0.5_f64.exp()]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sum_of_array<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 1.0;
    for i in 0..N {
        s = s * x[i] + x[i];
    }
    s
}

#[test]
fn a_length_as_a_parameter() {
    // (a + a) b + b
    assert_eq!(sum_of_array::gradient(&[2.0, 3.0]), [6.0, 5.0]);
    assert_eq!(sum_of_array::gradient(&[2.0]), [2.0]);
}
