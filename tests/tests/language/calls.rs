//! Calls between differentiated functions: in loops, with parts of one buffer, with one buffer twice, recursive.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

#[test]
fn one_buffer_twice() {
    let x = sample(4, 0.3);
    let (value, gradient) = norm::value_and_gradient(&x);
    check("norm", norm, &x, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn autocorrelation(x: &[f64], lag: usize) -> f64 {
    let n = x.len();
    let whole = dot(x, x);
    dot(&x[..n - lag], &x[lag..]) / whole
}

#[test]
fn overlapping_parts_of_one_buffer() {
    let x = sample(6, 0.3);
    for lag in [1, 2, 4] {
        let (value, gradient) = autocorrelation::value_and_gradient(&x, lag);
        check("autocorrelation", |v| autocorrelation(v, lag), &x, value, &gradient);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn affine(w: &[f64], x: &[f64], out: &mut [f64]) {
    let n = x.len();
    for i in 0..out.len() {
        let row = &w[i * n..(i + 1) * n];
        out[i] = dot(row, x).tanh();
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn network(w: &[f64], x: &[f64], sizes: (usize, usize)) -> f64 {
    let (hidden, outputs) = sizes;
    let k = hidden * x.len();
    let mut h = vec![0.0; hidden];
    let mut y = vec![0.0; outputs];
    affine(&w[..k], x, &mut h);
    affine(&w[k..], &h, &mut y);
    dot(&y, &y) + h[0]
}

#[test]
fn disjoint_parts_of_one_buffer() {
    let at = sample(2 * 3 + 3 * 2 + 2, 0.3);
    let (value, (w, x)) = network::value_and_gradient(&at[..12], &at[12..], (3, 2));
    let f = |v: &[f64]| network(&v[..12], &v[12..], (3, 2));
    check("network", f, &at, value, &[w, x].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn couple(a: &mut [f64], b: &mut [f64], strength: f64) -> f64 {
    let mut exchanged = 0.0;
    for i in 0..a.len() {
        let flow = strength * (a[i] - b[i]) * a[i];
        a[i] -= flow;
        b[i] += flow;
        exchanged += flow;
    }
    exchanged
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn exchange(x: &mut [f64], strength: f64, steps: usize) -> f64 {
    let mut total = 0.0;
    for step in 0..steps {
        let half = x.len() / 2;
        let (a, b) = x.split_at_mut(half);
        if step % 2 == 0 {
            total += couple(a, b, strength);
        } else {
            total -= couple(b, a, total);
        }
    }
    total
}

#[test]
fn mutable_halves() {
    let at = sample(5, 0.2);
    for steps in [1, 2, 3] {
        let (mut x, mut x_adj) = (at[..4].to_vec(), weights(4));
        let (value, s_adj) = exchange::adjoint(&mut x, &mut x_adj, at[4], steps, 1.0);
        let f = |v: &[f64]| {
            let mut x = v[..4].to_vec();
            exchange(&mut x, v[4], steps) + combine(&x)
        };
        check("exchange", f, &at, value + combine(&x), &[x_adj, vec![s_adj]].concat());
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shrink(x: &mut f64, rate: f64) {
    *x -= rate * *x * *x;
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shrink_all(mut state: [f64; 3], rate: f64) -> f64 {
    let mut local = state[0];
    shrink(&mut local, rate);
    for i in 0..3 {
        shrink(&mut state[i], local);
    }
    let k = 2;
    shrink(&mut state[k], rate);
    state[0] * state[1] + state[2] * local
}

#[test]
fn a_callee_that_changes_elements_and_locals() {
    let at = [0.3, 0.9, -0.5, 0.4];
    let (value, s, rate) = shrink_all::adjoint([at[0], at[1], at[2]], at[3], 1.0);
    let f = |v: &[f64]| shrink_all([v[0], v[1], v[2]], v[3]);
    check("shrink", f, &at, value, &[s[0], s[1], s[2], rate]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn bessel_step(order: usize, x: f64, pair: (f64, f64)) -> (f64, f64) {
    (pair.1, (2 * order + 1) as f64 / x * pair.1 - pair.0)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn spherical_bessel(n: usize, x: f64) -> f64 {
    let mut pair = (x.sin() / x, x.sin() / (x * x) - x.cos() / x);
    for order in 1..n {
        pair = bessel_step(order, x, pair);
    }
    pair.1
}

#[test]
fn a_call_with_tuples_in_a_loop() {
    for n in [1, 2, 4] {
        let (value, x_adj) = spherical_bessel::adjoint(n, 2.3, 1.0);
        check("bessel", |v| spherical_bessel(n, v[0]), &[2.3], value, &[x_adj]);
    }
}

#[differentiate(reverse, forward, cross_check)]
fn tree_sum(x: &[f64], damping: f64) -> f64 {
    if x.len() == 1 {
        return x[0] * x[0];
    }
    let middle = x.len() / 2;
    let left = tree_sum(&x[..middle], damping);
    let right = tree_sum(&x[middle..], damping);
    damping * (left + right + left * right)
}

#[test]
fn recursion_over_halves() {
    let at = sample(6, 0.9);
    let (value, (x, damping)) = tree_sum::value_and_gradient(&at[..5], at[5]);
    let f = |v: &[f64]| tree_sum(&v[..5], v[5]);
    check("tree", f, &at, value, &[x, vec![damping]].concat());
}

#[differentiate(reverse, forward, cross_check)]
fn haar(data: &mut [f64], angle: f64) {
    let n = data.len();
    if n < 2 {
        return;
    }
    let (a, b) = data.split_at_mut(n / 2);
    haar(a, angle);
    haar(b, angle);
    for i in 0..n / 2 {
        let t = a[i] * angle.cos() + b[i] * angle.sin();
        b[i] = b[i] * angle.cos() - a[i] * angle.sin();
        a[i] = t;
    }
}

#[test]
fn recursion_in_place() {
    let at = sample(9, 0.2);
    let (mut x, mut x_adj) = (at[..8].to_vec(), weights(8));
    let angle_adj = haar::adjoint(&mut x, &mut x_adj, at[8]);
    let f = |v: &[f64]| {
        let mut x = v[..8].to_vec();
        haar(&mut x, v[8]);
        combine(&x)
    };
    check("haar", f, &at, combine(&x), &[x_adj, vec![angle_adj]].concat());
}

#[differentiate(reverse, forward, cross_check)]
fn adaptive(a: f64, b: f64, depth: u32) -> f64 {
    let middle = 0.5 * (a + b);
    let coarse = (b - a) * (middle * middle).exp();
    let fine =
        0.5 * (b - a) * ((0.5 * (a + middle)).powi(2).exp() + (0.5 * (middle + b)).powi(2).exp());
    if depth == 0 || (fine - coarse).abs() < 1e-3 {
        fine
    } else {
        adaptive(a, middle, depth - 1) + adaptive(middle, b, depth - 1)
    }
}

#[test]
fn recursion_by_need() {
    let at = [-0.3, 0.8];
    let (value, a_adj, b_adj) = adaptive::adjoint(at[0], at[1], 4, 1.0);
    check("adaptive", |v| adaptive(v[0], v[1], 4), &at, value, &[a_adj, b_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_calls(x: &[f64]) -> f64 {
    let scale = norm(x) + norm(&x[1..]);
    dot(x, &[1.0, 2.0, 3.0]) * scale.min(norm(&x[..1]) + 10.0) + norm(&[scale, 1.0])
}

#[test]
fn calls_as_operands() {
    let x = sample(3, 0.3);
    let (value, gradient) = nested_calls::value_and_gradient(&x);
    check("nested", nested_calls, &x, value, &gradient);
}
