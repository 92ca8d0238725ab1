//! Alternatives that are told apart by values, and variants that are replaced in place.

use crate::check;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::sample;

#[derive(Differentiable, Clone, Copy, Debug)]
enum Term {
    Pair(f64, f64),
    Power(i32, f64, f64),
    Nothing,
}

/// The adjoint of 0.5 is another number.
#[differentiate(reverse)]
fn picked(term: &Term, w: f64) -> f64 {
    match term {
        Term::Pair(0.5, x) | Term::Pair(x, _) => x * x * w,
        Term::Power(1 | 2, x, _) | Term::Power(_, _, x) if *x > -0.3 => x * w * w,
        Term::Power(0..=5, x, y) => x * y,
        _ => w,
    }
}

#[differentiate(reverse)]
fn sum_of_picked(v: &[f64]) -> f64 {
    picked(&Term::Pair(0.5, v[0]), v[1])
        + 2.0 * picked(&Term::Pair(v[2], v[0]), v[1])
        + 3.0 * picked(&Term::Power(1, v[0], v[1]), v[2])
        + 5.0 * picked(&Term::Power(3, v[0], v[1]), v[2])
}

#[differentiate(reverse)]
fn grow(term: &mut Term, w: f64) -> f64 {
    match term {
        Term::Pair(0.5, x) | Term::Pair(x, _) => {
            *x *= w;
            *x
        }
        Term::Power(1, x, _) | Term::Power(_, _, x) => {
            *x += w * *x;
            *x * w
        }
        whole @ Term::Nothing => {
            *whole = Term::Pair(w, w);
            w
        }
    }
}

#[differentiate(reverse)]
fn grown(v: &[f64]) -> f64 {
    let mut terms = [
        Term::Pair(0.5, v[0]),
        Term::Pair(v[2], v[0]),
        Term::Power(1, v[0], v[1]),
        Term::Power(3, v[0], v[1]),
        Term::Nothing,
    ];
    let mut sum: f64 = 0.0;
    for x in v {
        for term in terms.iter_mut() {
            sum += grow(term, *x) * sum.sin() + grow(term, sum * 0.1) + x;
        }
    }
    sum
}

#[test]
fn alternatives_told_apart_by_values() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(3, shift);
        let (value, adj) = sum_of_picked::value_and_gradient(&at);
        check("sum_of_picked", sum_of_picked, &at, value, &adj);
        let (value, adj) = grown::value_and_gradient(&at);
        check("grown", grown, &at, value, &adj);
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum State {
    Rising(f64),
    Falling(f64),
    Resting,
    Waiting { level: f64 },
}

#[differentiate(reverse)]
fn simulated(v: &[f64]) -> f64 {
    let mut states = [State::Rising(v[0]), State::Resting, State::Falling(v[1])];
    let mut sum = 0.0;
    for x in v {
        for state in states.iter_mut() {
            match state {
                State::Rising(k) => {
                    *k += x;
                    if *k > 0.5 {
                        *state = State::Falling(sum * x);
                    }
                }
                State::Falling(k) => {
                    sum += *k;
                    *k *= x;
                }
                other @ State::Resting => *other = State::Waiting { level: *x },
                State::Waiting { level } => {
                    sum -= *level;
                    let kept = *level;
                    *state = State::Rising(kept * x);
                }
            }
        }
        let last = states[2];
        states[1] = last;
        states.swap(0, 1);
    }
    sum
}

#[test]
fn variants_replaced_in_the_arm_that_matched_them() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(5, shift);
        let (value, adj) = simulated::value_and_gradient(&at);
        check("simulated", simulated, &at, value, &adj);
    }
}
