//! Parts of buffers in variables: sub-slices, `split_at`, `split_at_mut`, chains of borrows.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn two_windows(x: &[f64], k: usize) -> f64 {
    let head = &x[..k];
    let tail = &x[k..];
    let middle = &x[1..=k];
    let mut s = 0.0;
    for i in 0..head.len().min(tail.len()) {
        s += head[i] * tail[i];
    }
    for (i, v) in middle.iter().enumerate() {
        s += v * v * head[i];
    }
    s
}

#[test]
fn overlapping_views() {
    let x = sample(7, 0.2);
    for k in [0, 2, 3, 6] {
        let (value, gradient) = two_windows::value_and_gradient(&x, k);
        if k == 0 {
            assert_eq!((value, gradient[0]), (0.0, 0.0));
        }
        if k > 0 {
            check("windows", |v| two_windows(v, k), &x, value, &gradient);
        }
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn split_product(x: &[f64], k: usize) -> f64 {
    let (a, b) = x.split_at(k);
    let (b1, b2) = b.split_at(b.len() / 2);
    let mut s = a[0];
    for v in a {
        s *= v;
    }
    for &v in b1 {
        s += v * s;
    }
    for v in b2.iter() {
        s -= v.sin();
    }
    s
}

#[test]
fn split_shared() {
    let x = sample(6, 0.9);
    let (value, gradient) = split_product::value_and_gradient(&x, 2);
    check("split", |v| split_product(v, 2), &x, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn butterfly(x: &mut [f64], angle: f64) {
    let half = x.len() / 2;
    let (low, high) = x.split_at_mut(half);
    for i in 0..half {
        let t = low[i] * angle.cos() + high[i] * angle.sin();
        high[i] = high[i] * angle.cos() - low[i] * angle.sin();
        low[i] = t * t;
    }
    let (first, rest) = low.split_at_mut(1);
    first[0] += rest[0] * high[0];
}

#[test]
fn split_mutable() {
    let at = sample(7, 0.1);
    let (mut x, mut x_adj) = (at[..6].to_vec(), weights(6));
    let angle_adj = butterfly::adjoint(&mut x, &mut x_adj, at[6]);
    let f = |v: &[f64]| {
        let mut x = v[..6].to_vec();
        butterfly(&mut x, v[6]);
        combine(&x)
    };
    check("butterfly", f, &at, combine(&x), &[x_adj, vec![angle_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn layer(w: &[f64], x: &[f64], out: &mut [f64]) {
    let n = x.len();
    for i in 0..out.len() {
        let row = &w[i * (n + 1)..(i + 1) * (n + 1)];
        let mut sum = row[n];
        for j in 0..n {
            sum += row[j] * x[j];
        }
        out[i] = sum.tanh();
    }
}

#[test]
fn a_row_in_a_loop() {
    let at = sample(11, 0.5);
    let (mut w_adj, mut x_adj) = (vec![0.0; 8], vec![0.0; 3]);
    let (mut out, mut out_adj) = ([9.0; 2], weights(2));
    layer::adjoint(&at[..8], &mut w_adj, &at[8..], &mut x_adj, &mut out, &mut out_adj);
    let f = |v: &[f64]| {
        let mut out = [0.0; 2];
        layer(&v[..8], &v[8..], &mut out);
        combine(&out)
    };
    check("layer", f, &at, combine(&out), &[w_adj, x_adj].concat());
    assert_eq!(out_adj, [0.0, 0.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn smooth_rows(m: &mut [f64], columns: usize, rate: f64) {
    let rows = m.len() / columns;
    for i in 0..rows {
        let row = &mut m[i * columns..][..columns];
        for j in 1..columns {
            row[j] += rate * row[j - 1] * row[j];
        }
        let last = &mut row[columns - 1];
        *last = last.exp();
    }
}

#[test]
fn a_mutable_row_in_a_loop() {
    let at = sample(7, 1.5);
    let (mut m, mut m_adj) = (at[..6].to_vec(), weights(6));
    let rate_adj = smooth_rows::adjoint(&mut m, &mut m_adj, 3, at[6]);
    let f = |v: &[f64]| {
        let mut m = v[..6].to_vec();
        smooth_rows(&mut m, 3, v[6]);
        combine(&m)
    };
    check("rows", f, &at, combine(&m), &[m_adj, vec![rate_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn element_references(state: &mut [f64; 3], k: usize) -> f64 {
    let chosen = &mut state[k];
    *chosen *= 2.0;
    *chosen += chosen.sin();
    let other = &state[(k + 1) % 3];
    other * state[k]
}

#[test]
fn references_to_elements() {
    let at = [0.3, 0.8, -0.4];
    for k in 0..3 {
        let (mut s, mut s_adj) = (at, [0.0; 3]);
        let value = element_references::adjoint(&mut s, &mut s_adj, k, 1.0);
        check("element", |v| element_references(&mut [v[0], v[1], v[2]], k), &at, value, &s_adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn gather(table: &[f64], index: &[usize], out: &mut [f64]) {
    for (o, i) in index.iter().enumerate() {
        out[o] += table[*i] * table[*i];
    }
}

#[test]
fn indices_from_data() {
    let at = sample(4, 0.2);
    let index = [3, 0, 3];
    let mut table_adj = vec![0.0; 4];
    let (mut out, mut out_adj) = ([0.5; 3], weights(3));
    gather::adjoint(&at, &mut table_adj, &index, &mut out, &mut out_adj);
    let f = |v: &[f64]| {
        let mut out = [0.5; 3];
        gather(v, &index, &mut out);
        combine(&out)
    };
    check("gather", f, &at, combine(&out), &table_adj);
    assert_eq!(out_adj, weights(3));
}
