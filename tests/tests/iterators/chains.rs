//! Sequences one after the other, and sequences that are not slices.

use crate::{and_number, in_place, one, positive, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn both(x: &[f64], y: &[f64]) -> f64 {
    x.iter().chain(y).map(|v| v * v * v).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn between_walls(x: &[f64], wall: f64) -> f64 {
    // Springs between masses and two walls.
    let mut energy = 0.0;
    let mut last = 0.0;
    for v in x.iter().copied().chain(std::iter::once(wall)) {
        energy += (v - last) * (v - last);
        last = v;
    }
    energy
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn three_parts(x: &[f64], y: &[f64]) -> f64 {
    let z = x.len() as f64;
    x.iter().map(|v| v * z).chain(y.iter().rev().copied()).chain([x[0] * y[0], 2.0]).product()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn leaves_in_the_first(x: &[f64], y: &[f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for (k, v) in x.iter().chain(y.iter()).enumerate() {
        if *v > limit {
            break;
        }
        if k % 2 == 1 {
            continue;
        }
        sum += v.exp() * (k + 1) as f64;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn stages_of_parts(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.0)
        .chain(y.iter().take_while(|v| **v < 0.9))
        .enumerate()
        .map(|(i, v)| (i + 1) as f64 * v * v)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn cut_across_parts(x: &[f64], y: &[f64], k: usize) -> f64 {
    let a: f64 = x.iter().chain(y).skip(k).map(|v| v.exp()).sum();
    let b: f64 = x.iter().chain(y).take(k).map(|v| v.sin()).sum();
    let c: f64 = x.iter().chain(y).step_by(2).product();
    let d: f64 = x.iter().chain(y).rev().fold(0.3, |s, v| s * 0.5 + v);
    let e: f64 = x.iter().chain(y).take_while(|v| **v > -0.5).map(|v| v * v).sum();
    let f: f64 = x.iter().chain(y).skip_while(|v| **v < 0.5).map(|v| v * v).sum();
    a * b + c * d + x[0] * y[0] + e - 2.0 * f
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn zipped_with_parts(x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    let a: f64 = x.iter().chain(y).zip(w).map(|(v, w)| w * v * v).sum();
    let b: f64 = w.iter().zip(x.iter().chain(y)).map(|(w, v)| w.sin() * v).sum();
    a + b * b
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_parts(x: &[f64], y: &[f64]) -> f64 {
    let all: Vec<f64> = x.iter().map(|v| 2.0 * v).chain(y.iter().copied()).collect();
    let mut s = 0.0;
    for k in 1..all.len() {
        s += all[k] * all[k - 1];
    }
    s * all.len() as f64
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_parts(x: &mut [f64], y: &mut [f64], c: f64) -> f64 {
    for v in x.iter_mut().chain(y.iter_mut()) {
        *v *= c * *v;
    }
    x.iter().chain(y.iter()).fold(1.0, |a, v| a + v * a)
}

#[test]
fn parts() {
    two!(both, sample(4, 0.1), sample(3, 0.4));
    assert_eq!(both::value_and_gradient(&[], &[2.0]), (8.0, (vec![], vec![12.0])));
    assert_eq!(both::value_and_gradient(&[2.0], &[]), (8.0, (vec![12.0], vec![])));
    and_number!(between_walls, sample(4, 0.3), 1.7);
    two!(three_parts, positive(3, 0.1), positive(2, 0.4));
    for limit in [-2.0, 0.2, 0.9, 0.97, 5.0] {
        let (x, y) = (sample(4, 0.1), sample(4, 0.4));
        let f = |v: &[f64]| leaves_in_the_first(&v[..4], &v[4..], limit);
        let (value, (x_adj, y_adj, _)) = leaves_in_the_first::value_and_gradient(&x, &y, limit);
        if limit > -1.0 {
            crate::check("leaves", f, &[x, y].concat(), value, &[x_adj, y_adj].concat());
        } else {
            assert_eq!((value, x_adj), (0.0, vec![0.0; 4]));
        }
    }
    two!(stages_of_parts, sample(4, 0.1), sample(4, 0.4));
    for k in 0..=8 {
        two!(cut_across_parts, sample(4, 0.1), sample(3, 0.4), k);
    }
    two!(collected_parts, sample(3, 0.1), sample(2, 0.4));
}

#[test]
fn parts_with_weights() {
    let (x, y) = (sample(3, 0.1), sample(2, 0.4));
    for n in 0..7 {
        let w = sample(n, 0.7);
        let (value, (x_adj, y_adj, w_adj)) = zipped_with_parts::value_and_gradient(&x, &y, &w);
        let f = |v: &[f64]| zipped_with_parts(&v[..3], &v[3..5], &v[5..]);
        if n == 0 {
            assert_eq!(value, 0.0);
            continue;
        }
        let at = [x.clone(), y.clone(), w].concat();
        crate::check("zipped", f, &at, value, &[x_adj, y_adj, w_adj].concat());
    }
}

#[test]
fn parts_that_change() {
    let (x, y) = (sample(3, 0.1), sample(2, 0.4));
    let (value, (x_adj, y_adj, c_adj)) =
        changed_parts::value_and_gradient(&mut x.clone(), &mut y.clone(), 0.8);
    let f = |v: &[f64]| changed_parts(&mut v[..3].to_vec(), &mut v[3..5].to_vec(), v[5]);
    let at = [x, y, vec![0.8]].concat();
    crate::check("changed_parts", f, &at, value, &[x_adj, y_adj, vec![c_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn literals(x: f64, y: f64) -> f64 {
    let a: f64 = [x, y, x * y].iter().map(|v| v * v).sum();
    let mut b = 1.0;
    for v in [x + 1.0, 2.0 * y] {
        b *= v;
    }
    for v in &[x, 0.5] {
        b += v * v;
    }
    let c: f64 = vec![x, y].into_iter().map(|v| v.sin()).sum();
    let d: f64 = [[x, y], [y, 1.0]].iter().map(|row| row[0] * row[1]).sum();
    a * b + c * d
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn made_of_one_value(x: f64, w: &[f64]) -> f64 {
    let a: f64 = std::iter::repeat(x).take(3).product();
    let b: f64 = w.iter().zip(std::iter::repeat(x * x)).map(|(w, v)| w * v).sum();
    let c: f64 = std::iter::repeat_n(x.sin(), w.len()).sum();
    let d: f64 = std::iter::once(x).chain(w.iter().map(|v| v * x)).sum();
    let e: f64 = std::iter::zip(w, w.iter().skip(1)).map(|(a, b)| a * b * x).sum();
    a + b * c + d + e
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn logistic_map(x: f64, r: f64, n: usize) -> f64 {
    std::iter::successors(Some(x), |v| Some(r * v * (1.0 - v))).take(n).map(|v| v * v).sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn halvings(x: f64, limit: f64) -> f64 {
    std::iter::successors(Some(x), |v| if *v > limit { Some(v * 0.5) } else { None })
        .enumerate()
        .map(|(i, v)| (i + 1) as f64 * v * v)
        .sum()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn until_small(x: f64, w: f64) -> f64 {
    let mut total = 0.0;
    for term in std::iter::successors(Some(x), |t| Some(t * w)) {
        if term.abs() < 1e-9 {
            break;
        }
        total += term;
    }
    total
}

#[test]
fn sequences_that_are_made() {
    let at = [0.7, -1.3];
    let (value, (a, b)) = literals::value_and_gradient(at[0], at[1]);
    crate::check("literals", |v| literals(v[0], v[1]), &at, value, &[a, b]);
    for n in 1..4 {
        let w = sample(n, 0.3);
        let at = [vec![0.7], w.clone()].concat();
        let (value, (x_adj, w_adj)) = made_of_one_value::value_and_gradient(0.7, &w);
        let f = |v: &[f64]| made_of_one_value(v[0], &v[1..]);
        crate::check("one value", f, &at, value, &[vec![x_adj], w_adj].concat());
    }
    for n in 1..6 {
        let (value, (x_adj, r_adj)) = logistic_map::value_and_gradient(0.3, 2.7, n);
        let f = |v: &[f64]| logistic_map(v[0], v[1], n);
        crate::check("logistic map", f, &[0.3, 2.7], value, &[x_adj, r_adj]);
    }
    assert_eq!(logistic_map::value_and_gradient(0.3, 2.7, 0), (0.0, (0.0, 0.0)));
    // 5, 2.5, 1.25, 0.625: 1 + 2/4 + 3/16 + 4/64 of the square
    let (value, (x_adj, _)) = halvings::value_and_gradient(5.0, 1.0);
    assert_eq!((value, x_adj), (25.0 * 1.75, 10.0 * 1.75));
    let (value, (x_adj, w_adj)) = until_small::value_and_gradient(2.0, 0.25);
    let f = |v: &[f64]| until_small(v[0], v[1]);
    crate::check("geometric", f, &[2.0, 0.25], value, &[x_adj, w_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn in_a_loop(x: &mut [f64], steps: usize) -> f64 {
    let mut total = 0.0;
    for s in 0..steps {
        let edge = x[0] * x[x.len() - 1];
        total += x.iter().copied().chain([edge]).map(|v| v * v).sum::<f64>();
        for v in x.iter_mut() {
            *v = *v * 0.5 + edge * (s + 1) as f64;
        }
    }
    total
}

#[test]
fn parts_in_a_loop_that_changes_them() {
    for steps in 1..4 {
        in_place!(in_a_loop, sample(4, 0.3), steps);
    }
    one!(collected_alone, sample(3, 0.3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_alone(x: &[f64]) -> f64 {
    let padded: Vec<f64> =
        std::iter::once(0.0).chain(x.iter().copied()).chain(std::iter::once(x[0])).collect();
    padded.windows(2).map(|w| (w[1] - w[0]).powi(3)).sum()
}
