//! Numbers that a loop reads and does not change, and those that it changes in roundabout ways.

use ad_runtime::differentiate;
use ad_tests::check::{check, sample};

/// Compares a function of a slice with differences, at a point of 8 entries.
macro_rules! checked {
    ($($name:ident),*) => {$(
        let at = sample(8, 0.4);
        let (value, gradient) = $name::value_and_gradient(&at);
        check(stringify!($name), |x| $name(x), &at, value, &gradient);
    )*};
}

/// Changed in the outer loop, read in both inner ones.
#[differentiate(reverse, forward, second_order, cross_check)]
fn factor_of_an_inner_loop(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (1.0, 0.0);
    for i in 0..4 {
        for j in 0..3 {
            for k in 0..2 {
                sum += s * s * x[i] * x[j + k];
            }
        }
        s *= 1.0 + x[i] * sum;
    }
    sum * s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn read_in_one_branch(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (x[0], x[1]);
    for i in 0..3 {
        s += x[i] * s;
        for j in 0..4 {
            if (i + j) % 2 == 0 {
                sum += s * sum;
            } else {
                sum += x[j];
            }
        }
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn read_by_the_loop_behind(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x {
        s *= 1.0 + 0.5 * v;
    }
    let mut sum = 0.0;
    let mut k = 0;
    while k < x.len() {
        sum += s * x[k] * x[k] * s;
        k += 1;
    }
    sum
}

#[test]
fn what_a_loop_does_not_change_has_one_value() {
    checked!(factor_of_an_inner_loop, read_in_one_branch, read_by_the_loop_behind);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_by_a_reference(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (1.0, 0.0);
    let r = &mut s;
    for v in x {
        *r += v * *r;
    }
    for v in x {
        sum += s * v;
        let r = &mut s;
        *r += v;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_by_a_closure(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (1.0, 0.0);
    let mut grow = |by: f64| {
        s *= 1.0 + by * s;
        s
    };
    for v in x {
        sum += grow(*v) * v;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn double(s: &mut f64, by: f64) {
    *s *= 2.0 * by;
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_by_a_call(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (1.0, 0.0);
    for v in x {
        sum += s * s * v;
        double(&mut s, *v);
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_by_a_swap(x: &[f64]) -> f64 {
    let (mut s, mut t, mut sum) = (1.0, x[0], 0.0);
    for v in x {
        sum += s * s * v;
        std::mem::swap(&mut s, &mut t);
        t *= v;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn changed_in_the_last_trip(x: &[f64]) -> f64 {
    let (mut s, mut sum) = (1.0, 0.0);
    for (k, v) in x.iter().enumerate() {
        sum += s * v;
        if k == 5 {
            s = *v;
            continue;
        }
        if k > 6 {
            s *= 2.0;
            break;
        }
    }
    sum * s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn new_in_every_trip(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        let mut s = *v;
        for w in x {
            sum += s * w;
        }
        s *= s;
        for w in x {
            sum += s * w * w;
        }
    }
    sum
}

#[test]
fn what_a_loop_changes_has_many_values() {
    checked!(changed_by_a_reference, changed_by_a_closure, changed_by_a_call, changed_by_a_swap);
    checked!(changed_in_the_last_trip, new_in_every_trip);
}

/// An index and a switch that only the outer loop changes.
#[differentiate(reverse, forward, second_order, cross_check)]
fn integers_and_switches(x: &[f64]) -> f64 {
    let (mut at, mut up, mut sum) = (0, true, 1.0);
    for i in 0..4 {
        for v in x {
            if up {
                sum += x[at] * v * sum;
            } else {
                sum -= x[at] * v;
            }
        }
        at = (3 * at + i) % x.len();
        up = !up;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn set_late(x: &[f64]) -> f64 {
    let s;
    if x[0] > 0.0 {
        s = x[1] * x[2];
    } else {
        s = x[3];
    }
    let mut sum = 0.0;
    for v in x {
        sum += s * v * v;
    }
    for _ in 8..x.len() {
        sum *= s;
    }
    sum
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn parameter(mut s: f64, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += s * s * v;
    }
    s = sum;
    for v in x {
        sum += s * s * v;
    }
    sum
}

#[test]
fn integers_late_values_and_parameters_are_numbers_too() {
    checked!(integers_and_switches, set_late);
    let at = sample(9, 0.4);
    let (value, (s_adj, x_adj)) = parameter::value_and_gradient(at[0], &at[1..]);
    let gradient: Vec<f64> = [&[s_adj], &x_adj[..]].concat();
    check("parameter", |v| parameter(v[0], &v[1..]), &at, value, &gradient);
}

/// The adjoint of `x[i]` is a sum over the inner loop, that of `x[0]` one over both.
#[differentiate(reverse, forward, second_order, cross_check)]
fn adds_to_one_place(x: &[f64]) -> f64 {
    let mut y = [0.0; 8];
    for i in 0..4 {
        for j in 0..3 {
            y[i + j] += x[i] * x[j] + x[0] * x[i] * x[0];
        }
    }
    y.iter().map(|v| v * v).sum()
}

/// Sometimes the same element under two names, and added to in branches.
#[differentiate(reverse, forward, second_order, cross_check)]
fn adds_to_overlapping_places(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..4 {
            if x[j] > 0.0 {
                sum += x[i] * x[j] * x[3];
            } else if i > j {
                sum -= x[i] * x[i];
            }
        }
    }
    sum
}

/// The adjoint of `y[i]` is added to and taken in one loop.
#[differentiate(reverse, forward, second_order, cross_check)]
fn adds_to_what_is_taken(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 0..4 {
        let mut k = 0;
        while k < 3 {
            y[i] = y[i] * y[k + i] + x[i];
            y[k] += y[i];
            k += 1;
        }
    }
    y.iter().sum()
}

#[test]
fn a_place_that_a_loop_adds_to_gets_its_sum() {
    checked!(adds_to_one_place, adds_to_overlapping_places, adds_to_what_is_taken);
}

/// No element `x[i]` is read if the loop makes no trip, or takes the other branch.
#[differentiate(reverse, forward, second_order, cross_check)]
fn beyond_the_end(x: &[f64], i: usize, n: usize, wanted: bool) -> f64 {
    let mut sum = 0.0;
    for j in 0..n {
        if wanted {
            sum += x[i] * x[j];
        } else {
            sum += x[j];
        }
    }
    sum
}

#[test]
fn a_place_that_no_trip_came_by_need_not_be_there() {
    assert_eq!(beyond_the_end::gradient(&[2.0, 3.0], 9, 0, true), [0.0, 0.0]);
    assert_eq!(beyond_the_end::gradient(&[2.0, 3.0], 9, 2, false), [1.0, 1.0]);
    assert_eq!(beyond_the_end::gradient(&[2.0, 3.0], 1, 1, true), [3.0, 2.0]);
}

/// In single precision, through a reference and in a tuple.
#[differentiate(reverse, forward, second_order, cross_check)]
fn other_places(scale: &f32, pair: (f32, f32), x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for v in x {
        sum += *scale * pair.1 * v;
    }
    sum
}

#[test]
fn references_and_fields_are_places_too() {
    let (scale_adj, pair_adj, x_adj) = other_places::gradient(&2.0, (7.0, 3.0), &[1.0, 5.0]);
    assert_eq!((scale_adj, pair_adj, x_adj), (18.0, (0.0, 12.0), vec![6.0, 6.0]));
}

/// A sum that is infinite or NaN comes through.
#[differentiate(reverse, forward, second_order, cross_check)]
fn singular(x: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in w {
        sum += x[0].sqrt() * v;
    }
    sum
}

#[test]
fn infinite_parts_are_summed() {
    assert_eq!(singular::gradient(&[0.0], &[1.0, 0.0]).0, [f64::INFINITY]);
    assert_eq!(singular::gradient(&[0.0], &[0.0, 0.0]).0, [0.0]);
    assert!(singular::gradient(&[0.0], &[1.0, -1.0]).0[0].is_nan());
}
