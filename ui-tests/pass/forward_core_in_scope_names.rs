#![no_std]
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

use ad_runtime::{Differentiable, differentiate};

extern crate std as standard;

use standard::{assert_eq, vec, vec::Vec};

mod core {}
mod std {}
mod alloc {}
mod ad {}

struct Pair;
struct Constant;
struct Box;
struct Default;
trait Takes {}
trait TangentRef {}

fn pull() {}
fn zeros() {}
fn handed() {}

trait Meddling: Sized {
    fn tangent(&self) -> Self {
        unreachable!()
    }
    fn take(self) -> Self {
        unreachable!()
    }
    fn get(&self) -> &Self {
        unreachable!()
    }
    fn get_mut(&mut self) -> &mut Self {
        unreachable!()
    }
    fn with(&self) {
        unreachable!()
    }
    fn cast_tangent(self) -> f64 {
        unreachable!()
    }
    fn zeros_like(&self) -> Self {
        unreachable!()
    }
    fn clear(&mut self) {
        unreachable!()
    }
}

impl<T> Meddling for T {}

#[derive(Differentiable, Clone)]
struct State {
    x: Vec<f64>,
    rate: f32,
}

impl State {
    #[differentiate(forward)]
    fn step(&mut self, by: f64) -> f64 {
        self.x[0] *= by * self.rate as f64;
        self.x[0]
    }
}

#[differentiate(forward)]
fn inner(x: &[f64], out: &mut [f64], scale: f64) -> f64 {
    out[0] = x[0] * scale;
    x[0] * x[1]
}

#[differentiate(forward)]
fn outer(state: &mut State, k: f64, n: usize) -> Vec<f64> {
    let mut y = vec![0.0; 2];
    for _ in 0..n {
        y[1] += inner(&[k, 3.0], &mut y[..1], 2.0) + state.step(k);
    }
    y
}

fn main() {
    let mut state = State { x: vec![1.0], rate: 2.0 };
    let mut state_tan = State { x: vec![0.0], rate: 1.0 };
    let found = outer::tangent(&mut state, &mut state_tan, 5.0, 1.0, 1);
    // (2 k, 3 k + x k rate)
    assert_eq!(found, (vec![10.0, 25.0], vec![2.0, 3.0 + 2.0 + 5.0]));
}
