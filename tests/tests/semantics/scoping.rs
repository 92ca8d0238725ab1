//! Names: a shadowing `let x = x * x` makes a new variable, an assignment kills the old value of the same one.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_twice(x: f64) -> f64 {
    let x = x * x;
    let x = x * x;
    x.sin()
}

#[test]
fn shadowing_twice() {
    let x = 0.9_f64;
    check(shadowed_twice, x, shadowed_twice::adjoint(x, 1.0), x.powi(4).cos() * 4.0 * x.powi(3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_inside(x: f64) -> f64 {
    let y = {
        let x = x * x;
        x * 3.0
    };
    y * x
}

#[test]
fn shadowing_in_an_inner_block_ends_with_it() {
    let x = 1.3;
    check(shadowed_inside, x, shadowed_inside::adjoint(x, 1.0), 9.0 * x * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_parameter(x: f64) -> f64 {
    let a = x * x;
    let x = a + 1.0;
    a * x
}

#[test]
fn shadowing_a_parameter_between_its_uses() {
    let x = 1.1_f64;
    check(shadowed_parameter, x, shadowed_parameter::adjoint(x, 1.0), 4.0 * x.powi(3) + 2.0 * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_in_loop(x: f64) -> f64 {
    let mut total = 0.0;
    let y = x;
    for k in 1..4 {
        let y = y * y * k as f64;
        let y = y + x;
        total += y * y;
    }
    total * y
}

#[test]
fn shadowing_in_a_loop_body_starts_anew_in_each_trip() {
    let x = 0.7;
    let (mut total, mut slope) = (0.0, 0.0);
    for k in [1.0, 2.0, 3.0] {
        let y = k * x * x + x;
        total += y * y;
        slope += 2.0 * y * (2.0 * k * x + 1.0);
    }
    check(shadowed_in_loop, x, shadowed_in_loop::adjoint(x, 1.0), total + x * slope);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_in_arm(x: f64, n: usize) -> f64 {
    let y = match n {
        0 => x,
        1 => {
            let x = x * x;
            x + 1.0
        }
        n => {
            let x = x * n as f64;
            let x = x * x;
            x
        }
    };
    y + x
}

#[test]
fn shadowing_in_a_match_arm() {
    let x = 1.7;
    for (n, want) in [(0, 2.0), (1, 2.0 * x + 1.0), (3, 18.0 * x + 1.0)] {
        check(|x| shadowed_in_arm(x, n), x, shadowed_in_arm::adjoint(x, n, 1.0), want);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn shadowed_by_another_type(x: f64) -> f64 {
    let k = 2;
    let y = x * k as f64;
    let k = y * y;
    let x = [x, 3.0 * x];
    let x = x[0] * x[1];
    x + k
}

#[test]
fn shadowing_by_a_variable_of_another_type() {
    let x = 0.8;
    check(
        shadowed_by_another_type,
        x,
        shadowed_by_another_type::adjoint(x, 1.0),
        6.0 * x + 8.0 * x,
    );
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn overwritten_after_use(x: f64) -> f64 {
    let mut y = x * x;
    let z = y.sin();
    y = 3.0;
    z * y
}

#[test]
fn a_value_overwritten_after_use() {
    let x = 0.6;
    check(
        overwritten_after_use,
        x,
        overwritten_after_use::adjoint(x, 1.0),
        3.0 * (x * x).cos() * 2.0 * x,
    );
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn parameter_overwritten(mut x: f64) -> f64 {
    let a = x.exp();
    x = x + 1.0;
    let b = a * x;
    x = 0.5;
    b + x * a
}

#[test]
fn a_parameter_overwritten_twice() {
    let x = 0.4_f64;
    let want = x.exp() * (x + 2.0) + 0.5 * x.exp();
    check(parameter_overwritten, x, parameter_overwritten::adjoint(x, 1.0), want);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn assigned_from_itself(x: f64) -> f64 {
    let mut y = x;
    y = y * y;
    y = y * y + y;
    y
}

#[test]
fn a_variable_assigned_from_itself() {
    let x = 1.2_f64;
    check(
        assigned_from_itself,
        x,
        assigned_from_itself::adjoint(x, 1.0),
        4.0 * x.powi(3) + 2.0 * x,
    );
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn copied(x: f64) -> f64 {
    let mut a = x;
    let b = a;
    a *= a;
    let c = a;
    a = b;
    a * b * c
}

#[test]
fn copies_keep_the_value_of_their_time() {
    let x = 1.4_f64;
    check(copied, x, copied::adjoint(x, 1.0), 4.0 * x.powi(3));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn copied_array(x: f64) -> f64 {
    let mut a = [x, x * x];
    let b = a;
    a[0] = a[1] * x;
    a[1] = 2.0;
    a[0] * b[0] + a[1] * b[1]
}

#[test]
fn an_array_is_copied_when_assigned() {
    let x = 0.9_f64;
    // x³ x + 2 x²
    check(copied_array, x, copied_array::adjoint(x, 1.0), 4.0 * x.powi(3) + 4.0 * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn block_value(x: f64) -> f64 {
    let mut y = x;
    let z = {
        y *= 2.0;
        y * y
    } + y;
    z * y
}

#[test]
fn a_block_with_effects_as_an_operand() {
    let x = 0.7;
    // (4x² + 2x) 2x
    check(block_value, x, block_value::adjoint(x, 1.0), 24.0 * x * x + 8.0 * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn exchanged(x: f64, n: usize) -> f64 {
    let (mut a, mut b) = (x, x * x);
    for _ in 0..n {
        (a, b) = (b, a * b);
    }
    a + 2.0 * b
}

#[test]
fn a_tuple_of_variables_is_assigned_at_once() {
    // Exponents 1, 2, 3, 5, 8: Fibonacci numbers.
    let x = 1.1_f64;
    check(|x| exchanged(x, 0), x, exchanged::adjoint(x, 0, 1.0), 1.0 + 4.0 * x);
    let want = 5.0 * x.powi(4) + 2.0 * 8.0 * x.powi(7);
    check(|x| exchanged(x, 3), x, exchanged::adjoint(x, 3, 1.0), want);
}
