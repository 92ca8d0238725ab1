//! Hessian-vector products and Hessians against formulas.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{assert_close, assert_exact, sample};

#[differentiate(reverse, forward, second_order)]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
    }
    sum
}

/// Its Hessian, derived by hand: tridiagonal.
fn rosenbrock_product(x: &[f64], v: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut product = vec![0.0; n];
    for i in 0..n - 1 {
        let diagonal = 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0;
        let off = -400.0 * x[i];
        product[i] += diagonal * v[i] + off * v[i + 1];
        product[i + 1] += off * v[i] + 200.0 * v[i + 1];
    }
    product
}

#[test]
fn rosenbrock_in_a_thousand_dimensions() {
    let (x, v) = (sample(1000, 0.3), sample(1000, 1.1));
    let (value, gradient, product) = rosenbrock::hvp(&x, &v);
    let (expected, expected_gradient) = rosenbrock::value_and_gradient(&x);
    assert_eq!((value, gradient), (expected, expected_gradient));
    // Sums of five products of numbers up to 1200: twelve digits are left.
    assert_close("product", &product, &rosenbrock_product(&x, &v), 1e-12);
}

#[test]
fn products_go_into_buffers() {
    let (x, v) = ([0.4, -0.7, 1.1], [1.0, 0.5, -2.0]);
    let (mut gradient, mut product) = ([f64::NAN; 3], [f64::NAN; 3]);
    let value = rosenbrock::hvp_into(&x, &v, &mut gradient, &mut product);
    let expected = rosenbrock::hvp(&x, &v);
    assert_eq!((value, gradient.to_vec(), product.to_vec()), expected);
}

#[differentiate(reverse, second_order)]
fn of_scalars(x: f64, y: f64, #[constant] c: f64) -> f64 {
    (x * y).sin() + c * x.powi(3) / y
}

#[test]
fn the_hessian_of_scalars_is_an_array() {
    let (x, y, c) = (0.7f64, 1.3f64, 0.4f64);
    let (s, k) = ((x * y).sin(), (x * y).cos());
    let mixed = k - x * y * s - 3.0 * c * x * x / (y * y);
    let expected = [
        [-y * y * s + 6.0 * c * x / y, mixed],
        [mixed, -x * x * s + 2.0 * c * x.powi(3) / y.powi(3)],
    ];
    let found: [[f64; 2]; 2] = of_scalars::hessian(x, y, c);
    assert_exact("hessian", found.as_flattened(), expected.as_flattened());
}

#[differentiate(reverse, second_order)]
fn of_one(x: f64) -> f64 {
    x.exp() * x
}

#[differentiate(reverse, second_order)]
fn of_an_array(x: [f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Model {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiate(reverse, second_order)]
fn of_a_model(model: &Model, x: &[f64]) -> f64 {
    let mut sum = model.bias;
    for (w, x) in model.weights.iter().zip(x) {
        sum += w * x;
    }
    sum.tanh()
}

#[test]
fn hessians_have_the_shape_of_the_parameters() {
    let x = 0.3f64;
    assert_exact("of one", &[of_one::hessian(x)], &[(x + 2.0) * x.exp()]);
    let found: [[f64; 3]; 3] = of_an_array::hessian([2.0, 3.0, 5.0]);
    assert_eq!(found, [[0.0, 5.0, 3.0], [5.0, 0.0, 2.0], [3.0, 2.0, 0.0]]);
    let model = Model { weights: vec![0.2, -0.4], bias: 0.1 };
    let x = [0.5, 1.5];
    // Rows in the order of the real parts: weights, bias, x. The slope s and curvature k are those of tanh.
    let y = of_a_model(&model, &x);
    let (s, k) = (1.0 - y * y, -2.0 * y * (1.0 - y * y));
    let inner = [x[0], x[1], 1.0, model.weights[0], model.weights[1]];
    let mut expected = vec![vec![0.0; 5]; 5];
    for i in 0..5 {
        for j in 0..5 {
            let crossed = matches!((i, j), (0, 3) | (3, 0) | (1, 4) | (4, 1));
            expected[i][j] = k * inner[i] * inner[j] + if crossed { s } else { 0.0 };
        }
    }
    let found = of_a_model::hessian(&model, &x);
    assert_exact("model", found.as_flattened_rows(), &expected.concat());
}

/// The rows as one.
trait Rows {
    fn as_flattened_rows(&self) -> &[f64];
}

impl Rows for Vec<Vec<f64>> {
    fn as_flattened_rows(&self) -> &[f64] {
        Box::leak(self.concat().into_boxed_slice())
    }
}

#[differentiate(reverse, second_order)]
fn in_place(x: &mut [f64], s: f64) -> f64 {
    for k in 1..x.len() {
        x[k] = x[k - 1] * x[k] + s;
    }
    x[x.len() - 1] * x[0]
}

#[test]
fn buffers_are_left_as_the_function_leaves_them() {
    let (at, s) = ([0.5, 2.0, 3.0], 0.25);
    let (mut x, mut direction) = (at, [1.0, 0.0, 0.0]);
    let (value, (x_adj, s_adj), (x_product, s_product)) =
        in_place::hvp(&mut x, &mut direction, s, 0.0);
    // ((a b + s) c + s) a, by hand.
    let [a, b, c] = at;
    assert_eq!(value, ((a * b + s) * c + s) * a);
    assert_eq!(x, [a, a * b + s, (a * b + s) * c + s]);
    assert_eq!(direction, [1.0, b, b * c]);
    assert_exact("adjoint", &x_adj, &[2.0 * a * b * c + s * c + s, a * a * c, a * (a * b + s)]);
    assert_exact("by s", &[s_adj], &[a * c + a]);
    assert_exact("product", &x_product, &[2.0 * b * c, 2.0 * a * c, 2.0 * a * b + s]);
    assert_exact("product by s", &[s_product], &[c + 1.0]);
}

#[test]
#[should_panic(expected = "`x_tan` does not have the shape of `x`: 1 elements, not 2")]
fn a_direction_of_another_length_is_refused() {
    rosenbrock::hvp(&[1.0, 2.0], &[1.0]);
}

#[differentiate(reverse, second_order)]
fn powers(x: f64, p: f64) -> f64 {
    x.powf(p)
}

#[differentiate(reverse, second_order)]
fn distance(x: f64, y: f64) -> f64 {
    x.hypot(y) + y.atan2(x)
}

/// The formulas have no limit of their own at these points; the table's partials must not hide it.
#[test]
fn second_derivatives_at_special_points() {
    // x^p at p = 0: ∂²/∂x∂p = 1/x, ∂²/∂p² = ln² x, ∂²/∂x² = 0.
    let x = 1.7f64;
    assert_exact(
        "p = 0",
        powers::hessian(x, 0.0).as_flattened(),
        &[0.0, 1.0 / x, 1.0 / x, x.ln().powi(2)],
    );
    // x² at x = 0.
    assert_eq!(powers::hessian(0.0, 2.0)[0][0], 2.0);
    // On an axis, away from the origin: hypot has 1/|y| across, atan2 -2xy/r⁴ and so on.
    let found = distance::hessian(0.0, 2.0);
    assert_exact("axis", found.as_flattened(), &[0.5, 0.25, 0.25, 0.0]);
    // Huge and tiny arguments do not overflow on the way.
    let found = distance::hessian(3e200, 4e200);
    assert!(found.as_flattened().iter().all(|entry| entry.is_finite()), "{found:?}");
}
