//! Rules of functions that work in place, under both policies.

use ad_runtime::{Restored, Unspecified, custom_rule, differentiate};
use ad_tests::check::{assert_exact, assert_gradient, sample};

/// Running sums in place.
#[custom_rule(vjp = accumulate_rule)]
fn accumulate(x: &mut [f64], scale: f64) -> f64 {
    for k in 1..x.len() {
        x[k] += scale * x[k - 1];
    }
    x.iter().sum()
}

/// Its pullback leaves the buffer in a state of its own.
fn accumulate_rule(
    x: &mut [f64],
    scale: f64,
) -> (f64, impl FnOnce(&mut [f64], &mut [f64], f64) -> f64 + use<>) {
    let value = accumulate(x, scale);
    let pullback = move |x: &mut [f64], x_adj: &mut [f64], seed: f64| {
        let mut scale_adj = 0.0;
        x_adj.iter_mut().for_each(|adj| *adj += seed);
        for k in (1..x.len()).rev() {
            scale_adj += x_adj[k] * x[k - 1];
            x_adj[k - 1] += scale * x_adj[k];
        }
        x.fill(f64::NAN);
        scale_adj
    };
    (value, pullback)
}

#[test]
fn a_caller_gets_its_buffer_back_if_it_asks() {
    let before = [1.0, 2.0, 3.0];
    let mut x = before;
    let (value, pullback) = accumulate::vjp(Restored, &mut x, 0.5);
    assert_eq!((value, x), (1.0 + 2.5 + 4.25, [1.0, 2.5, 4.25]));
    let mut x_adj = [0.0, 0.0, 1.0];
    let scale_adj = pullback(&mut x, &mut x_adj, 0.0);
    assert_eq!((x, x_adj, scale_adj), (before, [0.25, 0.5, 1.0], 2.5 + 0.5));

    let mut x = before;
    let (_, pullback) = accumulate::vjp(Unspecified, &mut x, 0.5);
    pullback(&mut x, &mut [0.0; 3], 1.0);
    assert!(x[0].is_nan(), "nobody looks at it");
}

#[test]
fn adjoint_leaves_what_the_function_leaves() {
    let (mut x, mut x_adj) = ([1.0, 2.0, 3.0], [0.0; 3]);
    accumulate::adjoint(&mut x, &mut x_adj, 0.5, 1.0);
    assert_eq!((x, x_adj), ([1.0, 2.5, 4.25], [1.75, 1.5, 1.0]));
    let (value, (x_adj, scale_adj)) = accumulate::value_and_gradient(&mut x, 0.5);
    assert_eq!((value, x), (1.0 + 3.0 + 5.75, [1.0, 3.0, 5.75]));
    assert_eq!((&x_adj[..], scale_adj), (&[1.75, 1.5, 1.0][..], 1.5 + 3.0));
}

/// The contents in front of each call are read, nonlinearly.
#[differentiate(reverse)]
fn read_before(x: &[f64], scale: f64) -> f64 {
    let mut work = x.to_vec();
    let mut total = 0.0;
    for k in 0..3 {
        let first = work[k % work.len()];
        total += first * first * work[work.len() - 1];
        total += accumulate(&mut work, scale) * first;
    }
    total
}

/// Nothing but the sums is read.
#[differentiate(reverse)]
fn read_after(x: &mut [f64], scale: f64) -> f64 {
    let total = accumulate(x, scale);
    accumulate(&mut x[1..], total) + x[0]
}

#[test]
fn in_place_in_other_functions() {
    let mut at = sample(4, 0.3);
    at.push(0.6);
    let f = |v: &[f64]| read_before(&v[..4], v[4]);
    let (mut gradient, scale) = read_before::gradient(&at[..4], at[4]);
    gradient.push(scale);
    assert_gradient("read before", f, &at, &gradient);

    let f = |v: &[f64]| read_after(&mut v[..4].to_vec(), v[4]);
    let mut x = at[..4].to_vec();
    let (mut gradient, scale) = read_after::gradient(&mut x, at[4]);
    gradient.push(scale);
    assert_gradient("read after", f, &at, &gradient);
    let mut own = at[..4].to_vec();
    read_after(&mut own, at[4]);
    assert_eq!(x, own, "the buffer is as the function leaves it");
}

/// Two parts of one buffer.
#[differentiate(reverse)]
fn two_parts(x: &mut [f64], scale: f64) -> f64 {
    let (left, right) = x.split_at_mut(2);
    let sum = accumulate(left, scale) * accumulate(right, left[1]);
    sum + accumulate(&mut x[1..3], sum)
}

#[test]
fn parts_of_one_buffer() {
    let mut at = sample(5, 1.1);
    at.push(-0.4);
    let f = |v: &[f64]| two_parts(&mut v[..5].to_vec(), v[5]);
    let (mut gradient, scale) = two_parts::gradient(&mut at[..5].to_vec(), at[5]);
    gradient.push(scale);
    assert_gradient("two parts", f, &at, &gradient);
}

/// A vector gets another length, and data behind `&mut` is changed, too.
#[custom_rule(vjp = doubled_rule)]
fn doubled(x: &mut Vec<f64>, #[constant] count: &mut usize) {
    let copy: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
    x.extend(copy);
    *count += 1;
}

fn doubled_rule(
    x: &mut Vec<f64>,
    count: &mut usize,
) -> impl FnOnce(&mut Vec<f64>, &mut Vec<f64>, &mut usize) + use<> {
    doubled(x, count);
    |_: &mut Vec<f64>, x_adj: &mut Vec<f64>, _: &mut usize| {
        let copies = x_adj.split_off(x_adj.len() / 2);
        x_adj.iter_mut().zip(copies).for_each(|(adj, copy)| *adj += 2.0 * copy);
    }
}

#[differentiate(reverse)]
fn grown(x: &[f64], times: usize) -> f64 {
    let mut list = x.to_vec();
    let mut count = 0;
    let mut total = 0.0;
    for _ in 0..times {
        total += list[count] * list[count];
        doubled(&mut list, &mut count);
    }
    let mut weight = 1.0;
    for v in &list {
        total += weight * v * v;
        weight += 1.0;
    }
    total
}

#[test]
fn lengths_change() {
    let (mut x, mut x_adj, mut count) = (vec![1.0, 2.0], vec![1.0, 10.0, 100.0, 1000.0], 0);
    doubled::adjoint(&mut x, &mut x_adj, &mut count);
    assert_eq!((x, x_adj, count), (vec![1.0, 2.0, 2.0, 4.0], vec![201.0, 2010.0], 1));
    let at = [0.8, -0.3, 1.2];
    for times in 0..3 {
        let gradient = grown::gradient(&at, times);
        assert_gradient("grown", |x| grown(x, times), &at, &gradient);
    }
}

/// A step of a relaxation by code from somewhere else, called until it has converged.
#[custom_rule(vjp = relax_rule)]
fn relax(state: &mut [f64; 2], drive: &[f64]) -> f64 {
    let [a, b] = *state;
    *state = [0.5 * b + drive[0], 0.5 * a * a];
    (state[0] - a).abs().max((state[1] - b).abs())
}

type Pullback = Box<dyn FnOnce(&mut [f64; 2], &mut [f64; 2], &[f64], &mut [f64], f64)>;

fn relax_rule(state: &mut [f64; 2], drive: &[f64]) -> (f64, Pullback) {
    let first = state[0];
    let change = relax(state, drive);
    let pullback = move |_: &mut [f64; 2],
                         state_adj: &mut [f64; 2],
                         _: &[f64],
                         drive_adj: &mut [f64],
                         _change_adj: f64| {
        let [a_adj, b_adj] = *state_adj;
        drive_adj[0] += a_adj;
        *state_adj = [first * b_adj, 0.5 * a_adj];
    };
    (change, Box::new(pullback))
}

#[differentiate(reverse)]
fn steady(drive: &[f64]) -> f64 {
    let mut state = [0.0; 2];
    while relax(&mut state, drive) > 1e-14 {}
    state[0] * state[0] + state[1]
}

#[test]
fn until_it_has_converged() {
    let drive = [0.3];
    let gradient = steady::gradient(&drive);
    // a = b / 2 + d, b = a² / 2, so a = 2 - sqrt(4 - 4 d) and da/dd = 2 / sqrt(4 - 4 d).
    let root = (4.0 - 4.0 * drive[0]).sqrt();
    let (a, slope) = (2.0 - root, 2.0 / root);
    assert_exact("steady", &gradient, &[(2.0 * a + a) * slope]);
}

/// State that cannot be copied, and numbers that can.
struct Engine(u64);

#[custom_rule(vjp = noisy_rule)]
fn noisy(#[constant] engine: &mut Engine, #[constant] log: &mut [f64], x: f64) -> f64 {
    engine.0 = engine.0.wrapping_mul(6364136223846793005).wrapping_add(1);
    log[0] = x * (engine.0 >> 40) as f64;
    log[0]
}

fn noisy_rule(
    engine: &mut Engine,
    log: &mut [f64],
    x: f64,
) -> (f64, impl FnOnce(&mut Engine, &mut [f64], f64) -> f64 + use<>) {
    let value = noisy(engine, log, x);
    let pullback = move |_: &mut Engine, log: &mut [f64], seed: f64| {
        log.fill(f64::NAN);
        seed * value / x
    };
    (value, pullback)
}

#[test]
fn state_and_data_behind_mut() {
    let (mut engine, mut log) = (Engine(1), [5.0]);
    let (value, x_adj) = noisy::value_and_gradient(&mut engine, &mut log, 2.0);
    assert_eq!((value, x_adj), (log[0], log[0] / 2.0));
    let (mut again, mut log) = (Engine(1), [5.0]);
    assert_eq!(noisy(&mut again, &mut log, 2.0), value);
    assert_eq!(again.0, engine.0, "it ran once");
    let (value, pullback) = noisy::vjp(Restored, &mut again, &mut log, 2.0);
    assert_eq!(log, [value]);
    let before = [x_adj * 2.0];
    pullback(&mut again, &mut log, 1.0);
    assert_eq!(log, before, "from before the call");
}
