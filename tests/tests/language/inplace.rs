//! Algorithms that work in one buffer: sorting networks, prefix sums, recurrences with a carried buffer.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn bubble_sort(x: &mut [f64]) -> usize {
    let mut swaps = 0;
    for end in (1..x.len()).rev() {
        for i in 0..end {
            if x[i] > x[i + 1] {
                x.swap(i, i + 1);
                swaps += 1;
            }
        }
    }
    swaps
}

#[test]
fn sorting_by_exchange() {
    let at = [0.9, -0.3, 0.4, 0.1, -0.8];
    let (mut x, mut x_adj) = (at, weights(5));
    assert_eq!(bubble_sort::adjoint(&mut x, &mut x_adj), 8);
    assert_eq!(x, [-0.8, -0.3, 0.1, 0.4, 0.9]);
    // Weight of the place where each entry ends.
    assert_eq!(x_adj, [5.0, -2.0, -4.0, 3.0, 1.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn min_max_network(x: &mut [f64]) {
    let n = x.len();
    for pass in 0..n {
        for i in (pass % 2..n - 1).step_by(2) {
            let (low, high) = (x[i].min(x[i + 1]), x[i].max(x[i + 1]));
            x[i] = low;
            x[i + 1] = high * high;
        }
    }
}

#[test]
fn a_network_of_minima_and_maxima() {
    let at = [0.9, 1.3, 0.4, 1.1, 0.8];
    let (mut x, mut x_adj) = (at, weights(5));
    min_max_network::adjoint(&mut x, &mut x_adj);
    let f = |v: &[f64]| {
        let mut x = v.to_vec();
        min_max_network(&mut x);
        combine(&x)
    };
    check("network", f, &at, combine(&x), &x_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn prefix_sums(x: &mut [f64]) {
    let mut width = 1;
    while width < x.len() {
        for i in (width..x.len()).rev() {
            x[i] += x[i - width];
        }
        width *= 2;
    }
}

#[test]
fn prefix_sums_by_doubling() {
    let (mut x, mut x_adj) = ([1.0, 2.0, 3.0, 4.0, 5.0], weights(5));
    prefix_sums::adjoint(&mut x, &mut x_adj);
    assert_eq!(x, [1.0, 3.0, 6.0, 10.0, 15.0]);
    // Suffix sums of the weights 1, -2, 3, -4, 5.
    assert_eq!(x_adj, [3.0, 2.0, 4.0, 1.0, 5.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn exponential_scan(x: &mut [f64], rate: &[f64]) -> f64 {
    let mut state = 0.0;
    for (i, v) in x.iter_mut().enumerate() {
        state = rate[i] * state + *v;
        *v = state * state;
    }
    state
}

#[test]
fn a_scan_with_a_carried_state() {
    let at = sample(8, 0.4);
    let (mut x, mut x_adj, mut rate_adj) = (at[..4].to_vec(), weights(4), vec![0.0; 4]);
    let value = exponential_scan::adjoint(&mut x, &mut x_adj, &at[4..], &mut rate_adj, 1.0);
    let f = |v: &[f64]| {
        let mut x = v[..4].to_vec();
        exponential_scan(&mut x, &v[4..]) + combine(&x)
    };
    check("scan", f, &at, value + combine(&x), &[x_adj, rate_adj].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn convolve(signal: &[f64], kernel: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for i in 0..signal.len() {
        for (j, k) in kernel.iter().enumerate() {
            out[i + j] += signal[i] * k;
        }
    }
}

#[test]
fn a_convolution() {
    let at = sample(7, 0.1);
    let (mut signal_adj, mut kernel_adj) = (vec![0.0; 4], vec![0.0; 3]);
    let (mut out, mut out_adj) = (vec![7.0; 6], weights(6));
    convolve::adjoint(&at[..4], &mut signal_adj, &at[4..], &mut kernel_adj, &mut out, &mut out_adj);
    let f = |v: &[f64]| {
        let mut out = vec![0.0; 6];
        convolve(&v[..4], &v[4..], &mut out);
        combine(&out)
    };
    check("convolution", f, &at, combine(&out), &[signal_adj, kernel_adj].concat());
    assert_eq!(out_adj, vec![0.0; 6]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn knapsack_value(weight: &[usize], value: &[f64], capacity: usize) -> f64 {
    let mut best = vec![0.0; capacity + 1];
    for i in 0..weight.len() {
        for c in (weight[i]..=capacity).rev() {
            let with = best[c - weight[i]] + value[i] * value[i];
            if with > best[c] {
                best[c] = with;
            }
        }
    }
    best[capacity]
}

#[test]
fn dynamic_programming() {
    let (weight, value) = ([2, 3, 4, 1], [1.5, 2.0, 2.2, 0.7]);
    let (total, gradient) = knapsack_value::value_and_gradient(&weight, &value, 6);
    check("knapsack", |v| knapsack_value(&weight, v, 6), &value, total, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn soft_warp(a: &[f64], b: &[f64], gamma: f64) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut cost = vec![0.0_f64; (n + 1) * (m + 1)];
    for i in 1..=n {
        cost[i * (m + 1)] = 1e3;
    }
    for j in 1..=m {
        cost[j] = 1e3;
    }
    for i in 1..=n {
        for j in 1..=m {
            let at = i * (m + 1) + j;
            let (p, q, r) = (cost[at - 1], cost[at - m - 1], cost[at - m - 2]);
            let low = p.min(q).min(r);
            let sum =
                ((low - p) / gamma).exp() + ((low - q) / gamma).exp() + ((low - r) / gamma).exp();
            cost[at] = (a[i - 1] - b[j - 1]).powi(2) + low - gamma * sum.ln();
        }
    }
    cost[n * (m + 1) + m]
}

#[test]
fn a_table_of_costs() {
    let at = [0.1, 0.9, 0.4, 0.2, 0.7, 0.5, -0.1, 0.6];
    let (value, (a, b, gamma)) = soft_warp::value_and_gradient(&at[..3], &at[3..7], at[7]);
    let f = |v: &[f64]| soft_warp(&v[..3], &v[3..7], v[7]);
    check("warp", f, &at, value, &[a, b, vec![gamma]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn histogram(x: &[f64], bins: &mut [f64], counts: &mut [usize]) {
    for &v in x {
        let at = (v * bins.len() as f64).floor();
        let k = at as usize;
        let part = v * bins.len() as f64 - at;
        bins[k] += 1.0 - part;
        if k + 1 < bins.len() {
            bins[k + 1] += part * part;
        }
        counts[k] += 1;
    }
}

#[test]
fn a_linear_histogram() {
    let at = [0.12, 0.31, 0.77, 0.58];
    let (mut x_adj, mut bins, mut bins_adj) = ([0.0; 4], [0.0; 3], weights(3));
    let mut counts = [0; 3];
    histogram::adjoint(&at, &mut x_adj, &mut bins, &mut bins_adj, &mut counts);
    assert_eq!(counts, [2, 1, 1]);
    let f = |v: &[f64]| {
        let mut bins = [0.0; 3];
        histogram(v, &mut bins, &mut [0; 3]);
        combine(&bins)
    };
    check("histogram", f, &at, combine(&bins), &x_adj);
}
