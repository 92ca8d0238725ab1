//! Moving whole values: `mem::swap`, `replace`, `take`, `copy_from_slice`, `fill`, `swap`, `clone`, `to_vec`.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn fibonacci_like(a0: f64, b0: f64, n: usize) -> f64 {
    let (mut a, mut b) = (a0, b0);
    for _ in 0..n {
        let next = a * b + 1.0;
        a = std::mem::replace(&mut b, next);
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
    }
    let rest = std::mem::take(&mut a);
    rest * b + a
}

#[test]
fn numbers() {
    for n in 0..5 {
        let (value, a_adj, b_adj) = fibonacci_like::adjoint(0.7, 0.4, n, 1.0);
        check("fibonacci", |v| fibonacci_like(v[0], v[1], n), &[0.7, 0.4], value, &[a_adj, b_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn arrays(x: [f64; 2], y: [f64; 2]) -> f64 {
    let (mut a, mut b) = (x, y);
    b[0] *= a[1];
    std::mem::swap(&mut a, &mut b);
    a[1] += b[0] * b[0];
    let old = std::mem::replace(&mut a, [b[1], 2.0]);
    let gone = std::mem::take(&mut b);
    a[0] * old[0] + a[1] * old[1] + gone[0] * gone[1] + b[0]
}

#[test]
fn swapped_arrays() {
    let at = [0.3, 0.9, -0.4, 1.2];
    let (value, x, y) = arrays::adjoint([at[0], at[1]], [at[2], at[3]], 1.0);
    let f = |v: &[f64]| arrays([v[0], v[1]], [v[2], v[3]]);
    check("arrays", f, &at, value, &[x, y].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn vectors(x: &[f64], s: f64) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![s; x.len()];
    for i in 0..a.len() {
        b[i] *= a[i];
    }
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut b, vec![1.0, s, 2.0]);
    let mut c = a.clone();
    c[0] = old[1] * b[1];
    let taken = std::mem::take(&mut a);
    taken[0] * c[0] + taken[2] * old[2] + c[1]
}

#[test]
fn swapped_vectors() {
    let at = [0.3, 0.9, -0.4, 1.2];
    let (value, (x, s)) = vectors::value_and_gradient(&at[..3], at[3]);
    check("vectors", |v| vectors(&v[..3], v[3]), &at, value, &[x, vec![s]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn heat(u: &mut Vec<f64>, k: f64, steps: usize) {
    let n = u.len();
    let mut next = u.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 0.1 * u[i] * u[i];
        }
        next[0] = next[1];
        next[n - 1] = 0.5 * next[n - 2];
        std::mem::swap(u, &mut next);
    }
}

#[test]
fn an_explicit_heat_equation() {
    let at = sample(7, 0.3);
    for steps in [0, 1, 4] {
        let (mut u, mut u_adj) = (at[..6].to_vec(), weights(6));
        let k_adj = heat::adjoint(&mut u, &mut u_adj, at[6], steps);
        let f = |v: &[f64]| {
            let mut u = v[..6].to_vec();
            heat(&mut u, v[6], steps);
            combine(&u)
        };
        check("heat", f, &at, combine(&u), &[u_adj, vec![k_adj]].concat());
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn copies_and_fills(x: &[f64], out: &mut [f64], s: f64) {
    let n = x.len();
    out[0] *= s;
    let kept = out[0];
    out.copy_from_slice(x);
    out[1] *= out[0];
    let tail = &mut out[n - 2..];
    tail.fill(s * kept);
    out[n - 1] *= x[0];
    out.swap(0, n - 1);
    out.swap(1, 1);
}

#[test]
fn copied_and_filled_slices() {
    let at = sample(9, 0.8);
    let (mut x_adj, mut out, mut out_adj) = (vec![0.0; 4], at[4..8].to_vec(), weights(4));
    let s_adj = copies_and_fills::adjoint(&at[..4], &mut x_adj, &mut out, &mut out_adj, at[8]);
    let f = |v: &[f64]| {
        let mut out = v[4..8].to_vec();
        copies_and_fills(&v[..4], &mut out, v[8]);
        combine(&out)
    };
    check("copies", f, &at, combine(&out), &[x_adj, out_adj, vec![s_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn partial_copies(x: &[f64], s: f64) -> f64 {
    let mut buffer = vec![s; 2 * x.len()];
    let n = x.len();
    buffer[..n].copy_from_slice(x);
    buffer[n..].copy_from_slice(x);
    buffer[1] *= s;
    let again = buffer[..n].to_vec();
    buffer[n..].fill(0.5);
    buffer.swap(0, 1);
    let mut total = 0.0;
    for i in 0..n {
        total += buffer[i] * again[i] * buffer[n + i];
    }
    total
}

#[test]
fn copied_parts() {
    let at = sample(4, 0.6);
    let (value, (x, s)) = partial_copies::value_and_gradient(&at[..3], at[3]);
    check("parts", |v| partial_copies(&v[..3], v[3]), &at, value, &[x, vec![s]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows_traded(m: &mut [[f64; 2]; 3], s: f64) {
    m[0][1] *= s;
    m.swap(0, 2);
    let first = m[0];
    m[0] = m[1];
    m[1] = [first[0] * s, first[1]];
    m[2][0] *= m[0][0];
    m[1].swap(0, 1);
}

#[test]
fn rows_of_an_array() {
    let at = sample(7, 0.4);
    let split = |v: &[f64]| [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]];
    let (mut m, w) = (split(&at), weights(6));
    let mut m_adj = split(&w);
    let s_adj = rows_traded::adjoint(&mut m, &mut m_adj, at[6]);
    let f = |v: &[f64]| {
        let mut m = split(v);
        rows_traded(&mut m, v[6]);
        combine(&m.concat())
    };
    check("rows", f, &at, combine(&m.concat()), &[m_adj.concat(), vec![s_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ring(x: &[f64], n: usize) -> f64 {
    let mut window = [x[0], x[1], x[2]];
    let mut sum = 0.0;
    for k in 0..n {
        let next = window[0] * 0.5 + window[2] * x[k % x.len()];
        window = [window[1], window[2], next];
        sum += next * window[0];
    }
    sum
}

#[test]
fn an_array_assigned_from_itself() {
    let at = sample(4, 0.7);
    let (value, gradient) = ring::value_and_gradient(&at, 5);
    check("ring", |v| ring(v, 5), &at, value, &gradient);
}
