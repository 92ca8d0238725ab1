//! Closures in chains: blocks, captures, shadowed names and chains inside of chains.

use crate::{and_number, one, positive, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse)]
fn block_body(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| {
            let mut t = *v;
            for _ in 0..3 {
                t = t * t + 0.1;
            }
            let (a, b) = (t.sin(), t.cos());
            a * b + t
        })
        .sum()
}

#[differentiate(reverse)]
fn branching(x: &[f64], slope: f64) -> f64 {
    x.iter()
        .map(|&v| {
            if v > 0.0 {
                v * v
            } else if v > -0.5 {
                slope * v
            } else {
                slope.exp() * v
            }
        })
        .sum()
}

#[differentiate(reverse)]
fn captures(x: &[f64], shift: f64) -> f64 {
    let mut scale = shift * shift;
    scale += x[0];
    scale *= 2.0;
    let n = x.len() as f64;
    let s: f64 = x.iter().map(|v| scale * v + shift / n).map(|v| v * scale).sum();
    scale = 3.0 * s;
    scale + shift
}

#[differentiate(reverse)]
fn state_outside(x: &[f64]) -> f64 {
    let mut carried = 1.0;
    let s: f64 = x
        .iter()
        .map(|v| {
            carried = 0.5 * carried + v;
            carried * carried
        })
        .sum();
    s * carried
}

#[differentiate(reverse)]
fn shadowed(x: &[f64], y: &[f64]) -> f64 {
    let v = y[0];
    let a: f64 = x.iter().map(|v| v * v).map(|v| v.sin() + v).sum();
    let b: f64 = y.iter().map(|x| x.exp() * v).sum();
    let x = a * b;
    let c: f64 = y
        .iter()
        .map(|y| {
            let y = y * x;
            let x = y + 1.0;
            x * y
        })
        .sum();
    x + v + c
}

#[differentiate(reverse)]
fn nested_sums(x: &[f64], y: &[f64]) -> f64 {
    x.iter().map(|a| y.iter().map(|b| (a - b).powi(2).exp()).sum::<f64>() * a).sum()
}

#[differentiate(reverse)]
fn kernel_matrix(x: &[f64], width: f64) -> f64 {
    (0..x.len())
        .map(|i| (0..i).map(|j| (-(x[i] - x[j]).powi(2) / width).exp()).sum::<f64>())
        .map(|row| row * row)
        .sum()
}

#[differentiate(reverse)]
fn matrix_vector(m: &[f64], x: &[f64]) -> f64 {
    let y: Vec<f64> =
        m.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect();
    y.iter().map(|v| v.tanh()).sum()
}

#[differentiate(reverse)]
fn matrix_vector_typed(m: &[f64], x: &[f64]) -> f64 {
    let y: Vec<f64> = m
        .chunks_exact(x.len())
        .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>())
        .collect();
    let z: Vec<f64> =
        m.chunks_exact(y.len()).map(|c| c.iter().fold(0.0, |s, v| s + v * y[0])).collect();
    y.iter().zip(&z).enumerate().map(|(i, (a, b))| a * b * (i + 1) as f64).sum()
}

#[differentiate(reverse)]
fn named_closure(x: &[f64], k: f64) -> f64 {
    let f = |v: f64| (k * v).sin() + k;
    x.iter().map(|&v| f(v) * f(v * v)).sum()
}

#[differentiate(reverse)]
fn called(x: &[f64]) -> f64 {
    let a: f64 = x.iter().map(|&v| helper(v, 2.0)).sum();
    a + x.iter().copied().map(helper_one).sum::<f64>()
}

#[differentiate(reverse)]
fn helper(v: f64, k: f64) -> f64 {
    v.powi(2) * k / (1.0 + v * v)
}

#[differentiate(reverse)]
fn helper_one(v: f64) -> f64 {
    v.exp() * v
}

#[differentiate(reverse)]
fn constants(x: &[f64], #[constant] w: &[f64], labels: &[bool]) -> f64 {
    let total: f64 = w.iter().sum();
    let a: f64 = x.iter().zip(w).map(|(v, w)| v * w / total).sum();
    x.iter().zip(labels).map(|(v, &on)| if on { v * a } else { v.cos() }).sum()
}

#[differentiate(reverse)]
fn looped_chain(x: &[f64], passes: usize) -> f64 {
    let mut k = 1.0;
    for p in 0..passes {
        let s: f64 = x.iter().map(|v| v * k).map(|v| v.sin()).sum();
        k = s / (1.0 + p as f64);
    }
    k
}

#[differentiate(reverse)]
fn in_expression(x: &[f64], y: &[f64]) -> f64 {
    let r = (x.iter().map(|v| v * v).sum::<f64>() + 1.0).ln()
        * y.iter().map(|v| v.sin()).fold(1.0, |a, b| a + b)
        - x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>().abs().sqrt();
    if r > x.iter().sum::<f64>() { r } else { r * r }
}

#[test]
fn bodies() {
    one!(block_body, sample(4, 0.3));
    and_number!(branching, sample(6, 0.3), 0.2);
    and_number!(captures, sample(4, 0.3), 0.4);
    one!(state_outside, sample(4, 0.3));
    two!(shadowed, sample(4, 0.3), sample(3, 0.9));
    one!(called, sample(4, 0.3));
}

#[test]
fn nested() {
    two!(nested_sums, sample(4, 0.3), sample(3, 0.9));
    and_number!(kernel_matrix, sample(4, 0.3), 0.7);
    two!(matrix_vector, sample(6, 0.3), sample(3, 0.9));
    two!(matrix_vector_typed, sample(6, 0.3), sample(3, 0.9));
    and_number!(named_closure, sample(4, 0.3), 0.7);
    one!(constants, sample(4, 0.3), &[1.0, 2.0, 3.0, -1.0], &[true, false, true, true]);
    one!(looped_chain, sample(4, 0.3), 4);
    two!(in_expression, positive(4, 0.3), positive(4, 0.9));
}
