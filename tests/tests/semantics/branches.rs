//! Decisions: the reverse sweep takes the branches that the forward sweep took, whatever became of their conditions.

use crate::{check, check_two};
use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(reverse, forward, second_order, cross_check)]
fn condition_changes(mut x: f64) -> f64 {
    let mut y = x;
    if x > 1.0 {
        y = x * x;
    }
    x = 0.1;
    2.0 * y + x
}

#[test]
fn an_operand_of_a_condition_changes_later() {
    check(condition_changes, 1.5, condition_changes::adjoint(1.5, 1.0), 4.0 * 1.5);
    check(condition_changes, 0.5, condition_changes::adjoint(0.5, 1.0), 2.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn branch_changes_condition(mut x: f64) -> f64 {
    if x > 1.0 {
        x = x * x - 5.0;
    } else {
        x = x + 5.0;
    }
    x * x
}

#[test]
fn a_branch_changes_its_own_condition() {
    let (a, b) = (1.5, 0.5);
    check(
        branch_changes_condition,
        a,
        branch_changes_condition::adjoint(a, 1.0),
        2.0 * (a * a - 5.0) * 2.0 * a,
    );
    check(branch_changes_condition, b, branch_changes_condition::adjoint(b, 1.0), 2.0 * (b + 5.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn while_changes_condition(x: f64) -> f64 {
    let mut t = x;
    let mut s = 0.0;
    while t < 10.0 {
        s += t * t;
        t *= 2.0;
    }
    s + t
}

#[test]
fn the_body_changes_the_variable_of_a_loop_condition() {
    // t = x, 2x, 4x run; t = 8x is left
    check(
        while_changes_condition,
        1.5,
        while_changes_condition::adjoint(1.5, 1.0),
        42.0 * 1.5 + 8.0,
    );
    check(while_changes_condition, 11.0, while_changes_condition::adjoint(11.0, 1.0), 1.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn one_branch_only(x: f64) -> f64 {
    let mut y = 1.0;
    if x > 0.0 {
        y = x.sin();
    }
    y * x
}

#[test]
fn a_variable_assigned_in_one_branch_only() {
    let x = 0.8_f64;
    check(one_branch_only, x, one_branch_only::adjoint(x, 1.0), x.cos() * x + x.sin());
    check(one_branch_only, -x, one_branch_only::adjoint(-x, 1.0), 1.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn flag_changes(x: f64) -> f64 {
    let mut big = x > 1.0;
    let y = if big { x * x } else { x };
    big = !big;
    if big { y * 3.0 } else { y * x }
}

#[test]
fn a_flag_that_is_turned_over() {
    check(flag_changes, 1.5, flag_changes::adjoint(1.5, 1.0), 3.0 * 1.5 * 1.5);
    check(flag_changes, 0.5, flag_changes::adjoint(0.5, 1.0), 3.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scrutinee_changes(x: f64, n: usize) -> f64 {
    let mut k = n;
    let y = match k {
        0 => x,
        1 => x * x,
        _ => x.powi(3),
    };
    k += 1;
    y * k as f64
}

#[test]
fn a_matched_integer_changes_later() {
    let x = 1.2_f64;
    for (n, want) in [(0, 1.0), (1, 4.0 * x), (2, 9.0 * x * x)] {
        check(|x| scrutinee_changes(x, n), x, scrutinee_changes::adjoint(x, n, 1.0), want);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn element_condition_changes(mut a: [f64; 2]) -> f64 {
    if a[0] > a[1] {
        a[0] = a[1] * a[0];
    }
    a[1] = a[1] * a[1];
    a[0] + a[1]
}

#[test]
fn elements_of_a_condition_change_later() {
    let a = [2.0, 1.5];
    let (value, a_adj) = element_condition_changes::adjoint(a, 1.0);
    assert_eq!(value, a[0] * a[1] + a[1] * a[1]);
    assert_exact("swapped", &a_adj, &[a[1], a[0] + 2.0 * a[1]]);
    let a = [1.0, 1.5];
    let (_, a_adj) = element_condition_changes::adjoint(a, 1.0);
    assert_exact("kept", &a_adj, &[1.0, 2.0 * a[1]]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_choices(x: f64, y: f64) -> f64 {
    let mut r = x;
    if x > 0.0 {
        if y > 0.0 {
            r = x * y;
        } else if y > -1.0 {
            r *= y * y;
        }
        r += x;
    } else {
        r = y;
    }
    r * r
}

#[test]
fn nested_branches_with_missing_arms() {
    let at = |x: f64, y: f64, want: (f64, f64)| {
        check_two(nested_choices, (x, y), nested_choices::adjoint(x, y, 1.0), want);
    };
    // r = x y + x
    at(0.7, 1.3, (2.0 * 0.7 * 2.3 * 2.3, 2.0 * (0.7 * 2.3) * 0.7));
    // r = x y² + x
    let (x, y) = (0.7, -0.4);
    let r = x * y * y + x;
    at(x, y, (2.0 * r * (y * y + 1.0), 2.0 * r * 2.0 * x * y));
    // r = 2x
    at(0.7, -2.0, (8.0 * 0.7, 0.0));
    // r = y
    at(-0.7, -2.0, (0.0, -4.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn condition_with_effects(x: f64) -> f64 {
    let mut y = x;
    if {
        y *= x;
        y > 1.0
    } {
        y *= x;
    }
    y
}

#[test]
fn a_condition_that_assigns() {
    check(condition_with_effects, 1.5, condition_with_effects::adjoint(1.5, 1.0), 3.0 * 1.5 * 1.5);
    check(condition_with_effects, 0.5, condition_with_effects::adjoint(0.5, 1.0), 1.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn short_circuit(x: f64, a: &[f64], k: usize) -> f64 {
    if k < a.len() && a[k] > x { a[k] * x } else { x }
}

#[test]
fn lazy_operators_are_not_evaluated_to_the_right() {
    let a = [1.0, 3.0];
    for (k, want, want_a) in [(0, 1.0, [0.0; 2]), (1, 3.0, [0.0, 2.0]), (7, 1.0, [0.0; 2])] {
        let mut a_adj = [0.0; 2];
        let (value, x_adj) = short_circuit::adjoint(2.0, &a, &mut a_adj, k, 1.0);
        assert_exact("value", &[value], &[short_circuit(2.0, &a, k)]);
        assert_eq!((x_adj, a_adj), (want, want_a));
    }
}
