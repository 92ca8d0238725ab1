#![deny(warnings)]
#![allow(dead_code, non_snake_case)]

use ad_runtime::differentiate;

#[differentiate(reverse, forward)]
fn parameters(x: f64, x_adj: f64, value: f64, seed: f64, policy: f64, pullback: f64) -> f64 {
    x * x_adj + value * seed + policy * pullback
}

#[differentiate(reverse, forward)]
fn more(ad: &[f64], P: &mut [f64], t1: f64, value: f64) -> f64 {
    P[0] *= ad[0];
    P[0] * t1 * value
}

#[differentiate(reverse, forward)]
fn locals(x: f64) -> f64 {
    let x_adj = x * x;
    let t1 = x_adj * x;
    let ad = t1 + 1.0;
    let value = ad * x;
    let pullback = value - x;
    let policy = pullback * 2.0;
    let seed = policy * x;
    let P = seed;
    let t2 = P;
    t2
}

#[differentiate(reverse, forward)]
fn in_loop(x: f64, n: usize) -> f64 {
    let mut value_stack = x;
    let trips = n;
    for k in 0..trips {
        let arm = value_stack * x;
        let found = arm + k as f64;
        value_stack = found.sin();
    }
    let stack = value_stack;
    stack
}

#[differentiate(reverse, forward)]
fn x_adj(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
fn ad(x: f64) -> f64 {
    x_adj(x) * x
}

#[differentiate(reverse, forward)]
fn t1(ad: f64) -> f64 {
    self::ad(ad)
}

#[differentiate(reverse, forward)]
fn adjoint(gradient: f64) -> f64 {
    gradient * gradient
}

#[differentiate(reverse, forward)]
fn vjp(reverse: f64) -> f64 {
    adjoint(reverse)
}

fn main() {
    assert_eq!(
        parameters::gradient(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        (2.0, 1.0, 4.0, 3.0, 6.0, 5.0)
    );
    let found = more::gradient(&[2.0], &mut [3.0], 5.0, 7.0);
    assert_eq!(found, (vec![105.0], vec![70.0], 42.0, 30.0));
    // ((x^3 + 1) x - x) 2 x = 2 x^5
    assert_eq!(locals::gradient(2.0), 160.0);
    assert!(in_loop::gradient(0.5, 0) == 1.0);
    assert_eq!(t1::gradient(2.0), 12.0);
    assert_eq!(vjp::gradient(3.0), 6.0);
}
