//! Loops: no trips, early ends, labels; the reverse sweep runs exactly the trips that the forward sweep ran.

use crate::check;
use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, assert_gradient};

#[differentiate(reverse, forward, second_order, cross_check)]
fn iterated_sine(x: f64, n: usize) -> f64 {
    let mut y = x * x;
    for _ in 0..n {
        y = y.sin();
    }
    y
}

#[test]
fn a_for_loop_of_no_trips() {
    let x = 0.9;
    check(|x| iterated_sine(x, 0), x, iterated_sine::adjoint(x, 0, 1.0), 2.0 * x);
    let want = (x * x).sin().cos() * (x * x).cos() * 2.0 * x;
    check(|x| iterated_sine(x, 2), x, iterated_sine::adjoint(x, 2, 1.0), want);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn roots_until_small(x: f64) -> f64 {
    let mut y = x * x;
    while y > 100.0 {
        y = y.sqrt();
    }
    y
}

#[test]
fn a_while_loop_of_no_trips() {
    check(roots_until_small, 3.0, roots_until_small::adjoint(3.0, 1.0), 6.0);
    check(roots_until_small, 50.0, roots_until_small::adjoint(50.0, 1.0), 1.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn reversed_and_stepped(x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in (0..n).rev() {
        y = y * x + k as f64;
    }
    for k in (1..n).step_by(3) {
        y *= x + k as f64;
    }
    y
}

#[test]
fn reversed_and_stepped_loops() {
    let x = 0.8;
    check(|x| reversed_and_stepped(x, 0), x, reversed_and_stepped::adjoint(x, 0, 1.0), 1.0);
    // n = 2: k = 1, 0: (x² + 1) x; then k = 1: times x + 1
    let y = (x * x + 1.0) * x;
    let want = (3.0 * x * x + 1.0) * (x + 1.0) + y;
    check(|x| reversed_and_stepped(x, 2), x, reversed_and_stepped::adjoint(x, 2, 1.0), want);
    let (_, x_adj) = reversed_and_stepped::adjoint(x, 9, 1.0);
    assert_gradient("nine", |v| reversed_and_stepped(v[0], 9), &[x], &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn product_of(w: &[f64], x: f64) -> f64 {
    let mut p = x;
    for v in w {
        p *= v;
    }
    for v in w.iter() {
        p += v * x;
    }
    p
}

#[test]
fn a_loop_over_an_empty_slice() {
    let (value, (w_adj, x_adj)) = product_of::value_and_gradient(&[], 3.0);
    assert_eq!((value, w_adj, x_adj), (3.0, vec![], 1.0));
    let (w, x) = ([2.0, -0.5], 3.0);
    let (_, (w_adj, x_adj)) = product_of::value_and_gradient(&w, x);
    assert_exact("two", &w_adj, &[w[1] * x + x, w[0] * x + x]);
    assert_exact("x", &[x_adj], &[w[0] * w[1] + w[0] + w[1]]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sum_above(w: &[f64], x: f64) -> f64 {
    let mut s = x;
    for v in w {
        if *v < x {
            break;
        }
        s += v * s;
    }
    s
}

#[test]
fn a_break_in_the_first_trip() {
    let (value, (w_adj, x_adj)) = sum_above::value_and_gradient(&[1.0, 5.0], 2.0);
    assert_eq!((value, w_adj, x_adj), (2.0, vec![0.0, 0.0], 1.0));
    // One trip, then the break: s = x + 3x.
    let (value, (w_adj, x_adj)) = sum_above::value_and_gradient(&[3.0, 1.0, 5.0], 2.0);
    assert_eq!((value, w_adj, x_adj), (8.0, vec![2.0, 0.0, 0.0], 4.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn labelled(x: f64) -> f64 {
    let mut s = 0.0;
    'rows: for i in 0..3 {
        for j in 0..3 {
            if i * j == 2 {
                break 'rows;
            }
            if j > i {
                continue 'rows;
            }
            s += x.powi(i + j) * x;
        }
    }
    s
}

#[test]
fn labelled_break_and_continue() {
    // (0, 0), then (1, 0), (1, 1), then the break at (1, 2): x + x² + x³
    let x = 1.3;
    check(labelled, x, labelled::adjoint(x, 1.0), 1.0 + 2.0 * x + 3.0 * x * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn even_trips(x: f64) -> f64 {
    let mut s = x;
    for k in 0..4 {
        if k % 2 == 1 {
            continue;
        }
        s = s * s + x;
    }
    s
}

#[test]
fn trips_that_continue() {
    let x = 0.6;
    let s = x * x + x;
    check(even_trips, x, even_trips::adjoint(x, 1.0), 2.0 * s * (2.0 * x + 1.0) + 1.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn returns_from_nested(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..4 {
        for j in 1..4 {
            s += x * (i * j) as f64;
            if s > 10.0 {
                return s * s;
            }
        }
    }
    -s
}

#[test]
fn an_early_return_in_nested_loops() {
    // Products 1, 2, 3, 2, 4: the sum 12x passes 10.
    check(returns_from_nested, 1.0, returns_from_nested::adjoint(1.0, 1.0), 288.0);
    check(returns_from_nested, 0.1, returns_from_nested::adjoint(0.1, 1.0), -36.0);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn loop_until(x: f64) -> f64 {
    let mut y = x;
    let mut n = 0;
    loop {
        if y > 20.0 || n == 5 {
            break;
        }
        y = y * x;
        n += 1;
    }
    y + n as f64
}

#[test]
fn an_endless_loop_with_a_break() {
    check(loop_until, 25.0, loop_until::adjoint(25.0, 1.0), 1.0);
    let x = 3.0_f64; // 3, 9, 27
    check(loop_until, x, loop_until::adjoint(x, 1.0), 3.0 * x * x);
    let x = 1.1_f64;
    check(loop_until, x, loop_until::adjoint(x, 1.0), 6.0 * x.powi(5));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn inner_bounds_vary(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut m = n;
    while m > 0 {
        for k in 0..m {
            y = (y + k as f64 * x).sin() + x;
        }
        m /= 2;
    }
    y
}

#[test]
fn an_inner_loop_whose_bound_changes() {
    for n in [0, 1, 2, 5] {
        let (value, x_adj) = inner_bounds_vary::adjoint(0.7, n, 1.0);
        assert_exact("value", &[value], &[inner_bounds_vary(0.7, n)]);
        assert_gradient("bounds", |v| inner_bounds_vary(v[0], n), &[0.7], &[x_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn bound_changes_in_body(x: f64) -> f64 {
    let mut n = 3;
    let mut y = 1.0;
    for k in 0..n {
        n = 10 * k;
        y *= x;
    }
    y + n as f64
}

#[test]
fn the_bound_of_a_range_is_read_once() {
    let x = 1.7;
    check(bound_changes_in_body, x, bound_changes_in_body::adjoint(x, 1.0), 3.0 * x * x);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn element_in_condition(a: &mut [f64]) -> f64 {
    let mut s = 0.0;
    while a[0] < 5.0 {
        s += a[0] * a[1];
        a[0] += a[1];
    }
    s
}

#[test]
fn a_loop_condition_on_an_element_that_the_body_changes() {
    // a₀ = 1, 3.5, then 6 ends: s = a₀ a₁ + (a₀ + a₁) a₁
    let (mut a, mut a_adj) = ([1.0, 2.5], [0.0, 0.0]);
    let value = element_in_condition::adjoint(&mut a, &mut a_adj, 1.0);
    assert_eq!((value, a), (11.25, [6.0, 2.5]));
    assert_eq!(a_adj, [2.0 * 2.5, 2.0 * 1.0 + 2.0 * 2.5]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn value_of_a_loop(x: f64) -> f64 {
    let mut y = x;
    let found = loop {
        y *= x;
        if y > 10.0 {
            break y * y;
        }
        if y < 0.1 {
            break x;
        }
    };
    found + y
}

#[test]
fn a_break_with_a_value() {
    // x = 2: y = 4, 8, 16; x⁸ + x⁴
    let x = 2.0_f64;
    let want = 8.0 * x.powi(7) + 4.0 * x.powi(3);
    check(value_of_a_loop, x, value_of_a_loop::adjoint(x, 1.0), want);
    // x = 0.3: y = 0.09
    let x = 0.3;
    check(value_of_a_loop, x, value_of_a_loop::adjoint(x, 1.0), 1.0 + 2.0 * x);
}
