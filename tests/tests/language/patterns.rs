//! Tuples, patterns, late initialisation, compound assignment to all kinds of places.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn rotate(p: (f64, f64), angle: f64) -> (f64, f64) {
    let (x, y) = p;
    let (s, c) = angle.sin_cos();
    (c * x - s * y, s * x + c * y)
}

#[test]
fn a_rotation() {
    let (value, p_adj, angle_adj) = rotate::adjoint((0.3, 0.8), 0.6, (1.0, 2.0));
    let f = |v: &[f64]| {
        let (x, y) = rotate((v[0], v[1]), v[2]);
        x + 2.0 * y
    };
    check("rotate", f, &[0.3, 0.8, 0.6], value.0 + 2.0 * value.1, &[p_adj.0, p_adj.1, angle_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn barycentric(triangle: [[f64; 2]; 3], point: [f64; 2]) -> f64 {
    let [a, b, c] = triangle;
    let [px, py] = point;
    let det = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1]);
    let u = ((b[1] - c[1]) * (px - c[0]) + (c[0] - b[0]) * (py - c[1])) / det;
    let v = ((c[1] - a[1]) * (px - c[0]) + (a[0] - c[0]) * (py - c[1])) / det;
    u * v * (1.0 - u - v)
}

#[test]
fn array_patterns() {
    let flat = [0.1, 0.0, 1.0, 0.2, 0.3, 0.9, 0.4, 0.35];
    let split = |v: &[f64]| ([[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]], [v[6], v[7]]);
    let (triangle, point) = split(&flat);
    let (value, t, p) = barycentric::adjoint(triangle, point, 1.0);
    let f = |v: &[f64]| {
        let (triangle, point) = split(v);
        barycentric(triangle, point)
    };
    check("barycentric", f, &flat, value, &[t.concat(), p.to_vec()].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn smoothstep(x: f64, low: f64, high: f64) -> f64 {
    let t;
    let width = high - low;
    if x < low {
        t = 0.0;
    } else if x > high {
        t = 1.0;
    } else {
        t = (x - low) / width;
    }
    let result: f64;
    {
        let square = t * t;
        result = square * (3.0 - 2.0 * t) + 0.1 * width;
    }
    result
}

#[test]
fn late_initialisation() {
    for x in [0.1, 0.5, 0.95] {
        let (value, x_adj, low_adj, high_adj) = smoothstep::adjoint(x, 0.2, 0.9, 1.0);
        let f = |v: &[f64]| smoothstep(v[0], v[1], v[2]);
        check("smoothstep", f, &[x, 0.2, 0.9], value, &[x_adj, low_adj, high_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn running_moments(data: &[f64]) -> f64 {
    let mut moments = (0.0, 0.0, 0.0);
    for &v in data {
        moments.0 += v;
        moments.1 += v * v;
        moments.2 -= v * moments.0;
    }
    moments.1 /= data.len() as f64;
    moments.0 *= moments.0;
    moments.1 - moments.0 + moments.2
}

#[test]
fn compound_assignment_to_fields_of_a_tuple() {
    let data = [0.3, -0.7, 1.1, 0.4];
    let (value, gradient) = running_moments::value_and_gradient(&data);
    check("moments", running_moments, &data, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn update_block(a: &mut [[f64; 3]; 2], s: f64) -> f64 {
    for i in 0..2 {
        for j in 0..3 {
            a[i][j] *= s;
            a[i][j] += a[(i + 1) % 2][j] * a[i][(j + 1) % 3];
            a[i][j] /= 1.0 + s * s;
            a[i][j] -= s;
        }
    }
    a[0][0] * a[1][2] + a[0][1] - a[1][0] * a[1][1]
}

#[test]
fn compound_assignment_to_nested_elements() {
    let at = [0.3, 0.8, -0.5, 0.9, -0.2, 0.6, 0.7];
    let split = |v: &[f64]| [[v[0], v[1], v[2]], [v[3], v[4], v[5]]];
    let (mut a, mut a_adj) = (split(&at), [[0.0; 3]; 2]);
    let (value, s_adj) = update_block::adjoint(&mut a, &mut a_adj, at[6], 1.0);
    let f = |v: &[f64]| update_block(&mut split(v), v[6]);
    check("block", f, &at, value, &[a_adj.concat(), vec![s_adj]].concat());
    let mut expected = split(&at);
    update_block(&mut expected, at[6]);
    assert_eq!(a, expected);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn closest_approach(points: &[(f64, f64)], origin: (f64, f64)) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for &(x, y) in points {
        let d = (x - origin.0).powi(2) + (y - origin.1).powi(2);
        if d < best.0 {
            best = (d, x * y);
        }
    }
    best.0.sqrt() + best.1
}

#[test]
fn a_slice_of_tuples() {
    let at = [1.0, 2.0, 0.5, 0.4, -1.0, 0.3, 0.1, 0.2];
    let split = |v: &[f64]| vec![(v[0], v[1]), (v[2], v[3]), (v[4], v[5])];
    let (value, (p, o)) = closest_approach::value_and_gradient(&split(&at), (at[6], at[7]));
    let f = |v: &[f64]| closest_approach(&split(v), (v[6], v[7]));
    let gradient = [p[0].0, p[0].1, p[1].0, p[1].1, p[2].0, p[2].1, o.0, o.1];
    check("closest", f, &at, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn nested_tuple(t: ((f64, f64), [f64; 2])) -> f64 {
    let ((a, _), rest @ [b, c]) = t;
    let mut copy = t;
    copy.0.1 *= a;
    copy.1[0] += copy.0.1;
    a * b + c * copy.1[0] + rest[1]
}

#[test]
fn nested_patterns() {
    let at = [0.4, 0.9, -0.6, 1.2];
    let split = |v: &[f64]| ((v[0], v[1]), [v[2], v[3]]);
    let (value, ((a, b), c)) = nested_tuple::value_and_gradient(split(&at));
    check("nested", |v| nested_tuple(split(v)), &at, value, &[a, b, c[0], c[1]]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn transcendental(x: f64, y: f64) -> f64 {
    let trigonometric = x.sin() + x.cos() * x.tan() + x.asin() - x.acos() + y.atan() + y.atan2(x);
    let hyperbolic = x.sinh() * x.cosh() + y.tanh() + y.asinh() + (y + 1.0).acosh() + x.atanh();
    let exponential = x.exp() + y.exp2() - x.exp_m1() + y.ln() + y.log2() + y.log10() + x.ln_1p();
    let (s, c) = y.sin_cos();
    trigonometric * hyperbolic + exponential * s + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn algebraic(x: f64, y: f64) -> f64 {
    let powers = y.powi(-2) + y.powf(x) + y.sqrt() + x.cbrt() + y.recip() + x.hypot(y) + y.log(3.0);
    let angles = x.to_degrees() + y.to_radians() + x.mul_add(y, 2.0);
    powers * angles
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn piecewise_smooth(x: f64, y: f64) -> f64 {
    let choices = (-x).abs() + x.max(y) * x.min(y) + x.clamp(0.1, 0.9) * y;
    let steps = x.fract() + x.signum() + y.floor() + y.ceil() + y.round() + y.trunc();
    choices * steps + y.copysign(-1.0) * y.rem_euclid(2.0)
}

#[test]
fn methods_with_a_derivative() {
    let at = [0.4, 1.3];
    let (value, x_adj, y_adj) = transcendental::adjoint(at[0], at[1], 1.0);
    check("transcendental", |v| transcendental(v[0], v[1]), &at, value, &[x_adj, y_adj]);
    let (value, x_adj, y_adj) = algebraic::adjoint(at[0], at[1], 1.0);
    check("algebraic", |v| algebraic(v[0], v[1]), &at, value, &[x_adj, y_adj]);
    let (value, x_adj, y_adj) = piecewise_smooth::adjoint(at[0], at[1], 1.0);
    check("piecewise", |v| piecewise_smooth(v[0], v[1]), &at, value, &[x_adj, y_adj]);
}

/// Operators between numbers and references, negation, remainder.
#[differentiate(reverse, forward, second_order, cross_check)]
fn operators(x: &f64, y: &f64) -> f64 {
    let a = x * y - *x / y;
    let b = -(x + y);
    let mut c = a * b;
    c -= x;
    c %= 10.0;
    c + &a * 2.0
}

#[test]
fn operators_on_references() {
    let at = [0.7, 1.9];
    let (value, (x_adj, y_adj)) = operators::value_and_gradient(&at[0], &at[1]);
    check("operators", |v| operators(&v[0], &v[1]), &at, value, &[x_adj, y_adj]);
}
