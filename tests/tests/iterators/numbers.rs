//! Ranges of integers of any type, with and without end, in front of adaptors that need positions.

use crate::{one, sample};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn signed(x: &[f64], n: i32) -> f64 {
    let a: f64 = (-n..=n).zip(x).map(|(k, v)| k as f64 * v * v).sum();
    let b: f64 = (0..n)
        .map(|k| (k - 1) as f64 * x[k as usize])
        .rev()
        .enumerate()
        .map(|(i, v)| v * (i + 1) as f64)
        .sum();
    let c: Vec<f64> = (1..=n as i64).map(|k| x[0] * k as f64).collect();
    let d: f64 = (0..3).zip(x).map(|(k, v)| (k - 1) as f64 * v).sum();
    let e: f64 = x.iter().zip((0..n as u32).rev().step_by(2)).map(|(v, k)| v.powi(k as i32)).sum();
    let f: f64 = (0..n).skip(1).zip(x).map(|(k, v)| (k - 2) as f64 * v.sin()).sum();
    a + b * c[c.len() - 1] + d + e * f
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn without_end(x: &[f64]) -> f64 {
    let a: f64 = (0..).zip(x).map(|(k, v)| (k - 2) as f64 * v * v).sum();
    let b: f64 = x.iter().zip(1..).map(|(v, k)| v / k as f64).sum();
    let c: f64 = (1..).take(3).map(|k| x[k - 1] * k as f64).product();
    let d: f64 = (0..).map(|k| x[0] * (k - 1) as f64).take_while(|v| v.abs() < 2.0).sum();
    let mut e = 0.0;
    for k in 1.. {
        let term = x[0].powi(k) / k as f64;
        if term.abs() < 1e-6 {
            break;
        }
        e += term;
    }
    for (k, v) in (1_u8..).step_by(3).zip(x.iter().rev()) {
        e += v * f64::from(k);
    }
    a + b * c + d * e
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inclusive(x: &[f64], n: usize) -> f64 {
    let a: f64 = (1..=n).zip(x).map(|(k, v)| k as f64 * v * v).sum();
    let b: f64 = (0..=n).map(|k| x[k % x.len()] * k as f64).rev().skip(1).sum();
    let c: f64 = (0..=n).step_by(2).enumerate().map(|(i, k)| x[i] * k as f64).sum();
    let d: Vec<f64> = (1..=n).rev().map(|k| x[k - 1] * k as f64).collect();
    a + b * c + d[0] * d[n - 1]
}

#[test]
fn integers_of_other_types() {
    one!(signed, sample(5, 0.3), 2);
    one!(signed, sample(5, 0.3), 3);
    one!(without_end, sample(5, 0.3));
    for n in 1..5 {
        one!(inclusive, sample(5, 0.3), n);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn pieces_from_the_end(x: &[f64], size: usize) -> f64 {
    let a: f64 = x.rchunks(size).map(|c| c[0] * c[c.len() - 1]).sum();
    let b: f64 = x.rchunks_exact(size).enumerate().map(|(i, c)| c[0] * (i + 1) as f64).sum();
    let (low, high) = x.split_at(x.len() / 2);
    let c: f64 = low.iter().zip(high).map(|(a, b)| a * b * b).sum();
    a * b + c
}

#[test]
fn pieces_of_slices() {
    for size in 1..7 {
        one!(pieces_from_the_end, sample(6, 0.3), size);
    }
}
