//! Which parameters are active, and the name of the companion.

use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted(x: &[f64], #[constant] weights: &[f64], #[constant] power: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += weights[i] * x[i].powf(power);
    }
    s
}

#[test]
fn constant_parameters_have_no_adjoint() {
    let (x, w, p) = ([1.5_f64, 0.5], [2.0, -1.0], 2.5);
    let mut x_adj = [0.0; 2];
    let value: f64 = weighted::adjoint(&x, &mut x_adj, &w, p, 1.0);
    assert_exact("value", &[value], &[weighted(&x, &w, p)]);
    let want = [0, 1].map(|i| w[i] * p * x[i].powf(p - 1.0));
    assert_exact("adjoint", &x_adj, &want);
    let gradient: Vec<f64> = weighted::gradient(&x, &w, p);
    assert_exact("gradient", &gradient, &want);
}

/// A buffer of data that is constant and overwritten.
#[differentiate(reverse, forward, second_order, cross_check)]
fn with_scratch(x: f64, #[constant] scratch: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..scratch.len() {
        scratch[k] = k as f64 + 1.0;
        s += scratch[k] * x * x;
    }
    s
}

#[test]
fn a_constant_buffer_may_be_written() {
    let mut scratch = [0.0; 3];
    let (value, x_adj) = with_scratch::adjoint(2.0, &mut scratch, 1.0);
    assert_eq!((value, x_adj), (24.0, 24.0));
    assert_eq!(scratch, [1.0, 2.0, 3.0]);
}

#[differentiate(reverse, forward, cross_check, wrt(b))]
fn line(a: f64, b: f64, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += (a + b * v).powi(2);
    }
    s
}

#[test]
fn one_parameter_only() {
    let (a, b, x) = (0.5, 2.0, [1.0, 3.0]);
    let (value, b_adj): (f64, f64) = line::adjoint(a, b, &x, 1.0);
    assert_exact("value", &[value], &[line(a, b, &x)]);
    let want = 2.0 * (a + b * x[0]) * x[0] + 2.0 * (a + b * x[1]) * x[1];
    assert_exact("adjoint", &[b_adj], &[want]);
    assert_exact("gradient", &[line::gradient(a, b, &x)], &[want]);
}

#[differentiate(reverse, forward, cross_check, wrt(x, a))]
fn parabola(a: f64, b: f64, x: &[f64]) -> f64 {
    let mut s = b;
    for v in x {
        s += a * v * v;
    }
    s
}

#[test]
fn listed_parameters_keep_the_order_of_the_signature() {
    let (a_adj, x_adj): (f64, Vec<f64>) = parabola::gradient(2.0, 7.0, &[1.0, 3.0]);
    assert_eq!((a_adj, x_adj), (10.0, vec![4.0, 12.0]));
}

/// A module may have the name of the function, so the companion gets another.
mod loss {
    pub const SCALE: f64 = 3.0;
}

#[differentiate(reverse, forward, cross_check, name = Loss)]
fn loss(x: f64) -> f64 {
    loss::SCALE * x * x
}

#[test]
fn another_name_for_the_companion() {
    assert_eq!(Loss::adjoint(2.0, 1.0), (loss(2.0), 12.0));
    assert_eq!(Loss::gradient(2.0), 12.0);
}

/// Types without a derivative are constant by themselves.
#[differentiate(reverse, forward, second_order, cross_check)]
fn selected(x: &[f64], which: &[usize], keep: bool, mode: char, label: &str, k: i32) -> f64 {
    let mut s = 0.0;
    for &i in which {
        s += x[i].powi(k);
    }
    if keep && mode == 'k' && !label.is_empty() {
        s *= x[0];
    }
    s
}

#[test]
fn integers_and_text_are_constant() {
    let x = [2.0, 3.0];
    let mut x_adj = [0.0; 2];
    let value = selected::adjoint(&x, &mut x_adj, &[1, 1], true, 'k', "label", 2, 1.0);
    assert_eq!((value, x_adj), (36.0, [18.0, 24.0]));
    assert_eq!(selected::gradient(&x, &[0], false, 'k', "", 3), vec![12.0, 0.0]);
}

/// An enum without data is constant if it is marked.
#[derive(Clone, Copy)]
enum Boundary {
    Open,
    Closed,
    Periodic,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn flux(u: &[f64; 3], #[constant] boundary: Boundary) -> f64 {
    let outside = match boundary {
        Boundary::Open => 0.0,
        Boundary::Closed => u[2],
        Boundary::Periodic => u[0],
    };
    u[2] * outside + u[1] * u[1]
}

#[test]
fn an_enum_as_a_constant() {
    let u = [2.0, 3.0, 5.0];
    for (boundary, want) in [
        (Boundary::Open, [0.0, 6.0, 0.0]),
        (Boundary::Closed, [0.0, 6.0, 10.0]),
        (Boundary::Periodic, [5.0, 6.0, 2.0]),
    ] {
        let (value, u_adj) = flux::value_and_gradient(&u, boundary);
        assert_eq!((value, u_adj), (flux(&u, boundary), want));
    }
}
