//! Chains whose closures change something, chains that give nothing, and names used twice.

use crate::{one, sample};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn strided_effects(x: &[f64]) -> f64 {
    let mut t = 0.5;
    let a: Vec<f64> = x
        .iter()
        .map(|v| {
            t = t * v + 1.0;
            t
        })
        .rev()
        .collect();
    let mut u = 1.0;
    let b: f64 = x
        .iter()
        .rev()
        .enumerate()
        .map(|(i, v)| {
            u += v;
            u * i as f64
        })
        .take(3)
        .sum();
    let mut w = 1.0;
    for (i, v) in x
        .iter()
        .map(|v| {
            w += v * v;
            w
        })
        .enumerate()
        .skip(1)
    {
        t += v * i as f64;
    }
    a[0] * b + t * w
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn inspect_effects(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let a: f64 = x.iter().inspect(|v| s += **v).filter(|v| **v > 0.0).sum();
    a * s
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn find_effects(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let a = x
        .iter()
        .map(|v| {
            s += v * v;
            s * v
        })
        .find(|v| *v > 0.5)
        .unwrap_or(0.1);
    let p = x
        .iter()
        .map(|v| {
            s *= 1.1;
            s * v
        })
        .position(|v| v < 0.0)
        .unwrap_or(2);
    let b = x.iter().any(|v| {
        s += 1.0;
        *v < -0.9
    });
    a * s + p as f64 * x[0] + if b { s } else { 0.0 }
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn scan_zip_take(x: &[f64]) -> f64 {
    let a: f64 = x
        .iter()
        .scan(1.0, |s, v| {
            *s += v;
            Some(*s)
        })
        .zip(x.iter().skip(1))
        .map(|(a, b)| a * b)
        .sum();
    let b: f64 = x
        .iter()
        .scan(1.0, |s, v| {
            *s += v;
            Some(*s)
        })
        .skip(2)
        .step_by(2)
        .sum();
    let c = x
        .iter()
        .scan(1.0, |s, v| {
            *s += v;
            Some(*s)
        })
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(0.0, |(i, v)| i as f64 * v);
    a * b + c
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_shadow(x: &[f64]) -> f64 {
    let n = x.len();
    let f = |n: f64| n * x[0];
    let t: f64 = x
        .iter()
        .flat_map(|x| {
            let n = 2;
            (0..n).map(move |k| x * k as f64)
        })
        .map(|x| f(x) * n as f64)
        .sum();
    let best = x
        .iter()
        .copied()
        .max_by(|x, y| {
            let n = x - y;
            n.total_cmp(&0.0)
        })
        .unwrap();
    let u: f64 = x
        .iter()
        .zip(x.iter().skip(1))
        .filter(|x| {
            let y = x.0;
            *y > *x.1
        })
        .map(|x| x.0 * x.1)
        .sum();
    t + best + u
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn buffers(x: &[f64], #[constant] steps: usize) -> f64 {
    let mut cur = x.to_vec();
    for s in 0..steps {
        let next: Vec<f64> = std::iter::once(cur[0])
            .chain(cur.windows(3).map(|w| 0.25 * w[0] + 0.5 * w[1] * w[1] + 0.25 * w[2]))
            .chain([cur[cur.len() - 1]])
            .collect();
        let m = next.iter().map(|v| v.abs()).fold(0.0, f64::max);
        cur = next.iter().map(|v| v / (1.0 + m)).collect();
        cur.iter_mut().enumerate().filter(|(i, _)| i % 2 == s % 2).for_each(|(i, v)| *v += x[i]);
        cur.swap(0, 1);
    }
    cur.iter().zip(x).map(|(a, b)| a * b).sum()
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn zero_trip(x: &[f64]) -> f64 {
    let a = x.iter().skip(10).copied().reduce(f64::max).unwrap_or(x[0]);
    let b: f64 = (3..1).flat_map(|i| x[i..].iter()).sum();
    let c = x.windows(9).map(|w| w[0]).max_by(f64::total_cmp).unwrap_or_default();
    let d: f64 = x.chunks_exact(9).flatten().product();
    a * d + b + c + x[1] * x[1]
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn try_ok(x: &[f64]) -> f64 {
    let r = x.iter().try_fold(1.0, |s: f64, v| s.is_finite().then(|| s * v + 1.0));
    r.unwrap_or(0.0) * x[0]
}
#[differentiate(reverse, forward, second_order, cross_check)]
fn loops_of_options(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        let Some(v) = x.iter().skip(k).find(|v| **v < 0.5) else { continue };
        s += v * v;
        let m = match x.iter().take(k).copied().reduce(f64::min) {
            None => continue,
            Some(m) => m,
        };
        s *= m;
        while let Some(i) = x.iter().position(|v| *v * s > 1.0) {
            s *= 0.5 * x[i];
        }
    }
    s
}

#[test]
fn effects_names_and_empty_chains() {
    let x = sample(5, 0.3);
    one!(strided_effects, x);
    one!(inspect_effects, x);
    one!(find_effects, x);
    one!(scan_zip_take, x);
    one!(nested_shadow, x);
    one!(zero_trip, x);
    one!(try_ok, x);
    one!(loops_of_options, x);
    for steps in 0..4 {
        one!(buffers, x, steps);
    }
}
