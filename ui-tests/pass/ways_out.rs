//! What the `help:` lines say, done.

#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

struct Pair {
    a: f64,
    b: f64,
}

#[differentiate(reverse, forward)]
fn cut(x: f64) -> f64 {
    loop {
        if x < 0.0 {
            break 0.0;
        }
        break x * x;
    }
}

#[differentiate(reverse, forward)]
fn fields(x: f64, #[constant] pair: Pair) -> f64 {
    pair.a * pair.b * x
}

#[differentiate(reverse, forward)]
fn part(x: (f64, f64, f64)) -> f64 {
    x.0 * x.2
}

#[differentiate(reverse, forward)]
fn constant_let(x: f64) -> f64 {
    #[constant]
    let y = x.next_up();
    y * x
}

#[differentiate(reverse, forward)]
fn constant_then_active(x: f64) -> f64 {
    #[constant]
    let start = x.next_down().next_up();
    let mut y = start;
    y *= x;
    y
}

#[differentiate(reverse, forward)]
fn by_reference(x: f64) -> f64 {
    let y = &x;
    *y * *y
}

struct Start(Vec<f64>);

#[differentiate(reverse, forward)]
fn type_of_a_vector(x: f64, #[constant] start: Start) -> f64 {
    let mut y: Vec<f64> = start.0;
    y.push(x * x);
    y[0] * y[1]
}

#[differentiate(reverse, forward)]
fn kept_elements(x: &[f64]) -> f64 {
    let mut kept = Vec::new();
    for v in x {
        if *v > 0.0 {
            kept.push(*v);
        }
    }
    while kept.len() > 2 {
        let last = kept.pop().unwrap();
        kept[0] *= last;
    }
    kept[0]
}

#[differentiate(reverse, forward)]
fn offset(x: &[f64], n: usize) -> f64 {
    let from = n + 1;
    x[from] * x[from]
}

#[differentiate(reverse, forward)]
fn start(x: f64, first: bool) -> f64 {
    const START: (f64, f64) = (1.0, 2.0);
    let (mut a, mut b) = (x, x);
    if first {
        let start = START;
        (a, b) = start;
    }
    a * b
}

#[differentiate(reverse, forward)]
fn declared(x: f64) -> f64 {
    let a;
    let b;
    (a, b) = (x, 2.0 * x);
    a * b
}

#[differentiate(reverse, forward)]
fn named(xy: (f64, f64)) -> f64 {
    let (x, y) = xy;
    x * y
}

#[differentiate(reverse, forward)]
fn guarded(x: f64, n: usize) -> f64 {
    let positive = x > 0.0;
    match n {
        0 if positive => x,
        _ => x * x,
    }
}

#[differentiate(reverse, forward)]
fn taken_apart(x: f64, #[constant] scale: Option<f64>) -> f64 {
    #[constant]
    let known = scale.is_some();
    #[constant]
    let scale = scale.unwrap_or(0.0);
    if known { scale * x } else { x }
}

#[differentiate(reverse, forward)]
fn bound_first(x: f64) -> f64 {
    let both = vec![x, x];
    let (a, b) = both.split_at(1);
    a[0] * b[0]
}

#[differentiate(reverse, forward)]
fn applied<F: Fn(usize) -> usize>(#[constant] f: F, x: f64) -> f64 {
    x * f(2) as f64
}

#[differentiate(reverse, forward)]
fn configured(x: f64) -> f64 {
    let mut y = x;
    if cfg!(any()) {
        y *= 3.0;
    }
    if cfg!(all()) {
        y *= 2.0;
    }
    y
}

#[differentiate(reverse, forward)]
fn elements(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [x[0] + y[0], x[1] + y[1]]
}

// A view has no adjoint of its own: take what it dereferences to.
#[differentiate(reverse)]
fn viewed(x: &ndarray::ArrayRef1<f64>) -> f64 {
    x[0] * x[1]
}

fn main() {
    assert_eq!((cut::gradient(-1.0), cut::gradient(3.0)), (0.0, 6.0));
    assert_eq!(fields::gradient(1.0, Pair { a: 2.0, b: 3.0 }), 6.0);
    assert_eq!(part::gradient((2.0, 3.0, 5.0)), (5.0, 0.0, 2.0));
    assert_eq!(constant_let::gradient(1.0), 1.0_f64.next_up());
    assert_eq!(constant_then_active::gradient(3.0), 3.0);
    assert_eq!(by_reference::gradient(3.0), 6.0);
    assert_eq!(offset::gradient(&[1.0, 3.0], 0), vec![0.0, 6.0]);
    assert_eq!(
        (start::gradient(3.0, true), start::gradient(3.0, false)),
        (0.0, 6.0)
    );
    assert_eq!(declared::gradient(3.0), 12.0);
    assert_eq!(named::gradient((2.0, 3.0)), (3.0, 2.0));
    assert_eq!(
        (guarded::gradient(3.0, 0), guarded::gradient(3.0, 1)),
        (1.0, 6.0)
    );
    assert_eq!(taken_apart::gradient(1.0, Some(4.0)), 4.0);
    assert_eq!(taken_apart::gradient(1.0, None), 1.0);
    assert_eq!(bound_first::gradient(3.0), 6.0);
    assert_eq!(applied::gradient(|n| n + 1, 1.0), 3.0);
    assert_eq!(configured::gradient(1.0), 2.0);
    let (mut seed, zero) = ([1.0, 2.0], [0.0, 0.0]);
    seed[0] += 1.0;
    assert_eq!(
        elements::adjoint(zero, zero, seed),
        ([0.0, 0.0], [2.0, 2.0], [2.0, 2.0])
    );
    let matrix = ndarray::array![[2.0, 5.0], [3.0, 7.0]];
    assert_eq!(viewed::gradient(&matrix.column(0)), ndarray::array![3.0, 2.0]);
}
