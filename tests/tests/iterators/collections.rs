//! What is collected: of a known number of items or not, into vectors, rows and arrays.

use crate::{one, sample};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn positives(x: &[f64]) -> f64 {
    let p: Vec<f64> = x.iter().copied().filter(|v| *v > 0.0).collect();
    let q = x.iter().filter_map(|v| (*v < 0.5).then(|| v * v)).collect::<Vec<_>>();
    p.iter().zip(&q).map(|(a, b)| a * b).sum::<f64>() * p.len() as f64 + q[0]
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn pairs_kept(x: &[f64]) -> f64 {
    let mut t = 0.0;
    for k in 0..3 {
        let d: Vec<f64> = x
            .iter()
            .enumerate()
            .flat_map(|(i, a)| x[i + 1..].iter().map(move |b| a - b))
            .skip(k)
            .collect();
        let rows: Vec<[f64; 2]> =
            d.chunks(2).filter(|c| c.len() == 2).map(|c| [c[0] * t, c[1]]).collect();
        t += rows.iter().map(|r| r[0] * r[1] + r[1]).sum::<f64>();
    }
    let taken: Vec<f64> = x.iter().take_while(|v| **v > -0.5).cloned().collect();
    t + taken.iter().sum::<f64>()
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn extended(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.extend(x.iter().map(|a| a * a));
    v.extend(x.iter().chain(&[1.0]).filter(|a| **a > 0.0));
    v.extend(x.iter().flat_map(|a| [a * 2.0, a.sin()]));
    v.iter().enumerate().map(|(i, a)| a * i as f64).sum()
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn made(x: &[f64]) -> f64 {
    let a: [f64; 3] = std::array::from_fn(|i| x[i] * x[i + 1]);
    let m: [[f64; 2]; 2] = core::array::from_fn(|i| std::array::from_fn(|j| x[i] * x[j + 1]));
    let mut s = 0.0;
    for k in 0..2 {
        let b: [f64; 2] = std::array::from_fn(|i| a[i + k] * s + x[k]);
        s += b[0] * b[1];
    }
    for v in std::array::from_fn::<f64, 2, _>(|i| x[i]) {
        s += v * a[0];
    }
    s + m[0][1] * m[1][0] + twice(&a)[1]
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn twice(a: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] * a[2 - i] * 2.0)
}

#[test]
fn vectors_of_as_many_as_come() {
    one!(positives, sample(5, 0.3));
    one!(pairs_kept, sample(5, 0.3));
    one!(extended, sample(5, 0.3));
}

#[test]
fn arrays_from_functions() {
    one!(made, sample(5, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn of_a_call(x: &[f64]) -> f64 {
    squares(x).iter().zip(x).map(|(s, v)| s * v).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}

#[test]
fn items_of_what_a_call_gives() {
    one!(of_a_call, sample(4, 0.3));
}
