//! `for` over chains, with `break` and `continue`.

use crate::{and_number, in_place, one, sample, two};
use ad_runtime::differentiate;
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn stops_early(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, (a, b)) in x.iter().zip(y).enumerate() {
        if a * b < -0.3 {
            continue;
        }
        s += a * b.exp() * (i + 1) as f64;
        if s > 1.5 {
            break;
        }
    }
    s * s
}

fn stops_early_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], cut: usize) -> D {
    let (x, y) = v.split_at(cut);
    let mut s = D::from(0.0);
    for k in 0..x.len().min(y.len()) {
        if s.re() <= 1.5 && (x[k] * y[k]).re() >= -0.3 {
            s += x[k] * y[k].exp() * (k + 1) as f64;
        }
    }
    s * s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn skips_chunks(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for c in x.chunks(2) {
        if c.len() < 2 {
            break;
        }
        let [a, b] = [c[0], c[1]];
        if a > b {
            continue;
        }
        s = s * a + b;
    }
    s
}

fn skips_chunks_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut s = D::from(1.0);
    for k in [0, 2, 4] {
        if x[k].re() <= x[k + 1].re() {
            s = s * x[k] + x[k + 1];
        }
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn labelled(m: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    'rows: for (i, row) in m.chunks_exact(n).enumerate() {
        for (j, v) in row.iter().enumerate() {
            if *v > 0.9 {
                continue 'rows;
            }
            if i == 3 {
                break 'rows;
            }
            s += v * v * (i + j + 1) as f64;
        }
        s *= row[0];
    }
    s
}

/// Three rows count; a large element ends its row without the factor.
fn labelled_twin<D: DualNum<Primitive = f64> + Copy>(m: &[D]) -> D {
    let mut s = D::from(0.0);
    for i in 0..3 {
        let large = (0..3).find(|&j| m[3 * i + j].re() > 0.9);
        for j in 0..large.unwrap_or(3) {
            s += m[3 * i + j] * m[3 * i + j] * (i + j + 1) as f64;
        }
        if large.is_none() {
            s *= m[3 * i];
        }
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn returns_inside(x: &[f64], limit: f64) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate().rev() {
        s += v * v * (i + 1) as f64;
        if s > limit {
            return s * limit;
        }
    }
    s
}

fn returns_inside_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (limit, mut s) = (v[5], D::from(0.0));
    for k in [4, 3, 2, 1, 0] {
        s += v[k] * v[k] * (k + 1) as f64;
        if s.re() > limit.re() {
            return s * limit;
        }
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn over_filtered(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x.iter().filter(|v| **v > 0.0) {
        if *v > 0.95 {
            continue;
        }
        s += v * s;
    }
    for (i, v) in x.iter().enumerate().filter(|(i, _)| i % 2 == 1) {
        if i > 4 {
            break;
        }
        s += v.sin();
    }
    s
}

fn over_filtered_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut s = D::from(1.0);
    for v in x {
        if v.re() > 0.0 && v.re() <= 0.95 {
            s *= *v + 1.0;
        }
    }
    s + x[1].sin() + x[3].sin()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn over_mapped(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for v in x.iter().map(|v| v * v + 0.5) {
        product *= v;
    }
    for (d, i) in x.windows(2).map(|w| w[1] - w[0]).zip(1..9) {
        product += d * i as f64;
    }
    product
}

fn over_mapped_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut product, mut sum) = (x[0] * x[0] + 0.5, D::from(0.0));
    for k in 1..x.len() {
        product *= x[k] * x[k] + 0.5;
        sum += (x[k] - x[k - 1]) * k as f64;
    }
    product + sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn over_mapped_counted(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, d) in x.windows(2).map(|w| w[1] - w[0]).enumerate() {
        s = s * d + (i + 1) as f64 * d.exp();
    }
    for (i, v) in (1..x.len()).zip(x) {
        s += v * x[i];
    }
    s
}

fn over_mapped_counted_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut s, mut products) = (D::from(0.0), D::from(0.0));
    for k in 1..x.len() {
        let d = x[k] - x[k - 1];
        s = s * d + d.exp() * k as f64;
        products += x[k - 1] * x[k];
    }
    s + products
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_pattern(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (&a, &b) in x.iter().zip(y.iter()) {
        s += a * b;
    }
    for (i, &a) in x.iter().enumerate().step_by(2) {
        s += a.powi(3) * i as f64;
    }
    for &v in x.iter().skip(1).rev() {
        s = s * v + 1.0;
    }
    for v in y.iter().take_while(|v| **v > -0.9) {
        s += v.cos();
    }
    s
}

fn by_pattern_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, y) = v.split_at(5);
    let mut s = x[2].powi(3) * 2.0 + x[4].powi(3) * 4.0;
    for k in 0..5 {
        s += x[k] * y[k];
    }
    for k in [4, 3, 2, 1] {
        s = s * x[k] + 1.0;
    }
    for k in 0..6 {
        if y[k].re() <= -0.9 {
            break;
        }
        s += y[k].cos();
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mutable_chunks(x: &mut [f64], n: usize) -> f64 {
    for (i, row) in x.chunks_exact_mut(n).enumerate() {
        let total: f64 = row.iter().map(|v| v.exp()).sum();
        if i == 1 {
            continue;
        }
        row.iter_mut().for_each(|v| *v = v.exp() / total);
    }
    x.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}

/// The second pair stays, and the seventh entry is in no pair.
fn mutable_chunks_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut y = x.to_vec();
    for k in [0, 4] {
        y[k] = ((x[k + 1] - x[k]).exp() + 1.0).recip();
        y[k + 1] = ((x[k] - x[k + 1]).exp() + 1.0).recip();
    }
    let mut s = D::from(0.0);
    for k in 0..7 {
        s += y[k] * y[k] * (k + 1) as f64;
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn relaxed(x: &mut [f64], sweeps: usize) -> f64 {
    for _ in 0..sweeps {
        let old = x.to_vec();
        for (v, w) in x.iter_mut().skip(1).zip(old.windows(3)) {
            *v = (w[0] + w[1] * w[1] + w[2]) / 3.0;
        }
    }
    x.iter().sum()
}

fn relaxed_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut x = x.to_vec();
    for _ in 0..3 {
        let mut last = x[0];
        for k in 1..5 {
            let next = (last + x[k] * x[k] + x[k + 1]) / 3.0;
            last = x[k];
            x[k] = next;
        }
    }
    let mut sum = D::from(0.0);
    for v in x {
        sum += v;
    }
    sum
}

#[test]
fn exits() {
    two!(stops_early, sample(7, 0.3), sample(7, 0.9); |v: &[_]| stops_early_twin(v, 7));
    two!(stops_early, sample(3, 0.3), sample(2, 0.9); |v: &[_]| stops_early_twin(v, 3));
    one!(skips_chunks, sample(7, 0.3); skips_chunks_twin);
    one!(labelled, sample(15, 0.3), 3; labelled_twin);
    and_number!(returns_inside, sample(5, 0.3), 0.8; returns_inside_twin);
    and_number!(returns_inside, sample(5, 0.3), 100.0; returns_inside_twin);
    one!(over_filtered, sample(8, 0.3); over_filtered_twin);
}

#[test]
fn chains() {
    one!(over_mapped, sample(5, 0.3); over_mapped_twin);
    one!(over_mapped_counted, sample(5, 0.3); over_mapped_counted_twin);
    two!(by_pattern, sample(5, 0.3), sample(6, 0.9); by_pattern_twin);
    in_place!(mutable_chunks, sample(7, 0.3), 2; mutable_chunks_twin);
    in_place!(relaxed, sample(6, 0.3), 3; relaxed_twin);
}
