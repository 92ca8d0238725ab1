//! Structs, vectors and options that a branch gives unless it leaves, and data whose variant changes while a copy of
//! it lives.

use crate::check;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::sample;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Gain {
    k: f64,
}

#[differentiate(reverse)]
fn inverse(x: Gain) -> Option<Gain> {
    if x.k == 0.0 { None } else { Some(Gain { k: 1.0 / x.k }) }
}

#[differentiate(reverse)]
fn scaled(x: Gain, by: f64) -> f64 {
    x.k * by
}

/// With a type, without one, and handed on without a name.
#[differentiate(reverse)]
fn attempted(x: Gain) -> Option<f64> {
    let y: Gain = inverse(x)?;
    let z = inverse(y)?;
    Some(y.k * x.k * y.k + scaled(z, x.k) + scaled(inverse(z)?, x.k))
}

#[differentiate(reverse)]
fn matched(x: Gain) -> f64 {
    let y: Gain = match inverse(x) {
        Some(y) => y,
        None => return 1.0,
    };
    y.k * x.k * y.k
}

#[differentiate(reverse)]
fn chosen(x: Gain) -> f64 {
    let y: Gain = if x.k > 0.0 {
        x
    } else {
        return 2.0 * x.k;
    };
    y.k * x.k * y.k
}

#[test]
fn a_struct_from_a_branch_whose_other_branch_returns() {
    for at in [[0.5], [2.0], [-0.7]] {
        let gain = |v: &[f64]| Gain { k: v[0] };
        let (value, adj) = attempted::adjoint(gain(&at), Some(1.0));
        check("attempted", |v| attempted(gain(v)).unwrap(), &at, value.unwrap(), &[adj.k]);
        let (value, adj) = matched::value_and_gradient(gain(&at));
        check("matched", |v| matched(gain(v)), &at, value, &[adj.k]);
        let (value, adj) = chosen::value_and_gradient(gain(&at));
        check("chosen", |v| chosen(gain(v)), &at, value, &[adj.k]);
    }
}

/// Arms that give a value, leave, or do either.
#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[test]
fn branches_in_loops_that_give_a_value_or_leave() {
    for n in 0..6 {
        let gain = |v: &[f64]| Gain { k: v[0] };
        let (value, adj) = mixed::value_and_gradient(gain(&[0.7]), n);
        match n {
            0 => assert_eq!((value, adj.k), (0.0, 0.0)),
            _ => check("mixed", |v| mixed(gain(v), n), &[0.7], value, &[adj.k]),
        }
    }
    let at = [0.7, -0.4];
    let (value, adj) = lists::value_and_gradient(&at);
    check("lists", lists, &at, value, &adj);
}

/// The copy has the variant that the variable had.
#[differentiate(reverse)]
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

#[differentiate(reverse)]
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

#[derive(Differentiable, Clone, Debug)]
struct Slot {
    current: Option<f64>,
    best: Option<(f64, [f64; 2])>,
    seen: Vec<f64>,
}

#[differentiate(reverse)]
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
#[differentiate(reverse)]
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

#[test]
fn options_replaced_while_a_copy_lives() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(6, shift);
        let (value, adj) = replaced::value_and_gradient(&at);
        check("replaced", replaced, &at, value, &adj);
        let (value, adj) = bound_as_a_whole::value_and_gradient(&at);
        check("bound_as_a_whole", bound_as_a_whole, &at, value, &adj);
        let (value, adj) = best_of::value_and_gradient(&at);
        check("best_of", best_of, &at, value, &adj);
    }
}
