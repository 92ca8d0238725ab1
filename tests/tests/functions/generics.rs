//! Generics, `impl Trait` bounds, mutual recursion, nested functions, other modules and crates.

use crate::check_both;
use ad_runtime::differentiate;
use num_dual::DualNum;
use num_traits::Float;

/// A `where` clause, two type parameters, one of them data.
#[differentiate(reverse, forward, second_order, cross_check)]
fn weighted<T, I>(x: &[T], #[constant] order: &[I], base: T) -> T
where
    T: Float,
    I: Copy + Into<usize>,
{
    let mut sum = T::zero();
    for k in 0..order.len() {
        #[constant]
        let at: usize = order[k].into();
        sum = sum * base + x[at].sin();
    }
    sum
}

/// In the order 2, 0, 1, 0.
fn weighted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let base = v[3];
    v[2].sin() * base.powi(3) + v[0].sin() * base.powi(2) + v[1].sin() * base + v[0].sin()
}

#[test]
fn a_type_parameter_that_is_data() {
    let at = [0.4, 1.3, -0.6, 0.7];
    let order = [2_u8, 0, 1, 0];
    let (value, (x, base)) = weighted::value_and_gradient(&at[..3], &order, at[3]);
    let gradient = [x, vec![base]].concat();
    let f = |v: &[f64]| weighted(&v[..3], &order, v[3]);
    check_both("weighted", f, weighted_twin, &at, value, &gradient);
}

/// Const parameters and explicit lifetimes.
#[differentiate(reverse, forward, second_order, cross_check)]
fn bilinear<'a, const M: usize, const N: usize>(
    a: &'a [[f64; N]; M],
    x: &'a [f64; M],
    y: &'a [f64; N],
) -> f64 {
    let mut sum = 0.0;
    for i in 0..M {
        let row: &[f64; N] = &a[i];
        for j in 0..N {
            sum += x[i] * row[j] * y[j];
        }
    }
    sum
}

fn bilinear_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut sum = D::from(0.0);
    for k in 0..6 {
        sum += v[k] * v[6 + k / 3] * v[8 + k % 3];
    }
    sum
}

#[test]
fn const_parameters_and_lifetimes() {
    let at = [0.3, -0.7, 1.1, 0.2, 0.9, -0.4, 0.5, 0.8, -1.2, 0.6, 1.4];
    let split =
        |v: &[f64]| ([[v[0], v[1], v[2]], [v[3], v[4], v[5]]], [v[6], v[7]], [v[8], v[9], v[10]]);
    let (a, x, y) = split(&at);
    let (value, (a, x, y)) = bilinear::value_and_gradient(&a, &x, &y);
    let gradient = [a.as_flattened(), &x, &y].concat();
    let f = |v: &[f64]| {
        let (a, x, y) = split(v);
        bilinear(&a, &x, &y)
    };
    check_both("bilinear", f, bilinear_twin, &at, value, &gradient);
}

/// Two functions that call each other: one of them says so.
#[differentiate(reverse, forward, cross_check, recursive)]
fn even(x: f64, n: u32) -> f64 {
    if n == 0 { x } else { odd(x * 1.1, n - 1).sin() }
}

#[differentiate(reverse, forward, cross_check)]
fn odd(x: f64, n: u32) -> f64 {
    if n == 0 { x * x } else { even(x + 0.3, n - 1) * x }
}

fn alternating_twin<D: DualNum<Primitive = f64> + Copy>(x: D, n: u32, even: bool) -> D {
    match (n, even) {
        (0, true) => x,
        (0, false) => x * x,
        (_, true) => alternating_twin(x * 1.1, n - 1, false).sin(),
        (_, false) => alternating_twin(x + 0.3, n - 1, true) * x,
    }
}

#[test]
fn mutual_recursion() {
    for n in [0, 1, 2, 5] {
        let (value, x) = even::value_and_gradient(0.7, n);
        let twin = |v: &[_]| alternating_twin(v[0], n, true);
        check_both("even", |v| even(v[0], n), twin, &[0.7], value, &[x]);
        let (value, x) = odd::value_and_gradient(0.7, n);
        let twin = |v: &[_]| alternating_twin(v[0], n, false);
        check_both("odd", |v| odd(v[0], n), twin, &[0.7], value, &[x]);
    }
}

mod elsewhere {
    pub mod deep {
        use ad_runtime::differentiate;

        #[differentiate(reverse, forward, cross_check)]
        pub fn softplus(x: f64) -> f64 {
            x.exp().ln_1p()
        }
    }
}

use elsewhere::deep;

/// Functions of other modules and of another crate.
#[differentiate(reverse, forward, cross_check)]
fn visits(x: f64, y: f64) -> f64 {
    deep::softplus(x) * crate::generics::elsewhere::deep::softplus(y)
        + ad_tests::cases::programs::crossed(x, y)
}

fn visits_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let softplus = |x: D| (x.exp() + 1.0).ln();
    // As the cases define it.
    softplus(v[0]) * softplus(v[1]) + v[1] * v[1]
}

#[test]
fn functions_of_other_modules_and_crates() {
    let at = [0.4, -1.1];
    let (value, (x, y)) = visits::value_and_gradient(at[0], at[1]);
    check_both("visits", |v| visits(v[0], v[1]), visits_twin, &at, value, &[x, y]);
}

/// A nested function with a derivative of its own, and a nested one that is data.
#[differentiate(reverse, forward, cross_check)]
fn nested(x: f64, n: usize) -> f64 {
    #[differentiate(reverse, forward, cross_check)]
    fn inner(x: f64) -> f64 {
        x * x.cos()
    }
    fn steps(n: usize) -> usize {
        n * 2 + 1
    }
    let mut y = x;
    for _ in 0..steps(n) {
        y = inner(y) + 0.1;
    }
    y
}

fn nested_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut y = v[0];
    for _ in 0..5 {
        y = y * y.cos() + 0.1;
    }
    y
}

#[test]
fn nested_functions() {
    let (value, x) = nested::value_and_gradient(0.8, 2);
    check_both("nested", |v| nested(v[0], 2), nested_twin, &[0.8], value, &[x]);
}
