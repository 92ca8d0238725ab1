//! `for` over chains, with `break` and `continue`.

use crate::{and_number, in_place, one, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[differentiate(reverse)]
fn relaxed(x: &mut [f64], sweeps: usize) -> f64 {
    for _ in 0..sweeps {
        let old = x.to_vec();
        for (v, w) in x.iter_mut().skip(1).zip(old.windows(3)) {
            *v = (w[0] + w[1] * w[1] + w[2]) / 3.0;
        }
    }
    x.iter().sum()
}

#[test]
fn exits() {
    two!(stops_early, sample(7, 0.3), sample(7, 0.9));
    two!(stops_early, sample(3, 0.3), sample(2, 0.9));
    one!(skips_chunks, sample(7, 0.3));
    one!(labelled, sample(15, 0.3), 3);
    and_number!(returns_inside, sample(5, 0.3), 0.8);
    and_number!(returns_inside, sample(5, 0.3), 100.0);
    one!(over_filtered, sample(8, 0.3));
}

#[test]
fn chains() {
    one!(over_mapped, sample(5, 0.3));
    one!(over_mapped_counted, sample(5, 0.3));
    two!(by_pattern, sample(5, 0.3), sample(6, 0.9));
    in_place!(mutable_chunks, sample(7, 0.3), 2);
    in_place!(relaxed, sample(6, 0.3), 3);
}
