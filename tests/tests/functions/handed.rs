//! Functions as arguments: closures, functions by their names, parameters that are handed on.

use crate::{assert_dual, check};
use ad_runtime::differentiate;
use num_dual::DualNum;

#[differentiate(reverse, forward, cross_check)]
fn relax(f: impl Fn(f64) -> f64, x0: f64, n: usize) -> f64 {
    let mut x = x0;
    for _ in 0..n {
        x = 0.5 * (x + f(x));
    }
    x
}

/// A scalar and an element of a slice are captured.
#[differentiate(reverse, forward, cross_check)]
fn relaxed(a: f64, w: &[f64], x0: f64) -> f64 {
    2.0 * relax(|x| (a * x).sin() + w[1] / (1.0 + x * x), x0, 4)
}

fn relaxed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut x = v[3];
    for _ in 0..4 {
        x = (x + (v[0] * x).sin() + v[2] / (x * x + 1.0)) * 0.5;
    }
    x * 2.0
}

#[test]
fn a_closure_captures_a_scalar_and_an_element() {
    let at = [0.7, 0.3, 1.4, 0.9];
    let (value, (a_adj, w_adj, x_adj)) = relaxed::value_and_gradient(at[0], &at[1..3], at[3]);
    let gradient = [a_adj, w_adj[0], w_adj[1], x_adj];
    check("relaxed", |v| relaxed(v[0], &v[1..3], v[3]), &at, value, &gradient);
    assert_dual("relaxed", value, relaxed_twin, &at, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn step(x: f64) -> f64 {
    x.cos() + 0.1 * x
}

#[differentiate(reverse, forward, cross_check)]
fn settled(x0: f64) -> f64 {
    relax(step, x0, 3) * relax(f64::exp, -x0, 2)
}

fn settled_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut x, mut y) = (v[0], -v[0]);
    for _ in 0..3 {
        x = (x + x.cos() + x * 0.1) * 0.5;
    }
    for _ in 0..2 {
        y = (y + y.exp()) * 0.5;
    }
    x * y
}

#[test]
fn functions_by_their_names() {
    let (value, gradient) = settled::value_and_gradient(0.4);
    check("settled", |v| settled(v[0]), &[0.4], value, &[gradient]);
    assert_dual("settled", value, settled_twin, &[0.4], &[gradient]);
}

/// Users call it with the `vjp` of a companion.
#[test]
fn a_companion_takes_the_vjp_of_another() {
    let (value, gradient) = relax::value_and_gradient(step::vjp, 0.4, 3);
    check("relax", |v| relax(step, v[0], 3), &[0.4], value, &[gradient]);
}

/// Or with a closure of that shape.
#[test]
fn a_companion_takes_a_closure_that_gives_a_pullback() {
    let k = 0.8;
    let vjp = |_: ad_runtime::Unspecified, x: f64| (k * x * x, move |seed: f64| seed * 2.0 * k * x);
    let (value, gradient) = relax::value_and_gradient(vjp, 0.4, 3);
    check("relax", |v| relax(|x| k * x * x, v[0], 3), &[0.4], value, &[gradient]);
}

/// Every way to say that a parameter is a function.
#[differentiate(reverse, forward, cross_check)]
fn twice<F: Fn(f64) -> f64>(f: &F, x: f64) -> f64 {
    f(f(x))
}

#[differentiate(reverse, forward, cross_check)]
fn thrice<F>(f: F, x: f64) -> f64
where
    F: Fn(f64) -> f64 + Copy,
{
    f(twice(&f, x))
}

#[differentiate(reverse, forward, cross_check)]
fn by_object(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x + twice(&f, x)
}

#[differentiate(reverse, forward, cross_check)]
fn by_pointer(f: fn(f64) -> f64, x: f64) -> f64 {
    f(x) - thrice(f, 0.5 * x)
}

#[differentiate(reverse, forward, cross_check)]
fn by_mutable(mut f: impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) + 3.0 * f(x * x)
}

#[differentiate(reverse, forward, cross_check)]
fn once(f: impl FnOnce(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[differentiate(reverse, forward, cross_check)]
fn in_every_way(a: f64, x: f64) -> f64 {
    let g = |y: f64| a * y * y - y;
    let b = a * x;
    let h = move |y: f64| (b * y).tanh();
    twice(&g, x) + thrice(g, 0.3 * x) * by_object(&h, x) - by_pointer(step, a)
        + by_mutable(h, a)
        + once(|y| y / (a + b), x)
}

fn in_every_way_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (a, x) = (v[0], v[1]);
    let g = |y: D| a * y * y - y;
    let b = a * x;
    let h = |y: D| (b * y).tanh();
    let s = |y: D| y.cos() + y * 0.1;
    let thrice = g(g(g(x * 0.3)));
    g(g(x)) + thrice * (h(x) * x + h(h(x))) - (s(a) - s(s(s(a * 0.5))))
        + (h(a) + h(a * a) * 3.0)
        + x / (a + b) * x
}

#[test]
fn every_kind_of_parameter() {
    let at = [0.6, 1.1];
    let (value, (a_adj, x_adj)) = in_every_way::value_and_gradient(at[0], at[1]);
    check("in_every_way", |v| in_every_way(v[0], v[1]), &at, value, &[a_adj, x_adj]);
    assert_dual("in_every_way", value, in_every_way_twin, &at, &[a_adj, x_adj]);
}

/// An integrator whose right-hand side writes to a buffer.
#[differentiate(reverse, forward, cross_check)]
fn midpoint(rhs: impl Fn(f64, &[f64], &mut [f64]), y: &mut [f64], t: f64, h: f64, steps: usize) {
    let n = y.len();
    let mut slope = vec![0.0; n];
    let mut half = vec![0.0; n];
    let mut t = t;
    for _ in 0..steps {
        rhs(t, y, &mut slope);
        for i in 0..n {
            half[i] = y[i] + 0.5 * h * slope[i];
        }
        rhs(t + 0.5 * h, &half, &mut slope);
        for i in 0..n {
            y[i] += h * slope[i];
        }
        t += h;
    }
}

#[differentiate(reverse, forward, cross_check)]
fn predator(p: &[f64], start: [f64; 2], h: f64, steps: usize) -> f64 {
    let mut y = start;
    y[0] *= p[0];
    midpoint(
        |t: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = p[0] * y[0] - p[1] * y[0] * y[1];
            dy[1] = p[2] * y[0] * y[1] - p[3] * y[1] + 0.1 * t.sin();
        },
        &mut y,
        0.0,
        h,
        steps,
    );
    y[0] * y[1] + y[0] * y[0]
}

fn predator_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let p = &v[..4];
    let rhs = |t: D, y: [D; 2]| {
        [p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1] + t.sin() * 0.1]
    };
    let (mut y, h, mut t) = ([v[4] * p[0], v[5]], v[6], D::from(0.0));
    for _ in 0..5 {
        let k = rhs(t, y);
        let half = [y[0] + h * k[0] * 0.5, y[1] + h * k[1] * 0.5];
        let k = rhs(t + h * 0.5, half);
        y = [y[0] + h * k[0], y[1] + h * k[1]];
        t += h;
    }
    y[0] * y[1] + y[0] * y[0]
}

#[test]
fn a_right_hand_side_that_writes_to_a_buffer() {
    let at = [1.1, 0.4, 0.3, 0.8, 1.2, 0.7, 0.1];
    let (value, (p_adj, start_adj, h_adj)) =
        predator::value_and_gradient(&at[..4], [at[4], at[5]], at[6], 5);
    let gradient = [&p_adj[..], &start_adj, &[h_adj]].concat();
    let f = |v: &[f64]| predator(&v[..4], [v[4], v[5]], v[6], 5);
    check("predator", f, &at, value, &gradient);
    assert_dual("predator", value, predator_twin, &at, &gradient);
}

/// Adaptive quadrature, which hands its integrand on to itself.
#[differentiate(reverse, forward, cross_check)]
fn simpson(f: &impl Fn(f64) -> f64, a: f64, b: f64, depth: usize) -> f64 {
    let m = 0.5 * (a + b);
    let whole = (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b));
    let left = (m - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + m)) + f(m));
    let right = (b - m) / 6.0 * (f(m) + 4.0 * f(0.5 * (m + b)) + f(b));
    if depth == 0 || (left + right - whole).abs() < 1e-4 {
        return left + right;
    }
    simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1)
}

#[differentiate(reverse, forward, cross_check)]
fn area(k: f64, b: f64) -> f64 {
    simpson(&|x| (-k * x * x).exp() * (3.0 * x).cos(), 0.0, b, 6)
}

#[test]
fn an_integrand_is_handed_on_in_a_recursion() {
    let at = [0.9, 1.7];
    let (value, (k_adj, b_adj)) = area::value_and_gradient(at[0], at[1]);
    check("area", |v| area(v[0], v[1]), &at, value, &[k_adj, b_adj]);
    let deeper = |f: &dyn Fn(f64) -> f64| {
        let n = 4000;
        let h = at[1] / f64::from(n);
        let ends = f(0.0) + f(at[1]);
        let inner: f64 =
            (1..n).map(|i| f(f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        (ends + inner) * h / 3.0
    };
    // ∂/∂b is the integrand at b, ∂/∂k an integral by itself; both to what the recursion leaves, 1e-4.
    let at_b = (-at[0] * at[1] * at[1]).exp() * (3.0 * at[1]).cos();
    let by_k = deeper(&|x| -x * x * (-at[0] * x * x).exp() * (3.0 * x).cos());
    assert!((b_adj - at_b).abs() < 1e-3 && (k_adj - by_k).abs() < 1e-3, "{b_adj} {k_adj}");
}
