//! Closures in chains: blocks, captures, shadowed names and chains inside of chains.

use crate::{and_number, one, positive, sample, two};
use ad_runtime::differentiate;
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
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

fn block_body_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut sum = D::from(0.0);
    for v in x {
        let mut t = *v;
        for _ in 0..3 {
            t = t.powi(2) + 0.1;
        }
        // sin t cos t
        sum += (t * 2.0).sin() / 2.0 + t;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

fn branching_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let slope = v[v.len() - 1];
    let mut sum = D::from(0.0);
    for k in 0..v.len() - 1 {
        let x = v[k];
        let factor = match x.re() {
            0.0.. => x,
            -0.5.. => slope,
            _ => slope.exp(),
        };
        sum += factor * x;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn captures(x: &[f64], shift: f64) -> f64 {
    let mut scale = shift * shift;
    scale += x[0];
    scale *= 2.0;
    let n = x.len() as f64;
    let s: f64 = x.iter().map(|v| scale * v + shift / n).map(|v| v * scale).sum();
    scale = 3.0 * s;
    scale + shift
}

fn captures_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let n = v.len() - 1;
    let shift = v[n];
    let scale = (shift * shift + v[0]) * 2.0;
    let mut sum = shift;
    for k in 0..n {
        sum += v[k] * scale;
    }
    sum * scale * 3.0 + shift
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

fn state_outside_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut carried, mut sum) = (D::from(1.0), D::from(0.0));
    for v in x {
        carried = carried / 2.0 + *v;
        sum += carried * carried;
    }
    sum * carried
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

fn shadowed_twin<D: DualNum<Primitive = f64> + Copy>(at: &[D]) -> D {
    let (x, y) = at.split_at(4);
    let (mut a, mut b, mut c) = (D::from(0.0), D::from(0.0), D::from(0.0));
    for p in x {
        let square = *p * *p;
        a += square.sin() + square;
    }
    for q in y {
        b += q.exp() * y[0];
    }
    for q in y {
        let scaled = *q * a * b;
        c += scaled * scaled + scaled;
    }
    a * b + y[0] + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_sums(x: &[f64], y: &[f64]) -> f64 {
    x.iter().map(|a| y.iter().map(|b| (a - b).powi(2).exp()).sum::<f64>() * a).sum()
}

fn nested_sums_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for i in 0..4 {
        for j in 4..7 {
            sum += v[i] * ((v[i] - v[j]) * (v[i] - v[j])).exp();
        }
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn kernel_matrix(x: &[f64], width: f64) -> f64 {
    (0..x.len())
        .map(|i| (0..i).map(|j| (-(x[i] - x[j]).powi(2) / width).exp()).sum::<f64>())
        .map(|row| row * row)
        .sum()
}

fn kernel_matrix_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for i in 0..4 {
        let mut row = D::from(0.0);
        for j in 0..i {
            row += ((v[i] - v[j]).powi(2) / -v[4]).exp();
        }
        sum += row * row;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn matrix_vector(m: &[f64], x: &[f64]) -> f64 {
    let y: Vec<f64> =
        m.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect();
    y.iter().map(|v| v.tanh()).sum()
}

fn product_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> [D; 2] {
    let (m, x) = v.split_at(6);
    [0, 3].map(|k| m[k] * x[0] + m[k + 1] * x[1] + m[k + 2] * x[2])
}

fn matrix_vector_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let [a, b] = product_twin(v);
    a.tanh() + b.tanh()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn matrix_vector_typed(m: &[f64], x: &[f64]) -> f64 {
    let y: Vec<f64> = m
        .chunks_exact(x.len())
        .map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>())
        .collect();
    let z: Vec<f64> =
        m.chunks_exact(y.len()).map(|c| c.iter().fold(0.0, |s, v| s + v * y[0])).collect();
    y.iter().zip(&z).enumerate().map(|(i, (a, b))| a * b * (i + 1) as f64).sum()
}

fn matrix_vector_typed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let [a, b] = product_twin(v);
    // The chunks have as many elements as the product, and one is left over.
    a * (v[0] + v[1]) * a + b * (v[2] + v[3]) * a * 2.0
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn named_closure(x: &[f64], k: f64) -> f64 {
    let f = |v: f64| (k * v).sin() + k;
    x.iter().map(|&v| f(v) * f(v * v)).sum()
}

fn named_closure_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (k, mut sum) = (v[4], D::from(0.0));
    for i in 0..4 {
        let (a, b) = (k * v[i], k * v[i] * v[i]);
        sum += (a.sin() + k) * (b.sin() + k);
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn called(x: &[f64]) -> f64 {
    let a: f64 = x.iter().map(|&v| helper(v, 2.0)).sum();
    a + x.iter().copied().map(helper_one).sum::<f64>()
}

fn called_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut sum = D::from(0.0);
    for v in x {
        let square = *v * *v;
        sum += square * 2.0 / (square + 1.0) + *v * v.exp();
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn helper(v: f64, k: f64) -> f64 {
    v.powi(2) * k / (1.0 + v * v)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn helper_one(v: f64) -> f64 {
    v.exp() * v
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn constants(x: &[f64], #[constant] w: &[f64], labels: &[bool]) -> f64 {
    let total: f64 = w.iter().sum();
    let a: f64 = x.iter().zip(w).map(|(v, w)| v * w / total).sum();
    x.iter().zip(labels).map(|(v, &on)| if on { v * a } else { v.cos() }).sum()
}

fn constants_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let a = (x[0] + x[1] * 2.0 + x[2] * 3.0 - x[3]) / 5.0;
    (x[0] + x[2] + x[3]) * a + x[1].cos()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn looped_chain(x: &[f64], passes: usize) -> f64 {
    let mut k = 1.0;
    for p in 0..passes {
        let s: f64 = x.iter().map(|v| v * k).map(|v| v.sin()).sum();
        k = s / (1.0 + p as f64);
    }
    k
}

fn looped_chain_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut k = D::from(1.0);
    for p in 1..=4 {
        let mut sum = D::from(0.0);
        for v in x {
            sum += (k * *v).sin();
        }
        k = sum / f64::from(p);
    }
    k
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn in_expression(x: &[f64], y: &[f64]) -> f64 {
    let r = (x.iter().map(|v| v * v).sum::<f64>() + 1.0).ln()
        * y.iter().map(|v| v.sin()).fold(1.0, |a, b| a + b)
        - x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>().abs().sqrt();
    if r > x.iter().sum::<f64>() { r } else { r * r }
}

fn in_expression_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut squares, mut sines, mut dot) = (D::from(1.0), D::from(1.0), D::from(0.0));
    let mut sum = 0.0;
    for k in 0..4 {
        squares += v[k] * v[k];
        sines += v[4 + k].sin();
        dot += v[k] * v[4 + k];
        sum += v[k].re();
    }
    let r = squares.ln() * sines - dot.abs().sqrt();
    if r.re() > sum { r } else { r * r }
}

#[test]
fn bodies() {
    one!(block_body, sample(4, 0.3); block_body_twin);
    and_number!(branching, sample(6, 0.3), 0.2; branching_twin);
    and_number!(captures, sample(4, 0.3), 0.4; captures_twin);
    one!(state_outside, sample(4, 0.3); state_outside_twin);
    two!(shadowed, sample(4, 0.3), sample(3, 0.9); shadowed_twin);
    one!(called, sample(4, 0.3); called_twin);
}

#[test]
fn nested() {
    two!(nested_sums, sample(4, 0.3), sample(3, 0.9); nested_sums_twin);
    and_number!(kernel_matrix, sample(4, 0.3), 0.7; kernel_matrix_twin);
    two!(matrix_vector, sample(6, 0.3), sample(3, 0.9); matrix_vector_twin);
    two!(matrix_vector_typed, sample(6, 0.3), sample(3, 0.9); matrix_vector_typed_twin);
    and_number!(named_closure, sample(4, 0.3), 0.7; named_closure_twin);
    one!(constants, sample(4, 0.3), &[1.0, 2.0, 3.0, -1.0], &[true, false, true, true]; constants_twin);
    one!(looped_chain, sample(4, 0.3), 4; looped_chain_twin);
    two!(in_expression, positive(4, 0.3), positive(4, 0.9); in_expression_twin);
}
