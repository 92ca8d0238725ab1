//! Elements that exchange their places by `mem::swap`, in parts of one buffer and in fields of one struct.

use crate::check;
use ad_runtime::{Differentiable, differentiate};
use std::mem;

#[differentiate(reverse, forward, second_order, cross_check)]
fn halves(x: &[f64], n: usize) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[3]], [x[1] * x[2], x[0]]];
    {
        let (a, b) = m.split_at_mut(n);
        mem::swap(&mut a[0], &mut b[1 - n / 2]);
        let (c, d) = b.split_at_mut(1);
        if !d.is_empty() {
            mem::swap(&mut c[0], &mut d[0]);
        }
    }
    m[0][0] * 2.0 + m[0][1] * m[1][1] - m[2][0] * m[1][0] * x[3]
}

#[derive(Differentiable, Clone, Debug)]
struct Pair {
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn fields(x: &[f64]) -> f64 {
    let mut pair = Pair {
        first: vec![[x[0], x[1]], [x[2], x[3]]],
        second: vec![[x[3] * x[0], x[2]], [x[1], x[0]]],
    };
    mem::swap(&mut pair.first[0], &mut pair.second[1]);
    pair.first[1][0] *= pair.first[0][1];
    mem::swap(&mut pair.first[1], &mut pair.second[1]);
    pair.first.swap(0, 1);
    let mut sum = 0.0;
    for (k, (a, b)) in pair.first.iter().zip(&pair.second).enumerate() {
        sum += a[0] * b[1] + (k as f64) * a[1] * b[0];
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn parts(x: &[f64], k: usize) -> f64 {
    let mut rows =
        vec![x.to_vec(), vec![x[0] * x[1]; 4], vec![x[2]; 4], vec![x[3], x[0], x[1], x[2]]];
    let (front, back) = rows.split_at_mut(2);
    for (i, row) in front.iter_mut().enumerate() {
        mem::swap(row, &mut back[(i + k) % 2]);
    }
    mem::swap(&mut front[0], &mut back[k]);
    rows.iter().enumerate().map(|(i, row)| row[i] * row[(i + 1) % 4] * (1.0 + i as f64)).sum()
}

#[test]
fn elements_change_places() {
    let at = [0.7, -1.2, 1.5, 0.4];
    for n in [1, 2] {
        let (value, gradient) = halves::value_and_gradient(&at, n);
        check("halves", |x| halves(x, n), &at, value, &gradient);
    }
    let (value, gradient) = fields::value_and_gradient(&at);
    check("fields", fields, &at, value, &gradient);
    for k in [0, 1] {
        let (value, gradient) = parts::value_and_gradient(&at, k);
        check("parts", |x| parts(x, k), &at, value, &gradient);
    }
}
