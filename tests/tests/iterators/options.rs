//! Items that a chain may not have, taken apart by patterns or kept as an `Option`.

use crate::{one, sample};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn if_let_chain(x: &[f64]) -> f64 {
    let mut s = 0.0;
    if let Some(i) = x.iter().position(|v| *v < 0.0) {
        s += x[i] * x[i];
    }
    if let Some(v) = x.first() {
        s += v * v;
    }
    if let Some(v) = x.iter().copied().reduce(f64::max) {
        s += v.exp();
    } else {
        s = -1.0;
    }
    if let Some((i, v)) = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)) {
        s += *v * x[i];
    }
    match x.iter().copied().min_by(|a, b| a.total_cmp(b)) {
        Some(v) => s += v * 3.0,
        None => s = 0.0,
    }
    let Some(l) = x.last() else { return s };
    s * l
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn option_values(x: &[f64]) -> f64 {
    let top = x.iter().copied().reduce(f64::max);
    let pos = x.iter().position(|v| *v > 0.2);
    match (top, pos) {
        (Some(t), Some(p)) => t * x[p],
        (Some(t), None) => t,
        _ => 0.0,
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn references_reduce(x: &[f64]) -> f64 {
    *x.iter().reduce(|a, b| if a > b { a } else { b }).unwrap()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ints(x: &[f64]) -> f64 {
    let m = x.iter().map(|v| (v * 10.0) as i64).max().unwrap();
    let n = x.iter().map(|v| (v * 10.0) as i32).min().unwrap_or(0);
    let k = (0..x.len()).max_by(|i, j| x[*i].total_cmp(&x[*j])).unwrap();
    let j = (0..x.len()).min_by_key(|i| (x[*i] * 100.0) as i64).unwrap();
    x[0] * m as f64 + n as f64 * x[k] * x[j]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn last_filter(x: &[f64]) -> f64 {
    let a = x.iter().filter(|v| **v < 0.5).last().unwrap();
    let b = x.iter().rev().find(|v| **v > 0.0).unwrap();
    let c = x.iter().skip_while(|v| **v > 0.0).next().copied().unwrap_or(1.0);
    a * b + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn tuple_keep(x: &[f64]) -> f64 {
    let (a, (b, c)) = x
        .iter()
        .zip(x.iter().skip(1).zip(x.iter().skip(2)))
        .max_by(|p, q| (p.0 * p.1.0).total_cmp(&(q.0 * q.1.0)))
        .unwrap();
    a * b * c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows_kept(x: &[f64]) -> f64 {
    let rows = vec![vec![x[0], x[1]], vec![x[2], x[1]]];
    let r = rows.iter().max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
    let t = r[0] * r[1];
    let s: f64 = rows.into_iter().map(|r| r[0] * r[1]).sum();
    t + s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows_loop(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[2], x[1]]];
    let mut t = 0.0;
    for k in 0..2 {
        let r = rows.iter().min_by(|a, b| a[0].partial_cmp(&b[0]).unwrap()).unwrap();
        t += r[0] * r[1];
        rows[0][0] += t;
        rows[k][1] *= 2.0;
    }
    t
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn or_nothing(x: &[f64]) -> Option<f64> {
    let largest = x.iter().copied().reduce(f64::max)?;
    let first = x.iter().copied().find(|v| *v < 0.0)?;
    Some(largest * first)
}

#[test]
fn patterns_take_them_apart() {
    one!(if_let_chain, sample(5, 0.3));
    one!(if_let_chain, [0.4]);
    one!(option_values, sample(5, 0.3));
    one!(option_values, [0.1]);
    assert_eq!(option_values::value_and_gradient(&[]), (0.0, vec![]));
    assert_eq!(or_nothing::vjp(ad_runtime::Unspecified, &[2.0, -3.0, 4.0]).0, Some(-12.0));
    assert_eq!(or_nothing::vjp(ad_runtime::Unspecified, &[2.0]).0, None);
    let mut x_adj = [0.0; 3];
    or_nothing::adjoint(&[2.0, -3.0, 4.0], &mut x_adj, Some(1.0));
    assert_eq!(x_adj, [0.0, 4.0, -3.0]);
}

#[test]
fn items_that_are_not_numbers() {
    one!(references_reduce, sample(5, 0.3));
    one!(ints, sample(5, 0.3));
    one!(last_filter, sample(5, 0.3));
    one!(tuple_keep, sample(5, 0.3));
    one!(rows_kept, sample(5, 0.3));
    one!(rows_loop, sample(5, 0.3));
}
