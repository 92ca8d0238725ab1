//! Chains, loops, closures and calls together.

use crate::{one, sample};
use ad_runtime::differentiate;
use num_traits::Float;

#[differentiate(reverse, forward, second_order, cross_check)]
fn generic_max<T: Float + Copy>(x: &[T]) -> T {
    let m = x.iter().copied().reduce(|a, b| if a > b { a } else { b }).unwrap();
    let s = x
        .iter()
        .scan(T::zero(), |s, v| {
            *s = *s + *v * *v;
            Some(*s)
        })
        .fold(T::zero(), |a, b| a + b);
    let k = x.iter().copied().fold(T::neg_infinity(), T::max);
    m * s + k
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn captured_change(x: &[f64]) -> f64 {
    let mut c = 1.0;
    let mut s = 0.0;
    for v in x.iter().chain(x.iter().rev()) {
        s += v * c;
        c = c * 0.5 + v;
    }
    let mut acc = 1.0;
    x.iter().flat_map(|a| x.iter().map(move |b| a * b)).for_each(|v| {
        acc = acc * 0.9 + v * s;
    });
    acc * c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn labels(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'a: for v in x.iter().chain(&[0.3, 0.4]) {
        for w in x.iter().flat_map(|q| [*q, 2.0 * q]) {
            if w * v > 0.5 {
                continue 'a;
            }
            if w < -0.9 {
                break 'a;
            }
            s += w * v;
        }
        s *= 1.1;
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn early(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x.iter().chain(x) {
        if *v < -0.8 {
            return s * v;
        }
        s += v * s;
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn closures_in_chain(x: &[f64]) -> f64 {
    let f = |a: f64| a * a * x[0];
    let g = |a: &f64| *a > 0.0;
    x.iter().copied().filter(g).map(f).chain(x.iter().map(|v| f(*v))).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn modulated(a: f64, b: f64) -> f64 {
    a * b.sin()
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn calls_in_chain(x: &[f64]) -> f64 {
    let p =
        x.iter().zip(x.iter().skip(1)).map(|(a, b)| modulated(*a, *b)).reduce(f64::max).unwrap();
    let q = x.iter().copied().reduce(modulated).unwrap();
    let r = x.iter().copied().map(|v| modulated(v, p)).max_by(f64::total_cmp).unwrap();
    p * q + r
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mutating_filter(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for v in y.iter_mut().filter(|v| **v > 0.0) {
        *v *= *v;
    }
    for (a, b) in y.iter_mut().rev().zip(x.iter().skip(1)) {
        *a += b * *a;
    }
    y.iter_mut().zip(x.iter().zip(x)).for_each(|(o, (a, b))| *o += a * b);
    y.chunks_mut(2).flat_map(|c| c.iter_mut()).for_each(|v| *v = v.sin());
    y.iter().sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scan_tuple(x: &[f64]) -> f64 {
    let v: Vec<f64> = x
        .iter()
        .scan((0.0, 1.0), |(a, b), v| {
            *a += v * *b;
            *b *= 0.5;
            Some(*a * *b)
        })
        .collect();
    v.iter().map(|a| a * a).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scan_over_chain(x: &[f64]) -> f64 {
    let v: Vec<f64> = x
        .iter()
        .chain([1.0, 2.0].iter())
        .scan(1.0, |a, v| {
            *a = *a * 0.5 + v * *a;
            Some(*a)
        })
        .collect();
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn triples_in_order(x: &[f64], n: usize) -> f64 {
    (0..n).flat_map(|i| (0..=i).flat_map(move |j| (j..n).map(move |k| x[i] * x[j] * x[k]))).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn zip_three_streams(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > -0.5).zip(x).zip(1..).map(|((a, b), k)| a * b * k as f64).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn take_flat(x: &[f64]) -> f64 {
    x.iter()
        .take(2)
        .flat_map(|a| x.iter().take(3).map(move |b| a * b))
        .take(4)
        .skip(1)
        .step_by(2)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn skip_chain_take(x: &[f64]) -> f64 {
    let a: f64 = x
        .iter()
        .skip(1)
        .chain(x.iter().take(2))
        .take(4)
        .chain(x.iter().rev())
        .skip(1)
        .map(|v| v * v)
        .sum();
    let b = x.iter().chain(x).position(|v| *v > 0.5).map_or(0.0, |i| i as f64);
    a * x[0] + b
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn windows_scan(x: &[f64]) -> f64 {
    x.windows(2)
        .scan(0.0, |s, w| {
            *s += w[0] * w[1];
            Some((*s, w[1]))
        })
        .map(|(s, w)| s * w)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadow(x: &[f64], #[constant] k: usize) -> f64 {
    let v = x[0];
    let t = x
        .iter()
        .filter_map(|v| {
            let k = v * v;
            (k > 0.1).then(|| k * 2.0)
        })
        .map(|w| w * v * k as f64)
        .sum::<f64>();
    let u: f64 = x
        .iter()
        .scan(v, |v, x| {
            *v *= x;
            Some(*v + 1.0)
        })
        .map(|y| y * v)
        .sum();
    t + u
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn once_with_vec(x: &[f64]) -> f64 {
    let rows: Vec<[f64; 2]> =
        std::iter::once([x[0], x[1]]).chain(x.windows(2).map(|w| [w[1], w[0]])).collect();
    rows.iter().map(|r| r[0] * r[0] * r[1]).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inner_take_while(x: &[f64]) -> f64 {
    x.iter()
        .flat_map(|a| x.iter().take_while(move |b| **b * *a < 0.4).map(move |b| a * b * b))
        .sum()
}

#[test]
fn everything_together() {
    let x = sample(5, 0.3);
    one!(generic_max, x);
    one!(captured_change, x);
    one!(labels, x);
    one!(early, x);
    one!(closures_in_chain, x);
    one!(calls_in_chain, x);
    one!(mutating_filter, x);
    one!(scan_tuple, x);
    one!(scan_over_chain, x);
    one!(triples_in_order, x, 4);
    one!(zip_three_streams, x);
    one!(take_flat, x);
    one!(skip_chain_take, x);
    one!(windows_scan, x);
    one!(shadow, x, 2);
    one!(once_with_vec, x);
    one!(inner_take_while, x);
}
