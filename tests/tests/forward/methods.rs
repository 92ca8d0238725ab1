//! Methods, traits, trait objects and operators: `f_tangent` next to `f`.

use crate::check;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::assert_exact;
use std::any::Any;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

impl Spring {
    #[differentiate(forward)]
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * (x - self.rest).powi(2)
    }

    #[differentiate(forward)]
    fn soften(&mut self, by: f64) -> f64 {
        let before = self.energy(by);
        self.stiffness *= by;
        self.rest = before;
        self.energy(1.0)
    }

    #[differentiate(forward)]
    fn joined(self, other: Self) -> Self {
        Spring { stiffness: self.stiffness * other.stiffness, rest: self.rest + other.rest }
    }

    #[differentiate(forward)]
    fn fixed(#[constant] &self, x: f64) -> f64 {
        self.stiffness * x
    }

    #[differentiate(forward, associated)]
    fn series(a: f64, b: f64) -> f64 {
        a * b / (a + b)
    }

    #[differentiate(forward)]
    fn of(a: f64, b: &[f64]) -> Self {
        Spring { stiffness: Self::series(a, b[0]), rest: b[1] * a }
    }
}

fn spring(v: &[f64]) -> Spring {
    Spring { stiffness: v[0], rest: v[1] }
}

fn flat(spring: &Spring) -> Vec<f64> {
    vec![spring.stiffness, spring.rest]
}

#[test]
fn receivers() {
    let (at, direction) = ([4.0, 1.0, 3.0], [0.5, 0.25, 2.0]);
    let (s, s_tan) = (spring(&at), spring(&direction));
    // ½ k (x - r)²
    let (value, tangent) = s.energy_tangent(&s_tan, at[2], direction[2]);
    assert_exact("energy", &[value, tangent], &[8.0, 0.5 * 0.5 * 4.0 + 4.0 * 2.0 * (2.0 - 0.25)]);

    let (mut soft, mut soft_tan) = (s.clone(), s_tan.clone());
    let (value, tangent) = soft.soften_tangent(&mut soft_tan, at[2], direction[2]);
    let f = |v: &[f64]| {
        let mut soft = spring(v);
        let value = soft.soften(v[2]);
        [flat(&soft), vec![value]].concat()
    };
    let found = ([flat(&soft), vec![value]].concat(), [flat(&soft_tan), vec![tangent]].concat());
    check("soften", f, &at, &direction, found);

    let (value, tangent) =
        s.clone().joined_tangent(s_tan.clone(), spring(&[2.0, 3.0]), spring(&[1.0, 0.0]));
    assert_eq!((value, tangent), (spring(&[8.0, 4.0]), spring(&[5.0, 0.25])));
    assert_eq!(s.fixed_tangent(3.0, 0.5), (12.0, 2.0));
    // a b / (a + b)
    let (_, tangent) = Spring::series_tangent(2.0, 1.0, 6.0, 0.0);
    assert_exact("series", &[tangent], &[36.0 / 64.0]);
    let (value, tangent) = Spring::of_tangent(2.0, 1.0, &[6.0, 3.0], &[0.0, 0.5]);
    assert_eq!(value, spring(&[1.5, 6.0]));
    assert_exact("of", &flat(&tangent), &[36.0 / 64.0, 4.0]);
}

trait Potential {
    #[differentiate(forward)]
    fn at(&self, r: f64) -> f64;

    #[differentiate(forward)]
    fn work(&self, from: f64, to: f64) -> f64 {
        self.at(to) - self.at(from)
    }

    #[differentiate(forward)]
    fn along(&self, points: &[f64], out: &mut [f64]) {
        for (o, p) in out.iter_mut().zip(points) {
            *o = self.at(*p) + *o;
        }
    }
}

impl Potential for Spring {
    #[differentiate(forward)]
    fn at(&self, r: f64) -> f64 {
        self.energy(r)
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Gravity(f64);

impl Potential for Gravity {
    #[differentiate(forward)]
    fn at(&self, r: f64) -> f64 {
        -self.0 / r
    }

    #[differentiate(forward)]
    fn work(&self, from: f64, to: f64) -> f64 {
        2.0 * self.0 * (1.0 / from - 1.0 / to)
    }
}

#[differentiate(forward)]
fn profile<P: Potential>(potential: &P, r: &[f64], k: f64) -> Vec<f64> {
    let mut out = vec![k; r.len()];
    potential.along(r, &mut out);
    out.push(potential.work(k, r[0]));
    out
}

#[test]
fn generic_callers() {
    let (at, direction) = ([4.0, 1.0, 2.0, 3.0, 0.5], [0.5, 0.25, 1.0, -1.0, 0.3]);
    let (value, tangent) = profile::tangent(
        &spring(&at),
        &spring(&direction),
        &at[2..4],
        &direction[2..4],
        at[4],
        direction[4],
    );
    let f = |v: &[f64]| profile(&spring(v), &v[2..4], v[4]);
    check("spring", f, &at, &direction, (value, tangent));

    let (value, tangent) = profile::tangent(
        &Gravity(at[0]),
        &Gravity(direction[0]),
        &at[2..4],
        &direction[2..4],
        at[4],
        direction[4],
    );
    let f = |v: &[f64]| profile(&Gravity(v[0]), &v[2..4], v[4]);
    check("gravity", f, &at, &direction, (value, tangent));
}

#[differentiate(forward)]
trait Material {
    fn stress(&self, strain: f64) -> f64;

    fn load(&self, strains: &[f64], out: &mut [f64]) {
        for (o, s) in out.iter_mut().zip(strains) {
            *o += self.stress(*s);
        }
    }

    fn harden(&mut self, by: f64);
}

#[differentiate(forward)]
impl Material for Gravity {
    fn stress(&self, strain: f64) -> f64 {
        self.0 * strain
    }

    fn harden(&mut self, by: f64) {
        self.0 *= by;
    }
}

#[differentiate(forward)]
impl Material for Spring {
    fn stress(&self, strain: f64) -> f64 {
        self.stiffness * (strain - self.rest).sin()
    }

    fn harden(&mut self, by: f64) {
        self.rest -= by * self.stiffness;
    }
}

#[differentiate(forward)]
fn loaded(parts: &mut [Box<dyn Material>], strains: &[f64], by: f64) -> Vec<f64> {
    let mut out = vec![0.0; strains.len()];
    for part in parts.iter_mut() {
        part.load(strains, &mut out);
        part.harden(by);
        out[0] *= part.stress(by);
    }
    out
}

fn materials(v: &[f64]) -> Vec<Box<dyn Material>> {
    vec![Box::new(Gravity(v[0])), Box::new(spring(&v[1..]))]
}

#[test]
fn trait_objects() {
    let (at, direction) = ([4.0, 1.0, 2.0, 3.0, 0.5, 0.7], [0.5, 0.25, 1.0, -1.0, 0.3, 1.0]);
    let (mut parts, mut parts_tan) = (materials(&at), materials(&direction));
    let (value, tangent) = loaded::tangent(
        &mut parts,
        &mut parts_tan,
        &at[3..5],
        &direction[3..5],
        at[5],
        direction[5],
    );
    let state = |parts: Vec<Box<dyn Material>>| {
        let mut parts = parts.into_iter().map(|part| part as Box<dyn Any>);
        let gravity = parts.next().unwrap().downcast::<Gravity>().expect("gravity comes first");
        let spring = parts.next().unwrap().downcast::<Spring>().expect("then a spring");
        [vec![gravity.0], flat(&spring)].concat()
    };
    let f = |v: &[f64]| {
        let mut parts = materials(v);
        let out = loaded(&mut parts, &v[3..5], v[5]);
        [out, state(parts)].concat()
    };
    let found = ([value, state(parts)].concat(), [tangent, state(parts_tan)].concat());
    check("loaded", f, &at, &direction, found);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct V2 {
    x: f64,
    y: f64,
}

#[differentiate(forward)]
impl Add for V2 {
    type Output = V2;
    fn add(self, other: V2) -> V2 {
        V2 { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiate(forward)]
impl Sub for V2 {
    type Output = V2;
    fn sub(self, other: V2) -> V2 {
        self + -other
    }
}

#[differentiate(forward)]
impl Mul<V2> for f64 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        V2 { x: self * v.x, y: self * v.y }
    }
}

/// The inner product.
#[differentiate(forward)]
impl Mul for V2 {
    type Output = f64;
    fn mul(self, other: V2) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

#[differentiate(forward)]
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}

#[differentiate(forward)]
fn reflected(v: V2, n: V2, times: usize) -> V2 {
    let mut w = v;
    for k in 0..times {
        w = w - 2.0 * (w * n) * n;
        w = w + (k as f64) * V2 { x: 1.0, y: w.y };
    }
    w
}

#[test]
fn operators() {
    let (at, direction) = ([0.3, 1.1, 0.6, -0.8], [1.0, 0.5, -0.25, 2.0]);
    let (a, b) = (|v: &[f64]| V2 { x: v[0], y: v[1] }, |v: &[f64]| V2 { x: v[2], y: v[3] });
    let flat = |v: V2| vec![v.x, v.y];
    for times in 0..3 {
        let (value, tangent) =
            reflected::tangent(a(&at), a(&direction), b(&at), b(&direction), times);
        let f = |v: &[f64]| flat(reflected(a(v), b(v), times));
        check("reflected", f, &at, &direction, (flat(value), flat(tangent)));
    }
}
