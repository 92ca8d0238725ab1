//! Vectors and matrices of nalgebra.
//!
//! Gradients are compared with formulas, exactly where the arithmetic is exact, and with central differences.

use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, check, sample};
use nalgebra::{
    DMatrix, DVector, Matrix2, Matrix2x3, Matrix3, RowVector3, SMatrix, SVector, Vector2, Vector3,
};

/// Compares a gradient by one vector or matrix with differences.
macro_rules! check_one {
    ($name:ident, $at:expr, $make:expr) => {{
        let (at, make) = ($at, $make);
        let (value, gradient) = $name::value_and_gradient(&make(&at));
        check(stringify!($name), |x| $name(&make(x)), &at, value, gradient.as_slice());
    }};
}

fn vector3(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(x)
}

fn matrix3(x: &[f64]) -> Matrix3<f64> {
    Matrix3::from_column_slice(x)
}

fn vector(x: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(x)
}

/// Six numbers in two rows.
fn matrix23(x: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(2, 3, x)
}

#[differentiate(reverse)]
fn energy(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
    0.5 * x.dot(&(a * x))
}

#[test]
fn a_quadratic_form() {
    let a = Matrix3::new(2.0, 1.0, 0.0, 1.0, 3.0, 4.0, 0.0, 4.0, 5.0);
    let x = Vector3::new(1.0, -2.0, 3.0);
    let (value, (a_adj, x_adj)) = energy::value_and_gradient(&a, x);
    assert_eq!(value, energy(&a, x));
    // A is symmetric.
    assert_eq!(x_adj, a * x);
    assert_eq!(a_adj, 0.5 * x * x.transpose());
}

#[differentiate(reverse)]
fn elements(v: &Vector3<f64>) -> f64 {
    v[0] * v.y + v.z.sin() * v[(2, 0)]
}

#[test]
fn elements_by_index_and_by_name() {
    let v = Vector3::new(2.0, 3.0, 0.5);
    let expected = Vector3::new(3.0, 2.0, 0.5_f64.cos() * 0.5 + 0.5_f64.sin());
    assert_exact("elements", elements::gradient(&v).as_slice(), expected.as_slice());
}

#[differentiate(reverse)]
fn frobenius(m: &Matrix3<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..m.nrows() {
        for j in 0..m.ncols() {
            sum += m[(i, j)] * m[(i, j)];
        }
    }
    sum / m.nrows() as f64
}

#[test]
fn elements_in_loops() {
    let m = matrix3(&sample(9, 0.3));
    assert_exact("frobenius", frobenius::gradient(&m).as_slice(), (m * 2.0 / 3.0).as_slice());
}

#[differentiate(reverse)]
fn relaxed(x: &mut DVector<f64>, rate: f64) {
    for sweep in 0..3 {
        for i in 1..x.len() {
            x[i] = rate * x[i - 1] * x[i] + sweep as f64;
        }
    }
}

#[test]
fn elements_that_a_loop_overwrites() {
    let at = [0.5, -0.3, 0.8, 0.4, 0.7];
    let f = |at: &[f64]| {
        let mut x = vector(&at[..4]);
        relaxed(&mut x, at[4]);
        x.sum()
    };
    let (mut x, mut x_adj) = (vector(&at[..4]), DVector::from_element(4, 1.0));
    let rate_adj = relaxed::adjoint(&mut x, &mut x_adj, at[4]);
    let gradient = [x_adj.as_slice(), &[rate_adj]].concat();
    check("relaxed", f, &at, x.sum(), &gradient);
}

#[differentiate(reverse)]
fn layer(w: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>) -> DVector<f64> {
    (w * x + b).map(|z| z.tanh())
}

#[test]
fn a_dense_layer() {
    let (w, x, b) = (matrix23(&sample(6, 0.1)), vector(&sample(3, 0.5)), vector(&sample(2, 0.9)));
    let (mut w_adj, mut x_adj, mut b_adj) = (w.clone() * 0.0, x.clone() * 0.0, b.clone() * 0.0);
    let seed = DVector::from_vec(vec![1.0, -2.0]);
    let y = layer::adjoint(&w, &mut w_adj, &x, &mut x_adj, &b, &mut b_adj, seed.clone());
    assert_eq!(y, layer(&w, &x, &b));
    let z_adj = seed.component_mul(&y.map(|y| 1.0 - y * y));
    assert_exact("w", w_adj.as_slice(), (&z_adj * x.transpose()).as_slice());
    assert_exact("x", x_adj.as_slice(), w.tr_mul(&z_adj).as_slice());
    assert_exact("b", b_adj.as_slice(), z_adj.as_slice());
}

/// One rotation after the other: products of matrices that a loop carries along.
#[differentiate(reverse)]
fn chain(angles: &[f64], start: &Vector3<f64>) -> f64 {
    let mut turned = Matrix3::identity();
    for angle in angles {
        let (sin, cos) = angle.sin_cos();
        let step = Matrix3::new(cos, -sin, 0.0, sin, cos, 0.1, 0.0, -0.1, 1.0);
        turned = step * turned;
    }
    let end = turned * start;
    end.x + 2.0 * end.z * end.y
}

#[test]
fn a_chain_of_rotations() {
    let at = [0.3, -0.7, 1.1, 0.2, 0.4, -0.6, 0.9];
    let f = |at: &[f64]| chain(&at[..4], &vector3(&at[4..]));
    let (value, (angles, start)) = chain::value_and_gradient(&at[..4], &vector3(&at[4..]));
    check("chain", f, &at, value, &[&angles[..], start.as_slice()].concat());
}

#[differentiate(reverse)]
fn mixed(a: &DMatrix<f64>, b: &DMatrix<f64>, s: f64) -> DMatrix<f64> {
    let sum = a + b;
    let difference = &sum - 2.0 * b;
    -(difference.component_mul(a) * s) / (1.0 + s) - &sum + a.component_div(b)
}

#[test]
fn arithmetic_with_references_and_owned_values() {
    let at: Vec<f64> = sample(12, 0.2).into_iter().map(|x| x + 1.5).chain([0.7]).collect();
    let weights = matrix23(&sample(6, 0.8));
    let f = |at: &[f64]| mixed(&matrix23(&at[..6]), &matrix23(&at[6..12]), at[12]).dot(&weights);
    let (a, b) = (matrix23(&at[..6]), matrix23(&at[6..12]));
    let (mut a_adj, mut b_adj) = (&a * 0.0, &b * 0.0);
    let (value, s_adj) = mixed::adjoint(&a, &mut a_adj, &b, &mut b_adj, at[12], weights.clone());
    let gradient = [a_adj.as_slice(), b_adj.as_slice(), &[s_adj]].concat();
    check("mixed", f, &at, value.dot(&weights), &gradient);
}

#[differentiate(reverse)]
fn assigned(x: &DVector<f64>, y: &DVector<f64>, s: f64) -> f64 {
    let mut sum = x.clone();
    for _ in 0..3 {
        sum += y;
        sum *= s;
        sum -= x * 0.5;
        sum /= 1.5;
    }
    sum.norm_squared()
}

#[test]
fn compound_assignment() {
    let at = [sample(6, 0.4), vec![1.3]].concat();
    let f = |at: &[f64]| assigned(&vector(&at[..3]), &vector(&at[3..6]), at[6]);
    let (value, (x, y, s)) =
        assigned::value_and_gradient(&vector(&at[..3]), &vector(&at[3..6]), at[6]);
    check("assigned", f, &at, value, &[x.as_slice(), y.as_slice(), &[s]].concat());
}

#[differentiate(reverse)]
fn squared(a: &Vector3<f64>) -> f64 {
    a.dot(a) + a.component_mul(a).sum() + a.cross(a).x
}

#[test]
fn a_vector_with_itself() {
    let a = Vector3::new(1.0, 2.0, -3.0);
    assert_eq!(squared::gradient(&a), 4.0 * a);
}

#[differentiate(reverse)]
fn lorentz(e: Vector3<f64>, v: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    let force = e + v.cross(b);
    force.norm() * v.normalize().dot(&e) + force.metric_distance(v)
}

#[test]
fn products_and_norms_of_vectors() {
    let at = sample(9, 0.7);
    let f = |x: &[f64]| lorentz(vector3(&x[..3]), &vector3(&x[3..6]), &vector3(&x[6..]));
    let (value, (e, v, b)) =
        lorentz::value_and_gradient(vector3(&at[..3]), &vector3(&at[3..6]), &vector3(&at[6..]));
    check("lorentz", f, &at, value, &[e.as_slice(), v.as_slice(), b.as_slice()].concat());
}

#[differentiate(reverse)]
fn length(v: &Vector3<f64>) -> f64 {
    v.norm()
}

#[test]
fn a_norm_has_derivative_zero_at_the_origin() {
    assert_eq!(length::gradient(&Vector3::zeros()), Vector3::zeros());
    assert_eq!(length::gradient(&Vector3::new(3.0, 0.0, -4.0)), Vector3::new(0.6, 0.0, -0.8));
}

#[differentiate(reverse)]
fn transposed(m: &DMatrix<f64>) -> f64 {
    let product = m.transpose() * m;
    product.trace() + product[(0, 2)] * m.tr_mul(m)[(1, 1)] + product.diagonal().norm()
}

#[test]
fn transposes() {
    check_one!(transposed, sample(6, 0.6), matrix23);
}

#[differentiate(reverse)]
fn parts(m: &DMatrix<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..m.nrows() {
        sum += m.row(i).norm_squared() * (i + 1) as f64;
    }
    sum + m.column(0).dot(&m.column(2)) + m.row(1).transpose()[2]
}

#[test]
fn rows_and_columns() {
    check_one!(parts, sample(6, 0.9), matrix23);
}

#[differentiate(reverse)]
fn assembled(x: &[f64], n: usize) -> f64 {
    let mut m = DMatrix::zeros(n, n);
    for i in 0..n {
        m[(i, i)] = x[0] * (i + 1) as f64;
        if i > 0 {
            m[(i, i - 1)] = x[1];
            m[(i - 1, i)] = x[1] * x[0];
        }
    }
    let cube = &m * &m * &m;
    cube.trace()
}

#[test]
fn a_matrix_that_is_filled() {
    let at = [0.7, -0.4];
    let (value, gradient) = assembled::value_and_gradient(&at, 4);
    check("assembled", |x| assembled(x, 4), &at, value, &gradient);
}

#[differentiate(reverse)]
fn power_iteration(m: &DMatrix<f64>, start: &DVector<f64>, limit: f64) -> f64 {
    let mut x = start.clone();
    for _ in 0..20 {
        let y = m * &x;
        if y.norm() > limit {
            return y[0] * x[1];
        }
        x = y;
    }
    x.sum()
}

#[test]
fn a_loop_that_is_left_early() {
    let at = [1.5, 0.2, 0.4, 1.1, 0.3, 0.6];
    let f = |x: &[f64]| {
        power_iteration(&DMatrix::from_column_slice(2, 2, &x[..4]), &vector(&x[4..]), 9.0)
    };
    let (m, start) = (DMatrix::from_column_slice(2, 2, &at[..4]), vector(&at[4..]));
    let (value, (m_adj, start_adj, _)) = power_iteration::value_and_gradient(&m, &start, 9.0);
    check("power_iteration", f, &at, value, &[m_adj.as_slice(), start_adj.as_slice()].concat());
}

#[differentiate(reverse)]
fn swapped(v: Vector2<f64>) -> Vector2<f64> {
    let mut w = v;
    w.x = v.y * v.y;
    w[1] *= w.x;
    w
}

#[test]
fn a_vector_by_value_with_a_vector_as_result() {
    let seed = Vector2::new(1.0, 10.0);
    let (value, v_adj) = swapped::adjoint(Vector2::new(2.0, 3.0), seed);
    assert_eq!(value, Vector2::new(9.0, 27.0));
    // w = (y², y³)
    assert_eq!(v_adj, Vector2::new(0.0, 6.0 + 270.0));
}

#[differentiate(reverse)]
fn generic_sizes(m: &SMatrix<f64, 4, 2>, v: &SVector<f64, 2>) -> f64 {
    (m * v).sum() + m.column(1).mean()
}

#[test]
fn sizes_in_the_type() {
    let m = SMatrix::<f64, 4, 2>::from_column_slice(&sample(8, 0.1));
    let v = SVector::<f64, 2>::new(0.5, -1.5);
    let (m_adj, v_adj) = generic_sizes::gradient(&m, &v);
    for i in 0..4 {
        assert_eq!((m_adj[(i, 0)], m_adj[(i, 1)]), (0.5, -1.5 + 0.25));
    }
    let sums = [m.column(0).sum(), m.column(1).sum()];
    assert_exact("v", v_adj.as_slice(), &sums);
}

#[differentiate(reverse)]
fn rows(a: RowVector3<f64>, m: &Matrix2x3<f64>) -> f64 {
    let product = m * a.transpose();
    product.x * product.y + (a * a.transpose())[0]
}

#[test]
fn row_vectors() {
    let at = sample(9, 0.25);
    let make =
        |x: &[f64]| (RowVector3::from_row_slice(&x[..3]), Matrix2x3::from_column_slice(&x[3..]));
    let f = |x: &[f64]| {
        let (a, m) = make(x);
        rows(a, &m)
    };
    let (a, m) = make(&at);
    let (value, (a_adj, m_adj)) = rows::value_and_gradient(a, &m);
    check("rows", f, &at, value, &[a_adj.as_slice(), m_adj.as_slice()].concat());
}

#[differentiate(reverse)]
fn made(x: f64, y: f64) -> f64 {
    let v = Vector3::new(x, 2.0, x * y);
    let w = DVector::from_vec(vec![x, y]);
    let m = Matrix2::new(x, y, 1.0, x);
    v.norm_squared() + w.dot(&w) + m.trace() * DVector::from_element(3, y).sum() + m[(0, 1)]
}

#[test]
fn vectors_made_of_numbers() {
    let at = [0.8, -1.2];
    let (value, (x, y)) = made::value_and_gradient(at[0], at[1]);
    check("made", |at| made(at[0], at[1]), &at, value, &[x, y]);
}

#[differentiate(reverse)]
fn captured(x: &DVector<f64>, scale: f64, shift: &DVector<f64>) -> f64 {
    let y = x.map(|x| scale * x * x + shift[0]);
    y.sum()
}

#[test]
fn a_map_whose_closure_captures() {
    let x = vector(&[1.0, 2.0, 3.0]);
    let (x_adj, scale_adj, shift_adj) = captured::gradient(&x, 0.5, &vector(&[2.0]));
    assert_eq!((x_adj, scale_adj, shift_adj), (x, 14.0, vector(&[3.0])));
}

#[differentiate(reverse)]
fn constant_matrix(#[constant] a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
    let y = a * x;
    y.dot(&y)
}

#[test]
fn a_constant_matrix() {
    let (a, x) = (matrix23(&sample(6, 0.3)), vector(&sample(3, 0.2)));
    let expected = 2.0 * a.transpose() * (&a * &x);
    let got = constant_matrix::gradient(&a, &x);
    assert_exact("constant_matrix", got.as_slice(), expected.as_slice());
}

#[differentiate(reverse)]
fn total(m: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
    (m * x).sum() + x.norm_squared()
}

#[test]
fn matrices_without_elements() {
    let (value, (m_adj, x_adj)) =
        total::value_and_gradient(&DMatrix::zeros(0, 2), &vector(&[1.0, 2.0]));
    assert_eq!((value, m_adj.shape(), x_adj), (5.0, (0, 2), vector(&[2.0, 4.0])));
    let (value, (m_adj, x_adj)) = total::value_and_gradient(&DMatrix::zeros(3, 0), &vector(&[]));
    assert_eq!((value, m_adj.shape(), x_adj.len()), (0.0, (3, 0), 0));
}

#[test]
#[should_panic(expected = "Gemv: dimensions mismatch.")]
fn mismatched_products_panic_as_nalgebra_does() {
    total::gradient(&DMatrix::zeros(2, 3), &vector(&[1.0, 2.0]));
}

#[test]
#[should_panic(expected = "Dot product dimensions mismatch")]
fn mismatched_inner_products_panic_as_nalgebra_does() {
    #[differentiate(reverse)]
    fn product(a: &DVector<f64>, b: &DVector<f64>) -> f64 {
        a.dot(b)
    }
    product::gradient(&vector(&[1.0]), &vector(&[1.0, 2.0]));
}

#[test]
#[should_panic(expected = "`x_adj` does not have the shape of `x`: 2 × 1 elements, not 3 × 1")]
fn an_adjoint_of_another_shape_panics() {
    relaxed::adjoint(&mut vector(&[1.0, 2.0, 3.0]), &mut vector(&[1.0, 2.0]), 1.0);
}

#[differentiate(reverse)]
fn singular(x: &DVector<f64>, weight: f64) -> f64 {
    let roots = x.map(|x| x.sqrt());
    weight * roots.dot(&roots)
}

#[test]
fn a_zero_seed_absorbs_infinite_partials() {
    let (x_adj, _) = singular::gradient(&vector(&[0.0, 4.0]), 0.0);
    assert_eq!(x_adj, vector(&[0.0, 0.0]));
}

#[differentiate(reverse)]
fn single(x: &DVector<f32>, s: f32) -> f32 {
    (x * s).dot(x)
}

#[test]
fn single_precision() {
    let x = DVector::from_vec(vec![1.0_f32, 2.0]);
    assert_eq!(single::gradient(&x, 3.0), (6.0 * &x, 5.0));
}

/// A square matrix far from singular.
fn square(x: &[f64]) -> DMatrix<f64> {
    let n = x.len().isqrt();
    DMatrix::from_column_slice(n, n, x) + DMatrix::identity(n, n) * 2.0
}

#[differentiate(reverse)]
fn system(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let factors = a.clone().lu();
    let x = factors.solve(b).unwrap();
    x.dot(b) * factors.determinant() + x[0]
}

#[test]
fn systems_of_equations() {
    let at = sample(12, 0.45);
    let f = |x: &[f64]| system(&square(&x[..9]), &vector(&x[9..]));
    let (value, (a, b)) = system::value_and_gradient(&square(&at[..9]), &vector(&at[9..]));
    check("system", f, &at, value, &[a.as_slice(), b.as_slice()].concat());
}

#[differentiate(reverse)]
fn several(a: Matrix3<f64>, b: Matrix3<f64>) -> Option<f64> {
    let x = a.lu().solve(&b)?;
    Some(x.component_mul(&a).sum())
}

#[test]
fn several_right_hand_sides_of_fixed_size() {
    let at = sample(18, 0.45);
    let shifted = |x: &[f64]| matrix3(x) + 2.0 * Matrix3::identity();
    let f = |x: &[f64]| several(shifted(&x[..9]), matrix3(&x[9..])).unwrap();
    let found = several::value_and_gradient(shifted(&at[..9]), matrix3(&at[9..]));
    let (value, gradient) = found.unwrap();
    let (a, b) = gradient;
    check("several", f, &at, value, &[a.as_slice(), b.as_slice()].concat());
    assert_eq!(several::value_and_gradient(Matrix3::zeros(), matrix3(&at[9..])), None);
}

#[differentiate(reverse)]
fn inverted(a: &DMatrix<f64>) -> f64 {
    let inverse = a.clone().try_inverse().unwrap();
    let again = a.clone().lu().try_inverse().unwrap();
    inverse[(0, 1)] * inverse.trace() + again.norm_squared() + a.determinant()
}

#[test]
fn inverses_and_determinants() {
    check_one!(inverted, sample(9, 0.75), square);
}

#[differentiate(reverse)]
fn volume(a: &Matrix3<f64>) -> f64 {
    a.determinant()
}

#[test]
fn determinants_of_singular_matrices() {
    let a = Matrix3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    let cofactors = Matrix3::new(-3.0, 6.0, -3.0, 6.0, -12.0, 6.0, -3.0, 6.0, -3.0);
    assert_exact("cofactors", volume::gradient(&a).as_slice(), cofactors.as_slice());
    assert_eq!(volume::gradient(&Matrix3::zeros()), Matrix3::zeros());
    let single = Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 0.0));
    assert_eq!(volume::gradient(&single)[(2, 2)], 6.0);
}

#[differentiate(reverse)]
fn likelihood(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let covariance = a.transpose() * a;
    let factors = covariance.cholesky().unwrap();
    let x = factors.solve(b);
    -0.5 * b.dot(&x) - factors.ln_determinant() + factors.determinant() * factors.inverse()[(0, 1)]
}

#[test]
fn a_gaussian_likelihood() {
    let at = sample(12, 0.2);
    let f = |x: &[f64]| likelihood(&square(&x[..9]), &vector(&x[9..]));
    let (value, (a, b)) = likelihood::value_and_gradient(&square(&at[..9]), &vector(&at[9..]));
    check("likelihood", f, &at, value, &[a.as_slice(), b.as_slice()].concat());
}

#[differentiate(reverse)]
fn factor(a: &DMatrix<f64>, weights: &DMatrix<f64>) -> f64 {
    let Some(factors) = a.clone().cholesky() else { return 0.0 };
    factors.l().component_mul(weights).sum() + factors.solve(&weights.column(0)).sum()
}

#[test]
fn only_the_lower_triangle_of_a_cholesky_decomposition_is_read() {
    let at = sample(18, 0.55);
    let make = |x: &[f64]| square(x) + DMatrix::from_diagonal_element(3, 3, 3.0);
    let f = |x: &[f64]| factor(&make(&x[..9]), &DMatrix::from_column_slice(3, 3, &x[9..]));
    let (a, weights) = (make(&at[..9]), DMatrix::from_column_slice(3, 3, &at[9..]));
    let (value, (a_adj, weights_adj)) = factor::value_and_gradient(&a, &weights);
    assert_eq!([a_adj[(0, 1)], a_adj[(0, 2)], a_adj[(1, 2)]], [0.0; 3]);
    check("factor", f, &at, value, &[a_adj.as_slice(), weights_adj.as_slice()].concat());
    assert_eq!(factor::value_and_gradient(&-a, &weights).0, 0.0);
}
