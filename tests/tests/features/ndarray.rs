//! Arrays of ndarray.
//!
//! Gradients are compared with formulas, exactly where the arithmetic is exact, and with central differences.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{assert_exact, check, sample};
use ndarray::{Array, Array1, Array2, Array3, ArrayRef1, Axis, array, s};

fn vector(x: &[f64]) -> Array1<f64> {
    Array1::from_vec(x.to_vec())
}

/// Numbers in two rows.
fn two_rows(x: &[f64]) -> Array2<f64> {
    Array2::from_shape_vec((2, x.len() / 2), x.to_vec()).unwrap()
}

/// The elements in order, row by row.
fn flat<D: ndarray::Dimension>(x: &Array<f64, D>) -> Vec<f64> {
    x.iter().copied().collect()
}

#[differentiate(reverse)]
fn inner(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    a.dot(b)
}

#[test]
fn an_inner_product() {
    let (a, b) = (array![1.0, 2.0, 3.0], array![-1.0, 0.5, 2.0]);
    assert_eq!(inner::value_and_gradient(&a, &b), (6.0, (b.clone(), a.clone())));
}

#[test]
fn a_vector_with_itself() {
    #[differentiate(reverse)]
    fn square(a: &Array1<f64>) -> f64 {
        a.dot(a) + (a * a).sum() + (a * 2.0 - a).dot(a)
    }
    let a = array![1.0, 2.0, 3.0];
    assert_eq!(square::gradient(&a), 6.0 * &a);
}

#[differentiate(reverse)]
fn layer(w: &Array2<f64>, x: &Array1<f64>, b: &Array1<f64>) -> Array1<f64> {
    (w.dot(x) + b).mapv(|z| z.tanh())
}

#[test]
fn a_dense_layer() {
    let (w, x, b) = (two_rows(&sample(6, 0.1)), vector(&sample(3, 0.5)), vector(&sample(2, 0.9)));
    let (mut w_adj, mut x_adj, mut b_adj) = (&w * 0.0, &x * 0.0, &b * 0.0);
    let seed = array![1.0, -2.0];
    let y = layer::adjoint(&w, &mut w_adj, &x, &mut x_adj, &b, &mut b_adj, seed.clone());
    assert_eq!(y, layer(&w, &x, &b));
    let z_adj = seed * y.mapv(|y| 1.0 - y * y);
    let column = z_adj.clone().insert_axis(Axis(1));
    assert_exact("w", &flat(&w_adj), &flat(&column.dot(&x.clone().insert_axis(Axis(0)))));
    assert_exact("x", &flat(&x_adj), &flat(&w.t().dot(&z_adj)));
    assert_exact("b", &flat(&b_adj), &flat(&z_adj));
}

#[differentiate(reverse)]
fn products(a: &Array2<f64>, b: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let c = a.dot(&b.t());
    let y = x.dot(&c);
    y.dot(&c.diag()) + c.t().dot(&c).sum()
}

#[test]
fn products_of_matrices() {
    let at = sample(14, 0.3);
    let f = |x: &[f64]| products(&two_rows(&x[..6]), &two_rows(&x[6..12]), &vector(&x[12..]));
    let (value, (a, b, x)) = products::value_and_gradient(
        &two_rows(&at[..6]),
        &two_rows(&at[6..12]),
        &vector(&at[12..]),
    );
    check("products", f, &at, value, &[flat(&a), flat(&b), flat(&x)].concat());
}

#[differentiate(reverse)]
fn frobenius(m: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..m.nrows() {
        for j in 0..m.ncols() {
            sum += m[[i, j]] * m[(i, j)];
        }
    }
    sum / m.nrows() as f64
}

#[test]
fn elements_in_loops() {
    let m = two_rows(&sample(6, 0.3));
    assert_exact("frobenius", &flat(&frobenius::gradient(&m)), &flat(&m));
}

#[differentiate(reverse)]
fn diffused(u: &mut Array2<f64>, rate: f64) {
    let (rows, columns) = u.dim();
    for _ in 0..2 {
        for i in 1..rows {
            for j in 0..columns {
                u[[i, j]] += rate * u[[i - 1, j]] * u[[i, j]];
            }
        }
    }
}

#[test]
fn elements_that_a_loop_overwrites() {
    let at = [0.5, -0.3, 0.8, 0.4, 0.7, 0.2, -0.6];
    let f = |at: &[f64]| {
        let mut u = two_rows(&at[..6]);
        diffused(&mut u, at[6]);
        (&u * &u).sum()
    };
    let mut u = two_rows(&at[..6]);
    let found = {
        let mut forward = u.clone();
        diffused(&mut forward, at[6]);
        forward
    };
    let mut u_adj = 2.0 * &found;
    let rate_adj = diffused::adjoint(&mut u, &mut u_adj, at[6]);
    assert_eq!(u, found);
    check("diffused", f, &at, (&u * &u).sum(), &[flat(&u_adj), vec![rate_adj]].concat());
}

#[differentiate(reverse)]
fn mixed(a: &Array2<f64>, b: &Array2<f64>, s: f64) -> Array2<f64> {
    let sum = a + b;
    let difference = &sum - 2.0 * b;
    -(&difference * a * s) / (1.0 + s) - &sum + a / b + (s - a) * (1.0 / b) + (b + s)
}

#[test]
fn arithmetic_with_references_owned_values_and_scalars() {
    let at: Vec<f64> = sample(12, 0.2).into_iter().map(|x| x + 1.5).chain([0.7]).collect();
    let weights = two_rows(&sample(6, 0.8));
    let f = |x: &[f64]| (mixed(&two_rows(&x[..6]), &two_rows(&x[6..12]), x[12]) * &weights).sum();
    let (a, b) = (two_rows(&at[..6]), two_rows(&at[6..12]));
    let (mut a_adj, mut b_adj) = (&a * 0.0, &b * 0.0);
    let (value, s_adj) = mixed::adjoint(&a, &mut a_adj, &b, &mut b_adj, at[12], weights.clone());
    let gradient = [flat(&a_adj), flat(&b_adj), vec![s_adj]].concat();
    check("mixed", f, &at, (value * &weights).sum(), &gradient);
}

#[differentiate(reverse)]
fn broadcast(m: &Array2<f64>, row: &Array1<f64>) -> f64 {
    let shifted = m + row;
    let scaled = &shifted * row / &(row * 2.0 - 7.0);
    let column = m.sum_axis(Axis(1));
    scaled.sum() + column.dot(&column) + (row - m).mapv(|x| x * x).sum()
}

#[test]
fn shapes_that_are_broadcast() {
    let at = sample(9, 0.4);
    let f = |x: &[f64]| broadcast(&two_rows(&x[..6]), &vector(&x[6..]));
    let (value, (m, row)) = broadcast::value_and_gradient(&two_rows(&at[..6]), &vector(&at[6..]));
    check("broadcast", f, &at, value, &[flat(&m), flat(&row)].concat());
}

#[differentiate(reverse)]
fn assigned(x: &Array1<f64>, y: &Array1<f64>, s: f64) -> f64 {
    let mut sum = x.clone();
    for _ in 0..3 {
        sum += y;
        sum *= s;
        sum -= &(x * 0.5);
        sum *= y;
        sum /= 1.5;
        sum += s;
    }
    sum.dot(&sum)
}

#[test]
fn compound_assignment() {
    let at = [sample(6, 0.4), vec![1.3]].concat();
    let f = |x: &[f64]| assigned(&vector(&x[..3]), &vector(&x[3..6]), x[6]);
    let (value, (x, y, s)) =
        assigned::value_and_gradient(&vector(&at[..3]), &vector(&at[3..6]), at[6]);
    check("assigned", f, &at, value, &[flat(&x), flat(&y), vec![s]].concat());
}

#[differentiate(reverse)]
fn in_place(x: &mut Array1<f64>, y: &Array1<f64>) {
    *x *= y;
    x[0] = x[1] * y[0];
    *x += y;
}

#[test]
fn compound_assignment_through_a_reference() {
    let (mut x, y) = (array![2.0, 3.0], array![5.0, 7.0]);
    let (mut x_adj, mut y_adj) = (array![1.0, 10.0], array![0.0, 0.0]);
    in_place::adjoint(&mut x, &mut x_adj, &y, &mut y_adj);
    // x₀ = x₁ y₁ y₀ + y₀, x₁ = x₁ y₁ + y₁
    assert_eq!(x, array![3.0 * 7.0 * 5.0 + 5.0, 3.0 * 7.0 + 7.0]);
    assert_eq!(x_adj, array![0.0, 7.0 * 5.0 + 10.0 * 7.0]);
    assert_eq!(y_adj, array![3.0 * 7.0 + 1.0, 3.0 * 5.0 + 10.0 * 3.0 + 10.0]);
}

#[differentiate(reverse)]
fn parts(m: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..m.nrows() {
        sum += m.row(i).dot(&m.row(0)) * (i + 1) as f64;
    }
    let last = m.nrows() - 1;
    let backwards = m.slice(s![last, ..;-1]);
    sum + m.column(0).dot(&m.column(2)) + m.slice(s![.., 1..]).sum() * backwards[0]
}

#[test]
fn rows_columns_and_slices() {
    let at = sample(6, 0.9);
    let (value, gradient) = parts::value_and_gradient(&two_rows(&at));
    check("parts", |x| parts(&two_rows(x)), &at, value, &flat(&gradient));
}

#[differentiate(reverse)]
fn windows(x: &Array1<f64>, width: usize) -> f64 {
    let mut best = 0.0;
    for k in 0..x.len() - width {
        let part = x.slice(s![k..k + width]);
        let energy = part.dot(&part);
        if energy > best {
            best = energy;
        }
    }
    best
}

#[test]
fn slices_of_varying_place() {
    let x = array![1.0, 2.0, -3.0, 1.0, 0.5, 0.2];
    assert_eq!(windows::value_and_gradient(&x, 2), (13.0, (array![0.0, 4.0, -6.0, 0.0, 0.0, 0.0])));
}

#[differentiate(reverse)]
fn statistics(m: &Array2<f64>) -> f64 {
    let mean = m.mean().unwrap();
    let centred = m - mean;
    let variance = (&centred * &centred).sum() / m.len() as f64;
    let axis = m.mean_axis(Axis(0)).unwrap();
    variance.sqrt() + axis.dot(&axis) + m.product()
}

#[test]
fn means_and_products() {
    let at = sample(6, 0.15);
    let (value, gradient) = statistics::value_and_gradient(&two_rows(&at));
    check("statistics", |x| statistics(&two_rows(x)), &at, value, &flat(&gradient));
}

#[test]
fn a_product_with_zeros() {
    #[differentiate(reverse)]
    fn product(x: &Array1<f64>) -> f64 {
        x.product()
    }
    assert_eq!(product::gradient(&array![2.0, 0.0, 3.0]), array![0.0, 6.0, 0.0]);
    assert_eq!(product::gradient(&array![0.0, 0.0, 3.0]), array![0.0, 0.0, 0.0]);
}

#[differentiate(reverse)]
fn assembled(x: &[f64], n: usize) -> f64 {
    let mut m = Array2::zeros((n, n));
    let mut ones = Array1::ones(n);
    for i in 0..n {
        m[[i, i]] = x[0] * (i + 1) as f64;
        if i > 0 {
            m[[i, i - 1]] = x[1];
            ones[i] = x[0];
        }
    }
    let cube = m.dot(&m).dot(&m);
    cube.dot(&ones).sum()
}

#[test]
fn arrays_that_are_filled() {
    let at = [0.7, -0.4];
    let (value, gradient) = assembled::value_and_gradient(&at, 4);
    check("assembled", |x| assembled(x, 4), &at, value, &gradient);
}

#[differentiate(reverse)]
fn power_iteration(m: &Array2<f64>, start: &Array1<f64>, limit: f64) -> f64 {
    let mut x = start.to_owned();
    for _ in 0..20 {
        let y = m.dot(&x);
        if y.dot(&y) > limit {
            return y[0] * x[1];
        }
        x = y;
    }
    x.sum()
}

#[test]
fn a_loop_that_is_left_early() {
    let at = [1.5, 0.2, 0.4, 1.1, 0.3, 0.6];
    let f = |x: &[f64]| power_iteration(&two_rows(&x[..4]), &vector(&x[4..]), 81.0);
    let (value, (m, start, _)) =
        power_iteration::value_and_gradient(&two_rows(&at[..4]), &vector(&at[4..]), 81.0);
    check("power_iteration", f, &at, value, &[flat(&m), flat(&start)].concat());
}

#[differentiate(reverse)]
fn owned(mut m: Array2<f64>, scale: f64) -> Array2<f64> {
    m[[0, 1]] *= scale;
    let turned = m.t().to_owned();
    turned * scale
}

#[test]
fn a_matrix_by_value_with_a_matrix_as_result() {
    let seed = array![[1.0, 10.0], [100.0, 1000.0]];
    let (value, m_adj, scale_adj) = owned::adjoint(array![[1.0, 2.0], [3.0, 4.0]], 0.5, seed);
    assert_eq!(value, array![[0.5, 1.5], [0.5, 2.0]]);
    // (m₀₀ s, m₁₀ s; m₀₁ s², m₁₁ s)
    assert_eq!(m_adj, array![[0.5, 25.0], [5.0, 500.0]]);
    assert_eq!(scale_adj, 1.0 + 10.0 * 3.0 + 100.0 * 2.0 * 2.0 * 0.5 + 1000.0 * 4.0);
}

#[differentiate(reverse)]
fn made(x: f64, y: f64) -> f64 {
    let v = Array1::from_vec(vec![x, 2.0, x * y]);
    let m = Array2::from_elem((2, 3), y);
    m.dot(&v).sum() * v[0]
}

#[test]
fn arrays_made_of_numbers() {
    let at = [0.8, -1.2];
    let (value, (x, y)) = made::value_and_gradient(at[0], at[1]);
    check("made", |at| made(at[0], at[1]), &at, value, &[x, y]);
}

#[differentiate(reverse)]
fn chains(x: &Array1<f64>, y: &Array1<f64>) -> f64 {
    let distance: f64 = x.iter().zip(y.iter()).map(|(x, y)| (x - y).powi(2)).sum();
    let largest = x.iter().copied().fold(0.0, f64::max);
    distance.sqrt() + largest
}

#[test]
fn iterators_over_vectors() {
    let at = sample(8, 0.35);
    let f = |x: &[f64]| chains(&vector(&x[..4]), &vector(&x[4..]));
    let (value, (x, y)) = chains::value_and_gradient(&vector(&at[..4]), &vector(&at[4..]));
    check("chains", f, &at, value, &[flat(&x), flat(&y)].concat());
}

#[test]
fn maps_do_not_depend_on_layout() {
    #[differentiate(reverse)]
    fn mapped(m: &Array2<f64>) -> f64 {
        let squares = m.t().mapv(|x| x * x * x);
        squares.row(0).sum() + squares[[2, 1]] * 10.0
    }
    let m = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let expected = array![[3.0, 0.0, 0.0], [3.0 * 16.0, 0.0, 10.0 * 3.0 * 36.0]];
    assert_eq!(mapped::gradient(&m), expected);
    // The same elements, column by column in memory.
    let columns = m.t().as_standard_layout().to_owned().reversed_axes();
    assert_eq!(mapped::gradient(&columns), expected);
}

#[differentiate(reverse)]
fn lent(x: &ArrayRef1<f64>) -> f64 {
    x.dot(x) + x[0]
}

#[test]
fn views_are_handed_to_parameters_of_references() {
    let m = array![[1.0, 2.0], [3.0, 4.0]];
    let mut m_adj = Array2::zeros((2, 2));
    let value = lent::adjoint(&m.column(1), &mut m_adj.column_mut(1), 1.0);
    assert_eq!((value, m_adj), (22.0, array![[0.0, 5.0], [0.0, 8.0]]));
    assert_eq!(lent::gradient(&m.row(0)), array![3.0, 4.0]);
}

#[test]
fn calls_with_arrays() {
    #[differentiate(reverse)]
    fn norm(x: &Array1<f64>) -> f64 {
        x.dot(x).sqrt()
    }
    #[differentiate(reverse)]
    fn both(m: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let y = m.dot(x);
        norm(&y) * norm(x) + lent(&y)
    }
    let at = sample(9, 0.65);
    let f = |x: &[f64]| both(&two_rows(&x[..6]), &vector(&x[6..]));
    let (value, (m, x)) = both::value_and_gradient(&two_rows(&at[..6]), &vector(&at[6..]));
    check("both", f, &at, value, &[flat(&m), flat(&x)].concat());
}

#[test]
fn three_axes() {
    #[differentiate(reverse)]
    fn cube(x: &Array3<f64>) -> f64 {
        x[[0, 1, 1]] * x.sum() + x.sum_axis(Axis(1)).sum_axis(Axis(0))[0]
    }
    let x = Array3::from_elem((1, 2, 2), 2.0);
    assert_eq!(cube::gradient(&x), array![[[3.0, 2.0], [3.0, 2.0 + 8.0]]]);
}

#[differentiate(reverse)]
fn total(m: &Array2<f64>, x: &Array1<f64>) -> f64 {
    m.dot(x).sum() + x.dot(x)
}

#[test]
fn arrays_without_elements() {
    let (value, (m_adj, x_adj)) =
        total::value_and_gradient(&Array2::zeros((0, 2)), &array![1.0, 2.0]);
    assert_eq!((value, m_adj.dim(), x_adj), (5.0, (0, 2), array![2.0, 4.0]));
    let (value, (m_adj, x_adj)) = total::value_and_gradient(&Array2::zeros((3, 0)), &array![]);
    assert_eq!((value, m_adj.dim(), x_adj.len()), (0.0, (3, 0), 0));
}

#[test]
#[should_panic(
    expected = "ndarray: inputs 2 × 3 and 2 × 1 are not compatible for matrix multiplication"
)]
fn mismatched_products_panic_as_ndarray_does() {
    total::gradient(&Array2::zeros((2, 3)), &array![1.0, 2.0]);
}

#[test]
#[should_panic(expected = "IncompatibleShape")]
fn mismatched_sums_panic_as_ndarray_does() {
    #[differentiate(reverse)]
    fn sum(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
        (a + b).sum()
    }
    sum::gradient(&array![1.0, 2.0, 3.0], &array![1.0, 2.0]);
}

#[test]
#[should_panic(expected = "`m_adj` does not have the shape of `m`: the shape [2, 1], not [1, 2]")]
fn an_adjoint_of_another_shape_panics() {
    let (m, x) = (array![[1.0, 2.0]], array![1.0, 2.0]);
    total::adjoint(&m, &mut array![[1.0], [2.0]], &x, &mut array![0.0, 0.0], 1.0);
}

#[test]
fn a_zero_seed_absorbs_infinite_partials() {
    #[differentiate(reverse)]
    fn singular(x: &Array1<f64>, weight: f64) -> f64 {
        weight * (1.0 / x).mapv(|x| x.sqrt()).sum()
    }
    let (x_adj, _) = singular::gradient(&array![0.0, 4.0], 0.0);
    assert_eq!(x_adj, array![0.0, 0.0]);
}

#[test]
fn single_precision() {
    #[differentiate(reverse)]
    fn single(x: &Array1<f32>, s: f32) -> f32 {
        (x * s).dot(x)
    }
    let x = array![1.0_f32, 2.0];
    assert_eq!(single::gradient(&x, 3.0), (6.0 * &x, 5.0));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Cell {
    input: Array2<f64>,
    hidden: Array2<f64>,
    bias: Array1<f64>,
}

impl Cell {
    #[differentiate(reverse)]
    pub fn step(&self, x: &Array1<f64>, state: &Array1<f64>) -> Array1<f64> {
        let sum = self.input.dot(x) + &self.hidden.dot(state) + &self.bias;
        sum.mapv(|z| z.tanh())
    }
}

#[differentiate(reverse)]
fn recurrent(cell: &Cell, inputs: &[Array1<f64>], target: &Array1<f64>) -> f64 {
    let mut state = Array1::zeros(target.len());
    let mut loss = 0.0;
    for x in inputs {
        state = cell.step(x, &state);
        let error = &state - target;
        loss += error.dot(&error);
    }
    loss
}

#[test]
fn a_recurrent_network() {
    let at = sample(20, 0.3);
    let make = |x: &[f64]| {
        let cell = Cell {
            input: two_rows(&x[..6]),
            hidden: two_rows(&x[6..10]),
            bias: vector(&x[10..12]),
        };
        (cell, vec![vector(&x[12..15]), vector(&x[15..18])], vector(&x[18..]))
    };
    let f = |x: &[f64]| {
        let (cell, inputs, target) = make(x);
        recurrent(&cell, &inputs, &target)
    };
    let (cell, inputs, target) = make(&at);
    let (value, (cell_adj, inputs_adj, target_adj)) =
        recurrent::value_and_gradient(&cell, &inputs, &target);
    let gradient = [
        flat(&cell_adj.input),
        flat(&cell_adj.hidden),
        flat(&cell_adj.bias),
        flat(&inputs_adj[0]),
        flat(&inputs_adj[1]),
        flat(&target_adj),
    ];
    check("recurrent", f, &at, value, &gradient.concat());
}
