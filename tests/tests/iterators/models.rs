//! Small models in the style of users.

use crate::{and_number, one, positive, sample, two};
use ad_runtime::differentiate;
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
}

/// Without the shift, which changes rounding alone.
fn log_sum_exp_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut sum = D::from(0.0);
    for v in x {
        sum += v.exp();
    }
    sum.ln()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn softmax(x: &[f64]) -> Vec<f64> {
    let top = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let e: Vec<f64> = x.iter().map(|v| (v - top).exp()).collect();
    let total: f64 = e.iter().sum();
    e.iter().map(|v| v / total).collect()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn cross_entropy(logits: &[f64], label: usize) -> f64 {
    let p = softmax(logits);
    -p[label].ln()
}

fn cross_entropy_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    log_sum_exp_twin(x) - x[2]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn horner(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |acc, k| acc * x + k)
}

fn horner_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, mut sum) = (v[v.len() - 1], D::from(0.0));
    for k in 0..v.len() - 1 {
        sum += v[k] * x.powi(k as i32);
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn moving_average(x: &[f64], width: usize) -> f64 {
    let smooth: Vec<f64> = x.windows(width).map(|w| w.iter().sum::<f64>() / width as f64).collect();
    smooth.iter().zip(&x[width - 1..]).map(|(m, v)| (v - m).powi(2)).sum()
}

fn moving_average_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut sum = D::from(0.0);
    for k in 2..x.len() {
        let mean = (x[k - 2] + x[k - 1] + x[k]) / 3.0;
        sum += (x[k] - mean) * (x[k] - mean);
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn cosine_similarity(a: &[f64], b: &[f64]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let na = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let nb = b.iter().map(|x| x.powi(2)).sum::<f64>().sqrt();
    dot / (na * nb)
}

fn cosine_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() / 2;
    let dot = |p: usize, q: usize| (0..n).map(|k| v[p + k] * v[q + k]).sum::<D>();
    dot(0, n) / (dot(0, 0) * dot(n, n)).sqrt()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn norms(x: &[f64], p: f64) -> f64 {
    let one = x.iter().map(|v| v.abs()).sum::<f64>();
    let two = x.iter().fold(0.0, |s: f64, v| s.hypot(*v));
    let sup = x.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let general = x.iter().map(|v| v.abs().powf(p)).sum::<f64>().powf(1.0 / p);
    one * two + sup * general
}

fn norms_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, p) = v.split_at(v.len() - 1);
    let (mut one, mut two, mut sup) = (D::from(0.0), D::from(0.0), D::from(0.0));
    let mut general = D::from(0.0);
    for a in x {
        let a = a.abs();
        one += a;
        two += a * a;
        sup = if a.re() > sup.re() { a } else { sup };
        general += (a.ln() * p[0]).exp();
    }
    one * two.sqrt() + sup * (general.ln() / p[0]).exp()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let cov: f64 = x.iter().zip(y).map(|(a, b)| (a - mx) * (b - my)).sum();
    let vx: f64 = x.iter().map(|a| (a - mx).powi(2)).sum();
    let vy: f64 = y.iter().map(|b| (b - my).powi(2)).sum();
    cov / (vx * vy).sqrt()
}

/// By the moments about zero.
fn correlation_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() / 2;
    let mean = |p: usize| (0..n).map(|k| v[p + k]).sum::<D>() / n as f64;
    let moment = |p: usize, q: usize| {
        (0..n).map(|k| v[p + k] * v[q + k]).sum::<D>() / n as f64 - mean(p) * mean(q)
    };
    moment(0, n) / (moment(0, 0) * moment(n, n)).sqrt()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn dense_network(w1: &[f64], w2: &[f64], #[constant] x: &[f64]) -> f64 {
    let hidden: Vec<f64> = w1
        .chunks_exact(x.len() + 1)
        .map(|row| {
            let z: f64 = row[1..].iter().zip(x).map(|(w, v)| w * v).sum();
            (z + row[0]).tanh()
        })
        .collect();
    hidden.iter().zip(w2).map(|(h, w)| h * w).sum::<f64>().powi(2)
}

fn dense_network_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let x = [0.4, -0.7, 1.1];
    let mut out = D::from(0.0);
    for h in 0..2 {
        let mut z = v[4 * h];
        for k in 0..3 {
            z += v[4 * h + k + 1] * x[k];
        }
        out += z.tanh() * v[8 + h];
    }
    out * out
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn trapezoid(y: &[f64], h: f64) -> f64 {
    y.windows(2).map(|p| 0.5 * h * (p[0] + p[1])).sum()
}

fn trapezoid_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() - 1;
    let mut sum = (v[0] + v[n - 1]) * 0.5;
    for k in 1..n - 1 {
        sum += v[k];
    }
    sum * v[n]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|p| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2)).sum()
}

fn rosenbrock_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut sum = D::from(0.0);
    for k in 1..x.len() {
        let (bend, rest) = (x[k] - x[k - 1].powi(2), x[k - 1] - 1.0);
        sum += bend * bend * 100.0 + rest * rest;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn gaussian_mixture(x: &[f64], params: &[f64]) -> f64 {
    x.iter()
        .map(|v| {
            params
                .chunks_exact(3)
                .map(|c| c[0] * (-0.5 * ((v - c[1]) / c[2]).powi(2)).exp() / c[2])
                .sum::<f64>()
                .ln()
        })
        .sum()
}

fn gaussian_mixture_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, c) = v.split_at(4);
    let mut sum = D::from(0.0);
    for a in x {
        let mut density = D::from(0.0);
        for k in [0, 3] {
            let z = (*a - c[k + 1]) / c[k + 2];
            density += c[k] / c[k + 2] * (-z * z / 2.0).exp();
        }
        sum += density.ln();
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn exponential_smoothing(x: &[f64], alpha: f64) -> f64 {
    let (_, loss) = x.iter().skip(1).fold((x[0], 0.0), |(level, loss), &v| {
        let error: f64 = v - level;
        (level + alpha * error, loss + error * error)
    });
    loss
}

fn exponential_smoothing_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() - 1;
    let (mut level, mut loss) = (v[0], D::from(0.0));
    for k in 1..n {
        loss += (v[k] - level).powi(2);
        level = v[n] * v[k] + (-v[n] + 1.0) * level;
    }
    loss
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn rk4_decay(y: &[f64], h: f64) -> f64 {
    let f = |v: f64| -v * v;
    y.iter()
        .map(|&y0| {
            (0..4).fold(y0, |y, _| {
                let k1 = f(y);
                let k2 = f(y + 0.5 * h * k1);
                y + h * k2
            })
        })
        .sum()
}

fn rk4_decay_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() - 1;
    let mut sum = D::from(0.0);
    for k in 0..n {
        let mut y = v[k];
        for _ in 0..4 {
            let middle = y - v[n] * y * y / 2.0;
            y -= v[n] * middle * middle;
        }
        sum += y;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn batched_loss(theta: &[f64], #[constant] data: &[f64], batch: usize) -> f64 {
    data.chunks(batch)
        .map(|part| {
            let loss: f64 = part
                .iter()
                .map(|t| theta.iter().rev().fold(0.0, |acc, c| acc * t + c))
                .map(|p| (p - 1.0).powi(2))
                .sum();
            loss / part.len() as f64
        })
        .sum()
}

fn batched_loss_twin<D: DualNum<Primitive = f64> + Copy>(theta: &[D]) -> D {
    let data = [0.1, 0.5, -0.4, 0.9, 1.2];
    let mut sum = D::from(0.0);
    for (k, t) in data.iter().enumerate() {
        let p = theta[0] + theta[1] * *t + theta[2] * (t * t) - 1.0;
        sum += p * p / if k < 4 { 2.0 } else { 1.0 };
    }
    sum
}

#[test]
fn statistics() {
    one!(log_sum_exp, sample(5, 0.3); log_sum_exp_twin);
    one!(cross_entropy, sample(5, 0.3), 2; cross_entropy_twin);
    two!(cosine_similarity, sample(4, 0.3), sample(4, 0.9); cosine_twin);
    and_number!(norms, sample(4, 0.3), 2.5; norms_twin);
    two!(correlation, sample(5, 0.3), sample(5, 0.9); correlation_twin);
    two!(gaussian_mixture, sample(4, 0.3), positive(6, 0.9); gaussian_mixture_twin);
}

#[test]
fn series() {
    and_number!(horner, sample(5, 0.3), 0.7; horner_twin);
    assert_eq!(horner::value_and_gradient(&[], 0.7), (0.0, (vec![], 0.0)));
    one!(moving_average, sample(6, 0.3), 3; moving_average_twin);
    and_number!(trapezoid, sample(6, 0.3), 0.1; trapezoid_twin);
    one!(rosenbrock, sample(5, 0.3); rosenbrock_twin);
    and_number!(exponential_smoothing, sample(6, 0.3), 0.4; exponential_smoothing_twin);
    and_number!(rk4_decay, positive(3, 0.3), 0.1; rk4_decay_twin);
}

#[test]
fn networks() {
    two!(dense_network, sample(8, 0.3), sample(2, 0.9), &[0.4, -0.7, 1.1]; dense_network_twin);
    one!(batched_loss, sample(3, 0.3), &[0.1, 0.5, -0.4, 0.9, 1.2], 2; batched_loss_twin);
}
