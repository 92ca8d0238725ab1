//! The shape of the generated functions: what is returned, in which order, what a seed is, what is overwritten.

use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, differences};

#[differentiate(reverse, forward, second_order, cross_check)]
fn product(x: f64, y: f64) -> f64 {
    x * y * y
}

#[test]
fn gradient_and_value() {
    let (x, y) = (2.0, 3.0);
    let (x_adj, y_adj): (f64, f64) = product::gradient(x, y);
    assert_eq!((x_adj, y_adj), (9.0, 12.0));
    let (value, gradient): (f64, (f64, f64)) = product::value_and_gradient(x, y);
    assert_eq!((value, gradient), (18.0, (9.0, 12.0)));
}

#[test]
fn adjoints_are_linear_in_the_seed() {
    let (_, x_adj, y_adj) = product::adjoint(2.0, 3.0, -0.25);
    assert_eq!((x_adj, y_adj), (-0.25 * 9.0, -0.25 * 12.0));
    assert_eq!(product::adjoint(2.0, 3.0, 0.0), (18.0, 0.0, 0.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn mixed(scale: f64, w: &[f64], pair: [f64; 2], n: usize, out: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        out[i] = scale * w[i] * out[i];
        s += out[i] * pair[i % 2];
    }
    s
}

#[test]
fn adjoints_come_back_in_the_order_of_the_parameters() {
    let (scale, w, pair, before) = (2.0, [3.0, 5.0], [7.0, 11.0], [0.5, 0.25]);
    let (mut w_adj, mut out, mut out_adj) = ([0.0; 2], before, [0.0; 2]);
    let (value, scale_adj, pair_adj): (f64, f64, [f64; 2]) =
        mixed::adjoint(scale, &w, &mut w_adj, pair, 2, &mut out, &mut out_adj, 1.0);
    assert_eq!(out, [3.0, 2.5]);
    assert_eq!(value, 3.0 * 7.0 + 2.5 * 11.0);
    assert_exact("scale", &[scale_adj], &[value / scale]);
    assert_exact("w", &w_adj, &[scale * 0.5 * 7.0, scale * 0.25 * 11.0]);
    assert_exact("pair", &pair_adj, &[3.0, 2.5]);
    assert_exact("out", &out_adj, &[scale * 3.0 * 7.0, scale * 5.0 * 11.0]);
}

#[test]
fn gradient_owns_what_it_returns() {
    let (scale, w, pair, before) = (2.0, [3.0, 5.0], [7.0, 11.0], [0.5, 0.25]);
    let mut out = before;
    let (scale_adj, w_adj, pair_adj, out_adj): (f64, Vec<f64>, [f64; 2], Vec<f64>) =
        mixed::gradient(scale, &w, pair, 2, &mut out);
    assert_eq!(out, [3.0, 2.5], "as the function leaves it");
    let all = [vec![scale_adj], w_adj, pair_adj.to_vec(), out_adj].concat();
    let at = [scale, w[0], w[1], pair[0], pair[1], before[0], before[1]];
    let f = |v: &[f64]| mixed(v[0], &v[1..3], [v[3], v[4]], 2, &mut [v[5], v[6]]);
    ad_tests::check::assert_gradient("mixed", f, &at, &all);
}

#[test]
fn value_and_gradient_into_overwrites() {
    let (scale, w, pair) = (2.0, [3.0, 5.0], [7.0, 11.0]);
    let garbage = 1e30;
    let (mut scale_adj, mut w_adj, mut pair_adj) = (garbage, [garbage; 2], [garbage; 2]);
    let (mut out, mut out_adj) = ([0.5, 0.25], [garbage; 2]);
    for _ in 0..2 {
        out = [0.5, 0.25];
        let value: f64 = mixed::value_and_gradient_into(
            scale,
            &mut scale_adj,
            &w,
            &mut w_adj,
            pair,
            &mut pair_adj,
            2,
            &mut out,
            &mut out_adj,
        );
        assert_eq!(value, 48.5);
        assert_exact("scale", &[scale_adj], &[48.5 / scale]);
        assert_exact("w", &w_adj, &[7.0, 5.5]);
        assert_exact("pair", &pair_adj, &[3.0, 2.5]);
        assert_exact("out", &out_adj, &[42.0, 110.0]);
    }
    assert_eq!(out, [3.0, 2.5]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn array_and_tuple(x: [f64; 2], t: (f64, f64)) -> f64 {
    x[0] * t.0 + x[1] * x[1] * t.1
}

#[test]
fn arrays_and_tuples_by_value() {
    let (value, x_adj, t_adj): (f64, [f64; 2], (f64, f64)) =
        array_and_tuple::adjoint([2.0, 3.0], (5.0, 7.0), 1.0);
    assert_eq!((value, x_adj, t_adj), (73.0, [5.0, 42.0], (2.0, 9.0)));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn vector_by_value(mut v: Vec<f64>, s: f64) -> f64 {
    for i in 0..v.len() {
        v[i] *= s;
    }
    v[0] * v[1]
}

#[test]
fn vectors_by_value() {
    let (value, v_adj, s_adj) = vector_by_value::adjoint(vec![2.0, 3.0, 4.0], 0.5, 1.0);
    assert_eq!((value, v_adj, s_adj), (1.5, vec![0.75, 0.5, 0.0], 6.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn array_reference(m: &[[f64; 2]; 2]) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

#[test]
fn arrays_behind_a_reference_come_back_owned() {
    let m_adj: [[f64; 2]; 2] = array_reference::gradient(&[[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(m_adj, [[4.0, -3.0], [-2.0, 1.0]]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

#[test]
fn the_seed_of_a_tuple_is_a_tuple() {
    let (x, y) = (3.0, 4.0);
    let (value, x_adj, y_adj): ((f64, f64), f64, f64) = polar::adjoint(x, y, (2.0, 50.0));
    assert_eq!(value, polar(x, y));
    // hypot: (x, y) / r; atan2: (-y, x) / r²
    assert_exact("polar", &[x_adj, y_adj], &[2.0 * 0.6 - 50.0 * 0.16, 2.0 * 0.8 + 50.0 * 0.12]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn powers(x: f64) -> [f64; 3] {
    let mut p = [1.0, x, x];
    p[2] *= p[1];
    p
}

#[test]
fn the_seed_of_an_array_is_an_array() {
    assert_eq!(powers::adjoint(3.0, [100.0, 10.0, 1.0]), ([1.0, 3.0, 9.0], 16.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn running(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1] * y[i - 1];
    }
    y
}

#[test]
fn the_seed_of_a_vector_is_a_vector() {
    let (x, seed) = ([0.5, 1.0, -0.3], vec![1.0, 10.0, 100.0]);
    let mut x_adj = [0.0; 3];
    let value = running::adjoint(&x, &mut x_adj, seed.clone());
    assert_eq!(value, running(&x));
    let want = differences(|v| crate::dot(&running(v), &seed), &x);
    ad_tests::check::assert_close("running", &x_adj, &want, ad_tests::check::DIFFERENCES);
}

#[test]
fn adjoints_are_linear_in_seeds_of_several_numbers() {
    let adjoint = |s: [f64; 3]| powers::adjoint(1.7, s).1;
    let (a, b) = ([1.0, -2.0, 0.5], [0.3, 4.0, -1.0]);
    let sum: [f64; 3] = std::array::from_fn(|k| 2.0 * a[k] - 3.0 * b[k]);
    assert_exact("linear", &[adjoint(sum)], &[2.0 * adjoint(a) - 3.0 * adjoint(b)]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
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
fn an_inactive_result_has_no_seed() {
    let (mut x, mut x_adj) = ([1.0, 5.0, 7.0], [1.0, 10.0, 100.0]);
    let (n, limit_adj): (usize, f64) = clip_count::adjoint(&mut x, &mut x_adj, 4.0);
    assert_eq!((n, x), (2, [1.0, 4.0, 4.0]));
    assert_eq!((x_adj, limit_adj), ([1.0, 0.0, 0.0], 110.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn doubles(x: &mut [f64]) {
    for v in x.iter_mut() {
        *v *= 2.0;
    }
}

#[test]
fn nothing_to_return() {
    let (mut x, mut x_adj) = ([1.0, 5.0], [1.0, 10.0]);
    let unit: () = doubles::adjoint(&mut x, &mut x_adj);
    assert_eq!((x, x_adj, unit), ([2.0, 10.0], [2.0, 20.0], ()));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn does_not_depend(x: f64, y: f64) -> f64 {
    let _ = x;
    y + 3.0
}

#[test]
fn a_parameter_without_influence() {
    assert_eq!(does_not_depend::adjoint(2.0, 5.0, 1.0), (8.0, 0.0, 1.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn constant_value(_x: f64) -> f64 {
    42.0
}

#[test]
fn a_result_without_variables() {
    assert_eq!(constant_value::adjoint(2.0, 1.0), (42.0, 0.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn identity(x: f64) -> f64 {
    x
}

#[test]
fn the_parameter_itself_as_the_result() {
    assert_eq!(identity::adjoint(2.0, 3.0), (2.0, 3.0));
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn same_twice(x: f64) -> (f64, f64) {
    (x, x)
}

#[test]
fn one_parameter_twice_in_the_result() {
    assert_eq!(same_twice::adjoint(2.0, (3.0, 4.0)), ((2.0, 2.0), 7.0));
}
