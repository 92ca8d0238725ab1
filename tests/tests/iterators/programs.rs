//! Small programs that lean on chains: searches, dynamic programs, counters, and shadowed names.

use crate::{check, one, sample};
use ad_runtime::differentiate;
use ad_tests::check::check_both;
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn last_mut(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    *y.last_mut().unwrap() *= 3.0;
    if let Some(v) = y.first_mut() {
        *v += x[1];
    }
    *y.iter_mut().nth(1).unwrap() *= x[0];
    y.iter().map(|v| v * v).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn bound_comparator(x: &[f64]) -> f64 {
    let t = x[1];
    let dist = |v: f64| (v - t).abs();
    let m = x.iter().copied().skip(2).min_by(|a, b| dist(*a).total_cmp(&dist(*b))).unwrap();
    let cmp = |a: &f64, b: &f64| a.total_cmp(b);
    let n = x.iter().copied().max_by(cmp).unwrap();
    m * n * t
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn counting_comparator(x: &[f64]) -> f64 {
    let mut n = 0;
    let m = x
        .iter()
        .max_by(|a, b| {
            n += 1;
            a.total_cmp(b)
        })
        .unwrap();
    m * n as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn counting_filter(x: &[f64]) -> f64 {
    let mut n = 0;
    let s: f64 = x
        .iter()
        .filter(|_| {
            n += 1;
            n % 2 == 0
        })
        .chain(x.iter().take(1))
        .map(|v| v * v)
        .sum();
    s * n as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_consumers(x: &[f64]) -> f64 {
    x.iter()
        .map(|a| {
            x.iter().map(|b| (a - b).abs()).filter(|d| *d > 0.0).reduce(f64::min).unwrap_or(0.0)
        })
        .sum::<f64>()
        + x.windows(2)
            .map(|w| w.iter().chain(&[0.1]).map(|v| v * v).sum::<f64>())
            .reduce(f64::max)
            .unwrap()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn matrix(x: &[f64]) -> f64 {
    let n = 2;
    let m: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| x[i] * x[j + 1]).collect()).collect();
    let t: f64 = m.iter().flat_map(|r| r.iter()).map(|v| v * v).sum();
    let u: f64 = m.iter().flatten().zip(x).map(|(a, b)| a * b).sum();
    let d: f64 = (0..n).map(|i| m[i][i]).product();
    let r =
        m.iter().map(|r| r.iter().sum::<f64>()).max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    t * u + d * r
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn longest_run(x: &[f64]) -> f64 {
    let mut best = vec![0.0; x.len()];
    for i in 0..x.len() {
        let prev = (0..i).filter(|j| x[*j] < x[i]).map(|j| best[j]).reduce(f64::max).unwrap_or(0.0);
        best[i] = prev + x[i] * x[i];
    }
    best.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn viterbi(x: &[f64], #[constant] n: usize) -> f64 {
    let mut v = vec![x[0], x[1]];
    for t in 0..n {
        let mut w = vec![0.0; 2];
        for (j, w) in w.iter_mut().enumerate() {
            let (k, best) = v
                .iter()
                .enumerate()
                .map(|(k, p)| (k, p * x[(k + j + t) % x.len()] + x[j]))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap();
            *w = best + 0.1 * k as f64 * x[2];
        }
        v = w;
    }
    v.into_iter().max_by(f64::total_cmp).unwrap()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn points(p: &[(f64, f64)], #[constant] n: usize) -> f64 {
    let (x, y) = p.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let q = p.iter().min_by(|a, b| (a.0 * a.1).total_cmp(&(b.0 * b.1))).unwrap();
    let s: f64 = p.iter().flat_map(|&(a, b)| [a, b, a * b]).take(n).sum();
    let t = p.iter().map(|(a, b)| a * b).reduce(|a, b| a + b * a).unwrap();
    x * y * q.0 * q.1 + s * t
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn while_scan(x: &[f64]) -> f64 {
    let mut t = 1.0;
    let mut n = 0;
    while t < 5.0 && n < 4 {
        t += x
            .iter()
            .scan(t, |s, v| {
                *s = *s * 0.5 + v * v;
                if *s > 4.0 { None } else { Some(*s) }
            })
            .last()
            .unwrap_or(1.0);
        t *= x
            .iter()
            .skip(n)
            .chain(x.iter().take(n))
            .enumerate()
            .map(|(i, v)| 1.0 + v * v / (i + 1) as f64)
            .next()
            .unwrap();
        n += 1;
    }
    t * n as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadow_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().chain(x.iter().rev()).enumerate() {
        let v = v * v;
        let s2 = s;
        let s3 = {
            let v = v + s2;
            v * 0.1
        };
        s += v * s3 + i as f64 * v;
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn const_in_chain(x: &[f64]) -> f64 {
    const W: [f64; 3] = [0.5, 1.5, 2.5];
    W.iter().chain(&[3.0]).zip(x).map(|(w, v)| w * v * v).sum::<f64>()
        * x.iter().zip(&W).map(|(a, b)| a * b).sum::<f64>()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn i32_ranges(x: &[f64], #[constant] n: i32) -> f64 {
    let mut s = 0.0;
    for (k, v) in (-n..n).chain(5..7).zip(x) {
        s += k as f64 * v * v;
    }
    for k in (0..n).rev().chain(0..n) {
        s += x[k as usize] * k as f64;
    }
    for (i, k) in (1..=n).rev().enumerate() {
        s *= 1.0 + x[i] * k as f64;
    }
    for k in (0..n).skip(1).step_by(2).map(|k| k - 3) {
        s += x[0] * k as f64;
    }
    for k in (0..10u8).filter(|k| k % 3 == 1).take(2) {
        s += x[1] * f64::from(k);
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn loop_takes(x: &[f64], #[constant] n: usize) -> f64 {
    let mut t = 0.0;
    for k in 0..n {
        t += x.iter().filter(|v| **v > -0.5).take(k).map(|v| v * v).sum::<f64>();
        t += x.iter().chain(x).skip_while(|v| **v < 0.5).take(k).map(|v| v * t).sum::<f64>();
        t += (0..).map(|i| x[i % x.len()]).filter(|v| *v > 0.0).take(k).product::<f64>();
    }
    t
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn filter_tuple(x: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .filter(|p| p.0 % 2 == 0 && *p.1 > -2.0)
        .map(|p| *p.1 * p.0 as f64)
        .sum::<f64>()
        + x.iter().zip(x.iter().skip(1)).filter(|(a, b)| a > b).map(|(a, b)| a - b * b).sum::<f64>()
        + x.iter().zip(x).take_while(|p| p.0 * p.1 < 0.9).map(|p| p.0 * p.1).sum::<f64>()
        + x.iter().enumerate().max_by_key(|p| p.0 % 3).map(|p| p.1 * p.1).unwrap()
        + x.iter().enumerate().position(|p| *p.1 < 0.0).map_or(0.0, |i| x[i] * 2.0)
        + x.iter().copied().enumerate().find(|p| p.1 < 0.0).map_or(0.0, |p| p.1 * p.0 as f64)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_value(x: [f64; 3], y: Vec<f64>) -> f64 {
    let a: f64 = x.into_iter().chain(y.into_iter()).map(|v| v * v).sum();
    a * x[0]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn length_of_what_a_loop_made(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        let a = [0.1, 0.7];
        let mut t = 0.0;
        for k in 0..a.len() {
            t = t * v + a[k];
        }
        s += t * t;
    }
    s
}

#[test]
fn programs() {
    let x = sample(5, 0.3);
    one!(last_mut, x);
    one!(bound_comparator, x);
    one!(counting_comparator, x);
    one!(counting_filter, x);
    one!(nested_consumers, x);
    one!(matrix, x);
    one!(longest_run, x);
    one!(viterbi, x, 3);
    one!(while_scan, x);
    one!(shadow_loop, x);
    one!(const_in_chain, x);
    one!(i32_ranges, x, 3);
    one!(loop_takes, x, 3);
    one!(filter_tuple, x);
    one!(length_of_what_a_loop_made, x);
    assert_eq!(by_value::gradient([1.0, 2.0, 3.0], vec![4.0]), ([32.0, 4.0, 6.0], vec![8.0]));
}

#[test]
fn pairs_of_numbers() {
    let p = [(0.3, 0.7), (0.9, -0.4), (-0.2, 1.3)];
    let flat = |p: &[(f64, f64)]| p.iter().flat_map(|p| [p.0, p.1]).collect::<Vec<f64>>();
    for n in 0..9 {
        let (value, p_adj) = points::value_and_gradient(&p, n);
        let f = |v: &[f64]| points(&[(v[0], v[1]), (v[2], v[3]), (v[4], v[5])], n);
        check("points", f, &flat(&p), value, &flat(&p_adj));
    }
}

/// Functions and their generic twins, which run over dual numbers.
mod twins {
    use super::*;

    #[differentiate(reverse, forward, cross_check)]
    fn softmax_loss(x: &[f64]) -> f64 {
        let top = x.iter().copied().reduce(f64::max).unwrap_or(0.0);
        let sum: f64 = x.iter().map(|v| (v - top).exp()).sum();
        x.iter()
            .scan(0.0, |cdf, v| {
                *cdf += (v - top).exp() / sum;
                Some(*cdf)
            })
            .zip(x)
            .map(|(c, v)| c * c * v)
            .sum()
    }

    fn softmax_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let mut top = x[0];
        for v in x {
            if v.re() > top.re() {
                top = *v;
            }
        }
        let mut sum = D::from(0.0);
        for v in x {
            sum += (*v - top).exp();
        }
        let (mut cdf, mut total) = (D::from(0.0), D::from(0.0));
        for v in x {
            cdf += (*v - top).exp() / sum;
            total += cdf * cdf * *v;
        }
        total
    }

    #[differentiate(reverse, forward, cross_check)]
    fn lennard_jones(x: &[f64]) -> f64 {
        x.iter()
            .enumerate()
            .flat_map(|(i, a)| x.iter().skip(i + 1).map(move |b| (a - b) * (a - b) + 0.5))
            .filter(|r2| *r2 < 3.0)
            .map(|r2| r2.recip().powi(3))
            .map(|s6| s6 * s6 - s6)
            .sum()
    }

    fn lennard_jones_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let mut total = D::from(0.0);
        for i in 0..x.len() {
            for j in i + 1..x.len() {
                let r2 = (x[i] - x[j]) * (x[i] - x[j]) + D::from(0.5);
                if r2.re() < 3.0 {
                    let s6 = r2.recip().powi(3);
                    total += s6 * s6 - s6;
                }
            }
        }
        total
    }

    #[differentiate(reverse, forward, cross_check)]
    fn drawdown(x: &[f64]) -> f64 {
        x.iter()
            .scan(f64::NEG_INFINITY, |peak, v| {
                *peak = peak.max(*v);
                Some(*peak - v)
            })
            .chain(std::iter::once(x[0] * 0.1))
            .max_by(|a, b| a.total_cmp(b))
            .map_or(0.0, |d| d * d + d.sin())
    }

    fn drawdown_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let (mut peak, mut worst) = (x[0], x[0] * D::from(0.1));
        for v in x {
            if v.re() > peak.re() {
                peak = *v;
            }
            if (peak - *v).re() > worst.re() {
                worst = peak - *v;
            }
        }
        worst * worst + worst.sin()
    }

    #[differentiate(reverse, forward, cross_check)]
    fn newton_steps(x: &[f64]) -> f64 {
        std::iter::successors(Some(x[0]), |v| Some(v - (v * v - x[1] * x[1]) / (2.0 * v)))
            .skip(1)
            .take(4)
            .enumerate()
            .map(|(k, v)| v * v / (k + 1) as f64)
            .sum()
    }

    fn newton_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let (mut v, mut total) = (x[0], D::from(0.0));
        for k in 1..=4 {
            v -= (v * v - x[1] * x[1]) / (v * D::from(2.0));
            total += v * v / D::from(f64::from(k));
        }
        total
    }

    /// `twin! { function, twin, points }`
    macro_rules! twin {
        ($f:ident, $twin:ident, $at:expr) => {{
            let at: &[f64] = &$at;
            let (value, gradient) = $f::value_and_gradient(at);
            check_both(stringify!($f), $f, $twin, at, value, &gradient);
        }};
    }

    #[test]
    fn dual_numbers_agree() {
        for n in [1, 2, 6] {
            twin!(softmax_loss, softmax_twin, sample(n, 0.3));
            twin!(drawdown, drawdown_twin, sample(n, 0.3));
        }
        for n in [2, 6] {
            twin!(lennard_jones, lennard_jones_twin, sample(n, 0.3));
        }
        twin!(newton_steps, newton_twin, [1.9, 0.7]);
    }
}
