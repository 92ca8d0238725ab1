//! Rules for forward mode: by themselves, next to pullbacks, of methods and of functions with type parameters.

use ad_runtime::check::{self, Point};
use ad_runtime::{Differentiable, custom_rule, differentiate};
use num_traits::Float;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

impl Point for Spring {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        self.stiffness.parts(&format!("{name}.stiffness"), visit);
        self.rest.parts(&format!("{name}.rest"), visit);
    }
}

fn spring() -> Spring {
    Spring { stiffness: 1.3, rest: 0.4 }
}

impl Spring {
    #[custom_rule(vjp = Self::energy_rule, jvp = Self::energy_pair)]
    pub fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * (x - self.rest).powi(2)
    }

    fn energy_rule(&self, x: f64) -> (f64, impl FnOnce(&Self, &mut Self, f64) -> f64 + use<>) {
        let pullback = move |this: &Self, adj: &mut Self, seed: f64| {
            let stretch = x - this.rest;
            adj.stiffness += seed * 0.5 * stretch * stretch;
            adj.rest -= seed * this.stiffness * stretch;
            seed * this.stiffness * stretch
        };
        (self.energy(x), pullback)
    }

    fn energy_pair(&self, tan: &Self, x: f64, x_tan: f64) -> (f64, f64) {
        let stretch = x - self.rest;
        let tangent =
            0.5 * tan.stiffness * stretch * stretch + self.stiffness * stretch * (x_tan - tan.rest);
        (self.energy(x), tangent)
    }

    #[custom_rule(jvp = Self::stretch_pair)]
    pub fn stretch(&mut self, load: f64) {
        self.rest += load / self.stiffness;
    }

    fn stretch_pair(&mut self, tan: &mut Self, load: f64, load_tan: f64) {
        tan.rest += load_tan / self.stiffness - load * tan.stiffness / self.stiffness.powi(2);
        self.stretch(load);
    }

    /// A list of springs comes by value, a pair goes.
    #[custom_rule(jvp = Self::joined_pair)]
    pub fn joined(self, others: Vec<Self>) -> (Self, Vec<f64>) {
        let products = others.iter().map(|other| other.stiffness * self.rest).collect();
        (self, products)
    }

    fn joined_pair(
        self,
        tan: Self,
        others: Vec<Self>,
        others_tan: Vec<Self>,
    ) -> ((Self, Vec<f64>), (Self, Vec<f64>)) {
        let pairs = others.iter().zip(&others_tan);
        let products = pairs
            .map(|(other, other_tan)| other_tan.stiffness * self.rest + other.stiffness * tan.rest)
            .collect();
        (self.joined(others), (tan, products))
    }

    /// Not `pub`, so it has a tangent because it says so.
    #[custom_rule(zero, forward)]
    fn rank(&self) -> f64 {
        self.stiffness.round()
    }
}

trait Stored {
    #[differentiate(reverse, forward)]
    fn stored(&self, x: f64) -> f64;
}

impl Stored for Spring {
    #[custom_rule(vjp = stored_rule, jvp = stored_pair)]
    fn stored(&self, x: f64) -> f64 {
        self.energy(x) * x
    }
}

fn stored_rule(
    spring: &Spring,
    x: f64,
) -> (f64, impl FnOnce(&Spring, &mut Spring, f64) -> f64 + use<>) {
    let (energy, pullback) = spring.energy_rule(x);
    let stored = move |spring: &Spring, adj: &mut Spring, seed: f64| {
        seed * energy + pullback(spring, adj, seed * x)
    };
    (energy * x, stored)
}

fn stored_pair(spring: &Spring, tan: &Spring, x: f64, x_tan: f64) -> (f64, f64) {
    let (energy, energy_tan) = spring.energy_pair(tan, x, x_tan);
    (energy * x, energy_tan * x + energy * x_tan)
}

#[differentiate(forward)]
fn handled(spring: &Spring, x: f64) -> Vec<f64> {
    let mut stretched = spring.clone();
    stretched.stretch(2.0 * x);
    let energy = stretched.energy(x) + spring.stored(x);
    let ranked = spring.rank() * x;
    let others = vec![spring.clone(), Spring { stiffness: x, rest: 0.0 }];
    let (own, products) = stretched.joined(others);
    vec![energy, ranked, own.rest, products[0], products[1]]
}

#[differentiate(reverse, forward)]
fn twice<S: Stored>(of: &S, x: f64) -> f64 {
    of.stored(x) * of.stored(x * x)
}

#[test]
fn rules_of_methods() {
    check::tangent(
        (spring(), 0.7),
        |(spring, x)| handled(spring, *x),
        |(spring, x), (spring_tan, x_tan)| handled::tangent(spring, spring_tan, *x, *x_tan),
    );
    check::test_rule_in_both_modes(
        (spring(), 0.7),
        |(spring, x)| spring.energy(*x),
        |(spring, x)| spring.energy_value_and_gradient(*x),
        |(spring, x), (spring_tan, x_tan)| spring.energy_tangent(spring_tan, *x, *x_tan),
    );
    check::test_rule_in_both_modes(
        (spring(), 0.7),
        |(spring, x)| twice(spring, *x),
        |(spring, x)| twice::value_and_gradient(spring, *x),
        |(spring, x), (spring_tan, x_tan)| twice::tangent(spring, spring_tan, *x, *x_tan),
    );
}

#[custom_rule(jvp = norm_pair::<T, N>)]
fn norm<T: Float, const N: usize>(x: &[T; N], #[constant] floor: &dyn Fn(T) -> T) -> T {
    floor(x.iter().fold(T::zero(), |sum, v| sum.hypot(*v)))
}

/// The floor has the slope 1, or nothing moves.
fn norm_pair<T: Float, const N: usize>(
    x: &[T; N],
    x_tan: &[T; N],
    floor: &dyn Fn(T) -> T,
) -> (T, T) {
    let length = x.iter().fold(T::zero(), |sum, v| sum.hypot(*v));
    let value = floor(length);
    if value != length {
        return (value, T::zero());
    }
    (value, x.iter().zip(x_tan).fold(T::zero(), |sum, (v, tan)| sum + *v * *tan / length))
}

#[test]
fn type_parameters_and_data_of_any_type() {
    let floor = |v: f32| v.max(1.0);
    assert_eq!(norm::tangent(&[3.0_f32, 4.0], &[1.0, 0.5], &floor), (5.0, 1.0));
    assert_eq!(norm::tangent(&[0.3_f32, 0.4], &[1.0, 0.5], &floor), (1.0, 0.0));
}

/// Each partial may be infinite, and is absorbed by a tangent of zero.
#[custom_rule(partials(x = 0.5 / x.sqrt(), y = -value / y))]
fn ratio(x: &f64, y: f64, n: i32) -> f64 {
    x.sqrt() / y * f64::from(n)
}

#[test]
fn partials_of_references_and_numbers() {
    assert_eq!(ratio::tangent(&4.0, &1.0, 2.0, 0.0, 1), (1.0, 0.25));
    assert_eq!(ratio::tangent(&0.0, &0.0, 2.0, 1.0, 1), (0.0, 0.0));
    assert_eq!(ratio::tangent(&4.0, &0.0, 0.0, 0.0, 1), (f64::INFINITY, 0.0));
}
