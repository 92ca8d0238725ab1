//! Chains among loops, branches, buffers and closures of the same function.

use crate::{one, sample};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn tree_product(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    while y.len() > 1 {
        let next: Vec<f64> = y.chunks(2).map(|c| c.iter().product()).collect();
        y = next;
    }
    y[0] * x[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn replaced_in_a_branch(x: &[f64]) -> f64 {
    let mut y: Vec<f64> = x.iter().map(|v| v * 2.0).collect();
    if x[0] > 1.0 {
        y = x.iter().skip(2).map(|v| v * v).collect::<Vec<f64>>();
    }
    y.iter().map(|v| v.sin()).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn masked_extremes(x: &[f64]) -> f64 {
    let mut t = 0.0;
    for i in 0..4 {
        let m = x.iter().skip(i).fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let z = x.iter().take(i + 1).filter(|v| **v < m).map(|v| v / (m + 3.0)).sum::<f64>();
        t = t * 0.5 + z * m;
    }
    t
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn coupled_updates(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 0..y.len() {
        let s: f64 = y.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, v)| v * v).sum();
        y[i] = s / 4.0 - y[i];
    }
    y.iter().product()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn softmax_by_rows(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for r in y.chunks_mut(4) {
        let m = r.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        r.iter_mut().for_each(|v| *v = (*v - m).exp());
        let t: f64 = r.iter().sum();
        r.iter_mut().for_each(|v| *v /= t);
    }
    y.iter().zip(x).map(|(a, b)| a * b).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn labelled_filters(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'a: for v in x.iter().filter(|v| **v > -0.5) {
        for w in x.iter().take_while(|w| *w != v) {
            if v * w > 1.8 {
                continue 'a;
            }
            if s > 6.0 {
                break 'a;
            }
            s += v * w * w;
        }
    }
    s + x[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn returns_behind_a_filter(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x.iter().map(|v| v * v).filter(|v| *v > 0.3).map(|v| v.ln()) {
        s = s * v + 0.1;
        if s < -5.0 {
            return s * s;
        }
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ordered_gaps(x: &[f64]) -> f64 {
    x.iter()
        .map(|a| x.iter().filter(|b| *b > a).map(|b| (b - a) * a).sum::<f64>())
        .map(|s| s * s)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn state_inside_a_closure(x: &[f64]) -> f64 {
    x.iter()
        .map(|a| {
            let mut acc = *a;
            x.iter().for_each(|b| acc = acc * 0.5 + a * b);
            acc
        })
        .fold(0.0, |s, v| s * 0.9 + v)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rows_inside_a_closure(x: &[f64]) -> f64 {
    (0..3)
        .map(|i| {
            let r: Vec<f64> = (0..3).map(|j| x[i] * x[(i + j) % 6]).collect();
            r.iter().map(|v| v * r[0]).sum::<f64>()
        })
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn closure_with_a_chain(x: &[f64]) -> f64 {
    let norm = |v: &[f64]| v.iter().map(|e| e * e).sum::<f64>().sqrt();
    let n = norm(x);
    x.chunks(2).map(|c| norm(c) / n).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn split_by_count(x: &[f64]) -> f64 {
    let n = x.iter().filter(|v| **v > 0.5).count();
    let s: f64 = x.iter().take(n).product();
    s + x.iter().skip(n).map(|v| v * v).sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn captured_before_shadowing(x: &[f64]) -> f64 {
    let k = x[0];
    let f = |v: f64| v * k;
    let k = 2.0;
    x.iter().map(|&v| f(v) * k).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn captured_in_a_loop(x: &[f64]) -> f64 {
    let s = x[0];
    let f = |w: f64| w * s;
    let mut acc = 0.0;
    for i in 0..3 {
        let s = x[i] * 2.0;
        acc += f(s) + s;
    }
    acc
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn largest_with_position(x: &[f64]) -> f64 {
    let mut worst = 0.0;
    let mut at = 0;
    x.iter().enumerate().for_each(|(i, &v)| {
        if v > worst {
            worst = v;
            at = i;
        }
    });
    worst * x[at] * at as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn filtered_updates(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y.iter_mut().zip(x).filter(|(a, _)| **a > 0.0).for_each(|(a, b)| *a *= b);
    y.iter().sum()
}

#[test]
fn mixed() {
    let spread: Vec<f64> = sample(6, 0.3).iter().map(|v| 0.9 + 0.8 * v).collect();
    for x in [spread, sample(6, 0.3)] {
        one!(tree_product, x);
        one!(replaced_in_a_branch, x);
        one!(masked_extremes, x);
        one!(coupled_updates, x);
        one!(softmax_by_rows, x);
        one!(labelled_filters, x);
        one!(returns_behind_a_filter, x);
        one!(ordered_gaps, x);
        one!(state_inside_a_closure, x);
        one!(rows_inside_a_closure, x);
        one!(closure_with_a_chain, x);
        one!(split_by_count, x);
        one!(captured_before_shadowing, x);
        one!(captured_in_a_loop, x);
        one!(largest_with_position, x);
        one!(filtered_updates, x);
    }
}
