//! Rules on methods: siblings, receivers of every kind, traits.

use ad_runtime::{Differentiable, custom_rule, differentiate};
use ad_tests::check::assert_gradient;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

impl Spring {
    #[custom_rule(vjp = Self::energy_rule)]
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

    /// Wears out: the receiver is changed.
    #[custom_rule(vjp = Self::worn_rule)]
    pub fn worn(&mut self, load: f64) -> f64 {
        self.stiffness *= load;
        self.rest + load
    }

    fn worn_rule(
        &mut self,
        load: f64,
    ) -> (f64, impl FnOnce(&mut Self, &mut Self, f64) -> f64 + use<>) {
        let before = self.stiffness;
        let pullback = move |_: &mut Self, adj: &mut Self, seed: f64| {
            let load_adj = before * adj.stiffness + seed;
            adj.stiffness *= load;
            adj.rest += seed;
            load_adj
        };
        (self.worn(load), pullback)
    }

    /// Private, so callers run it again.
    #[custom_rule(vjp = spring_length)]
    fn length(self, load: f64) -> f64 {
        self.rest + load / self.stiffness
    }

    #[custom_rule(partials(x = -self.stiffness + 0.0 * value))]
    pub fn force(#[constant] &self, x: f64) -> f64 {
        self.stiffness * (self.rest - x)
    }

    #[custom_rule(zero)]
    pub fn turns(&self, x: f64) -> f64 {
        (x / self.rest).floor()
    }

    #[custom_rule(vjp = Spring::unit_rule, associated)]
    pub fn unit(x: f64) -> f64 {
        x * x
    }

    fn unit_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
        (x * x, move |seed| 2.0 * x * seed)
    }
}

fn spring_length(spring: Spring, load: f64) -> (f64, impl FnOnce(f64) -> (Spring, f64) + use<>) {
    let Spring { stiffness, rest } = spring;
    let pullback = move |seed: f64| {
        let stiffness_adj = -seed * load / (stiffness * stiffness);
        (Spring { stiffness: stiffness_adj, rest: seed }, seed / stiffness)
    };
    (rest + load / stiffness, pullback)
}

#[test]
fn siblings_are_methods() {
    let spring = Spring { stiffness: 2.0, rest: 1.0 };
    let (value, (spring_adj, x_adj)) = spring.energy_value_and_gradient(4.0);
    assert_eq!((value, x_adj), (9.0, 6.0));
    assert_eq!(spring_adj, Spring { stiffness: 4.5, rest: -6.0 });
    assert_eq!(spring.force_gradient(5.0), -2.0);
    assert_eq!(Spring::unit_gradient(3.0), 6.0);
    let zero = Spring { stiffness: 0.0, rest: 0.0 };
    assert_eq!(spring.turns_gradient(2.5), (zero, 0.0));
    let (length_adj, load_adj) = spring.clone().length_gradient(6.0);
    assert_eq!((length_adj, load_adj), (Spring { stiffness: -1.5, rest: 1.0 }, 0.5));
}

#[differentiate(reverse)]
fn work(start: &Spring, x: &[f64]) -> f64 {
    let mut spring = start.clone();
    let mut total = 0.0;
    for v in x {
        let before = spring.stiffness * spring.stiffness;
        total += spring.energy(*v) + before * spring.worn(1.0 + v * v);
        let lent = spring.clone();
        total += lent.length(*v) + Spring::unit(total * *v) + v * spring.turns(*v);
    }
    total
}

#[test]
fn callers_of_methods() {
    let at = [1.3, 0.6, 0.5, -0.4, 0.9];
    let spring = |v: &[f64]| Spring { stiffness: v[0], rest: v[1] };
    let (adj, x_adj) = work::gradient(&spring(&at), &at[2..]);
    let gradient = [&[adj.stiffness, adj.rest], &x_adj[..]].concat();
    assert_gradient("work", |v| work(&spring(v), &v[2..]), &at, &gradient);
}

trait Model {
    #[differentiate(reverse)]
    fn predict(&self, x: f64) -> f64;
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Line<T>(T, T);

impl Model for Line<f64> {
    #[custom_rule(vjp = line_rule)]
    fn predict(&self, x: f64) -> f64 {
        self.0 + self.1 * x
    }
}

fn line_rule(
    line: &Line<f64>,
    x: f64,
) -> (f64, impl FnOnce(&Line<f64>, &mut Line<f64>, f64) -> f64 + use<>) {
    let pullback = move |line: &Line<f64>, adj: &mut Line<f64>, seed: f64| {
        adj.0 += seed;
        adj.1 += seed * x;
        seed * line.1
    };
    (line.0 + line.1 * x, pullback)
}

#[differentiate(reverse)]
fn fitted<M: Model + Differentiable<Owned = M>>(model: &M, x: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        let miss = model.predict(*v) - v * v;
        total += miss * miss;
    }
    total
}

#[test]
fn methods_of_traits() {
    let at = [0.7, -0.4, 0.3, 1.4];
    let (adj, x_adj) = fitted::gradient(&Line(at[0], at[1]), &at[2..]);
    let gradient = [&[adj.0, adj.1], &x_adj[..]].concat();
    assert_gradient("fitted", |v| fitted(&Line(v[0], v[1]), &v[2..]), &at, &gradient);
}

/// Data, so it may be behind a trait object.
trait Table {
    #[differentiate(reverse)]
    fn at(#[constant] &self, x: f64) -> f64;
}

struct Square;

impl Table for Square {
    #[differentiate(reverse)]
    fn at(#[constant] &self, x: f64) -> f64 {
        x * x
    }
}

impl Table for [f64; 2] {
    #[custom_rule(partials(x = self[1] + 0.0 * value))]
    fn at(#[constant] &self, x: f64) -> f64 {
        self[0] + self[1] * x
    }
}

#[differentiate(reverse)]
fn looked_up(#[constant] tables: &[Box<dyn Table>], x: f64) -> f64 {
    let mut total = x;
    for table in tables {
        total += table.at(x * total);
    }
    total
}

#[test]
fn methods_of_trait_objects() {
    let tables: Vec<Box<dyn Table>> = vec![Box::new([1.0, 2.0]), Box::new(Square)];
    let found = looked_up::gradient(&tables, 0.7);
    assert_gradient("looked up", |x| looked_up(&tables, x[0]), &[0.7], &[found]);
}

impl<T: num_traits::Float> Line<T> {
    #[custom_rule(vjp = Self::slope_rule)]
    pub fn slope(&self, scale: T) -> T {
        self.1 * scale
    }

    fn slope_rule(&self, scale: T) -> (T, impl FnOnce(&Self, &mut Self, T) -> T + use<T>) {
        let pullback = move |this: &Self, adj: &mut Self, seed: T| {
            adj.1 = adj.1 + seed * scale;
            seed * this.1
        };
        (self.slope(scale), pullback)
    }
}

#[differentiate(reverse)]
fn slopes(line: &Line<f64>, scale: f64) -> f64 {
    line.slope(scale) * line.slope(scale * scale)
}

#[test]
fn an_impl_with_parameters() {
    let (adj, scale_adj) = slopes::gradient(&Line(1.0, 3.0), 2.0);
    assert_eq!((adj, scale_adj), (Line(0.0, 2.0 * 3.0 * 8.0), 9.0 * 3.0 * 4.0));
}

struct Plain;

/// Attributes on functions of an `impl` with an attribute of its own.
#[differentiate(reverse)]
impl Plain {
    pub fn cube(x: f64) -> f64 {
        x * Self::square(x)
    }

    #[custom_rule(vjp = Self::square_rule)]
    pub fn square(x: f64) -> f64 {
        x * x
    }

    fn square_rule(x: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
        // Marked, to see that it is this which runs.
        (x * x, move |seed| seed * 2.0 * x + 1000.0)
    }
}

#[test]
fn next_to_methods_that_are_differentiated() {
    assert_eq!(Plain::cube_gradient(2.0), 4.0 + 2.0 * 4.0 + 1000.0);
}
