//! Consumers that give one item or none.

use crate::{and_number, one, sample, two};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn largest(x: &[f64]) -> f64 {
    let a = *x.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
    let b = x.iter().copied().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let c = x.iter().map(|v| v * v).max_by(f64::total_cmp).expect("there are some");
    a * b + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn smallest(x: &[f64]) -> f64 {
    let a = x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let b = x.iter().cloned().min_by(|a, b| b.total_cmp(a)).unwrap();
    let c = x.iter().copied().reduce(f64::min).unwrap();
    a * b + c.exp()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn reduced(x: &[f64]) -> f64 {
    let top = x.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let product = x.iter().copied().reduce(|a, b| a * b + 0.1).unwrap_or_default();
    let sum = x.iter().map(|v| v.sin()).reduce(|a, b| a + b).unwrap_or_else(|| top);
    let size = x.iter().copied().reduce(f64::max).map_or(1.0, |m| m * m);
    top * product + sum * size
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn with_its_position(x: &[f64], w: &[f64]) -> f64 {
    let (i, v) = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    let (j, u) =
        x.iter().copied().enumerate().min_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap()).unwrap();
    let k = x.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(k, _)| k).unwrap();
    w[i] * v * v + w[j] * u + w[k]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nearest(points: &[[f64; 2]], x: f64, y: f64) -> f64 {
    let d2 = |p: &[f64; 2]| (p[0] - x).powi(2) + (p[1] - y).powi(2);
    let nearest = points
        .iter()
        .min_by(|p, q| {
            let (a, b) = ((p[0] - x).abs() + (p[1] - y).abs(), (q[0] - x).abs() + (q[1] - y).abs());
            a.total_cmp(&b)
        })
        .unwrap();
    d2(nearest).sqrt()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn by_key(x: &[f64]) -> f64 {
    let a = x.iter().max_by_key(|v| (*v * 100.0) as i64).unwrap();
    let b = x.iter().copied().min_by_key(|v| ((v - 0.2).abs() * 1000.0) as i32).unwrap();
    a * a + b
}

#[test]
fn extremes_of_items() {
    one!(largest, sample(5, 0.3));
    one!(largest, [1.5]);
    one!(smallest, sample(5, 0.3));
    one!(reduced, sample(5, 0.3));
    one!(reduced, [1.5]);
    assert_eq!(reduced::value_and_gradient(&[]), (0.0, vec![]));
    two!(with_its_position, sample(5, 0.3), sample(5, 0.7));
    one!(by_key, sample(5, 0.3));
    let points = [[0.1, 0.9], [1.5, 0.2], [-0.7, 0.3]];
    for (x, y) in [(0.1, 0.05), (1.0, 0.0), (0.3, 2.0)] {
        let (value, (p, x_adj, y_adj)) = nearest::value_and_gradient(&points, x, y);
        let at = [points.concat(), vec![x, y]].concat();
        let f = |v: &[f64]| {
            let points = [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]];
            nearest(&points, v[6], v[7])
        };
        crate::check("nearest", f, &at, value, &[p.concat(), vec![x_adj, y_adj]].concat());
    }
}

#[differentiate(reverse, forward, cross_check)]
fn last_of_ties(x: &[f64]) -> f64 {
    *x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
}

#[differentiate(reverse, forward, cross_check)]
fn first_of_ties(x: &[f64]) -> f64 {
    *x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
}

#[test]
fn ties_go_where_the_standard_library_goes() {
    assert_eq!(last_of_ties::gradient(&[2.0, 1.0, 2.0, 0.0]), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(first_of_ties::gradient(&[2.0, 1.0, 2.0, 1.0]), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
#[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
fn nothing_to_unwrap() {
    last_of_ties::gradient(&[]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn found(x: &[f64], limit: f64) -> f64 {
    let a = x.iter().find(|v| **v > limit).copied().unwrap_or(limit);
    let i = x.iter().position(|v| *v > limit).unwrap_or(0);
    let b = x.iter().map(|v| v * v).find(|v| *v > limit).unwrap_or(0.5);
    let c = x.iter().find_map(|v| (*v < limit).then(|| v * limit)).unwrap_or(1.0);
    let d = x.iter().position(|v| *v < -5.0).is_none();
    a * x[i] + b * c + if d { limit } else { 0.0 }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn at_ends(x: &[f64]) -> f64 {
    let a = x.first().unwrap() * x.last().unwrap();
    let b = x.get(1).copied().unwrap_or(0.5);
    let c = x.get(100).copied().unwrap_or(x[0]);
    let d = x.iter().last().unwrap() * x.iter().map(|v| v * v).nth(1).unwrap();
    let e = x.iter().filter(|v| **v < 0.5).nth(1).copied().unwrap_or(2.0);
    let f = *x.iter().rev().next().unwrap() + x.iter().skip(1).last().unwrap();
    let g = x.last().map_or(0.0, |v| v.exp());
    a * b + c * d + e * f + g
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn folded_while(x: &[f64], limit: f64) -> f64 {
    let other = x
        .iter()
        .try_fold(0.0, |s: f64, v| {
            let next = s + v;
            if next.abs() > 10.0 { None } else { Some(next) }
        })
        .unwrap_or(-1.0);
    x.iter()
        .try_fold(1.0, |s, v| if *v > limit { None } else { Some(s * v + limit) })
        .unwrap_or(limit)
        + other
}

#[test]
fn items_that_may_not_be_there() {
    for limit in [-2.0, 0.1, 0.6, 3.0] {
        and_number!(found, sample(5, 0.3), limit);
    }
    one!(at_ends, sample(5, 0.3));
    for limit in [0.1, 3.0] {
        and_number!(folded_while, sample(5, 0.3), limit);
    }
}
