//! Programs that mix arrays of other crates with the rest of the language, against central differences.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{check, sample};
use nalgebra::{DVector, Vector3};
use ndarray::{Array1, Array2, ArrayRef2};

/// Checks a function of two vectors of three elements and a number, with its value and gradient.
fn check_program(
    name: &str,
    f: impl Fn(&[f64], &[f64], f64) -> f64,
    value_and_gradient: impl Fn(&[f64], &[f64], f64) -> (f64, [Vec<f64>; 2], f64),
) {
    let shifted: Vec<f64> = sample(3, 0.4).iter().map(|x| x + 1.2).collect();
    let at = [shifted, sample(3, 0.9), vec![0.8]].concat();
    let (value, [a, b], s) = value_and_gradient(&at[..3], &at[3..6], at[6]);
    check(name, |x| f(&x[..3], &x[3..6], x[6]), &at, value, &[a, b, vec![s]].concat());
}

fn vector(x: &[f64]) -> Array1<f64> {
    Array1::from_vec(x.to_vec())
}

macro_rules! check_arrays {
    ($f:ident) => {
        check_program(
            stringify!($f),
            |a, b, s| $f(&vector(a), &vector(b), s),
            |a, b, s| {
                let (value, (a, b, s)) = $f::value_and_gradient(&vector(a), &vector(b), s);
                (value, [a.to_vec(), b.to_vec()], s)
            },
        )
    };
}

#[differentiate(reverse)]
fn normalised(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut v = a.clone();
    let mut total = 0.0;
    for k in 0..4 {
        let n = v.dot(&v).sqrt();
        v /= n;
        v += b;
        if k == 2 && s > 0.0 {
            v *= s;
            continue;
        }
        total += v.sum() * n;
    }
    total
}

#[test]
fn a_vector_that_a_loop_changes_as_a_whole() {
    check_arrays!(normalised);
}

#[differentiate(reverse)]
fn grown(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut v = a * s;
    let mut k = 0;
    while v.dot(&v) < 40.0 {
        v = &v * 1.5 + b;
        k += 1;
        if k > 10 {
            break;
        }
    }
    v.sum() * v[0]
}

#[test]
fn a_loop_until_a_vector_is_long() {
    check_arrays!(grown);
}

#[differentiate(reverse)]
fn overwritten(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut x = a.clone();
    let c = &x * b;
    x[0] = s * s;
    let d = &x * &c;
    x[1] = d[0];
    let e = &x * &x - &x * &d;
    e.sum() + x.dot(&x) + (&x / &d).sum()
}

#[test]
fn elements_overwritten_between_operators() {
    check_arrays!(overwritten);
}

#[differentiate(reverse)]
fn several(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut ws = [a.clone(), b * s];
    ws[1] += a;
    ws[0] *= s;
    ws[0][1] *= ws[1][2];
    let mut sum = 0.0;
    for i in 0..2 {
        let w = &ws[i];
        sum += w.dot(b) + (&ws[i] + b).dot(&ws[0]);
    }
    sum
}

#[test]
fn vectors_in_an_array() {
    check_arrays!(several);
}

#[differentiate(reverse)]
fn captured(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let f = |t: f64| (a * t * s + b).mapv(|x| x.sin()).sum();
    f(1.0) + f(2.0 * s)
}

#[test]
fn closures_that_capture_arrays() {
    check_arrays!(captured);
}

#[differentiate(reverse)]
fn branched(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let y = if s > 0.5 { a + b } else { a - b };
    let z = match a.len() {
        3 => &y * s,
        _ => &y + s,
    };
    let mut w = if s > 100.0 { a.clone() } else { b.clone() };
    w += &z;
    w -= s;
    if z[0] > 1000.0 {
        return 0.0;
    }
    w.dot(&y) + z.sum()
}

#[test]
fn arrays_chosen_by_branches() {
    check_arrays!(branched);
}

#[derive(Differentiable, Clone)]
struct State {
    x: Array1<f64>,
    m: Array2<f64>,
    t: f64,
}

#[differentiate(reverse)]
fn kept(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut state = State { x: a.clone(), m: Array2::zeros((2, 3)), t: s };
    for i in 0..2 {
        for j in 0..3 {
            state.m[[i, j]] = state.x[j] * s;
        }
        state.x = &state.x * b;
        state.t += state.x[i];
    }
    state.m.dot(&state.x).sum() * state.t
}

#[test]
fn arrays_in_a_struct() {
    check_arrays!(kept);
}

#[differentiate(reverse)]
fn iterated(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut x = a.clone();
    for v in x.iter_mut() {
        *v *= s;
    }
    for (v, w) in x.iter_mut().zip(b.iter()) {
        *v += w * w;
    }
    let y = x.clone();
    x.fill(0.0);
    x[0] = y[1];
    x.dot(&y) + y.iter().fold(0.0, |sum, v| sum + v * s)
}

#[test]
fn elements_changed_through_iterators() {
    check_arrays!(iterated);
}

#[differentiate(reverse)]
fn optional(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let (p, q) = (a * s, b.clone());
    let found = if s > 0.0 { Some(p) } else { None };
    match found {
        Some(v) => (v * &q).sum(),
        None => 0.0,
    }
}

#[test]
fn arrays_in_options() {
    check_arrays!(optional);
}

#[differentiate(reverse)]
fn step(x: &mut Array1<f64>, b: &Array1<f64>, s: f64) {
    *x += b;
    x[0] *= s;
    *x *= b;
}

#[differentiate(reverse)]
fn stepped(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let mut x = a.clone();
    let mut total = 0.0;
    for _ in 0..3 {
        total += x.dot(&x);
        step(&mut x, b, s);
    }
    total + x.sum()
}

#[test]
fn arrays_that_calls_change() {
    check_arrays!(stepped);
}

#[differentiate(reverse)]
fn spun(a: Vector3<f64>, mut b: Vector3<f64>, s: f64) -> f64 {
    let mut total = 0.0;
    for _ in 0..3 {
        b += a * s;
        b = b.cross(&a).normalize() + b;
        let n = b.norm();
        b.x = n;
        total += b.dot(&a) / n;
        b /= n + 1.0;
    }
    total
}

#[test]
fn fixed_vectors_by_value() {
    let vector = |x: &[f64]| Vector3::from_column_slice(x);
    check_program(
        "spun",
        |a, b, s| spun(vector(a), vector(b), s),
        |a, b, s| {
            let (value, (a, b, s)) = spun::value_and_gradient(vector(a), vector(b), s);
            (value, [a.as_slice().to_vec(), b.as_slice().to_vec()], s)
        },
    );
}

#[differentiate(reverse)]
fn filled(a: &DVector<f64>, b: &DVector<f64>, s: f64) -> f64 {
    let mut y = a.clone();
    y.fill(0.5);
    y[1] = s;
    y[0] = b[1];
    let mut sum = 0.0;
    for v in y.iter() {
        sum += v * v;
    }
    for (i, v) in a.iter().enumerate() {
        sum += v * i as f64;
    }
    let z = y.map(|v| v * s) - a * sum;
    z.norm()
}

#[test]
fn dynamic_vectors_that_are_filled() {
    let vector = |x: &[f64]| DVector::from_column_slice(x);
    check_program(
        "filled",
        |a, b, s| filled(&vector(a), &vector(b), s),
        |a, b, s| {
            let (value, (a, b, s)) = filled::value_and_gradient(&vector(a), &vector(b), s);
            (value, [a.as_slice().to_vec(), b.as_slice().to_vec()], s)
        },
    );
}

#[differentiate(reverse)]
fn elementary(a: &Array1<f64>, b: &Array1<f64>, s: f64) -> f64 {
    let first = a.exp().dot(&b.sin()) + a.ln().dot(&b.cos()) - a.sqrt().dot(&a.recip());
    let second = b.tanh().dot(&a.powi(3)) + a.exp2().dot(&a.log2()) - a.log10().dot(&b.tan());
    let third = b.abs().dot(&a.cbrt()) + b.sinh().dot(&b.cosh()) + a.pow2().dot(b);
    first * s + second + third
}

#[test]
fn elementary_functions_of_all_elements() {
    check_arrays!(elementary);
}

#[test]
fn views_of_constant_data() {
    #[differentiate(reverse)]
    fn fitted(w: &Array1<f64>, #[constant] data: &ArrayRef2<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..data.nrows() {
            sum += w.dot(&data.row(i)).powi(2);
        }
        sum + data.dot(w)[0]
    }
    let data = Array2::from_shape_fn((3, 2), |(i, j)| (i + 2 * j) as f64);
    let w = vector(&[1.0, -2.0]);
    let expected = 2.0 * data.t().dot(&data.dot(&w)) + data.row(0);
    assert_eq!(fitted::gradient(&w, &data.view()), expected);
}
