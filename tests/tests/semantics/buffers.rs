//! References: adjoints behind `&` are added to; behind `&mut` they turn from that of the value left into that of the
//! value found; the primal outputs stay as the function left them.

use crate::dot;
use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, assert_gradient};

#[differentiate(reverse, forward, second_order, cross_check)]
fn square_into(x: f64, out: &mut [f64]) {
    out[0] = x * x;
}

#[test]
fn the_adjoint_of_an_overwritten_output_becomes_zero() {
    let (mut out, mut out_adj) = ([9.0, 8.0], [3.0, 5.0]);
    let x_adj = square_into::adjoint(1.5, &mut out, &mut out_adj);
    assert_eq!(x_adj, 2.0 * 1.5 * 3.0);
    assert_eq!(out, [1.5 * 1.5, 8.0]);
    assert_eq!(out_adj, [0.0, 5.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn add_into(x: f64, out: &mut [f64]) {
    out[0] += x * x;
    out[1] *= x;
}

#[test]
fn adjoints_of_updated_outputs() {
    let (mut out, mut out_adj) = ([9.0, 8.0], [3.0, 5.0]);
    let x_adj = add_into::adjoint(1.5, &mut out, &mut out_adj);
    assert_eq!(x_adj, 2.0 * 1.5 * 3.0 + 8.0 * 5.0);
    assert_eq!(out, [9.0 + 1.5 * 1.5, 8.0 * 1.5]);
    assert_eq!(out_adj, [3.0, 5.0 * 1.5]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sum_of_squares(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    s
}

#[test]
fn adjoints_behind_shared_references_are_added_to() {
    let x = [1.0, -2.0];
    let mut x_adj = [10.0, 20.0];
    let value = sum_of_squares::adjoint(&x, &mut x_adj, 1.0);
    assert_eq!((value, x_adj), (5.0, [12.0, 16.0]));
    sum_of_squares::adjoint(&x, &mut x_adj, -1.0);
    assert_eq!(x_adj, [10.0, 20.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scale_one(x: &mut f64, y: &f64) {
    *x = *x * *x * *y;
}

#[test]
fn references_to_one_number() {
    let (mut x, mut x_adj, mut y_adj) = (3.0, 2.0, 100.0);
    scale_one::adjoint(&mut x, &mut x_adj, &0.5, &mut y_adj);
    assert_eq!((x, x_adj, y_adj), (4.5, 2.0 * 2.0 * 3.0 * 0.5, 100.0 + 2.0 * 9.0));
}

/// Overwrites in place what the reverse sweep must know.
#[differentiate(reverse, forward, second_order, cross_check)]
fn relax(u: &mut [f64], c: f64) {
    for _ in 0..3 {
        for i in 0..u.len() {
            u[i] = u[i] * u[i] + c * u[i];
        }
    }
}

#[test]
fn outputs_are_intact_though_the_sweep_restores() {
    let (before, c, weights) = ([0.3, -0.4, 0.5], 0.7, [1.0, 2.0, -1.0]);
    let mut expected = before;
    relax(&mut expected, c);
    let (mut u, mut u_adj) = (before, weights);
    let c_adj = relax::adjoint(&mut u, &mut u_adj, c);
    assert_eq!(u, expected);
    let f = |v: &[f64]| {
        let mut u = [v[0], v[1], v[2]];
        relax(&mut u, v[3]);
        dot(&u, &weights)
    };
    let gradient = [u_adj[0], u_adj[1], u_adj[2], c_adj];
    assert_gradient("relax", f, &[before[0], before[1], before[2], c], &gradient);
}

/// The buffers trade places, an odd or even number of times.
#[differentiate(reverse, forward, second_order, cross_check)]
fn sweep(u: &mut Vec<f64>, work: &mut Vec<f64>, steps: usize) {
    for _ in 0..steps {
        work[0] = u[0];
        for i in 1..u.len() {
            work[i] = u[i] - u[i] * u[i - 1];
        }
        std::mem::swap(u, work);
    }
}

#[test]
fn outputs_are_intact_after_swaps() {
    for steps in 0..4 {
        let (u0, w0) = (vec![0.3, -0.4, 0.5], vec![1.0, 2.0, 3.0]);
        let (mut expected_u, mut expected_w) = (u0.clone(), w0.clone());
        sweep(&mut expected_u, &mut expected_w, steps);
        let (mut u, mut work) = (u0.clone(), w0.clone());
        let (mut u_adj, mut work_adj) = (vec![1.0, -2.0, 3.0], vec![0.5, 0.25, -1.0]);
        sweep::adjoint(&mut u, &mut u_adj, &mut work, &mut work_adj, steps);
        assert_eq!((&u, &work), (&expected_u, &expected_w));
        let f = |v: &[f64]| {
            let (mut u, mut work) = (v[..3].to_vec(), v[3..].to_vec());
            sweep(&mut u, &mut work, steps);
            dot(&u, &[1.0, -2.0, 3.0]) + dot(&work, &[0.5, 0.25, -1.0])
        };
        assert_gradient("sweep", f, &[u0, w0].concat(), &[u_adj, work_adj].concat());
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn step_and_energy(u: &mut [f64; 2], h: f64) -> f64 {
    let before = u[0] * u[0];
    u[0] += h * u[1];
    u[1] -= h * u[0];
    before + u[0] * u[1]
}

#[test]
fn a_result_and_outputs_at_once() {
    let ([p, q], h) = ([0.8, -0.3], 0.1);
    let (mut u, mut u_adj) = ([p, q], [2.0, 3.0]);
    let (value, h_adj) = step_and_energy::adjoint(&mut u, &mut u_adj, h, 0.5);
    // u₀' = p + hq, u₁' = q - h u₀'; the scalar is 2 u₀' + 3 u₁' + (p² + u₀' u₁') / 2
    let (a, b) = (p + h * q, q - h * (p + h * q));
    assert_eq!((value, u), (p * p + a * b, [a, b]));
    let b_adj = 3.0 + 0.5 * a;
    let a_adj = 2.0 + 0.5 * b - h * b_adj;
    assert_exact("u", &u_adj, &[a_adj + 0.5 * 2.0 * p, b_adj + h * a_adj]);
    assert_exact("h", &[h_adj], &[q * a_adj - a * b_adj]);
}

/// Integers behind `&mut` are outputs without an adjoint.
#[differentiate(reverse, forward, second_order, cross_check)]
fn largest_first(x: &mut [f64], rank: &mut [usize], swaps: &mut usize) -> f64 {
    for i in 1..x.len() {
        if x[i] > x[0] {
            x.swap(0, i);
            rank.swap(0, i);
            *swaps += 1;
        }
    }
    x[0] * x[0]
}

#[test]
fn integers_behind_references_are_left_as_the_function_leaves_them() {
    let (mut x, mut x_adj) = ([1.0, 3.0, 2.0, 5.0], [0.0, 10.0, 20.0, 30.0]);
    let (mut rank, mut swaps) = ([0, 1, 2, 3], 7);
    let value = largest_first::adjoint(&mut x, &mut x_adj, &mut rank, &mut swaps, 1.0);
    assert_eq!((value, x), (25.0, [5.0, 1.0, 2.0, 3.0]));
    assert_eq!((rank, swaps), ([3, 0, 2, 1], 9));
    assert_eq!(x_adj, [10.0, 30.0, 20.0, 2.0 * 5.0]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn matrix_square(a: &mut [[f64; 2]; 2]) {
    let b = *a;
    for i in 0..2 {
        for j in 0..2 {
            a[i][j] = b[i][0] * b[0][j] + b[i][1] * b[1][j];
        }
    }
}

#[test]
fn nested_arrays_in_place() {
    let (mut a, mut a_adj) = ([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 0.0]]);
    matrix_square::adjoint(&mut a, &mut a_adj);
    assert_eq!(a, [[7.0, 10.0], [15.0, 22.0]]);
    // (a²)₀₀ = a₀₀² + a₀₁ a₁₀
    assert_eq!(a_adj, [[2.0, 3.0], [2.0, 0.0]]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn reads_then_clears(x: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter_mut() {
        s += v.exp();
        *v = 0.0;
    }
    s
}

#[test]
fn an_output_that_the_function_clears() {
    let (mut x, mut x_adj) = ([0.5_f64, 1.0], [4.0, 4.0]);
    let before = x;
    reads_then_clears::adjoint(&mut x, &mut x_adj, 1.0);
    assert_eq!(x, [0.0, 0.0]);
    assert_exact("x", &x_adj, &[before[0].exp(), before[1].exp()]);
}

/// The message of a panic.
fn panic_of(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(f).expect_err("no panic");
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => payload.downcast_ref::<&str>().expect("a message").to_string(),
    }
}

#[test]
fn lengths_that_disagree_are_named() {
    let message = panic_of(|| {
        let mut short = [0.0; 2];
        sum_of_squares::adjoint(&[1.0, 2.0, 3.0], &mut short, 1.0);
    });
    assert!(message.contains('3') && message.contains('2'), "{message}");
}

#[test]
fn lengths_are_compared_before_anything_is_computed() {
    let mut u = [0.3, -0.4, 0.5];
    let shared = std::panic::AssertUnwindSafe(&mut u);
    let message = panic_of(move || {
        let shared = shared;
        let mut long = [1.0; 4];
        relax::adjoint(shared.0, &mut long, 0.7);
    });
    assert!(message.contains('3') && message.contains('4'), "{message}");
    assert_eq!(u, [0.3, -0.4, 0.5]);
}
