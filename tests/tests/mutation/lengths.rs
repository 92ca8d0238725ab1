//! Lengths: of what calls return, of nothing, and of what a swap exchanged.

use ad_runtime::differentiate;
use ad_tests::check::check;

#[differentiate(reverse, forward, second_order, cross_check)]
fn doubled(v: &[f64], s: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for a in v {
        out.push(a * s);
        out.push(*a);
    }
    out
}

/// Every trip stores what a call returns, of another length, into what it was made from.
#[differentiate(reverse, forward, second_order, cross_check)]
fn refined(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let mut of_a_call = doubled(x, x[0]);
    let mut s = 0.0;
    for _ in 0..n {
        s += v[0] * v[v.len() - 1];
        v = doubled(&v, s);
        of_a_call = doubled(&of_a_call, v[1]);
        s += of_a_call[2];
    }
    for a in &v {
        s += a.sin();
    }
    s
}

#[test]
fn results_of_calls_take_the_place_of_their_arguments() {
    let x = [0.7, 0.4];
    for n in 0..4 {
        let (value, adj) = refined::value_and_gradient(&x, n);
        check("refined", |v| refined(v, n), &x, value, &adj);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn replaced(path: &mut Vec<f64>, s: f64) -> f64 {
    let first = path[0];
    *path = doubled(path, s);
    first * path[path.len() - 1]
}

#[test]
fn a_parameter_is_replaced_by_what_a_call_returns() {
    let at = [0.7, 0.4, 1.3];
    let run = |v: &[f64]| {
        let mut path = v[..2].to_vec();
        replaced(&mut path, v[2]) + path[2]
    };
    let (mut path, mut path_adj) = (at[..2].to_vec(), vec![0.0, 0.0, 1.0, 0.0]);
    let (value, s_adj) = replaced::adjoint(&mut path, &mut path_adj, at[2], 1.0);
    path_adj.push(s_adj);
    check("replaced", run, &at, value + path[2], &path_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn filled(x: &[f64], n: usize) -> f64 {
    let mut v = vec![x[0] * x[1]; n];
    let mut w = Vec::new();
    w.fill(x[0]);
    v.fill(x[1]);
    w.push(x[0]);
    w.fill(x[0] * x[1]);
    v.iter().sum::<f64>() + w[0]
}

#[test]
fn nothing_is_filled() {
    let x = [0.7, 0.4];
    for n in [0, 2] {
        let (value, adj) = filled::value_and_gradient(&x, n);
        check("filled", |v| filled(v, n), &x, value, &adj);
    }
}

/// The caller's vector ends in a local variable, which changes.
#[differentiate(reverse, forward, second_order, cross_check)]
fn exchanged(v: &mut Vec<f64>, s: f64) -> f64 {
    let mut w = vec![s, s * s];
    std::mem::swap(v, &mut w);
    w[0] *= s;
    w.push(s);
    let sum = w[0] + w[w.len() - 1] * v[1];
    w[1] = sum;
    w.pop();
    w.pop();
    sum * w[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn read_before(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let before = v[0] * v[1];
    let s = exchanged(&mut v, x[0]);
    before * s + v[0]
}

#[test]
fn what_was_swapped_away_is_restored() {
    let x = [0.7, 1.4];
    let (value, adj) = read_before::value_and_gradient(&x);
    check("read before", read_before, &x, value, &adj);
}

/// The length of a vector that nothing else wants to see again.
#[differentiate(reverse, forward, second_order, cross_check)]
fn lengths_of_parts(x: &[f64], n: usize) -> f64 {
    let mut rows = vec![x.to_vec(), Vec::new()];
    let mut v = Vec::new();
    for k in 0..n {
        if let Some(row) = rows.pop() {
            v.extend_from_slice(&row);
            if row.is_empty() {
                v.push(x[k]);
            }
        }
    }
    let mut sum = 0.0;
    for a in &v {
        sum += a * a;
    }
    sum
}

#[test]
fn a_part_is_only_counted() {
    let x = [0.7, 0.4, 1.1];
    for n in 1..4 {
        let (value, adj) = lengths_of_parts::value_and_gradient(&x, n);
        check("lengths", |v| lengths_of_parts(v, n), &x, value, &adj);
    }
}
