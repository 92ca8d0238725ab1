//! Adaptors and their combinations.

use crate::{and_number, in_place, one, positive, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn triples(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).zip(a.iter().skip(1)).map(|((x, y), z)| x * y + y * z * z).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn right_nested(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter().zip(a.iter().rev())).map(|(x, (y, z))| x * y.sin() * z).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn numbered_pairs(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).enumerate().map(|(i, (x, y))| (i as f64 + 1.0) * x * y).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn pairs_numbered_inside(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .enumerate()
        .zip(b.iter().enumerate())
        .map(|((i, x), (j, y))| (i + 2 * j) as f64 * x * y * y)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn fields_of_pair(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|p| p.0 * p.1 + p.0).sum()
}

#[test]
fn tuples() {
    two!(triples, sample(5, 0.1), sample(5, 0.9));
    two!(right_nested, sample(5, 0.1), sample(4, 0.9));
    two!(numbered_pairs, sample(4, 0.1), sample(5, 0.9));
    two!(pairs_numbered_inside, sample(4, 0.1), sample(5, 0.9));
    two!(fields_of_pair, sample(4, 0.1), sample(4, 0.9));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn numbered_backwards(x: &[f64]) -> f64 {
    let a: f64 = x.iter().rev().enumerate().map(|(i, v)| i as f64 * v * v).sum();
    let b: f64 = x.iter().enumerate().rev().map(|(i, v)| i as f64 * v.exp()).sum();
    a + b
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn numbered_behind_skip(x: &[f64], k: usize) -> f64 {
    let a: f64 = x.iter().skip(k).enumerate().map(|(i, v)| (i + 1) as f64 * v * v).sum();
    let b: f64 = x.iter().enumerate().skip(k).map(|(i, v)| (i + 1) as f64 * v.sin()).sum();
    a * b + x[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn strided(x: &[f64]) -> f64 {
    let a = x.iter().step_by(2).map(|v| v * v).sum::<f64>();
    let b = x.iter().skip(1).step_by(3).enumerate().map(|(i, v)| (i + 2) as f64 * v).sum::<f64>();
    let c: f64 = (0..x.len()).step_by(2).rev().map(|i| x[i] * i as f64).sum();
    let d: f64 = x.iter().rev().step_by(3).product();
    let e: f64 = x.iter().step_by(2).zip(x.iter().skip(1).step_by(2)).map(|(p, q)| p * q).sum();
    a * b + c * d + e
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn slices_of_chain(x: &[f64], k: usize) -> f64 {
    let a: f64 = x.iter().take(k).map(|v| v * v).sum();
    let b: f64 = x.iter().skip(1).take(k).rev().enumerate().map(|(i, v)| v * i as f64).sum();
    let c: f64 = x.iter().rev().skip(1).take(k).map(|v| v.exp()).sum();
    let d: f64 = x.iter().skip(1).skip(1).map(|v| v.powi(3)).sum();
    let e: f64 = x.iter().take(k).skip(1).rev().fold(0.5, |s, v| s * 0.3 + v);
    a + b * c + d + e
}

#[test]
fn positions() {
    one!(numbered_backwards, sample(5, 0.3));
    for k in [0, 2, 5, 9] {
        one!(numbered_behind_skip, sample(5, 0.3), k);
        one!(slices_of_chain, sample(5, 0.3), k);
    }
    one!(strided, sample(7, 0.3));
    one!(strided, sample(8, 0.4));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn kept(x: &[f64]) -> f64 {
    let a: f64 = x.iter().filter(|v| **v > 0.0).map(|v| v.ln()).sum();
    let b: f64 = x.iter().filter(|&&v| v < 0.0).sum();
    let c: f64 = x.iter().copied().filter(|v| *v > 0.2).map(|v| v * v).sum();
    let d = x.iter().copied().filter(|&v| v.abs() < 0.8).product::<f64>();
    a * b + c + d
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn kept_pairs(x: &[f64], y: &[f64]) -> f64 {
    let a: f64 =
        x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(i, v)| v * v * i as f64).sum();
    let b: f64 = x.iter().zip(y).filter(|(_, v)| **v > 0.0).map(|(u, v)| u * v).sum();
    let c: f64 = x.iter().enumerate().filter(|(_, v)| v.abs() > 0.3).map(|(_, v)| v.sin()).sum();
    let d: f64 = x.iter().zip(y.iter()).filter(|&(u, v)| u > v).map(|(u, v)| u - v * v).sum();
    a + b * c + d
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn two_filters(x: &[f64], low: f64) -> f64 {
    x.iter().filter(|v| **v > low).map(|v| v - low).filter(|d| *d < 1.0).map(|d| d * d).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn indices(x: &[f64], skip: usize) -> f64 {
    (0..x.len()).filter(|&i| i != skip).map(|i| x[i] * x[i] * x[skip]).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn while_small(x: &[f64], limit: f64) -> f64 {
    let a = x.iter().take_while(|v| **v < limit).map(|v| v * v).sum::<f64>();
    let b = x.iter().copied().take_while(|&v| v < limit).fold(1.0, |p, v| p * v);
    a + limit * b
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn filtered_chunks(x: &[f64]) -> f64 {
    x.chunks(2).filter(|c| c.len() == 2 && c[0] > -0.5).map(|c| c[0] * c[1]).sum()
}

#[test]
fn items_left_out() {
    one!(kept, sample(7, 0.3));
    two!(kept_pairs, sample(6, 0.3), sample(6, 0.8));
    and_number!(two_filters, sample(8, 0.3), -0.3);
    one!(indices, sample(5, 0.3), 2);
    and_number!(while_small, [0.1, 0.4, 0.3, 0.9, 0.2], 0.6);
    and_number!(while_small, [0.1, 0.4], 0.6);
    one!(filtered_chunks, sample(7, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn copies(x: &[f64]) -> f64 {
    let a: f64 = x.iter().copied().map(f64::sin).sum();
    let b: f64 =
        x.iter().cloned().map(|v| v * v).rev().enumerate().map(|(i, v)| v * i as f64).sum();
    let c: f64 = x.iter().map(|&v| v.exp()).zip(x.iter().copied()).map(|(p, q)| p * q).sum();
    a * b + c + x.iter().copied().sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn updated_pairs(x: &mut [f64], y: &[f64]) -> f64 {
    for (a, b) in x.iter_mut().zip(y) {
        *a = *a * b + b.sin();
    }
    for (i, a) in x.iter_mut().enumerate().skip(1) {
        *a *= i as f64;
    }
    x.iter_mut().rev().zip(y.iter()).for_each(|(a, b)| *a += b * b);
    x.iter_mut().filter(|a| **a > 0.0).for_each(|a| *a = a.sqrt());
    for a in x.iter_mut().step_by(2) {
        *a = a.cos();
    }
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn accumulated(x: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for v in x.iter_mut().rev() {
        sum += *v;
        *v = sum * sum;
    }
    x.iter().sum()
}

#[test]
fn in_place() {
    one!(copies, sample(5, 0.3));
    in_place!(accumulated, sample(5, 0.3));
    let at = [positive(4, 0.3), positive(4, 1.1)].concat();
    let f = |v: &[f64]| updated_pairs(&mut v[..4].to_vec(), &v[4..]);
    let (value, (x_adj, y_adj)) =
        updated_pairs::value_and_gradient(&mut at[..4].to_vec(), &at[4..]);
    crate::check("updated pairs", f, &at, value, &[x_adj, y_adj].concat());
}
