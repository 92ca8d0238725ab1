//! Rules with `vjp = …` on free functions: scalars, shared data, generic ones, data of any type.

use ad_runtime::{Unspecified, custom_rule, differentiate};
use ad_tests::check::{EXACT, assert_dual, assert_exact, assert_gradient, close};
use num_dual::DualNum;
use num_traits::Float;
use std::cell::Cell;
use std::rc::Rc;

#[custom_rule(vjp = dot_rule)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Nobody looks into it: shared memory would be refused.
    let sum = Rc::new(Cell::new(0.0));
    a.iter().zip(b).for_each(|(a, b)| sum.set(sum.get() + a * b));
    sum.get()
}

fn dot_rule(
    a: &[f64],
    b: &[f64],
) -> (f64, impl FnOnce(&[f64], &mut [f64], &[f64], &mut [f64], f64) + use<>) {
    let pullback = |a: &[f64], a_adj: &mut [f64], b: &[f64], b_adj: &mut [f64], seed: f64| {
        a_adj.iter_mut().zip(b).for_each(|(adj, b)| *adj += seed * b);
        b_adj.iter_mut().zip(a).for_each(|(adj, a)| *adj += seed * a);
    };
    (dot(a, b), pullback)
}

#[test]
fn users_call_it_like_any_other() {
    let (a, b) = ([1.0, 2.0], [3.0, -4.0]);
    assert_eq!(dot::value_and_gradient(&a, &b), (-5.0, (vec![3.0, -4.0], vec![1.0, 2.0])));
    assert_eq!(dot::gradient(&a, &b).0, [3.0, -4.0]);
    let (mut a_adj, mut b_adj) = ([100.0; 2], [0.0; 2]);
    assert_eq!(dot::adjoint(&a, &mut a_adj, &b, &mut b_adj, 2.0), -5.0);
    assert_eq!((a_adj, b_adj), ([106.0, 92.0], [2.0, 4.0]));
    assert_eq!(dot::value_and_gradient_into(&a, &mut a_adj, &b, &mut b_adj), -5.0);
    assert_eq!((a_adj, b_adj), (b, a));
    let (value, pullback) = dot::vjp(Unspecified, &a, &b);
    pullback(&a, &mut a_adj, &b, &mut b_adj, value);
    assert_eq!(a_adj, [3.0 - 15.0, -4.0 + 20.0]);
}

#[test]
#[should_panic(expected = "`b_adj` does not have the shape of `b`: 1 elements, not 2")]
fn shapes_are_checked_before_the_rule_runs() {
    dot::adjoint(&[1.0, 2.0], &mut [0.0; 2], &[3.0, 4.0], &mut [0.0], 1.0);
}

#[differentiate(reverse)]
fn square_norm(x: &[f64]) -> f64 {
    dot(x, x)
}

#[test]
fn the_same_data_twice() {
    assert_eq!(square_norm::gradient(&[1.0, -3.0]), [2.0, -6.0]);
}

#[differentiate(reverse)]
fn halves(w: &[f64], k: usize) -> f64 {
    let (first, second) = w.split_at(k);
    dot(&w[..k], &w[k..]) * dot(second, first) + dot(&w[1..], &w[..w.len() - 1])
}

#[test]
fn overlapping_parts_of_one_buffer() {
    let w = [0.7, -1.2, 0.4, 1.9];
    let (value, gradient) = halves::value_and_gradient(&w, 2);
    let halves = w[0] * w[2] + w[1] * w[3];
    let neighbours = w[0] * w[1] + w[1] * w[2] + w[2] * w[3];
    assert_exact("value", &[value], &[halves * halves + neighbours]);
    let by_hand = [
        2.0 * halves * w[2] + w[1],
        2.0 * halves * w[3] + w[0] + w[2],
        2.0 * halves * w[0] + w[1] + w[3],
        2.0 * halves * w[1] + w[2],
    ];
    assert_exact("halves", &gradient, &by_hand);
}

#[differentiate(reverse)]
fn decays(x: &[f64], trips: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..trips {
        let fresh: Vec<f64> = x.iter().map(|v| v / (k + 1) as f64).collect();
        let weights = vec![total; x.len()];
        total += dot(&fresh, x) + dot(&weights, &fresh);
    }
    total
}

#[test]
fn in_a_loop_on_fresh_buffers() {
    let x = [0.3, -0.8, 0.5];
    for trips in [0, 1, 5] {
        let (_, gradient) = decays::value_and_gradient(&x, trips);
        match trips {
            0 => assert_eq!(gradient, [0.0; 3], "no trip, no derivative"),
            _ => assert_gradient("decays", |x| decays(x, trips), &x, &gradient),
        }
    }
}

/// The product of a pair, by value and with the order of its adjoints.
#[custom_rule(vjp = scaled_product_rule)]
fn scaled_product(x: f64, scale: &f64, pair: (f64, f64), powers: [f64; 2]) -> (f64, f64) {
    (x * pair.0 * powers[0], scale * pair.1 * powers[1])
}

type Found = (f64, (f64, f64), [f64; 2]);

fn scaled_product_rule(
    x: f64,
    scale: &f64,
    pair: (f64, f64),
    powers: [f64; 2],
) -> ((f64, f64), impl FnOnce(&f64, &mut f64, (f64, f64)) -> Found + use<>) {
    let pullback = move |scale: &f64, scale_adj: &mut f64, seed: (f64, f64)| {
        *scale_adj += seed.1 * pair.1 * powers[1];
        (
            seed.0 * pair.0 * powers[0],
            (seed.0 * x * powers[0], seed.1 * scale * powers[1]),
            [seed.0 * x * pair.0, seed.1 * scale * pair.1],
        )
    };
    (scaled_product(x, scale, pair, powers), pullback)
}

#[differentiate(reverse)]
fn curve(v: &[f64]) -> f64 {
    let (a, b) = scaled_product(v[0], &v[1], (v[2] * v[0], v[3]), [v[4], v[5]]);
    a.sin() * b + a
}

fn curve_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (a, b) = (v[0] * v[2] * v[0] * v[4], v[1] * v[3] * v[5]);
    a.sin() * b + a
}

#[test]
fn adjoints_of_values_come_in_order() {
    let at = [0.9, -0.4, 1.3, 0.6, -0.7, 2.1];
    let (value, gradient) = curve::value_and_gradient(&at);
    assert_dual("curve", value, curve_twin, &at, &gradient);
    let found = scaled_product::adjoint(2.0, &3.0, &mut 0.0, (5.0, 7.0), [11.0, 13.0], (1.0, 0.0));
    assert_eq!(found, ((110.0, 273.0), 55.0, (22.0, 0.0), [10.0, 0.0]));
}

/// Data of a type without adjoint, and none that could be copied.
struct Plan<'a> {
    order: &'a [usize],
    calls: Cell<usize>,
}

#[custom_rule(vjp = shuffled_rule)]
fn shuffled<'p, const N: usize>(
    #[constant] plan: &Plan<'p>,
    x: [f64; N],
    #[constant] weight: fn(f64) -> f64,
    name: &str,
    skip: usize,
) -> f64 {
    plan.calls.set(plan.calls.get() + name.len());
    plan.order.iter().skip(skip).enumerate().map(|(k, i)| weight(k as f64) * x[*i]).sum()
}

fn shuffled_rule<const N: usize>(
    plan: &Plan<'_>,
    x: [f64; N],
    weight: fn(f64) -> f64,
    name: &str,
    skip: usize,
) -> (f64, impl FnOnce(&Plan<'_>, &str, f64) -> [f64; N] + use<N>) {
    let weights: Vec<f64> = (0..plan.order.len()).map(|k| weight(k as f64)).collect();
    let value = shuffled(plan, x, weight, name, skip);
    let pullback = move |plan: &Plan<'_>, _: &str, seed: f64| {
        let mut x_adj = [0.0; N];
        for (weight, i) in weights.iter().zip(plan.order.iter().skip(skip)) {
            x_adj[*i] += seed * weight;
        }
        x_adj
    };
    (value, pullback)
}

#[differentiate(reverse)]
fn planned(
    #[constant] plan: &Plan<'_>,
    x: &[f64],
    #[constant] weight: fn(f64) -> f64,
    name: &str,
) -> f64 {
    let mut total = 0.0;
    for pair in x.windows(2) {
        let point = [pair[0] * pair[1], pair[0], x[0]];
        total += shuffled(plan, point, weight, name, 1);
    }
    total
}

#[test]
fn plans_names_and_functions_are_data() {
    let (order, x) = ([2, 0, 1, 0], [0.7, -1.1, 0.4]);
    let plan = Plan { order: &order, calls: Cell::new(0) };
    let f = |x: &[f64]| planned(&plan, x, |k| 3.0 + k / 2.0, "it");
    let (value, gradient) = planned::value_and_gradient(&plan, &x, |k| 3.0 + k / 2.0, "it");
    assert_eq!(plan.calls.get(), 4, "the rule ran once for each call");
    assert!(close(value, f(&x), EXACT));
    assert_gradient("planned", f, &x, &gradient);
    assert_eq!(shuffled::gradient(&plan, [1.0, 2.0, 3.0], |k| 10.0 + k, "", 0), [24.0, 12.0, 10.0]);
}

/// A scalar type parameter, in both precisions.
#[custom_rule(vjp = soft_plus_rule)]
fn soft_plus<T: Float>(x: T, sharpness: &T) -> T {
    (x * *sharpness).exp().ln_1p() / *sharpness
}

fn soft_plus_rule<T: Float>(x: T, sharpness: &T) -> (T, impl FnOnce(&T, &mut T, T) -> T + use<T>) {
    let value = soft_plus(x, sharpness);
    let pullback = move |sharpness: &T, sharpness_adj: &mut T, seed: T| {
        let slope = T::one() / (T::one() + (-x * *sharpness).exp());
        *sharpness_adj = *sharpness_adj + seed * (x * slope - value) / *sharpness;
        seed * slope
    };
    (value, pullback)
}

#[differentiate(reverse)]
fn activated<T: Float>(x: &[T], sharpness: T) -> T {
    let mut total = T::zero();
    for v in x {
        total = total + soft_plus(*v, &sharpness) * *v;
    }
    total
}

#[test]
fn generic_functions() {
    let at = [0.4, -1.3, 2.2, 1.7];
    let f = |v: &[f64]| activated(&v[..3], v[3]);
    let (_, (mut gradient, sharpness)) = activated::value_and_gradient(&at[..3], at[3]);
    gradient.push(sharpness);
    assert_gradient("activated", f, &at, &gradient);
    let single = activated::gradient(&[0.4_f32], 1.7).0[0];
    let double = activated::gradient(&[f64::from(0.4_f32)], f64::from(1.7_f32)).0[0];
    assert!((f64::from(single) - double).abs() < 1e-6, "single precision has 7 digits");
}

/// Without a result there is a pullback alone, and a box is as good as any other.
#[custom_rule(vjp = write_cube_rule)]
fn write_cube(x: f64, out: &mut f64) {
    *out = x.powi(3);
}

fn write_cube_rule(x: f64, out: &mut f64) -> Box<dyn FnOnce(&mut f64, &mut f64) -> f64> {
    write_cube(x, out);
    Box::new(move |_, out_adj| 3.0 * x * x * std::mem::take(out_adj))
}

#[test]
fn a_function_without_a_result() {
    let (mut out, mut out_adj) = (5.0, 2.0);
    assert_eq!(write_cube::adjoint(3.0, &mut out, &mut out_adj), 54.0);
    assert_eq!((out, out_adj), (27.0, 0.0));
}

mod inner {
    //! A rule in another module, under a path with arguments, and a companion of another name.

    pub mod powers {
        pub fn rule<const N: usize>(x: [f64; N]) -> (f64, impl FnOnce(f64) -> [f64; N] + use<N>) {
            (x.iter().product(), move |seed| x.map(|v| seed * x.iter().product::<f64>() / v))
        }
    }

    #[ad_runtime::custom_rule(vjp = powers::rule::<N>, name = Product)]
    pub fn product<const N: usize>(x: [f64; N]) -> f64 {
        x.iter().product()
    }
}

#[test]
fn rules_behind_paths() {
    assert_eq!(inner::Product::gradient([2.0, 4.0, 0.5]), [2.0, 1.0, 8.0]);
}
