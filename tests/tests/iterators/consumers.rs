//! What becomes of the items: totals, folds, decisions and collections.

use crate::{and_number, in_place, one, positive, sample, two};
use ad_runtime::differentiate;
use num_traits::Float;
use std::iter::Sum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn products(x: &[f64]) -> f64 {
    x.iter().product::<f64>() + x.iter().map(|v| v + 1.0).product::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn plain_totals(x: &[f64]) -> f64 {
    let s: f64 = x.iter().sum();
    let n = x.len() as f64;
    let m = x.iter().sum::<f64>() / n;
    s * m
}

#[test]
fn totals() {
    one!(products, sample(4, 0.3));
    one!(products, [0.5, 0.0, 2.0, -1.5]);
    one!(products, [0.5, 0.0, 2.0, 0.0]);
    assert_eq!(products::value_and_gradient(&[]), (2.0, vec![]));
    one!(plain_totals, sample(4, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mean_and_spread(x: &[f64]) -> f64 {
    let (s, q) = x.iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    let n = x.len() as f64;
    q / n - (s / n).powi(2)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn running(x: &[f64]) -> f64 {
    let (_, total) = x.iter().fold((1.0, 0.0), |(state, total), v| {
        let next = 0.5 * state + v;
        (next, total + next * state)
    });
    total
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn accumulator_by_field(x: &[f64]) -> f64 {
    let acc = x.iter().fold((1.0, 0.0), |acc, v| (acc.0 * v, acc.1 + acc.0));
    acc.0 * acc.1
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn extremes(x: &[f64]) -> f64 {
    let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = x.iter().cloned().fold(f64::INFINITY, |a, b| a.min(b));
    let size = x.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    top * low + size * size
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn fold_from_active(x: &[f64], start: f64) -> f64 {
    x.iter().rev().fold(start, |acc, v| acc * v + start)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn branching_fold(x: &[f64]) -> f64 {
    x.iter().enumerate().fold(0.0, |s, (i, v)| if i % 2 == 0 { s + v * v } else { s * v })
}

#[test]
fn folds() {
    one!(mean_and_spread, sample(5, 0.3));
    one!(running, sample(5, 0.3));
    one!(accumulator_by_field, sample(4, 0.3));
    one!(extremes, sample(5, 0.3));
    and_number!(fold_from_active, sample(4, 0.3), 0.7);
    one!(branching_fold, sample(5, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn clipped_share(x: &[f64], limit: f64) -> f64 {
    let n = x.iter().filter(|v| v.abs() < limit).count();
    let s: f64 = x.iter().filter(|v| v.abs() < limit).map(|v| v * v).sum();
    if n == 0 { x[0] } else { s / n as f64 + limit }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn domain_checked(x: &[f64]) -> f64 {
    if x.iter().any(|v| *v <= 0.0) {
        return x.iter().map(|v| v * v).sum();
    }
    if x.iter().all(|&v| v < 1.0) && !x.is_empty() {
        x.iter().map(|v| v.ln()).sum()
    } else {
        x[0].sqrt()
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sorted_bonus(x: &[f64]) -> f64 {
    let sorted = x.windows(2).all(|w| w[0] <= w[1]);
    let near = x.iter().zip(x.iter().skip(1)).any(|(a, b)| (a - b).abs() < 0.1);
    let s: f64 = x.iter().sum();
    match (sorted, near) {
        (true, true) => s * s,
        (true, false) => s.exp(),
        (false, _) => s.sin(),
    }
}

#[test]
fn decisions() {
    and_number!(clipped_share, sample(6, 0.3), 0.9);
    and_number!(clipped_share, [0.9, 0.8], 0.1);
    one!(domain_checked, [0.5, 0.2]);
    one!(domain_checked, [0.5, 2.0]);
    one!(domain_checked, [0.5, -2.0]);
    for x in [[0.1, 0.15, 0.9], [0.1, 0.5, 0.9], [0.5, 0.1, 0.9]] {
        one!(sorted_bonus, x);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn centered_products(x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let d: Vec<f64> = x.iter().map(|v| v - mean).collect();
    let squares = d.iter().map(|v| v * v).collect::<Vec<f64>>();
    let guess = d.iter().zip(&squares).map(|(a, b)| a * b).collect::<Vec<_>>();
    (1..d.len()).map(|i| guess[i] * d[i - 1] + squares[0]).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_then_changed(x: &[f64]) -> f64 {
    let mut y: Vec<f64> = x.iter().rev().copied().collect();
    for i in 1..y.len() {
        y[i] += y[i - 1] * y[i - 1];
    }
    y.iter_mut().for_each(|v| *v = v.tanh());
    let last = y[y.len() - 1];
    y[0] * last
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_table(n: usize, x: f64) -> f64 {
    let powers: Vec<f64> = (0..n).map(|k| x.powi(k as i32)).collect();
    let positions: Vec<usize> = (0..n).rev().collect();
    positions.iter().enumerate().map(|(i, &p)| powers[p] * (i + 1) as f64).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mapped(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|v| (k * v).sin()).collect()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_per_pass(x: &[f64], steps: usize) -> f64 {
    let mut y = x.to_vec();
    for s in 0..steps {
        let next: Vec<f64> =
            y.iter().zip(y.iter().skip(1)).map(|(a, b)| a * b + s as f64).collect();
        y = next;
    }
    y.iter().sum()
}

#[test]
fn collections() {
    one!(centered_products, sample(5, 0.3));
    one!(collected_then_changed, sample(5, 0.3));
    one!(collected_per_pass, sample(6, 0.3), 3);
    let (value, x_adj) = collected_table::adjoint(5, 0.8, 1.0);
    crate::check("table", |v| collected_table(5, v[0]), &[0.8], value, &[x_adj]);
    let x = sample(3, 0.3);
    let mut x_adj = vec![0.0; 3];
    let (y, k_adj) = mapped::adjoint(&x, &mut x_adj, 0.7, vec![1.0, -2.0, 3.0]);
    let combine = |y: &[f64]| y[0] - 2.0 * y[1] + 3.0 * y[2];
    let f = |v: &[f64]| combine(&mapped(&v[..3], v[3]));
    crate::check(
        "mapped",
        f,
        &[&x[..], &[0.7]].concat(),
        combine(&y),
        &[x_adj, vec![k_adj]].concat(),
    );
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn each_in_place(x: &mut [f64]) -> f64 {
    let scale = x[0];
    x.iter_mut().skip(1).for_each(|v| *v *= scale);
    x.iter_mut().enumerate().for_each(|(i, v)| {
        let w = *v;
        *v = w * w + i as f64 * w;
    });
    let mut s = 0.0;
    x.iter().for_each(|v| s += v.sin());
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scattered(x: &[f64], cell: &[usize]) -> f64 {
    let mut bins = vec![0.0; 3];
    x.iter().zip(cell).for_each(|(v, &c)| bins[c] += v * v);
    cell.iter().enumerate().for_each(|(i, c)| bins[*c] *= x[i]);
    bins.iter().map(|b| b * b).sum()
}

#[test]
fn for_each() {
    in_place!(each_in_place, sample(5, 0.3));
    one!(scattered, sample(5, 0.3), &[0, 2, 1, 0, 2]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_norm<T: Float + Sum>(x: &[T]) -> T {
    x.iter().map(|v| *v * *v).sum::<T>().sqrt()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_dot<T: Float>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::zero(), |s, (&a, &b)| s + a * b.sin())
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_sum<T: Float + Sum>(x: &[T], k: T) -> T {
    let total: T = x.iter().map(|&v| (v * k).exp()).sum();
    total.ln()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn single(x: &[f32]) -> f32 {
    let s: f32 = x.iter().map(|v| v * v).sum();
    s + x.iter().product::<f32>()
}

#[test]
fn scalars() {
    one!(generic_norm, sample(4, 0.3));
    two!(generic_dot, sample(4, 0.3), sample(4, 0.8));
    and_number!(generic_sum, positive(4, 0.3), 0.6);
    assert_eq!(single::value_and_gradient(&[2.0, 3.0]), (19.0, vec![7.0, 8.0]));
}
