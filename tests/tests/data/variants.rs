//! Alternatives that are told apart by values, and variants that are replaced in place.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::sample;
use num_dual::DualNum;

#[derive(Differentiable, Clone, Copy, Debug)]
enum Term {
    Pair(f64, f64),
    Power(i32, f64, f64),
    Nothing,
}

/// The adjoint of 0.5 is another number.
#[differentiate(reverse, forward, second_order, cross_check)]
fn picked(term: &Term, w: f64) -> f64 {
    match term {
        Term::Pair(0.5, x) | Term::Pair(x, _) => x * x * w,
        Term::Power(1 | 2, x, _) | Term::Power(_, _, x) if *x > -0.3 => x * w * w,
        Term::Power(0..=5, x, y) => x * y,
        _ => w,
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sum_of_picked(v: &[f64]) -> f64 {
    picked(&Term::Pair(0.5, v[0]), v[1])
        + 2.0 * picked(&Term::Pair(v[2], v[0]), v[1])
        + 3.0 * picked(&Term::Power(1, v[0], v[1]), v[2])
        + 5.0 * picked(&Term::Power(3, v[0], v[1]), v[2])
}

fn sum_of_picked_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let pairs = v[0] * v[0] * v[1] + v[2] * v[2] * v[1] * 2.0;
    let first = if v[0].re() > -0.3 {
        v[0] * v[2] * v[2]
    } else if v[1].re() > -0.3 {
        v[1] * v[2] * v[2]
    } else {
        v[0] * v[1]
    };
    let second = if v[1].re() > -0.3 { v[1] * v[2] * v[2] } else { v[0] * v[1] };
    pairs + first * 3.0 + second * 5.0
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// Each term has one number that grows; a pair times `w`, a power times `1 + w`.
fn grown_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut pairs = [v[0], v[2]];
    let mut powers = [v[0], v[1]];
    let mut last: Option<D> = None;
    let mut sum = D::from(0.0);
    for x in v {
        for pair in &mut pairs {
            let sine = sum.sin();
            *pair *= *x;
            let first = *pair;
            *pair *= sum * 0.1;
            sum += first * sine + *pair + *x;
        }
        for power in &mut powers {
            let sine = sum.sin();
            *power *= *x + 1.0;
            let first = *power * *x;
            let tenth = sum * 0.1;
            *power *= tenth + 1.0;
            sum += first * sine + *power * tenth + *x;
        }
        let first = last.map_or(*x, |pair| pair * *x);
        let second = first * sum * 0.1;
        last = Some(second);
        sum += first * sum.sin() + second + *x;
    }
    sum
}

#[test]
fn alternatives_told_apart_by_values() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(3, shift);
        let (value, adj) = sum_of_picked::value_and_gradient(&at);
        check_both("sum_of_picked", sum_of_picked, sum_of_picked_twin, &at, value, &adj);
        let (value, adj) = grown::value_and_gradient(&at);
        check_both("grown", grown, grown_twin, &at, value, &adj);
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum State {
    Rising(f64),
    Falling(f64),
    Resting,
    Waiting { level: f64 },
}

#[differentiate(reverse, forward, second_order, cross_check)]
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

/// Kinds 0 to 3: rising, falling, resting, waiting.
fn simulated_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let zero = D::from(0.0);
    let mut states = [(0, v[0]), (2, zero), (1, v[1])];
    let mut sum = zero;
    for x in v {
        for (kind, k) in &mut states {
            match *kind {
                0 => {
                    *k += *x;
                    if k.re() > 0.5 {
                        (*kind, *k) = (1, sum * *x);
                    }
                }
                1 => {
                    sum += *k;
                    *k *= *x;
                }
                2 => (*kind, *k) = (3, *x),
                _ => {
                    sum -= *k;
                    (*kind, *k) = (0, *k * *x);
                }
            }
        }
        states = [states[2], states[0], states[2]];
    }
    sum
}

#[test]
fn variants_replaced_in_the_arm_that_matched_them() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(5, shift);
        let (value, adj) = simulated::value_and_gradient(&at);
        check_both("simulated", simulated, simulated_twin, &at, value, &adj);
    }
}
