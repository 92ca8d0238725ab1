//! What closures capture that are handed to other functions, and where they stand.

use crate::{assert_dual, check};
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;
use num_traits::Float;

/// The root of a decreasing residual by damped steps.
#[differentiate(reverse, forward, cross_check)]
fn damped(f: impl Fn(f64) -> f64, x0: f64) -> f64 {
    let mut x = x0;
    for _ in 0..3 {
        x += 0.4 * f(x);
    }
    x
}

#[derive(Differentiable, Clone, Debug)]
struct Law {
    rate: f64,
    table: Vec<f64>,
    #[constant]
    shift: usize,
}

/// A vector of its own, a struct, a constant, a variable that changes from trip to trip.
#[differentiate(reverse, forward, cross_check)]
fn owned(law: &Law, #[constant] data: &[f64], x: f64) -> f64 {
    let weights: Vec<f64> = law.table.iter().map(|t| t * t).collect();
    let mut total = 0.0;
    let mut scale = x;
    for (k, d) in data.iter().enumerate() {
        let y = damped(
            |u| {
                let at = (k + law.shift) % weights.len();
                scale * d - u * weights[at] - law.rate * u
            },
            scale,
        );
        scale *= 0.9;
        scale += 0.1 * y;
        total += y * scale;
    }
    total
}

fn owned_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let data = [0.4, -0.8, 1.3, 0.2];
    let (mut total, mut scale) = (D::from(0.0), v[3]);
    for k in 0..4 {
        let w = v[1 + (k + 1) % 2];
        let mut u = scale;
        for _ in 0..3 {
            u += (scale * data[k] - u * w * w - v[0] * u) * 0.4;
        }
        scale = scale * 0.9 + u * 0.1;
        total += u * scale;
    }
    total
}

#[test]
fn data_and_variables_that_change() {
    let at = [0.5, 0.8, 1.1, 0.7];
    let data = [0.4, -0.8, 1.3, 0.2];
    let law = |v: &[f64]| Law { rate: v[0], table: v[1..3].to_vec(), shift: 1 };
    let (value, (law_adj, x_adj)) = owned::value_and_gradient(&law(&at), &data, at[3]);
    let gradient = [&[law_adj.rate], &law_adj.table[..], &[x_adj]].concat();
    check("owned", |v| owned(&law(v), &data, v[3]), &at, value, &gradient);
    assert_dual("owned", value, owned_twin, &at, &gradient);
}

/// Parts of one buffer, of which one is captured and one is an argument; closures in closures.
#[differentiate(reverse, forward, cross_check)]
fn weighted(f: impl Fn(f64) -> f64, w: &[f64]) -> f64 {
    w.iter().map(|w| f(*w)).sum()
}

#[differentiate(reverse, forward, cross_check)]
fn nested(p: &[f64], a: f64) -> f64 {
    let (front, back) = p.split_at(2);
    let whole = weighted(|x| x * x * front[0] + weighted(|y| y * x * a + front[1], back), p);
    whole + weighted(|x| damped(|u| a - u * x, x), back)
}

fn nested_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (p, a) = (&v[..4], v[4]);
    let mut whole = D::from(0.0);
    for i in 0..4 {
        let inner = (p[2] + p[3]) * p[i] * a + p[1] * 2.0;
        whole += p[i] * p[i] * p[0] + inner;
    }
    for i in 2..4 {
        let mut u = p[i];
        for _ in 0..3 {
            u += (a - u * p[i]) * 0.4;
        }
        whole += u;
    }
    whole
}

#[test]
fn closures_in_closures_and_parts_of_one_buffer() {
    let at = [0.6, -0.2, 0.9, 1.3, 0.5];
    let (value, (p_adj, a_adj)) = nested::value_and_gradient(&at[..4], at[4]);
    let gradient = [&p_adj[..], &[a_adj]].concat();
    check("nested", |v| nested(&v[..4], v[4]), &at, value, &gradient);
    assert_dual("nested", value, nested_twin, &at, &gradient);
}

/// Closures that give tuples and take references and tuples; two that capture the same.
#[differentiate(reverse, forward, cross_check)]
fn both(f: impl Fn(&[f64; 2]) -> (f64, f64), g: impl Fn((f64, f64)) -> f64, x: &[f64; 2]) -> f64 {
    let (a, b) = f(x);
    let twice = f(&[b, a]);
    g((a, twice.0)) - g(twice)
}

#[differentiate(reverse, forward, cross_check)]
fn shapes(k: f64, x: [f64; 2]) -> f64 {
    let s = k * x[0];
    both(|x: &[f64; 2]| (x[0] * s, x[1] + k), |(a, b): (f64, f64)| a * b * k + s.sin(), &x)
}

fn shapes_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (k, x) = (v[0], [v[1], v[2]]);
    let s = k * x[0];
    let f = |x: [D; 2]| (x[0] * s, x[1] + k);
    let g = |p: (D, D)| p.0 * p.1 * k + s.sin();
    let (a, b) = f(x);
    let twice = f([b, a]);
    g((a, twice.0)) - g(twice)
}

#[test]
fn tuples_and_references_in_and_out() {
    let at = [0.7, 1.2, -0.4];
    let (value, (k_adj, x_adj)) = shapes::value_and_gradient(at[0], [at[1], at[2]]);
    let gradient = [k_adj, x_adj[0], x_adj[1]];
    check("shapes", |v| shapes(v[0], [v[1], v[2]]), &at, value, &gradient);
    assert_dual("shapes", value, shapes_twin, &at, &gradient);
}

/// A closure that captures a function, in a branch, behind an early return.
#[differentiate(reverse, forward, cross_check)]
fn through(f: impl Fn(f64) -> f64, x: f64, k: f64, n: usize) -> f64 {
    if n == 0 {
        return f(x) * k;
    }
    let mut y = x;
    while y < 4.0 {
        if n > 1 {
            y += damped(|u| f(u) - k, y);
        } else {
            y += 1.0 + damped(&f, y);
        }
    }
    y
}

#[differentiate(reverse, forward, cross_check)]
fn ways(x: f64, k: f64) -> f64 {
    let f = |u: f64| 1.5 + (u * k).sin();
    through(f, x, k, 0) + through(f, x, k, 1) * through(f, x, k, 2)
}

#[test]
fn a_closure_that_captures_a_function() {
    let at = [0.3, 0.8];
    let (value, (x_adj, k_adj)) = ways::value_and_gradient(at[0], at[1]);
    check("ways", |v| ways(v[0], v[1]), &at, value, &[x_adj, k_adj]);
}

/// A generic scalar.
#[differentiate(reverse, forward, cross_check)]
fn fixed<T: Float, F: Fn(T, T) -> T>(f: F, x: T, k: T, n: usize) -> T {
    (0..n).fold(x, |x, _| f(x, k))
}

#[differentiate(reverse, forward, cross_check)]
fn of_any_scalar<T: Float>(x: T, a: T) -> T {
    fixed(|u, k| (u + k / u) * a, x, a * a, 3)
}

#[test]
fn a_scalar_that_is_a_parameter() {
    let at = [1.3, 0.6];
    let (value, (x_adj, a_adj)) = of_any_scalar::value_and_gradient(at[0], at[1]);
    check("of_any_scalar", |v| of_any_scalar(v[0], v[1]), &at, value, &[x_adj, a_adj]);
    let (_, (x_adj, a_adj)) = of_any_scalar::value_and_gradient(1.3_f32, 0.6);
    let exact = of_any_scalar::value_and_gradient(1.3, 0.6).1;
    // Single precision, some ten operations.
    assert!((f64::from(x_adj) - exact.0).abs() < 1e-5 && (f64::from(a_adj) - exact.1).abs() < 1e-5);
}

/// Methods that take functions; closures that capture `self`.
#[derive(Differentiable, Clone, Copy, Debug)]
struct Solver {
    gain: f64,
    bias: f64,
}

impl Solver {
    #[differentiate(reverse, forward, cross_check)]
    pub fn run(&self, f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let mut x = x;
        for _ in 0..2 {
            x = f(x * self.gain) + self.bias;
        }
        x
    }

    #[differentiate(reverse, forward, cross_check)]
    fn again(&self, f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
        self.run(f, x) * f(self.bias)
    }

    #[differentiate(reverse, forward, cross_check)]
    pub fn solve(&self, a: f64, x: f64) -> f64 {
        let other = Solver { gain: a, bias: 0.5 * a };
        other.run(|u| self.gain * u * u - a, x) + self.again(&|u| u * a + self.bias, x)
    }
}

fn solve_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (gain, bias, a, x) = (v[0], v[1], v[2], v[3]);
    let f = |u: D| gain * u * u - a;
    let mut y = x;
    for _ in 0..2 {
        y = f(y * a) + a * 0.5;
    }
    let g = |u: D| u * a + bias;
    let mut z = x;
    for _ in 0..2 {
        z = g(z * gain) + bias;
    }
    y + z * g(bias)
}

#[test]
fn methods_that_take_functions() {
    let at = [0.8, 0.3, 0.7, 1.1];
    let of = |v: &[f64]| Solver { gain: v[0], bias: v[1] };
    let solver = of(&at);
    let (value, (self_adj, a_adj, x_adj)) = solver.solve_value_and_gradient(at[2], at[3]);
    let gradient = [self_adj.gain, self_adj.bias, a_adj, x_adj];
    check("solve", |v| of(v).solve(v[2], v[3]), &at, value, &gradient);
    assert_dual("solve", value, solve_twin, &at, &gradient);
}

/// Nothing active is captured; nothing but the buffer comes out; nothing runs at all.
#[differentiate(reverse, forward, cross_check)]
fn fill(f: impl Fn(usize, f64) -> f64, out: &mut [f64]) {
    for (i, o) in out.iter_mut().enumerate() {
        *o = f(i, *o);
    }
}

#[differentiate(reverse, forward, cross_check)]
fn filled(x: &[f64], k: f64, n: usize) -> f64 {
    let mut out = x.to_vec();
    let before: f64 = out.iter().map(|o| o * o).sum();
    fill(|i: usize, o: f64| o * o * (1.0 + i as f64), &mut out);
    for _ in 0..n {
        fill(|i: usize, o: f64| if i == 1 { o - k } else { o * k }, &mut out[1..]);
    }
    before * out.iter().sum::<f64>()
}

fn filled_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D], n: usize) -> D {
    let (x, k) = (&v[..3], v[3]);
    let before = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    let mut out = [x[0] * x[0], x[1] * x[1] * 2.0, x[2] * x[2] * 3.0];
    for _ in 0..n {
        out[1] *= k;
        out[2] -= k;
    }
    before * (out[0] + out[1] + out[2])
}

#[test]
fn buffers_that_closures_fill() {
    let at = [0.5, -1.2, 0.8, 0.7];
    for n in [0, 1, 3] {
        let (value, (x_adj, k_adj)) = filled::value_and_gradient(&at[..3], at[3], n);
        let gradient = [&x_adj[..], &[k_adj]].concat();
        check("filled", |v| filled(&v[..3], v[3], n), &at, value, &gradient);
        assert_dual("filled", value, |v| filled_twin(v, n), &at, &gradient);
    }
}

/// Parameters of closures that are named like variables around them, which are shadowed themselves.
#[differentiate(reverse, forward, cross_check)]
fn shadowed(x: &[f64]) -> f64 {
    let a = x[0];
    let a = a * x[1];
    let y = damped(|a| a * x[2] - 0.5, 0.3);
    let b = a + y;
    let a = b * a;
    let z = damped(
        |b| {
            let a = a - b;
            a * x[0]
        },
        b,
    );
    let y = damped(|x| x * a - b, z);
    y * a
}

fn shadowed_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let steps = |f: &dyn Fn(D) -> D, u: D| {
        let mut u = u;
        for _ in 0..3 {
            u += f(u) * 0.4;
        }
        u
    };
    let p = x[0] * x[1];
    let b = p + steps(&|u| u * x[2] - 0.5, D::from(0.3));
    let q = b * p;
    let z = steps(&|u| (q - u) * x[0], b);
    steps(&|u| u * q - b, z) * q
}

#[test]
fn parameters_that_shadow_what_is_around() {
    let at = [0.7, -1.1, 0.4];
    let (value, gradient) = shadowed::value_and_gradient(&at);
    check("shadowed", shadowed, &at, value, &gradient);
    assert_dual("shadowed", value, shadowed_twin, &at, &gradient);
}

impl Law {
    #[differentiate(reverse, forward, cross_check)]
    pub fn at(&self, u: f64) -> f64 {
        self.rate * u + self.table[0]
    }

    #[differentiate(reverse, forward, cross_check)]
    pub fn settled(&self, x: f64) -> f64 {
        damped(|u| -self.at(u), x)
    }
}

/// Methods of what is captured, by reference and by value, and calls that get it whole.
#[differentiate(reverse, forward, cross_check)]
fn methods(law: &Law, x: f64) -> f64 {
    let mut scale = x * 1.5;
    let y = damped(|u| law.at(u) * 0.1 - step_of(scale) * u, x);
    scale += y;
    let z =
        damped(|u| law.rate.sin() - u * law.table.iter().sum::<f64>() / law.table.len() as f64, y);
    let own = law.clone();
    let o = damped(|u| own.at(u) * 0.2 - step_of(scale), z);
    o * scale + law.settled(z)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn step_of(x: f64) -> f64 {
    x * x * 0.3
}

fn methods_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (rate, table, x) = (v[0], [v[1], v[2]], v[3]);
    let at = |u: D| rate * u + table[0];
    let step = |x: D| x * x * 0.3;
    let steps = |f: &dyn Fn(D) -> D, u: D| {
        let mut u = u;
        for _ in 0..3 {
            u += f(u) * 0.4;
        }
        u
    };
    let first = x * 1.5;
    let y = steps(&|u| at(u) * 0.1 - step(first) * u, x);
    let scale = first + y;
    let z = steps(&|u| rate.sin() - u * (table[0] + table[1]) * 0.5, y);
    let o = steps(&|u| at(u) * 0.2 - step(scale), z);
    o * scale + steps(&|u| -at(u), z)
}

#[test]
fn methods_of_what_is_captured() {
    let at = [0.5, 0.8, 1.1, 0.7];
    let law = |v: &[f64]| Law { rate: v[0], table: v[1..3].to_vec(), shift: 1 };
    let (value, (law_adj, x_adj)) = methods::value_and_gradient(&law(&at), at[3]);
    let gradient = [&[law_adj.rate], &law_adj.table[..], &[x_adj]].concat();
    check("methods", |v| methods(&law(v), v[3]), &at, value, &gradient);
    assert_dual("methods", value, methods_twin, &at, &gradient);
}
