//! The shape of `tangent`: a tangent behind every active parameter and behind an active result, by the table of the
//! book.

use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(forward)]
fn product(x: f64, y: f64) -> f64 {
    x * y * y
}

#[test]
fn numbers_by_value() {
    let (value, tangent): (f64, f64) = product::tangent(2.0, 0.5, 3.0, -1.0);
    assert_eq!((value, tangent), (18.0, 0.5 * 9.0 - 12.0));
}

#[differentiate(forward)]
fn scaled(scale: f32, x: &f32) -> f32 {
    scale * x
}

#[test]
fn single_precision_and_a_number_behind_a_reference() {
    assert_eq!(scaled::tangent(2.0, 1.0, &3.0, &0.25), (6.0_f32, 3.5_f32));
}

#[differentiate(forward)]
fn mixed(scale: f64, w: &[f64], pair: [f64; 2], n: usize, out: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        out[i] = scale * w[i] * out[i];
        s += out[i] * pair[i % 2];
    }
    s
}

#[test]
fn every_row_of_the_table() {
    let (w, w_tan, pair, pair_tan) = ([3.0, 5.0], [0.1, 0.2], [7.0, 11.0], [-1.0, 2.0]);
    let (mut out, mut out_tan) = ([0.5, 0.25], [4.0, 8.0]);
    let (value, tangent): (f64, f64) =
        mixed::tangent(2.0, 0.3, &w, &w_tan, pair, pair_tan, 2, &mut out, &mut out_tan);
    assert_eq!((out, value), ([3.0, 2.5], 48.5));
    // scale · w · out, by the product rule
    let first = 0.3 * 3.0 * 0.5 + 2.0 * 0.1 * 0.5 + 2.0 * 3.0 * 4.0;
    let second = 0.3 * 5.0 * 0.25 + 2.0 * 0.2 * 0.25 + 2.0 * 5.0 * 8.0;
    assert_exact("out", &out_tan, &[first, second]);
    let want = first * 7.0 - 3.0 + second * 11.0 + 2.5 * 2.0;
    assert_exact("value", &[tangent], &[want]);
}

#[differentiate(forward)]
fn replaced(x: f64, out: &mut f64) {
    *out = 3.0 * x;
}

#[differentiate(forward)]
fn reset(out: &mut [f64]) {
    out[0] = 5.0;
}

#[differentiate(forward)]
fn untouched(x: f64, out: &mut [f64; 2]) -> f64 {
    x * out[1]
}

#[test]
fn tangents_go_in_and_out() {
    let (mut out, mut out_tan) = (1.0, 1e30);
    let unit: () = replaced::tangent(2.0, 0.5, &mut out, &mut out_tan);
    assert_eq!((out, out_tan, unit), (6.0, 1.5, ()));

    let (mut out, mut out_tan) = ([1.0, 2.0], [10.0, 20.0]);
    reset::tangent(&mut out, &mut out_tan);
    assert_eq!((out, out_tan), ([5.0, 2.0], [0.0, 20.0]));

    let (mut out, mut out_tan) = ([1.0, 2.0], [10.0, 20.0]);
    assert_eq!(untouched::tangent(3.0, 1.0, &mut out, &mut out_tan), (6.0, 62.0));
    assert_eq!((out, out_tan), ([1.0, 2.0], [10.0, 20.0]));
}

#[differentiate(forward)]
fn weighted(x: &[f64], #[constant] weights: &[f64], #[constant] power: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += weights[i] * x[i].powf(power);
    }
    s
}

#[differentiate(forward, wrt(b))]
fn line(a: f64, b: f64, x: &[f64]) -> f64 {
    x.iter().map(|x| a + b * x).sum()
}

#[test]
fn constants_have_no_tangent() {
    let (value, tangent) = weighted::tangent(&[2.0, 3.0], &[1.0, 0.5], &[10.0, 1.0], 2.0);
    assert_exact("weighted", &[value, tangent], &[49.0, 43.0]);
    assert_eq!(line::tangent(1.0, 2.0, 0.5, &[3.0, 5.0]), (18.0, 4.0));
}

#[differentiate(forward)]
fn clip_count(x: &mut [f64], limit: f64) -> usize {
    let mut n = 0;
    for v in x.iter_mut() {
        if *v > limit {
            *v = limit;
            n += 1;
        }
    }
    n
}

#[test]
fn a_result_without_derivative_has_no_tangent() {
    let (mut x, mut x_tan) = ([1.0, 5.0, 7.0], [1.0, 10.0, 100.0]);
    let n: usize = clip_count::tangent(&mut x, &mut x_tan, 4.0, 0.5);
    assert_eq!((n, x, x_tan), (2, [1.0, 4.0, 4.0], [1.0, 0.5, 0.5]));
}

#[differentiate(forward)]
fn constant_value(_x: f64) -> f64 {
    42.0
}

#[differentiate(forward)]
fn does_not_depend(x: f64, y: f64) -> f64 {
    let _ = x;
    y + 3.0
}

#[differentiate(forward)]
fn identity(x: f64) -> f64 {
    x
}

#[differentiate(forward)]
fn constant_list(x: &[f64]) -> Vec<f64> {
    vec![1.0; x.len()]
}

#[differentiate(forward)]
fn constant_pair(_x: f64, n: usize) -> (usize, [f64; 2]) {
    (n + 1, [1.0, 2.0])
}

#[test]
fn results_that_do_not_depend_on_anything() {
    assert_eq!(constant_value::tangent(2.0, 1.0), (42.0, 0.0));
    assert_eq!(does_not_depend::tangent(2.0, 7.0, 5.0, 3.0), (8.0, 3.0));
    assert_eq!(identity::tangent(2.0, 3.0), (2.0, 3.0));
    assert_eq!(constant_list::tangent(&[1.0, 2.0], &[1.0, 2.0]), (vec![1.0; 2], vec![0.0; 2]));
    // What is no real number rides along.
    assert_eq!(constant_pair::tangent(2.0, 1.0, 3), ((4, [1.0, 2.0]), (4, [0.0, 0.0])));
}

#[differentiate(forward)]
fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

#[differentiate(forward)]
fn same_twice(x: f64) -> (f64, f64) {
    (x, x)
}

#[differentiate(forward)]
fn powers(x: f64) -> [f64; 3] {
    let mut p = [1.0, x, x];
    p[2] *= p[1];
    p
}

#[differentiate(forward)]
fn running(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1] * y[i - 1];
    }
    y
}

#[differentiate(forward)]
fn checked_root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    Some(x.sqrt())
}

#[differentiate(forward)]
fn checked_inverse(x: f64) -> Result<f64, String> {
    if x == 0.0 {
        return Err("division by zero".to_string());
    }
    Ok(1.0 / x)
}

#[test]
fn results_of_several_numbers() {
    let (value, tangent): ((f64, f64), (f64, f64)) = polar::tangent(3.0, 1.0, 4.0, 2.0);
    assert_eq!(value, polar(3.0, 4.0));
    assert_exact("polar", &[tangent.0, tangent.1], &[0.6 + 1.6, -0.16 + 0.24]);
    assert_eq!(same_twice::tangent(2.0, 5.0), ((2.0, 2.0), (5.0, 5.0)));
    assert_eq!(powers::tangent(3.0, 2.0), ([1.0, 3.0, 9.0], [0.0, 2.0, 12.0]));
    let (value, tangent) = running::tangent(&[2.0, 1.0, 3.0], &[1.0, 0.0, 0.5]);
    assert_eq!((value, tangent), (vec![2.0, 5.0, 28.0], vec![1.0, 4.0, 40.5]));
    assert_eq!(checked_root::tangent(4.0, 2.0), (Some(2.0), Some(0.5)));
    assert_eq!(checked_root::tangent(-4.0, 2.0), (None, None));
    assert_eq!(checked_inverse::tangent(2.0, 2.0), (Ok(0.5), Ok(-0.5)));
    let message = || Err("division by zero".to_string());
    assert_eq!(checked_inverse::tangent(0.0, 2.0), (message(), message()));
}

#[differentiate(forward)]
fn by_value(mut v: Vec<f64>, t: (f64, [f64; 2]), s: f64) -> f64 {
    for x in v.iter_mut() {
        *x *= s;
    }
    v[0] * v[1] + t.0 * t.1[1]
}

#[test]
fn containers_by_value() {
    let (v, v_tan) = (vec![2.0, 3.0], vec![1.0, 0.0]);
    let (value, tangent) =
        by_value::tangent(v, v_tan, (5.0, [0.0, 7.0]), (1.0, [9.0, 2.0]), 0.5, 1.0);
    // s² v₀ v₁ + t₀ t₁₁
    assert_eq!((value, tangent), (36.5, 0.25 * 3.0 + 6.0 + 7.0 + 10.0));
}

mod loss {
    pub const SCALE: f64 = 3.0;
}

#[differentiate(forward, name = Loss)]
fn loss(x: f64) -> f64 {
    loss::SCALE * x * x
}

#[test]
fn another_name_for_the_companion() {
    assert_eq!(Loss::tangent(2.0, 1.0), (12.0, 12.0));
}

#[differentiate(reverse, forward)]
fn product_of_both(x: f64) -> f64 {
    both_again(x) * x
}

#[differentiate(forward, reverse)]
fn both_again(x: f64) -> f64 {
    x.sin()
}

#[test]
fn modes_in_any_order() {
    let want = 2.0_f64.sin() + 2.0 * 2.0_f64.cos();
    assert_exact("forward", &[product_of_both::tangent(2.0, 1.0).1], &[want]);
    assert_exact("reverse", &[product_of_both::gradient(2.0)], &[want]);
}

/// Tangents are linear in the direction: nothing of one call is left for the next.
#[test]
fn linear_in_the_direction() {
    let tangent = |d: [f64; 3]| running::tangent(&[0.5, -0.7, 1.1], &d).1;
    let (a, b) = ([1.0, -2.0, 0.5], [0.3, 4.0, -1.0]);
    let sum = tangent(std::array::from_fn(|k| 2.0 * a[k] - 3.0 * b[k]));
    let want: Vec<f64> =
        tangent(a).iter().zip(tangent(b)).map(|(a, b)| 2.0 * a - 3.0 * b).collect();
    assert_exact("linear", &sum, &want);
}

#[differentiate(forward)]
fn inner(a: &[f64], b: Vec<f64>, c: &mut [Vec<f64>], d: Option<f64>) -> f64 {
    c[0][0] = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    c[0][0] * d.unwrap_or(1.0)
}

#[track_caller]
fn panics_with(run: impl FnOnce() + std::panic::UnwindSafe, message: &str) {
    let found = std::panic::catch_unwind(run).expect_err("the shapes disagree");
    let found = found.downcast_ref::<String>().expect("a message with names");
    assert_eq!(found, message);
}

#[test]
fn a_shape_that_disagrees_is_named() {
    let (a, b) = ([1.0, 2.0], vec![1.0, 2.0]);
    let run = |a_tan: Vec<f64>, b_tan: Vec<f64>, mut c_tan: Vec<Vec<f64>>, d_tan| {
        let (a, b) = (a, b.clone());
        move || {
            let mut c = vec![vec![0.0]];
            inner::tangent(&a, &a_tan, b, b_tan, &mut c, &mut c_tan, Some(1.0), d_tan);
        }
    };
    let zeros = || vec![0.0; 2];
    run(zeros(), zeros(), vec![vec![0.0]], Some(0.0))();
    panics_with(
        run(vec![0.0; 3], zeros(), vec![vec![0.0]], Some(0.0)),
        "`a_tan` does not have the shape of `a`: 3 elements, not 2",
    );
    panics_with(
        run(zeros(), vec![], vec![vec![0.0]], Some(0.0)),
        "`b_tan` does not have the shape of `b`: 0 elements, not 2",
    );
    panics_with(
        run(zeros(), zeros(), vec![vec![0.0; 2]], Some(0.0)),
        "`c_tan` does not have the shape of `c`: at [0]: 2 elements, not 1",
    );
    panics_with(
        run(zeros(), zeros(), vec![vec![0.0]], None),
        "`d_tan` does not have the shape of `d`: the variant `None`, not `Some`",
    );
}
