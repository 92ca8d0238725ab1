//! Closures bound to a variable, with what they capture.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn captures(x: &[f64], k: f64) -> f64 {
    let f = |v: f64| (k * v).sin() + k;
    let k = 2.0;
    x.iter().map(|&v| f(v) * f(v * v)).sum::<f64>() * k
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changes_what_it_captures(x: f64, n: usize) -> f64 {
    let mut total = 0.0;
    let mut add = |v: f64, w: f64| total += v * w;
    for k in 0..n {
        add(x, x + k as f64);
    }
    add(x, 3.0);
    total * x
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn returns_a_tuple(x: f64, y: f64) -> f64 {
    let rotate = |a: f64, b: f64| (a * x.cos() - b * x.sin(), a * x.sin() + b * x.cos());
    let (p, q) = rotate(y, 1.0);
    let (r, s) = rotate(p, q);
    r * s + p
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn moves_its_captures(x: f64, y: f64) -> f64 {
    let scale = x * y;
    let f = move |v: f64| scale * v;
    let g = |v: f64| f(v) + f(y);
    g(x) * f(1.0)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn constant_closure(x: f64, n: usize) -> f64 {
    let mut order: Vec<usize> = (0..n).collect();
    let descending = |a: &usize, b: &usize| b.cmp(a);
    order.sort_by(descending);
    x.powi(order[0] as i32)
}

#[test]
fn closures_are_called_in_place() {
    let at = [0.3, -0.8, 1.1, 0.7];
    let (value, (x_adj, k_adj)) = captures::value_and_gradient(&at[..3], at[3]);
    check("captures", |v| captures(&v[..3], v[3]), &at, value, &[&x_adj[..], &[k_adj]].concat());
    let (value, x_adj) = changes_what_it_captures::value_and_gradient(0.6, 3);
    check("changes", |v| changes_what_it_captures(v[0], 3), &[0.6], value, &[x_adj]);
    let (value, (x_adj, y_adj)) = returns_a_tuple::value_and_gradient(0.4, 1.3);
    check("tuple", |v| returns_a_tuple(v[0], v[1]), &[0.4, 1.3], value, &[x_adj, y_adj]);
    let (value, (x_adj, y_adj)) = moves_its_captures::value_and_gradient(0.4, 1.3);
    check("moves", |v| moves_its_captures(v[0], v[1]), &[0.4, 1.3], value, &[x_adj, y_adj]);
    let (value, x_adj) = constant_closure::value_and_gradient(0.9, 4);
    check("constant", |v| constant_closure(v[0], 4), &[0.9], value, &[x_adj]);
}
