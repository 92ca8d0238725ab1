//! Adaptors that leave items out, remember, or make several items of one.

use crate::{and_number, in_place, one, positive, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn all_pairs(x: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .flat_map(|(i, a)| x[i + 1..].iter().map(move |b| (a - b) * (a - b) * a))
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn grid(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len();
    let m = y.len();
    let sum: f64 = (0..n).flat_map(|i| (0..m).map(move |j| x[i] * y[j] * (i + 2 * j) as f64)).sum();
    let largest =
        (0..n).flat_map(|i| (0..m).map(move |j| x[i] * y[j])).fold(f64::NEG_INFINITY, f64::max);
    sum * largest
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed(x: f64, w: &[f64]) -> f64 {
    let mut total = 0.0;
    // The `x` of the closures is another than that of the body.
    for v in w.iter().flat_map(|x| [*x, x * x].into_iter().map(move |y| y + x)) {
        total += v * x;
    }
    for v in w.iter().filter_map(|x| if *x > 0.0 { Some(x.sin()) } else { None }) {
        total += v * x;
    }
    total
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn leaves_inner_loops(x: &[f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for v in x.iter().flat_map(|a| x.iter().map(move |b| a * b)) {
        if v > limit {
            break;
        }
        if v < 0.0 {
            continue;
        }
        sum += v.exp();
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn first_of_many(x: &[f64], k: usize) -> f64 {
    let a: f64 = x.iter().flat_map(|a| x.iter().map(move |b| a * b)).take(k).map(|v| v.sin()).sum();
    let b: f64 =
        x.iter().take(k).flat_map(|a| x.iter().take(2).map(move |b| a * b)).map(|v| v.cos()).sum();
    let c: f64 = x
        .iter()
        .flat_map(|a| x.iter().take_while(|b| **b > -0.5).map(move |b| a + b))
        .skip(k)
        .enumerate()
        .map(|(i, v)| v * v * i as f64)
        .sum();
    let d = x.iter().flat_map(|a| x.iter().map(move |b| a * b)).find(|v| *v > 0.3).unwrap_or(1.0);
    let e = x.iter().flat_map(|a| x.iter().map(move |b| a * b)).position(|v| v < -0.2).unwrap_or(0);
    a * b + c * d + x[e % x.len()]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn flattened(rows: &[[f64; 2]]) -> f64 {
    let a: f64 = rows.iter().flatten().map(|v| v * v).sum();
    let b: f64 = rows.iter().flat_map(|row| row).product();
    let c: f64 = rows.iter().flat_map(|row| row.iter().rev().skip(1)).map(|v| v.exp()).sum();
    let mut d = 0.0;
    for (k, v) in rows.iter().flatten().enumerate() {
        d += v * k as f64;
    }
    a * b + c * d
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn block_bodies(x: &[f64], c: f64) -> f64 {
    x.windows(2)
        .flat_map(|w| {
            let slope = (w[1] - w[0]) * c;
            (0..3).map(move |k| {
                let t = k as f64 / 3.0;
                w[0] + slope * t
            })
        })
        .map(|v| v * v)
        .sum()
}

#[test]
fn loops_in_loops() {
    one!(all_pairs, sample(5, 0.3));
    assert_eq!(all_pairs::value_and_gradient(&[2.0]), (0.0, vec![0.0]));
    two!(grid, sample(3, 0.3), sample(4, 0.9));
    let at = [vec![0.7], sample(4, 0.3)].concat();
    let (value, (x_adj, w_adj)) = shadowed::value_and_gradient(at[0], &at[1..]);
    let f = |v: &[f64]| shadowed(v[0], &v[1..]);
    crate::check("shadowed", f, &at, value, &[vec![x_adj], w_adj].concat());
    for limit in [0.05, 0.2, 2.0] {
        one!(leaves_inner_loops_at, sample(4, 0.3), limit);
    }
    for k in 0..=9 {
        one!(first_of_many, sample(3, 0.4), k);
    }
    let rows = [[0.3, 0.7], [-0.4, 1.1], [0.9, -1.3]];
    let (value, gradient) = flattened::value_and_gradient(&rows);
    let f = |v: &[f64]| flattened(&[[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]]);
    crate::check("flattened", f, &rows.concat(), value, &gradient.concat());
    and_number!(block_bodies, sample(4, 0.3), 0.7);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn leaves_inner_loops_at(x: &[f64], #[constant] limit: f64) -> f64 {
    leaves_inner_loops(x, limit) * x[0] + x[1]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mapped_or_left_out(x: &[f64], c: f64) -> f64 {
    let a: f64 = x.iter().filter_map(|v| if *v > 0.0 { Some(v * c) } else { None }).sum();
    let b: f64 = x.iter().filter_map(|v| (*v < 0.5).then(|| v * v)).product();
    let d: f64 = x.iter().filter_map(|&v| (v.abs() > 0.2).then_some(v * c)).map(|v| v.sin()).sum();
    let e: f64 = x
        .iter()
        .enumerate()
        .filter_map(|(i, v)| match i % 3 {
            0 => None,
            1 => Some(v * v),
            _ => {
                let twice = 2.0 * v;
                Some(twice * c)
            }
        })
        .sum();
    let f: f64 = x.iter().map_while(|v| if *v < 0.9 { Some(v * 3.0 * c) } else { None }).sum();
    let g: f64 = x.iter().filter_map(|v| (*v > 0.0).then(|| v * c).map(|v| v * v)).sum();
    let h: f64 = x.iter().filter(|v| **v < 0.5).rev().fold(0.1, |s, v| s * c + v);
    let i: f64 =
        x.iter().filter_map(|v| (*v > 0.0).then(|| v * c)).rev().fold(0.1, |s, v| s * c + v);
    a * b + d * e + f * g + h * i
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn behind_skip_while(x: &[f64], c: f64) -> f64 {
    let a: f64 = x.iter().skip_while(|v| **v < 0.5).map(|v| v * v).sum();
    let b: f64 = x
        .iter()
        .map(|v| v * c)
        .skip_while(|v| *v > -0.3)
        .enumerate()
        .map(|(i, v)| v * i as f64)
        .sum();
    let mut seen = 0;
    let d: f64 = x.iter().inspect(|_| seen += 1).map(|v| v * c).sum();
    a + b * d * seen as f64
}

#[test]
fn items_left_out() {
    for n in [1, 2, 5, 7] {
        and_number!(mapped_or_left_out, sample(n, 0.3), 0.7);
    }
    and_number!(behind_skip_while, sample(6, 0.3), 0.7);
    and_number!(behind_skip_while, sample(6, 1.3), 0.7);
    let (value, (x_adj, _)) = mapped_or_left_out::value_and_gradient(&[], 2.0);
    assert_eq!((value, x_adj), (0.1 * 0.1, vec![]));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn cumulative(x: &[f64], r: f64) -> f64 {
    let sums: Vec<f64> = x
        .iter()
        .scan(0.0, |sum, v| {
            *sum = *sum * r + v;
            Some(*sum)
        })
        .collect();
    sums.iter().zip(x).map(|(s, v)| s * s * v).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn discounted(x: &[f64], rate: f64) -> f64 {
    x.iter()
        .scan(1.0, |factor, flow| {
            let value = *factor * flow;
            *factor /= 1.0 + rate;
            Some(value)
        })
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ruined(x: &[f64], start: f64) -> f64 {
    x.iter()
        .scan(start, |wealth, v| {
            *wealth += v * *wealth;
            if *wealth < 0.5 { None } else { Some(*wealth) }
        })
        .enumerate()
        .map(|(k, w)| w * w * (k + 1) as f64)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn fibonacci_like(a: f64, b: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for v in (0..n).scan((a, b), |state, _| {
        let next = state.0 * 0.5 + state.1;
        *state = (state.1, next);
        Some(next)
    }) {
        total += v * v;
    }
    total
}

#[test]
fn states_between_items() {
    for n in [1, 2, 5] {
        and_number!(cumulative, sample(n, 0.3), 0.7);
        and_number!(discounted, sample(n, 0.3), 0.05);
    }
    for start in [0.8, 1.5] {
        and_number!(ruined, [0.1, -0.2, 0.05, -0.45, 0.3], start);
    }
    for n in 1..5 {
        let (value, (a, b)) = fibonacci_like::value_and_gradient(0.3, 0.9, n);
        let f = |v: &[f64]| fibonacci_like(v[0], v[1], n);
        crate::check("fibonacci", f, &[0.3, 0.9], value, &[a, b]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn effects_in_front(x: &[f64]) -> f64 {
    let mut t = 1.0;
    let sum: f64 = x
        .iter()
        .map(|v| {
            t = t * v + 1.0;
            t
        })
        .skip(2)
        .sum();
    let mut u = 0.5;
    let pairs: f64 = x
        .iter()
        .skip(1)
        .zip(x.iter().map(|v| {
            u += u * v;
            u
        }))
        .map(|(a, b)| a * b)
        .sum();
    let mut w = 1.0;
    let strided: f64 = x
        .iter()
        .map(|v| {
            w *= v + 2.0;
            w
        })
        .step_by(2)
        .sum();
    sum * t + pairs * u + strided * w
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn overwritten_behind(x: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for _ in 0..3 {
        let pairs: f64 = x.iter().flat_map(|a| [a * a, *a].into_iter()).product();
        let i = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i).unwrap();
        total += pairs + x.iter().copied().reduce(f64::max).unwrap() * x[i];
        x[i] = x[i] * 0.3 - pairs;
        x.iter_mut().filter(|v| **v < 0.9).for_each(|v| *v *= 1.1);
    }
    total
}

#[test]
fn effects_are_kept() {
    for n in [1, 2, 3, 6] {
        one!(effects_in_front, sample(n, 0.3));
    }
    in_place!(overwritten_behind, positive(4, 0.3));
    two!(grid, sample(1, 0.3), sample(2, 0.9));
}
