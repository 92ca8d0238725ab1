//! Memory that moves, is swapped, split or copied.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn taken(x: f64, mut v: Vec<f64>) -> f64 {
    if x < 0.3 {
        let w = v[0];
        v[0] = w * w;
        let old = std::mem::take(&mut v);
        v = vec![x; 2];
    }
    v[0] * x
}

#[test]
fn a_vector_is_taken_and_replaced() {
    for at in [[0.1, 1.0, 2.0], [0.5, 1.0, 2.0]] {
        let (value, (x_adj, v_adj)) = taken::value_and_gradient(at[0], at[1..].to_vec());
        let f = |v: &[f64]| taken(v[0], v[1..].to_vec());
        check("taken", f, &at, value, &[x_adj, v_adj[0], v_adj[1]]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn vector_of_a_branch(x: f64) -> f64 {
    let u = if x > 0.1 {
        let mut a = [x; 4];
        a[1] = a[0] * a[2];
        a[1] * a[3]
    } else {
        x
    };
    u * u
}

#[test]
fn the_value_of_a_branch_reads_its_own_memory() {
    for x in [0.05, 0.7] {
        let (value, x_adj) = vector_of_a_branch::value_and_gradient(x);
        check("vector_of_a_branch", |v| vector_of_a_branch(v[0]), &[x], value, &[x_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn between_halves(mut c: [f64; 3]) -> f64 {
    let (lo, hi) = c.split_at_mut(2);
    hi.copy_from_slice(&lo[..1]);
    lo[0] *= hi[0];
    c[0] * c[2] + c[1]
}

#[test]
fn one_half_is_copied_to_the_other() {
    let at = [0.4, 1.1, -0.7];
    let (value, c_adj) = between_halves::value_and_gradient(at);
    check("between_halves", |v| between_halves([v[0], v[1], v[2]]), &at, value, &c_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[differentiate(reverse, forward, cross_check)]
fn norm_in_place(o: &mut [f64]) -> f64 {
    o[1] -= dot(o, &o[..]);
    dot(o, o) + o[1]
}

#[test]
fn a_buffer_is_handed_twice_by_its_name() {
    let at = [0.4, 0.3, -0.2];
    let (value, o_adj) = norm_in_place::value_and_gradient(&mut at.to_vec()[..]);
    check("norm_in_place", |v| norm_in_place(&mut v.to_vec()), &at, value, &o_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn owned(v: Vec<f64>, x: f64) -> f64 {
    v[0] * x + v[2] * v[1]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn array_as_a_vector(x: f64, c: [f64; 3]) -> f64 {
    owned(c.to_vec(), x) * c[1]
}

#[test]
fn an_array_is_copied_to_a_vector() {
    let at = [0.4, 0.3, -0.2, 1.5];
    let (value, (x_adj, c)) = array_as_a_vector::value_and_gradient(at[0], [at[1], at[2], at[3]]);
    let f = |v: &[f64]| array_as_a_vector(v[0], [v[1], v[2], v[3]]);
    check("array_as_a_vector", f, &at, value, &[x_adj, c[0], c[1], c[2]]);
}

fn shuffle(noise: &mut [f64], step: usize) {
    noise.rotate_left(1);
    noise[0] += step as f64;
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn noisy_walk(x: f64, steps: usize) -> f64 {
    let mut noise = vec![0.1, 0.2, 0.3];
    let mut y = [x, x, x];
    for step in 0..steps {
        shuffle(&mut noise, step);
        y[step % 3] = dot(&y, &noise) * x;
    }
    y[0] + y[1]
}

#[test]
fn constant_buffers_change_between_calls_that_read_them_again() {
    let (value, x_adj) = noisy_walk::value_and_gradient(0.3, 4);
    check("noisy_walk", |v| noisy_walk(v[0], 4), &[0.3], value, &[x_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn array_into_vector(a: [f64; 2]) -> f64 {
    let mut c = vec![0.0; 2];
    c.copy_from_slice(&a);
    c[0] * c[1]
}

#[test]
fn an_array_is_copied_into_a_vector() {
    let (value, a_adj) = array_into_vector::value_and_gradient([0.4, 1.5]);
    check("array_into_vector", |v| array_into_vector([v[0], v[1]]), &[0.4, 1.5], value, &a_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn moved_without_influence(mut v: Vec<f64>, x: f64) -> f64 {
    v[0] = 0.5;
    let mut w = v;
    w[0] *= 2.0;
    x * x
}

#[test]
fn a_parameter_without_influence_is_moved() {
    assert_eq!(moved_without_influence::gradient(vec![1.0, 2.0], 3.0), (vec![0.0, 0.0], 6.0));
}
