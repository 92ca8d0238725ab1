//! Gradients, Jacobians and Hessians in the caller's buffers, against formulas.

use ad_runtime::drivers::{self, Forward, Function, Reverse};
use ad_runtime::{custom_rule, differentiate};
use ad_tests::check::assert_exact;

/// Residuals of a fit: `x₀ exp(x₁ tᵢ) - yᵢ`.
#[differentiate(reverse, forward)]
fn residuals(x: &[f64], #[constant] t: &[f64], #[constant] y: &[f64], r: &mut [f64]) {
    for i in 0..r.len() {
        r[i] = x[0] * (x[1] * t[i]).exp() - y[i];
    }
}

fn expected(x: &[f64], t: &[f64]) -> Vec<f64> {
    t.iter().flat_map(|t| [(x[1] * t).exp(), x[0] * t * (x[1] * t).exp()]).collect()
}

#[test]
fn a_jacobian_by_columns_and_by_rows() {
    let (x, t, y) = ([1.5, -0.4], [0.0, 0.5, 2.0], [1.0, 1.2, 0.3]);
    let context = (&t[..], &y[..]);
    let want = expected(&x, &t);
    let mut r = [f64::NAN; 3];
    for run in [
        drivers::jacobian::<residuals>,
        drivers::jacobian_by_columns::<residuals>,
        drivers::jacobian_by_rows::<residuals>,
    ] {
        // What a buffer holds before does not matter.
        let mut jacobian = [7.0; 6];
        run(&x, &context, &mut r, &mut jacobian);
        assert_exact("jacobian", &jacobian, &want);
        assert_exact(
            "residuals",
            &r,
            &[0.5, 1.5 * (-0.2f64).exp() - 1.2, 1.5 * (-0.8f64).exp() - 0.3],
        );
    }
}

/// ⟨y_adj, J x_tan⟩ = ⟨Jᵀ y_adj, x_tan⟩.
#[test]
fn products_are_transposes_of_each_other() {
    let (x, t, y) = ([1.5, -0.4], [0.0, 0.5, 2.0], [1.0, 1.2, 0.3]);
    let context = (&t[..], &y[..]);
    let (x_tan, seed) = ([0.3, -1.1], [0.7, -0.2, 1.3]);
    let (mut r, mut r_tan, mut x_adj) = ([0.0; 3], [0.0; 3], [0.0; 2]);
    <residuals as Forward>::jvp(&x, &x_tan, &context, &mut r, &mut r_tan);
    let mut y_adj = seed;
    <residuals as Reverse>::vjp(&x, &context, &mut r, &mut y_adj, &mut x_adj);
    let forward: f64 = seed.iter().zip(&r_tan).map(|(a, b)| a * b).sum();
    let reverse: f64 = x_adj.iter().zip(&x_tan).map(|(a, b)| a * b).sum();
    assert_exact("identity", &[forward], &[reverse]);
}

#[differentiate(reverse, forward)]
fn as_a_vector(x: &[f64], n: usize) -> Vec<f64> {
    (0..n).map(|k| x[k] * x[k + 1]).collect()
}

#[differentiate(reverse, forward)]
fn as_an_array(x: &[f32]) -> [f32; 2] {
    [x[0] * x[1], x[1] - x[0]]
}

#[test]
fn results_may_be_vectors_and_arrays() {
    let (mut y, mut jacobian) = ([0.0; 2], [0.0; 6]);
    drivers::jacobian::<as_a_vector>(&[2.0, 3.0, 5.0], &2, &mut y, &mut jacobian);
    assert_eq!((y, jacobian), ([6.0, 15.0], [3.0, 2.0, 0.0, 0.0, 5.0, 3.0]));
    let (mut y, mut jacobian) = ([0.0f32; 2], [0.0f32; 4]);
    drivers::jacobian::<as_an_array>(&[2.0, 3.0], &(), &mut y, &mut jacobian);
    assert_eq!((y, jacobian), ([6.0, 1.0], [3.0, 2.0, -1.0, 1.0]));
}

#[differentiate(reverse, forward, second_order)]
fn quadratic(x: &[f64], #[constant] diagonal: &[f64], shift: &f64) -> f64 {
    let mut sum = 0.0;
    for (x, d) in x.iter().zip(diagonal) {
        sum += d * x * x;
    }
    sum + x[0] * x[1] + shift
}

/// A parameter with a derivative behind the vector is no data: there are no drivers then.
#[test]
fn a_hessian_with_its_gradient() {
    #[differentiate(reverse, forward, second_order)]
    fn energy(x: &[f64], #[constant] diagonal: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (x, d) in x.iter().zip(diagonal) {
            sum += d * x * x;
        }
        sum + x[0] * x[1]
    }
    let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 4]);
    let data = [2.0, 3.0];
    let value = drivers::hessian::<energy>(&[1.0, -1.0], &&data[..], &mut gradient, &mut hessian);
    assert_eq!((value, gradient), (4.0, [3.0, -5.0]));
    assert_eq!(hessian, [4.0, 1.0, 1.0, 6.0]);
    let (_, (by_x, by_shift), _) = quadratic::hvp(&[1.0, -1.0], &[1.0, 0.0], &data, &0.5, &0.0);
    assert_eq!((by_x, by_shift), (vec![3.0, -5.0], 1.0));
}

#[test]
fn functions_of_nothing_and_to_nothing() {
    #[differentiate(reverse, forward)]
    fn none(_x: &[f64], y: &mut [f64]) {
        for y in y.iter_mut() {
            *y = 1.0;
        }
    }
    let mut y = [0.0; 2];
    drivers::jacobian::<none>(&[], &(), &mut y, &mut []);
    assert_eq!(y, [1.0, 1.0]);
    drivers::jacobian::<none>(&[1.0], &(), &mut [], &mut []);
}

#[test]
#[should_panic(expected = "a matrix of 2 rows and 3 columns in a buffer of 5 entries")]
fn a_buffer_of_another_size_is_named() {
    drivers::jacobian::<as_a_vector>(&[0.0; 3], &2, &mut [0.0; 2], &mut [0.0; 5]);
}

#[test]
#[should_panic(expected = "a value of 2 entries does not fit a buffer of 3")]
fn a_value_of_another_length_is_named() {
    as_a_vector::value(&[0.0; 3], &2, &mut [0.0; 3]);
}

/// `y = cos(p y) `, by iteration; the derivative of the fixed point is that of no iteration.
#[custom_rule(vjp = fixed_point_rule)]
fn fixed_point(p: f64) -> f64 {
    (0..200).fold(0.5, |y: f64, _| (p * y).cos())
}

#[differentiate(reverse)]
fn defect(y: f64, p: f64) -> f64 {
    (p * y).cos() - y
}

fn fixed_point_rule(p: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    let y = fixed_point(p);
    let pullback = move |seed: f64| {
        let mut p_adj = [0.0];
        drivers::root_adjoint(&[seed], &mut p_adj, |lambda, y_part, p_part| {
            (_, y_part[0], p_part[0]) = defect::adjoint(y, p, lambda[0]);
        });
        p_adj[0]
    };
    (y, pullback)
}

#[differentiate(reverse)]
fn of_the_fixed_point(p: f64) -> f64 {
    fixed_point(p).powi(2)
}

#[test]
fn the_implicit_function_theorem() {
    let p = 0.8;
    let y = fixed_point(p);
    // y' = -y sin(p y) / (1 + p sin(p y))
    let slope = -y * (p * y).sin() / (1.0 + p * (p * y).sin());
    assert_exact("fixed point", &[of_the_fixed_point::gradient(p)], &[2.0 * y * slope]);
}

#[test]
#[should_panic(expected = "the derivative of the residual is singular")]
fn a_singular_residual_is_refused() {
    drivers::root_adjoint(&[1.0], &mut [0.0], |_, y_part, p_part| {
        (y_part[0], p_part[0]) = (0.0, 1.0);
    });
}
