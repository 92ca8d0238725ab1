//! Structs, vectors and options that a branch gives unless it leaves, and data whose variant changes while a copy of
//! it lives.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::sample;
use num_dual::DualNum;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Gain {
    k: f64,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inverse(x: Gain) -> Option<Gain> {
    if x.k == 0.0 { None } else { Some(Gain { k: 1.0 / x.k }) }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scaled(x: Gain, by: f64) -> f64 {
    x.k * by
}

/// With a type, without one, and handed on without a name.
#[differentiate(reverse, forward, second_order, cross_check)]
fn attempted(x: Gain) -> Option<f64> {
    let y: Gain = inverse(x)?;
    let z = inverse(y)?;
    Some(y.k * x.k * y.k + scaled(z, x.k) + scaled(inverse(z)?, x.k))
}

/// `y` is `1 / x`, `z` is `x`.
fn attempted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0].recip() + v[0] * v[0] + 1.0
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn matched(x: Gain) -> f64 {
    let y: Gain = match inverse(x) {
        Some(y) => y,
        None => return 1.0,
    };
    y.k * x.k * y.k
}

fn matched_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0].recip()
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn chosen(x: Gain) -> f64 {
    let y: Gain = if x.k > 0.0 {
        x
    } else {
        return 2.0 * x.k;
    };
    y.k * x.k * y.k
}

fn chosen_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    if v[0].re() > 0.0 { v[0].powi(3) } else { v[0] + v[0] }
}

#[test]
fn a_struct_from_a_branch_whose_other_branch_returns() {
    for at in [[0.5], [2.0], [-0.7]] {
        let gain = |v: &[f64]| Gain { k: v[0] };
        let (value, adj) = attempted::adjoint(gain(&at), Some(1.0));
        let f = |v: &[f64]| attempted(gain(v)).unwrap();
        check_both("attempted", f, attempted_twin, &at, value.unwrap(), &[adj.k]);
        let (value, adj) = matched::value_and_gradient(gain(&at));
        check_both("matched", |v| matched(gain(v)), matched_twin, &at, value, &[adj.k]);
        let (value, adj) = chosen::value_and_gradient(gain(&at));
        check_both("chosen", |v| chosen(gain(v)), chosen_twin, &at, value, &[adj.k]);
    }
}

/// Arms that give a value, leave, or do either.
#[differentiate(reverse, forward, second_order, cross_check)]
fn mixed(x: Gain, n: usize) -> f64 {
    let mut sum = 0.0;
    for trip in 0..n {
        let y: Gain = match inverse(x) {
            Some(y) if trip % 2 == 0 => {
                if trip > 2 {
                    sum += y.k;
                    break;
                }
                y
            }
            Some(Gain { k }) if trip == 3 => {
                sum *= k;
                continue;
            }
            Some(_) => Gain { k: x.k * x.k },
            None => return 1.0,
        };
        sum += y.k * x.k * y.k;
    }
    sum
}

/// Trips 0 and 2 add `1 / x`, trips 1 and 3 do something else, trip 4 is the last.
fn mixed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], n: usize) -> D {
    let (x, mut sum) = (v[0], D::from(0.0));
    for trip in 0..n.min(5) {
        match trip {
            0 | 2 | 4 => sum += x.recip(),
            1 => sum += x.powi(5),
            _ => sum /= x,
        }
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn lists(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for trip in 0..5 {
        let y: Vec<f64> = if trip == 1 {
            continue;
        } else if trip == 3 {
            if x[0] > 100.0 {
                return product;
            }
            vec![x[0]; trip]
        } else {
            x.iter().map(|v| v * v).collect()
        };
        product *= y.iter().sum::<f64>();
    }
    product
}

fn lists_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    (x[0] * x[0] + x[1] * x[1]).powi(3) * x[0] * 3.0
}

#[test]
fn branches_in_loops_that_give_a_value_or_leave() {
    for n in 0..6 {
        let gain = |v: &[f64]| Gain { k: v[0] };
        let (value, adj) = mixed::value_and_gradient(gain(&[0.7]), n);
        match n {
            0 => assert_eq!((value, adj.k), (0.0, 0.0)),
            _ => {
                let f = |v: &[f64]| mixed(gain(v), n);
                check_both("mixed", f, |v| mixed_twin(v, n), &[0.7], value, &[adj.k]);
            }
        }
    }
    let at = [0.7, -0.4];
    let (value, adj) = lists::value_and_gradient(&at);
    check_both("lists", lists, lists_twin, &at, value, &adj);
}

/// The copy has the variant that the variable had.
#[differentiate(reverse, forward, second_order, cross_check)]
fn replaced(x: &[f64]) -> f64 {
    let mut kept = Some(x[0]);
    let mut sum = 0.0;
    for v in x {
        if *v > 0.3 {
            let old = kept;
            kept = None;
            if let Some(old) = old {
                sum -= old * v;
            }
        } else {
            kept = Some(v * 2.0);
        }
    }
    sum
}

fn replaced_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut kept, mut there, mut sum) = (x[0], true, D::from(0.0));
    for v in x {
        if v.re() <= 0.3 {
            (kept, there) = (*v + *v, true);
        } else if there {
            sum -= kept * *v;
            there = false;
        }
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn bound_as_a_whole(x: &[f64]) -> f64 {
    let mut kept = Some(x[0]);
    let mut sum = 0.0;
    for v in x {
        match kept {
            Some(ref mut y) if *v > 0.0 => {
                *y *= v;
                sum += *y;
            }
            Some(ref y) => sum += y * y,
            None => sum -= v,
        }
        match kept {
            whole @ Some(_) if sum > 0.4 => {
                kept = None;
                if let Some(y) = whole {
                    sum -= y;
                }
            }
            Some(y @ -0.5..=0.5) => kept = Some(y + v),
            Some(y) => sum += y,
            None => kept = Some(*v),
        }
    }
    sum
}

fn bound_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut kept, mut there, mut sum) = (x[0], true, D::from(0.0));
    for v in x {
        if !there {
            sum -= *v;
        } else if v.re() > 0.0 {
            kept *= *v;
            sum += kept;
        } else {
            sum += kept * kept;
        }
        if !there {
            (kept, there) = (*v, true);
        } else if sum.re() > 0.4 {
            sum -= kept;
            there = false;
        } else if kept.re().abs() <= 0.5 {
            kept += *v;
        } else {
            sum += kept;
        }
    }
    sum
}

#[derive(Differentiable, Clone, Debug)]
struct Slot {
    current: Option<f64>,
    best: Option<(f64, [f64; 2])>,
    seen: Vec<f64>,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn put(slot: &mut Slot, x: f64) -> Option<f64> {
    let old = slot.current.take();
    slot.current = Some(x);
    if let Some(old) = old {
        slot.best = match slot.best {
            Some((best, pair)) if best > old => Some((best, pair)),
            _ => Some((old, [old * x, x])),
        };
    }
    old
}

/// It begins as data.
#[differentiate(reverse, forward, second_order, cross_check)]
fn best_of(x: &[f64]) -> f64 {
    let mut slot = Slot { current: None, best: None, seen: vec![] };
    let mut last = Some(x[1]);
    let mut sum = 0.0;
    for v in x {
        if let Some(old) = put(&mut slot, *v) {
            sum += old * v;
        }
        if let Some(old) = last.replace(*v) {
            sum += old.sin() * v;
        }
    }
    match slot {
        Slot { best: Some((best, [a, b])), current: Some(current), .. } => {
            sum + best * a * b * current
        }
        _ => sum,
    }
}

/// `old` is the entry in front; the best of them keeps what came behind it.
fn best_of_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let n = x.len();
    let mut sum = x[1].sin() * x[0];
    let mut best = 0;
    for k in 1..n {
        sum += (x[k - 1] + x[k - 1].sin()) * x[k];
        if x[k - 1].re() >= x[best].re() {
            best = k - 1;
        }
    }
    sum + x[best] * x[best] * x[best + 1] * x[best + 1] * x[n - 1]
}

#[test]
fn options_replaced_while_a_copy_lives() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(6, shift);
        let (value, adj) = replaced::value_and_gradient(&at);
        check_both("replaced", replaced, replaced_twin, &at, value, &adj);
        let (value, adj) = bound_as_a_whole::value_and_gradient(&at);
        check_both("bound_as_a_whole", bound_as_a_whole, bound_twin, &at, value, &adj);
        let (value, adj) = best_of::value_and_gradient(&at);
        check_both("best_of", best_of, best_of_twin, &at, value, &adj);
    }
}
