//! Methods with all receivers, and associated functions.

use crate::{check, check_both};
use ad_runtime::{Differentiable, Unspecified, differentiate};
use num_dual::DualNum;

#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Spring {
    stiffness: f64,
    rest: f64,
}

impl Spring {
    const COUPLING: f64 = 0.5;

    #[differentiate(reverse, forward, cross_check)]
    pub fn new(stiffness: f64, scale: f64) -> Self {
        Spring { stiffness: stiffness * scale, rest: scale.sin() }
    }

    #[differentiate(reverse, forward, cross_check)]
    pub fn energy(&self, x: f64) -> f64 {
        Self::COUPLING * self.stiffness * self.stretch(x).powi(2)
    }

    #[differentiate(reverse, forward, cross_check)]
    fn stretch(&self, x: f64) -> f64 {
        x - self.rest
    }

    /// Changes itself and gives a value.
    #[differentiate(reverse, forward, cross_check)]
    pub fn wear(&mut self, load: f64) -> f64 {
        let before = self.stiffness;
        self.stiffness *= 1.0 - 0.1 * load;
        self.rest += 0.01 * load * before;
        before - self.stiffness
    }

    /// Takes itself.
    #[differentiate(reverse, forward, cross_check)]
    pub fn stiffer(self, by: f64) -> Spring {
        Spring { stiffness: self.stiffness + by * self.rest, ..self }
    }

    /// Nothing in the signature tells that it stands in an `impl`.
    #[differentiate(reverse, forward, cross_check, associated)]
    fn series(parts: &[Spring], force: f64) -> f64 {
        let mut total = 0.0;
        for part in parts {
            total += force / part.stiffness + part.stretch(force);
        }
        total
    }
}

#[test]
fn a_method_by_its_siblings() {
    let at = [2.0, 0.5, 1.25];
    let spring = Spring { stiffness: at[0], rest: at[1] };
    let f = |v: &[f64]| Spring { stiffness: v[0], rest: v[1] }.energy(v[2]);
    let (value, (adj, x)) = spring.energy_value_and_gradient(at[2]);
    check_both("energy", f, energy_twin, &at, value, &[adj.stiffness, adj.rest, x]);
    assert_eq!(spring.energy_gradient(at[2]), (adj.clone(), x));

    let mut added = Spring { stiffness: 1.0, rest: 2.0 };
    let (again, x_adj) = spring.energy_adjoint(&mut added, at[2], 1.0);
    let sum = Spring { stiffness: 1.0 + adj.stiffness, rest: 2.0 + adj.rest };
    assert_eq!((again, x_adj, added), (value, x, sum), "the adjoint is added to");

    let mut written = Spring { stiffness: f64::NAN, rest: f64::NAN };
    let mut x_adj = f64::NAN;
    assert_eq!(spring.energy_value_and_gradient_into(&mut written, at[2], &mut x_adj), value);
    assert_eq!((written, x_adj), (adj.clone(), x));

    let (value_again, pullback) = spring.energy_vjp(Unspecified, at[2]);
    let mut pulled = Spring { stiffness: 0.0, rest: 0.0 };
    assert_eq!((value_again, pullback(&spring, &mut pulled, 1.0)), (value, x));
    assert_eq!(pulled, adj);
}

fn energy_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let stretch = v[2] - v[1];
    v[0] * stretch * stretch / 2.0
}

/// Methods that call each other, on locals, in a loop, and on what other methods give.
#[differentiate(reverse, forward, cross_check)]
fn fatigue(spring: &Spring, loads: &[f64]) -> f64 {
    let mut own = spring.clone();
    let mut total = 0.0;
    for (k, load) in loads.iter().enumerate() {
        total += own.energy(*load) * spring.stiffness;
        let lost = own.wear(*load);
        if k % 2 == 0 {
            total -= lost * own.rest;
        }
        own = own.stiffer(lost);
    }
    let made = Spring::new(total, loads[0]);
    made.energy(0.3) + total
}

fn fatigue_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (stiffness, loads) = (v[0], &v[2..]);
    let energy = |k: D, r: D, x: D| k * (x - r).powi(2) * 0.5;
    let (mut k, mut r) = (v[0], v[1]);
    let mut total = D::from(0.0);
    for (n, load) in loads.iter().enumerate() {
        total += energy(k, r, *load) * stiffness;
        let before = k;
        k = k * (D::from(1.0) - *load * 0.1);
        r += *load * before * 0.01;
        let lost = before - k;
        if n % 2 == 0 {
            total -= lost * r;
        }
        k += lost * r;
    }
    energy(total * loads[0], loads[0].sin(), D::from(0.3)) + total
}

#[test]
fn methods_that_change_their_receiver() {
    let at = [1.4, 0.3, 0.9, 0.4, 1.2];
    let f = |v: &[f64]| fatigue(&Spring { stiffness: v[0], rest: v[1] }, &v[2..]);
    let spring = Spring { stiffness: at[0], rest: at[1] };
    let (value, (adj, loads)) = fatigue::value_and_gradient(&spring, &at[2..]);
    let gradient = [vec![adj.stiffness, adj.rest], loads].concat();
    check_both("fatigue", f, fatigue_twin, &at, value, &gradient);
}

#[test]
fn associated_functions() {
    let at = [1.1, 0.2, 2.3, 0.7, 0.8];
    let parts = |v: &[f64]| {
        [Spring { stiffness: v[0], rest: v[1] }, Spring { stiffness: v[2], rest: v[3] }]
    };
    let (value, (adj, force)) = Spring::series_value_and_gradient(&parts(&at), at[4]);
    let gradient = [adj[0].stiffness, adj[0].rest, adj[1].stiffness, adj[1].rest, force];
    let f = |v: &[f64]| Spring::series(&parts(v), v[4]);
    check_both("series", f, series_twin, &at, value, &gradient);
}

fn series_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let force = v[4];
    force / v[0] + force / v[2] + force * 2.0 - v[1] - v[3]
}

/// A receiver that is data: its fields are constants.
struct Grid {
    spacing: f64,
    cells: usize,
}

impl Grid {
    #[differentiate(reverse, forward, cross_check)]
    pub fn heat(#[constant] &self, u: &mut [f64], k: f64) {
        for i in 1..self.cells - 1 {
            let flow = k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / self.spacing;
            u[i] += flow * u[i];
        }
    }
}

#[differentiate(reverse, forward, cross_check)]
fn warmed(#[constant] grid: &Grid, start: &[f64], k: f64) -> f64 {
    let mut u = start.to_vec();
    for _ in 0..3 {
        grid.heat(&mut u, k);
    }
    let mut sum = 0.0;
    for (i, v) in u.iter().enumerate() {
        sum += v * (i + 1) as f64;
    }
    sum
}

/// Five cells, half a unit apart.
fn warmed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut u = v[..5].to_vec();
    for _ in 0..3 {
        for i in 1..4 {
            let bend = u[i - 1] + u[i + 1] - u[i] - u[i];
            u[i] *= v[5] * bend * 2.0 + 1.0;
        }
    }
    u[0] + u[1] * 2.0 + u[2] * 3.0 + u[3] * 4.0 + u[4] * 5.0
}

#[test]
fn a_constant_receiver() {
    let grid = Grid { spacing: 0.5, cells: 5 };
    let at = [0.3, 1.2, 0.7, 0.9, 0.4, 0.1];
    let (value, (start, k)) = warmed::value_and_gradient(&grid, &at[..5], at[5]);
    let gradient = [start, vec![k]].concat();
    let f = |v: &[f64]| warmed(&grid, &v[..5], v[5]);
    check_both("warmed", f, warmed_twin, &at, value, &gradient);
}

/// Scratch space that a method owns, and a method of an `impl` with parameters.
#[derive(Differentiable, Clone, Debug)]
struct Filter<T, const N: usize> {
    taps: [T; N],
    line: Vec<T>,
}

impl<T: num_traits::Float, const N: usize> Filter<T, N> {
    #[differentiate(reverse, forward, cross_check)]
    pub fn push(&mut self, x: T) -> T {
        for k in (1..N).rev() {
            self.line[k] = self.line[k - 1];
        }
        self.line[0] = x;
        let mut y = T::zero();
        for k in 0..N {
            y = y + self.taps[k] * self.line[k];
        }
        y
    }
}

#[test]
fn a_method_of_a_generic_type_keeps_its_state() {
    let at = [0.5, -0.3, 0.2, 0.1, 0.7, -0.4, 0.9];
    let filter = |v: &[f64]| Filter { taps: [v[0], v[1], v[2]], line: v[3..6].to_vec() };
    let mut own = filter(&at);
    let (value, (adj, x)) = own.push_value_and_gradient(at[6]);
    assert_eq!(own.line, [0.9, 0.1, 0.7], "the state is what the method leaves");
    let gradient = [adj.taps.to_vec(), adj.line, vec![x]].concat();
    check_both("push", |v| filter(v).push(v[6]), push_twin, &at, value, &gradient);
}

/// The newest value is `v[6]`, and the oldest falls out.
fn push_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0] * v[6] + v[1] * v[3] + v[2] * v[4]
}

/// The attribute on an `impl` stands for one on each of its functions.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Table<const KNOTS: usize> {
    values: [f64; KNOTS],
}

#[differentiate(reverse, forward, cross_check)]
impl<const KNOTS: usize> Table<KNOTS> {
    fn blend(a: f64, b: f64, t: f64) -> f64 {
        a + (b - a) * t * t
    }

    pub fn at(&self, x: f64) -> f64 {
        let k = (x as usize).min(KNOTS - 2);
        Self::blend(self.values[k], self.values[k + 1], x - k as f64)
    }
}

#[test]
fn the_attribute_on_an_impl() {
    let at = [0.5, -1.0, 2.0, 1.3];
    let table = |v: &[f64]| Table { values: [v[0], v[1], v[2]] };
    let (value, (adj, x)) = table(&at).at_value_and_gradient(at[3]);
    let gradient = [adj.values.to_vec(), vec![x]].concat();
    check_both("at", |v| table(v).at(v[3]), table_twin, &at, value, &gradient);
    assert_eq!(Table::<2>::blend_gradient(1.0, 3.0, 0.5), (0.75, 0.25, 2.0));
}

/// Between the second knot and the third.
fn table_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let t = v[3] - 1.0;
    v[1] * (-t * t + 1.0) + v[2] * t * t
}

/// Integers that are read from active data have no derivative.
#[derive(Differentiable, Clone, Debug)]
struct Repeated {
    times: usize,
    factor: f64,
}

#[differentiate(reverse, forward, cross_check)]
impl Repeated {
    fn times(&self) -> usize {
        self.times
    }

    fn once_more(&self, really: bool) -> usize {
        if really {
            return self.times + 1;
        }
        self.times
    }

    fn applied(&self, x: f64) -> f64 {
        let mut y = x;
        for _ in 0..self.times() {
            y *= self.factor;
        }
        y * self.once_more(x > 0.0) as f64
    }
}

#[test]
fn methods_that_give_integers() {
    let repeated = |v: &[f64]| Repeated { times: 3, factor: v[0] };
    let at = [0.7, 1.2];
    let (value, (self_adj, x_adj)) = repeated(&at).applied_value_and_gradient(at[1]);
    check("applied", |v| repeated(v).applied(v[1]), &at, value, &[self_adj.factor, x_adj]);
    // 4 f³ x
    assert!(
        (self_adj.factor - 12.0 * 0.49 * 1.2).abs() < 1e-14,
        "some products in double precision"
    );
}
