//! What functions with a rule may return, and where they may be called.

use ad_runtime::{Differentiable, custom_rule, differentiate};
use ad_tests::check::{assert_exact, assert_gradient, sample};
use std::sync::Arc;

trait Transform {
    fn forward(&self, x: &[f64]) -> Vec<f64>;
    fn transposed(&self, y: &[f64]) -> Vec<f64>;
}

/// Running sums: the transposed matrix sums from the other end.
struct Sums;

impl Transform for Sums {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        x.iter()
            .scan(0.0, |sum, v| {
                *sum += v;
                Some(*sum)
            })
            .collect()
    }

    fn transposed(&self, y: &[f64]) -> Vec<f64> {
        let reversed: Vec<f64> = y.iter().rev().copied().collect();
        self.forward(&reversed).into_iter().rev().collect()
    }
}

#[custom_rule(vjp = transformed_rule)]
fn transformed(#[constant] plan: &dyn Transform, x: &[f64]) -> Vec<f64> {
    plan.forward(x)
}

fn transformed_rule(
    plan: &dyn Transform,
    x: &[f64],
) -> (Vec<f64>, impl FnOnce(&dyn Transform, &[f64], &mut [f64], Vec<f64>) + use<>) {
    let pullback = |plan: &dyn Transform, _: &[f64], x_adj: &mut [f64], seed: Vec<f64>| {
        x_adj.iter_mut().zip(plan.transposed(&seed)).for_each(|(adj, part)| *adj += part);
    };
    (plan.forward(x), pullback)
}

#[custom_rule(vjp = shared_rule)]
fn shared(#[constant] plan: &Arc<dyn Transform>, x: Vec<f64>) -> Vec<f64> {
    plan.forward(&x)
}

fn shared_rule(
    plan: &Arc<dyn Transform>,
    x: Vec<f64>,
) -> (Vec<f64>, impl FnOnce(&Arc<dyn Transform>, Vec<f64>) -> Vec<f64> + use<>) {
    (plan.forward(&x), |plan: &Arc<dyn Transform>, seed: Vec<f64>| plan.transposed(&seed))
}

#[differentiate(reverse)]
fn spectrum(#[constant] plan: &dyn Transform, x: &[f64], times: usize) -> f64 {
    let mut state = x.to_vec();
    for _ in 0..times {
        let next = transformed(plan, &state);
        for k in 0..state.len() {
            state[k] = next[k] * next[k] * 0.5;
        }
    }
    state.iter().sum()
}

#[differentiate(reverse)]
fn chained(#[constant] plan: &Arc<dyn Transform>, x: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let once = shared(plan, squares);
    let twice = shared(plan, once);
    twice[twice.len() - 1]
}

#[test]
fn vectors_of_plans_behind_trait_objects() {
    let at = sample(4, 0.8);
    for times in 0..3 {
        let gradient = spectrum::gradient(&Sums, &at, times);
        assert_gradient("spectrum", |x| spectrum(&Sums, x, times), &at, &gradient);
    }
    let plan: Arc<dyn Transform> = Arc::new(Sums);
    let gradient = chained::gradient(&plan, &at);
    let by_hand: Vec<f64> = at.iter().zip([4.0, 3.0, 2.0, 1.0]).map(|(v, n)| 2.0 * n * v).collect();
    assert_exact("chained", &gradient, &by_hand);
}

/// The result may be missing.
#[custom_rule(vjp = checked_root_rule)]
fn checked_root(x: f64) -> Option<f64> {
    (x >= 0.0).then(|| x.sqrt())
}

fn checked_root_rule(x: f64) -> (Option<f64>, impl FnOnce(Option<f64>) -> f64 + use<>) {
    let value = checked_root(x);
    (value, move |seed: Option<f64>| match (value, seed) {
        (Some(value), Some(seed)) => 0.5 * seed / value,
        _ => 0.0,
    })
}

#[differentiate(reverse)]
fn distance(x: f64, y: f64) -> Option<f64> {
    let side = checked_root(x)?;
    if side > 2.0 {
        return Some(side * y);
    }
    Some(side + checked_root(y)?)
}

#[test]
fn options_and_early_exits() {
    assert_eq!(checked_root::gradient(4.0), Some(0.25));
    assert_eq!(checked_root::gradient(-1.0), None);
    assert_eq!(distance::gradient(4.0, 16.0), Some((0.25, 0.125)));
    assert_eq!(distance::gradient(16.0, 3.0), Some((0.125 * 3.0, 4.0)));
    assert_eq!(distance::gradient(4.0, -1.0), None);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    position: [f64; 2],
    masses: Vec<f64>,
}

/// A struct comes and goes.
#[custom_rule(vjp = moved_rule)]
fn moved(body: Body, by: f64) -> Body {
    let Body { position: [x, y], masses } = body;
    Body { position: [x + by, y * by], masses }
}

fn moved_rule(body: Body, by: f64) -> (Body, impl FnOnce(Body) -> (Body, f64) + use<>) {
    let [_, y] = body.position;
    let pullback = move |mut seed: Body| {
        let [x_adj, y_adj] = seed.position;
        seed.position[1] *= by;
        (seed, x_adj + y * y_adj)
    };
    (moved(body, by), pullback)
}

#[differentiate(reverse)]
fn ends(body: &Body, by: f64) -> f64 {
    let mut own = body.clone();
    for _ in 0..2 {
        own = moved(own, by);
    }
    own.position[0] * own.position[1] * own.masses[1]
}

#[test]
fn structs_by_value() {
    let at = [0.7, -1.3, 2.0, 0.9, 0.6];
    let body = |v: &[f64]| Body { position: [v[0], v[1]], masses: vec![v[2], v[3]] };
    let (adj, by_adj) = ends::gradient(&body(&at), at[4]);
    let gradient = [&adj.position[..], &adj.masses, &[by_adj]].concat();
    assert_gradient("ends", |v| ends(&body(v), v[4]), &at, &gradient);
}

/// Called by itself, and in a branch that a call decides.
#[custom_rule(vjp = halved_rule)]
fn halved(x: f64) -> f64 {
    if x > 1.0 { halved(x / 2.0) } else { x }
}

fn halved_rule(x: f64) -> (f64, Box<dyn FnOnce(f64) -> f64>) {
    if x <= 1.0 {
        return (x, Box::new(|seed| seed));
    }
    let (value, pullback) = halved::vjp(ad_runtime::Unspecified, x / 2.0);
    (value, Box::new(move |seed| pullback(seed) / 2.0))
}

#[differentiate(reverse)]
fn folded(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += match halved(*v) {
            small if small < 0.6 => small * v,
            large => halved(large * v * 3.0),
        };
    }
    sum
}

#[test]
fn recursion_and_branches() {
    let at = [0.3, 0.9, 2.2, 7.3];
    assert_gradient("folded", folded, &at, &folded::gradient(&at));
    assert_eq!(halved::gradient(7.0), 0.125);
}
