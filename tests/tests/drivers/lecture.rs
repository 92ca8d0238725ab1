//! The examples of a well-known lecture on automatic differentiation, with the numbers published there.

use ad_runtime::{differentiate, drivers};
use ad_tests::check::assert_exact;

#[differentiate(reverse, forward, second_order)]
fn product_and_sine(x1: f64, x2: f64) -> f64 {
    x1 * x2 + x1.sin()
}

#[test]
fn a_product_and_a_sine() {
    let (x1, x2) = (0.5f64, 2.0f64);
    assert_exact("gradient", &[product_and_sine::gradient(x1, x2).0], &[x2 + x1.cos()]);
    assert_eq!(product_and_sine::tangent(x1, 0.0, x2, 1.0).1, x1);
    assert_eq!(product_and_sine::hessian(x1, x2), [[-x1.sin(), 1.0], [1.0, 0.0]]);
}

#[differentiate(reverse, forward)]
fn newton_root(a: f64) -> f64 {
    let mut x = a;
    while (x * x - a).abs() > 1e-15 * a {
        let next = 0.5 * (x + a / x);
        if next == x {
            break;
        }
        x = next;
    }
    x
}

#[test]
fn newtons_square_root() {
    let published = 0.353_553_390_593_273_73;
    assert_exact("reverse", &[newton_root::gradient(2.0)], &[published]);
    assert_exact("forward", &[newton_root::tangent(2.0, 1.0).1], &[published]);
}

#[differentiate(reverse, forward)]
fn hyperbolic(x1: f64, x2: f64) -> f64 {
    x1.sin() + x1 * x2 + (x1 * x2).sinh()
}

#[test]
fn a_hyperbolic_sine() {
    let published = [26.354_764_961_030_98, 16.663_053_156_992_284];
    let (by_x1, by_x2) = hyperbolic::gradient(1.4, 2.2);
    assert_exact("reverse", &[by_x1, by_x2], &published);
    let forward =
        [hyperbolic::tangent(1.4, 1.0, 2.2, 0.0).1, hyperbolic::tangent(1.4, 0.0, 2.2, 1.0).1];
    assert_exact("forward", &forward, &published);
}

#[differentiate(reverse, forward)]
fn rosenbrock(x: &[f64]) -> f64 {
    (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)
}

#[differentiate(reverse, forward)]
fn rosenbrock_and_product(x: &[f64]) -> [f64; 2] {
    [rosenbrock(x), x[0] * x[1]]
}

#[test]
fn rosenbrock_and_its_jacobian() {
    assert_eq!(rosenbrock::gradient(&[1.0, 2.0]), vec![-400.0, 200.0]);
    let (mut y, mut jacobian) = ([0.0; 2], [0.0; 4]);
    for by in [
        drivers::jacobian_by_columns::<rosenbrock_and_product>,
        drivers::jacobian_by_rows::<rosenbrock_and_product>,
    ] {
        by(&[1.0, 2.0], &(), &mut y, &mut jacobian);
        assert_eq!((y, jacobian), ([100.0, 2.0], [-400.0, 200.0, 2.0, 1.0]));
    }
}

#[differentiate(reverse, forward)]
fn squares_and_number(x: &[f64], y: f64) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>() + y
}

#[test]
fn a_sum_of_squares_and_a_number() {
    assert_eq!(squares_and_number::gradient(&[1.0, -2.0, 3.0], 5.0), (vec![2.0, -4.0, 6.0], 1.0));
}

/// `y = A x` in place, and the sum of `y`.
#[differentiate(reverse, forward)]
fn sum_of_product(a: &[[f64; 2]; 2], x: &[f64; 2]) -> f64 {
    let mut y = [0.0; 2];
    for i in 0..2 {
        for j in 0..2 {
            y[i] += a[i][j] * x[j];
        }
    }
    y[0] + y[1]
}

#[test]
fn a_matrix_and_a_vector() {
    let (a_adj, x_adj) = sum_of_product::gradient(&[[2.0, 0.0], [0.0, 3.0]], &[1.0, 1.0]);
    assert_eq!((a_adj, x_adj), ([[1.0, 1.0], [1.0, 1.0]], [2.0, 3.0]));
}
