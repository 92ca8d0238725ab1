//! Structs with named and unnamed fields.

use crate::{assert_dual, check, check_both};
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Pendulum {
    length: f64,
    damping: f64,
    gravity: f64,
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct State {
    angle: f64,
    speed: f64,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn slope(p: &Pendulum, s: State) -> State {
    State { angle: s.speed, speed: -p.gravity / p.length * s.angle.sin() - p.damping * s.speed }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn moved(s: State, by: State, h: f64) -> State {
    State { angle: s.angle + h * by.angle, speed: s.speed + h * by.speed }
}

/// Midpoint rule; the state is assigned as a whole.
#[differentiate(reverse, forward, second_order, cross_check)]
fn swing(p: &Pendulum, start: State, h: f64, steps: usize) -> f64 {
    let mut state = start;
    let mut energy = 0.0;
    for _ in 0..steps {
        let k1 = slope(p, state);
        let half = moved(state, k1, 0.5 * h);
        let k2 = slope(p, half);
        state = moved(state, k2, h);
        energy += 0.5 * (p.length * state.speed).powi(2) - p.gravity * p.length * state.angle.cos();
    }
    energy
}

fn swing_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (length, damping, gravity, h) = (v[0], v[1], v[2], v[5]);
    let slope = |a: D, s: D| (s, -gravity / length * a.sin() - damping * s);
    let (mut angle, mut speed) = (v[3], v[4]);
    let mut energy = D::from(0.0);
    for _ in 0..7 {
        let (a1, s1) = slope(angle, speed);
        let (a2, s2) = slope(angle + h * a1 * 0.5, speed + h * s1 * 0.5);
        (angle, speed) = (angle + h * a2, speed + h * s2);
        energy += (length * speed).powi(2) * 0.5 - gravity * length * angle.cos();
    }
    energy
}

#[test]
fn a_state_that_is_assigned_as_a_whole() {
    let at = [1.3, 0.2, 9.81, 0.7, -0.4, 0.05];
    let p = |v: &[f64]| Pendulum { length: v[0], damping: v[1], gravity: v[2] };
    let start = |v: &[f64]| State { angle: v[3], speed: v[4] };
    let (value, (p_adj, s_adj, h_adj)) = swing::value_and_gradient(&p(&at), start(&at), at[5], 7);
    let gradient = [p_adj.length, p_adj.damping, p_adj.gravity, s_adj.angle, s_adj.speed, h_adj];
    check("swing", |v| swing(&p(v), start(v), v[5], 7), &at, value, &gradient);
    assert_dual("swing", value, swing_twin, &at, &gradient);
}

/// Fields of a `&mut` struct, one after the other.
#[differentiate(reverse, forward, second_order, cross_check)]
fn kick(s: &mut State, h: f64) {
    s.speed -= h * s.angle.sin();
    s.angle += h * s.speed;
    let State { angle, speed } = *s;
    s.speed = speed * (1.0 - h * angle * angle);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn kicked(start: State, h: f64, n: usize) -> f64 {
    let mut s = start;
    for _ in 0..n {
        kick(&mut s, h);
    }
    s.angle * s.speed
}

fn kicked_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut angle, mut speed, h) = (v[0], v[1], v[2]);
    for _ in 0..5 {
        speed -= h * angle.sin();
        angle += h * speed;
        speed -= speed * h * angle * angle;
    }
    angle * speed
}

#[test]
fn fields_changed_through_a_reference() {
    let at = [0.9, -0.6, 0.2];
    let (value, (s, h)) =
        kicked::value_and_gradient(State { angle: at[0], speed: at[1] }, at[2], 5);
    let f = |v: &[f64]| kicked(State { angle: v[0], speed: v[1] }, v[2], 5);
    check_both("kicked", f, kicked_twin, &at, value, &[s.angle, s.speed, h]);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    weights: Vec<f64>,
    bias: [f64; 2],
    inputs: usize,
    #[constant]
    name: std::rc::Rc<str>,
}

/// Fields of all kinds: a vector, an array, an integer, and one that is no number at all.
#[differentiate(reverse, forward, second_order, cross_check)]
fn layer(l: &Layer, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (row, bias) in l.weights.chunks_exact(l.inputs).zip(&l.bias) {
        let z: f64 = row.iter().zip(x).map(|(w, v)| w * v).sum();
        sum += (z + bias).tanh();
    }
    sum / l.inputs as f64
}

fn layer_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let x = &v[8..];
    let mut sum = D::from(0.0);
    for i in 0..2 {
        let z = v[3 * i] * x[0] + v[3 * i + 1] * x[1] + v[3 * i + 2] * x[2] + v[6 + i];
        sum += z.tanh();
    }
    sum / 3.0
}

fn some_layer(v: &[f64]) -> Layer {
    Layer { weights: v[..6].to_vec(), bias: [v[6], v[7]], inputs: 3, name: "first".into() }
}

#[test]
fn fields_of_many_kinds() {
    let at = [0.3, -0.2, 0.5, 0.7, 0.1, -0.9, 0.2, -0.1, 1.1, -0.4, 0.6];
    let (value, (l, x)) = layer::value_and_gradient(&some_layer(&at), &at[8..]);
    assert_eq!((l.inputs, &*l.name), (3, "first"), "they ride along");
    let gradient = [l.weights, l.bias.to_vec(), x].concat();
    let f = |v: &[f64]| layer(&some_layer(v), &v[8..]);
    check_both("layer", f, layer_twin, &at, value, &gradient);
}

#[test]
#[should_panic(expected = "`l_adj` does not have the shape of `l`: at .weights: 5 elements, not 6")]
fn an_adjoint_of_another_shape_is_named() {
    let l = some_layer(&[0.5; 8]);
    let mut l_adj = some_layer(&[0.0; 8]);
    l_adj.weights.pop();
    layer::adjoint(&l, &mut l_adj, &[1.0, 2.0, 3.0], &mut [0.0; 3], 1.0);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Vec3(f64, f64, f64);

#[differentiate(reverse, forward, second_order, cross_check)]
fn cross(a: Vec3, b: Vec3) -> Vec3 {
    let Vec3(x, y, z) = a;
    Vec3(y * b.2 - z * b.1, z * b.0 - x * b.2, x * b.1 - y * b.0)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn volume(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let Vec3(x, y, z) = cross(a, b);
    (x * c.0 + y * c.1 + z * c.2).abs()
}

#[test]
fn tuple_structs_taken_apart() {
    let at = [0.3, 1.2, -0.5, 0.8, -0.7, 0.4, 0.1, 0.9, 1.5];
    let v3 = |v: &[f64], k: usize| Vec3(v[k], v[k + 1], v[k + 2]);
    let (value, (a, b, c)) = volume::value_and_gradient(v3(&at, 0), v3(&at, 3), v3(&at, 6));
    let gradient = [a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2];
    check("volume", |v| volume(v3(v, 0), v3(v, 3), v3(v, 6)), &at, value, &gradient);
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        let x = v[1] * v[5] - v[2] * v[4];
        let y = v[2] * v[3] - v[0] * v[5];
        let z = v[0] * v[4] - v[1] * v[3];
        (x * v[6] + y * v[7] + z * v[8]).abs()
    }
    assert_dual("volume", value, twin, &at, &gradient);
}

/// A copy with some fields changed, also in a loop.
#[differentiate(reverse, forward, second_order, cross_check)]
fn damped(p: Pendulum, factor: f64) -> f64 {
    let mut q = Pendulum { damping: p.damping * factor, ..p };
    for k in 1..4 {
        q = Pendulum { length: q.length * q.damping.exp(), ..q };
        let r = Pendulum { gravity: q.length / k as f64, damping: factor, ..p };
        q.damping += r.gravity * r.length * r.damping;
    }
    q.length * q.damping + q.gravity * q.gravity
}

fn damped_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut length, mut damping, factor) = (v[0], v[1] * v[3], v[3]);
    for k in 1..4 {
        length *= damping.exp();
        damping += length / f64::from(k) * v[0] * factor;
    }
    length * damping + v[2] * v[2]
}

#[test]
fn struct_update_syntax() {
    let at = [0.4, 0.1, 1.7, 0.6];
    let p = |v: &[f64]| Pendulum { length: v[0], damping: v[1], gravity: v[2] };
    let (value, (p_adj, factor)) = damped::value_and_gradient(p(&at), at[3]);
    let gradient = [p_adj.length, p_adj.damping, p_adj.gravity, factor];
    check_both("damped", |v| damped(p(v), v[3]), damped_twin, &at, value, &gradient);
}

/// Particles in a slice, read and written by field.
#[differentiate(reverse, forward, second_order, cross_check)]
fn attract(particles: &mut [State], strength: f64) {
    for k in 1..particles.len() {
        let pull = strength * (particles[k - 1].angle - particles[k].angle);
        particles[k].speed += pull;
        particles[k - 1].speed -= pull;
    }
    for p in particles.iter_mut() {
        p.angle += 0.1 * p.speed;
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn attracted(start: &[State], strength: f64) -> f64 {
    let mut particles = start.to_vec();
    for _ in 0..3 {
        attract(&mut particles, strength);
    }
    let mut sum = 0.0;
    for (k, p) in particles.iter().enumerate() {
        sum += p.angle * p.speed * (k + 1) as f64;
    }
    sum
}

fn attracted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut angle, mut speed) = ([v[0], v[2], v[4]], [v[1], v[3], v[5]]);
    for _ in 0..3 {
        for k in 1..3 {
            let pull = v[6] * (angle[k - 1] - angle[k]);
            speed[k] += pull;
            speed[k - 1] -= pull;
        }
        for k in 0..3 {
            angle[k] += speed[k] * 0.1;
        }
    }
    angle[0] * speed[0] + angle[1] * speed[1] * 2.0 + angle[2] * speed[2] * 3.0
}

#[test]
fn slices_of_structs() {
    let at = [0.1, 0.5, -0.7, 0.2, 1.3, -0.4, 0.8];
    let start = |v: &[f64]| -> Vec<State> {
        v[..6].chunks(2).map(|p| State { angle: p[0], speed: p[1] }).collect()
    };
    let (value, (s, strength)) = attracted::value_and_gradient(&start(&at), at[6]);
    let mut gradient: Vec<f64> = s.iter().flat_map(|p| [p.angle, p.speed]).collect();
    gradient.push(strength);
    let f = |v: &[f64]| attracted(&start(v), v[6]);
    check_both("attracted", f, attracted_twin, &at, value, &gradient);
}

/// A struct with const parameter and type parameter.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Polynomial<T, const N: usize> {
    coefficients: [T; N],
    shift: T,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn horner<T: num_traits::Float, const N: usize>(p: &Polynomial<T, N>, x: T) -> T {
    let mut y = T::zero();
    for k in 0..N {
        y = y * (x - p.shift) + p.coefficients[k];
    }
    y
}

fn horner_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let z = v[4] - v[3];
    v[0] * z * z + v[1] * z + v[2]
}

#[test]
fn generic_structs() {
    let at = [0.5, -1.5, 2.0, 0.3, 1.7];
    let p = |v: &[f64]| Polynomial { coefficients: [v[0], v[1], v[2]], shift: v[3] };
    let (value, (p_adj, x)) = horner::value_and_gradient(&p(&at), at[4]);
    let [a, b, c] = p_adj.coefficients;
    let gradient = [a, b, c, p_adj.shift, x];
    check_both("horner", |v| horner(&p(v), v[4]), horner_twin, &at, value, &gradient);
    let single = Polynomial { coefficients: [0.5_f32, -1.5, 2.0], shift: 0.25 };
    // 2 a (x - s) + b at x - s = 1.5, in numbers that are exact.
    assert_eq!(horner::gradient(&single, 1.75).1, 0.0);
}
