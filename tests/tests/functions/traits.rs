//! Traits: required and default methods, generic callers.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;

trait Potential {
    #[differentiate(reverse, forward, cross_check)]
    fn at(&self, r: f64) -> f64;

    /// Calls the required method twice.
    #[differentiate(reverse, forward, cross_check)]
    fn work(&self, from: f64, to: f64) -> f64 {
        self.at(to) - self.at(from)
    }

    /// Calls a default method, with a buffer.
    #[differentiate(reverse, forward, cross_check)]
    fn path(&self, points: &[f64], out: &mut [f64]) -> f64 {
        for k in 1..points.len() {
            out[k] = self.work(points[k - 1], points[k]) * out[k - 1];
        }
        out[points.len() - 1]
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Gravity(f64);

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Well {
    depth: f64,
    width: f64,
}

impl Potential for Gravity {
    #[differentiate(reverse, forward, cross_check)]
    fn at(&self, r: f64) -> f64 {
        -self.0 / r
    }
}

impl Potential for Well {
    #[differentiate(reverse, forward, cross_check)]
    fn at(&self, r: f64) -> f64 {
        -self.depth * (-(r / self.width).powi(2)).exp()
    }

    /// Instead of the default.
    #[differentiate(reverse, forward, cross_check)]
    fn work(&self, from: f64, to: f64) -> f64 {
        2.0 * (self.at(to) - self.at(from))
    }
}

#[test]
fn required_and_default_methods() {
    let at = [1.7, 0.9, 2.1];
    let (value, (adj, from, to)) = Gravity(at[0]).work_value_and_gradient(at[1], at[2]);
    let f = |v: &[f64]| Gravity(v[0]).work(v[1], v[2]);
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        v[0] / v[1] - v[0] / v[2]
    }
    check_both("default", f, twin, &at, value, &[adj.0, from, to]);

    let at = [1.7, 0.6, 0.9, 1.2];
    let well = |v: &[f64]| Well { depth: v[0], width: v[1] };
    let (value, (adj, from, to)) = well(&at).work_value_and_gradient(at[2], at[3]);
    let gradient = [adj.depth, adj.width, from, to];
    fn own_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        (well_at(v, v[3]) - well_at(v, v[2])) * 2.0
    }
    check_both("own", |v| well(v).work(v[2], v[3]), own_twin, &at, value, &gradient);
}

fn well_at<D: DualNum<Primitive = f64> + Copy>(v: &[D], r: D) -> D {
    let z = r / v[1];
    -v[0] * (-(z * z)).exp()
}

/// A generic caller of methods of a trait, in a loop.
#[differentiate(reverse, forward, cross_check)]
fn orbit<P: Potential>(potential: &P, start: f64, h: f64, steps: usize) -> f64 {
    let (mut r, mut v) = (start, 0.0);
    for _ in 0..steps {
        v -= h * potential.work(r, r + 0.1) * 10.0;
        r += h * v;
    }
    r * v + potential.at(r)
}

#[test]
fn a_generic_caller() {
    let at = [1.3, 2.0, 0.1];
    let (value, (adj, start, h)) = orbit::value_and_gradient(&Gravity(at[0]), at[1], at[2], 4);
    let f = |v: &[f64]| orbit(&Gravity(v[0]), v[1], v[2], 4);
    fn twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let at = |r: D| -x[0] / r;
        let (mut r, mut v) = (x[1], D::from(0.0));
        for _ in 0..4 {
            v -= x[2] * (at(r + 0.1) - at(r)) * 10.0;
            r += x[2] * v;
        }
        r * v + at(r)
    }
    check_both("gravity", f, twin, &at, value, &[adj.0, start, h]);

    let at = [1.3, 0.8, 0.9, 0.2];
    let well = |v: &[f64]| Well { depth: v[0], width: v[1] };
    let (value, (adj, start, h)) = orbit::value_and_gradient(&well(&at), at[2], at[3], 3);
    let gradient = [adj.depth, adj.width, start, h];
    fn well_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let (mut r, mut v) = (x[2], D::from(0.0));
        for _ in 0..3 {
            v -= x[3] * (well_at(x, r + 0.1) - well_at(x, r)) * 20.0;
            r += x[3] * v;
        }
        r * v + well_at(x, r)
    }
    check_both("well", |v| orbit(&well(v), v[2], v[3], 3), well_twin, &at, value, &gradient);
}

#[test]
fn a_method_with_buffers() {
    let at = [1.7, 0.9, 1.3, 2.2, 1.9];
    let run = |v: &[f64]| {
        let mut out = [0.5, 0.0, 0.0, 0.0];
        Gravity(v[0]).path(&v[1..], &mut out)
    };
    let (mut adj, mut points) = (Gravity(0.0), vec![0.0; 4]);
    let (mut out, mut out_adj) = ([0.5, 0.0, 0.0, 0.0], [0.0; 4]);
    let value =
        Gravity(at[0]).path_adjoint(&mut adj, &at[1..], &mut points, &mut out, &mut out_adj, 1.0);
    assert_eq!(out[3], value, "the buffer holds what the method leaves");
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        path_twin(v[0], &v[1..], &mut [D::from(0.5); 4])
    }
    check_both("path", run, twin, &at, value, &[vec![adj.0], points].concat());
}

/// A caller whose buffers a method of a trait writes, and which reads them before and after.
#[differentiate(reverse, forward, cross_check)]
fn twice<P: Potential>(potential: &P, x: &[f64]) -> f64 {
    let mut out = x.to_vec();
    let before = out[1] * out[2];
    let one = potential.path(x, &mut out);
    let between = out[1] * out[1];
    let two = potential.path(x, &mut out);
    before * one + between * two
}

fn path_twin<D: DualNum<Primitive = f64> + Copy>(strength: D, x: &[D], out: &mut [D]) -> D {
    for k in 1..x.len() {
        out[k] = out[k - 1] * strength * (x[k - 1].recip() - x[k].recip());
    }
    out[x.len() - 1]
}

fn twice_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut out = v[1..].to_vec();
    let before = out[1] * out[2];
    let one = path_twin(v[0], &v[1..], &mut out);
    let between = out[1] * out[1];
    before * one + between * path_twin(v[0], &v[1..], &mut out)
}

#[test]
fn buffers_are_as_they_were_where_they_are_read() {
    let at = [1.2, 0.9, 1.4, 2.0];
    let (value, (adj, x)) = twice::value_and_gradient(&Gravity(at[0]), &at[1..]);
    let gradient = [vec![adj.0], x].concat();
    let f = |v: &[f64]| twice(&Gravity(v[0]), &v[1..]);
    check_both("twice", f, twice_twin, &at, value, &gradient);
}

/// Methods on scalars.
trait Squash {
    #[differentiate(reverse, forward, cross_check)]
    fn squash(self, by: f64) -> f64;
}

impl Squash for f64 {
    #[differentiate(reverse, forward, cross_check)]
    fn squash(self, by: f64) -> f64 {
        self / (1.0 + by * self * self)
    }
}

#[differentiate(reverse, forward, cross_check)]
fn squashed(x: &[f64], by: f64) -> f64 {
    let mut y = 1.0;
    for v in x {
        y *= v.squash(by);
        y = y.squash(0.5);
    }
    y
}

fn squashed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let squash = |x: D, by: D| x / (by * x * x + 1.0);
    let first = squash(squash(v[0], v[2]), D::from(0.5));
    squash(squash(v[1], v[2]) * first, D::from(0.5))
}

#[test]
fn a_method_of_scalars() {
    let at = [0.7, -1.2, 0.4];
    let (value, (x, by)) = squashed::value_and_gradient(&at[..2], at[2]);
    let gradient = [x, vec![by]].concat();
    check_both("squashed", |v| squashed(&v[..2], v[2]), squashed_twin, &at, value, &gradient);
}

/// A trait whose `self` is data: it works through trait objects, too.
trait Field {
    #[differentiate(reverse, forward, cross_check)]
    fn strength(#[constant] &self, r: f64) -> f64;

    #[differentiate(reverse, forward, cross_check)]
    fn squared(#[constant] &self, r: f64) -> f64 {
        self.strength(r) * self.strength(r)
    }

    /// With buffers, which trait objects do not reverse; they have the rest all the same.
    #[differentiate(reverse, forward, cross_check)]
    fn add_to(#[constant] &self, r: &[f64], out: &mut [f64]) {
        for (o, v) in out.iter_mut().zip(r) {
            *o += self.strength(*v) * v;
        }
    }
}

struct Uniform(f64);
struct Central {
    charge: f64,
    centre: f64,
}

impl Field for Uniform {
    #[differentiate(reverse, forward, cross_check)]
    fn strength(#[constant] &self, r: f64) -> f64 {
        self.0 * r
    }
}

impl Field for Central {
    #[differentiate(reverse, forward, cross_check)]
    fn strength(#[constant] &self, r: f64) -> f64 {
        self.charge / (r - self.centre).powi(2)
    }
}

#[differentiate(reverse, forward, cross_check)]
fn sum_of_fields(#[constant] fields: &[Box<dyn Field>], r: f64) -> f64 {
    let mut sum = 0.0;
    for (k, field) in fields.iter().enumerate() {
        sum += field.strength(r + k as f64) * field.squared(r);
    }
    sum + fields[0].strength(sum)
}

#[differentiate(reverse, forward, cross_check)]
fn one_field(#[constant] field: &dyn Field, r: f64) -> f64 {
    field.squared(r) * r
}

#[differentiate(reverse, forward, cross_check)]
fn any_field<F: Field>(#[constant] field: &F, r: &[f64]) -> f64 {
    let mut out = r.to_vec();
    field.add_to(r, &mut out);
    field.add_to(&out.clone(), &mut out);
    out[0] * out[1]
}

fn strength<D: DualNum<Primitive = f64> + Copy>(r: D) -> D {
    (r + 1.0).powi(-2) * 2.0
}

fn sum_of_fields_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let r = v[0];
    let sum = r.powi(3) * 0.343 + strength(r + 1.0) * strength(r) * strength(r);
    sum + sum * 0.7
}

fn one_field_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    strength(v[0]) * strength(v[0]) * v[0]
}

fn any_field_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let grown = |r: D| {
        let out = r + r * r * 0.7;
        out + out * out * 0.7
    };
    grown(v[0]) * grown(v[1])
}

#[test]
fn trait_objects() {
    let fields: Vec<Box<dyn Field>> =
        vec![Box::new(Uniform(0.7)), Box::new(Central { charge: 2.0, centre: -1.0 })];
    let (value, r) = sum_of_fields::value_and_gradient(&fields, 0.8);
    let f = |v: &[f64]| sum_of_fields(&fields, v[0]);
    check_both("sum_of_fields", f, sum_of_fields_twin, &[0.8], value, &[r]);
    let (value, r) = one_field::value_and_gradient(&*fields[1], 0.8);
    let f = |v: &[f64]| one_field(&*fields[1], v[0]);
    check_both("one_field", f, one_field_twin, &[0.8], value, &[r]);
    let at = [0.4, 0.9];
    let (value, r) = any_field::value_and_gradient(&Uniform(0.7), &at);
    let f = |v: &[f64]| any_field(&Uniform(0.7), v);
    check_both("any_field", f, any_field_twin, &at, value, &r);
}

/// A method that depends on more than its arguments.
trait Dice {
    #[differentiate(reverse, forward, cross_check)]
    fn thrown(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Loaded(f64);

static THROWS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);

impl Dice for Loaded {
    #[differentiate(reverse, forward, cross_check)]
    fn thrown(&self, x: f64) -> f64 {
        let throw = THROWS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.0 * x * f64::from(throw)
    }
}

#[differentiate(reverse, forward, cross_check)]
fn game<D: Dice>(dice: &D, x: f64) -> f64 {
    dice.thrown(x) + x
}

#[test]
#[should_panic(
    expected = "when the reverse sweep ran it again: it depends on more than its arguments"
)]
fn a_method_that_gives_another_value_is_found_out() {
    game::gradient(&Loaded(0.5), 2.0);
}
