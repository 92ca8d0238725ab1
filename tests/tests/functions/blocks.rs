//! `#[differentiate]` on whole `impl` blocks, as libraries of small types have them.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::sample;
use num_dual::DualNum;
use std::cell::Cell;
use std::ops::{Add, Mul};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct M2([[f64; 2]; 2]);

#[differentiate(reverse, forward, cross_check)]
impl Mul for M2 {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut product = M2([[0.0; 2]; 2]);
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    product.0[i][j] += self.0[i][k] * other.0[k][j];
                }
            }
        }
        product
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Add for M2 {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (row, more) in self.0.iter_mut().zip(other.0.iter()) {
            for k in 0..2 {
                row[k] += more[k];
            }
        }
        self
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Mul<f64> for M2 {
    type Output = Self;
    fn mul(mut self, by: f64) -> Self {
        for row in self.0.iter_mut() {
            row[0] *= by;
            row[1] *= by;
        }
        self
    }
}

// Some functions have no derivative, some do not mention the type.
#[differentiate(reverse, forward, cross_check)]
impl M2 {
    fn zero() -> Self {
        M2([[0.0; 2]; 2])
    }

    fn diagonal(k: f64) -> M2 {
        M2([[k, 0.0], [0.0, k]])
    }

    fn transposed(self) -> Self {
        let M2([[a, b], [c, d]]) = self;
        Self([[a, c], [b, d]])
    }

    fn inverse(&self) -> Option<Self> {
        let [[a, b], [c, d]] = self.0;
        let det = a * d - b * c;
        if det.abs() < 1e-12 {
            return None;
        }
        Some(M2([[d / det, -b / det], [-c / det, a / det]]))
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Kalman {
    step: M2,
    noise: f64,
    x: [f64; 2],
    p: M2,
}

#[differentiate(reverse, forward, cross_check)]
impl Kalman {
    fn predict(&mut self) {
        let [a, b] = self.x;
        let m = self.step.0;
        self.x = [m[0][0] * a + m[0][1] * b, m[1][0] * a + m[1][1] * b];
        let (step, p): (M2, M2) = (self.step, self.p);
        let (back, noise): (M2, M2) = (step.transposed(), M2::diagonal(self.noise));
        self.p = step * p * back + noise + M2::zero();
    }

    fn update(&mut self, z: f64, r: f64) -> Option<f64> {
        let p: M2 = self.p;
        let s = p + M2::diagonal(r);
        let inverse: M2 = s.inverse()?;
        let k = p * inverse;
        let y = z - self.x[0];
        self.x[0] += k.0[0][0] * y;
        self.x[1] += k.0[1][0] * y;
        self.p = k * p * -1.0 + p;
        Some(-0.5 * (y * y / s.0[0][0] + s.0[0][0].abs().ln()))
    }
}

#[differentiate(reverse, forward, cross_check)]
fn filtered(v: &[f64]) -> f64 {
    let mut filter = Kalman {
        step: M2([[1.0, 0.1], [v[0], 1.0]]),
        noise: 0.5 + v[1] * v[1],
        x: [v[2], v[3]],
        p: M2::diagonal(1.0 + v[4] * v[4]),
    };
    let mut likelihood = 0.0;
    for z in &v[5..] {
        filter.predict();
        let Some(part) = filter.update(*z, 0.7) else { return -1.0 };
        likelihood += part;
    }
    likelihood + filter.p.0[0][1]
}

fn filtered_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mul = |a: [D; 4], b: [D; 4]| {
        [0, 1, 2, 3].map(|k| a[k / 2 * 2] * b[k % 2] + a[k / 2 * 2 + 1] * b[2 + k % 2])
    };
    let (zero, tenth) = (D::from(0.0), D::from(0.1));
    let noise = v[1] * v[1] + 0.5;
    let (mut x, mut p) = ([v[2], v[3]], [v[4] * v[4] + 1.0, zero, zero, v[4] * v[4] + 1.0]);
    let mut likelihood = zero;
    for z in &v[5..] {
        x = [x[0] + x[1] * 0.1, v[0] * x[0] + x[1]];
        p = mul(
            mul([zero + 1.0, tenth, v[0], zero + 1.0], p),
            [zero + 1.0, v[0], tenth, zero + 1.0],
        );
        p[0] += noise;
        p[3] += noise;
        let (a, d) = (p[0] + 0.7, p[3] + 0.7);
        let det = a * d - p[1] * p[2];
        let gain = mul(p, [d / det, -p[1] / det, -p[2] / det, a / det]);
        let y = *z - x[0];
        x = [x[0] + gain[0] * y, x[1] + gain[2] * y];
        let lost = mul(gain, p);
        p = [0, 1, 2, 3].map(|k| p[k] - lost[k]);
        likelihood -= (y * y / a + a.ln()) / 2.0;
    }
    likelihood + p[1]
}

#[test]
fn a_filter_with_small_matrices() {
    for shift in [0.3, 1.1] {
        let at = sample(9, shift);
        let (value, adj) = filtered::value_and_gradient(&at);
        check_both("filtered", filtered, filtered_twin, &at, value, &adj);
    }
}

#[derive(Differentiable, Clone, Debug)]
enum Payoff {
    Call { strike: f64 },
    Put { strike: f64 },
    Basket(Vec<(f64, Payoff)>),
}

#[differentiate(reverse, forward, cross_check)]
impl Payoff {
    fn value(&self, s: f64) -> f64 {
        match self {
            Payoff::Call { strike } if s > *strike => s - strike,
            Payoff::Put { strike } if *strike > s => strike - s,
            Payoff::Call { .. } | Payoff::Put { .. } => 0.0,
            Payoff::Basket(parts) => {
                let mut sum = 0.0;
                for (weight, payoff) in parts.iter() {
                    sum += weight * payoff.value(s);
                }
                sum / self.size() as f64
            }
        }
    }

    /// Gives a number without derivative.
    fn size(&self) -> usize {
        match self {
            Payoff::Basket(parts) => parts.len(),
            Payoff::Call { .. } | Payoff::Put { .. } => 1,
        }
    }
}

#[differentiate(reverse, forward, cross_check)]
fn priced(v: &[f64]) -> f64 {
    let inner = Payoff::Basket(vec![(v[5], Payoff::Put { strike: v[4] })]);
    let basket = Payoff::Basket(vec![
        (v[0], Payoff::Call { strike: v[1] }),
        (v[2], Payoff::Put { strike: v[3] }),
        (0.5, inner),
    ]);
    basket.value(v[6]) * basket.value(2.0 * v[6])
}

fn priced_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let positive = |x: D| if x.re() > 0.0 { x } else { D::from(0.0) };
    let value = |s: D| {
        let inner = v[5] * positive(v[4] - s);
        (v[0] * positive(s - v[1]) + v[2] * positive(v[3] - s) + inner / 2.0) / 3.0
    };
    value(v[6]) * value(v[6] * 2.0)
}

#[test]
fn a_method_that_calls_itself_in_a_loop() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(7, shift);
        let (value, adj) = priced::value_and_gradient(&at);
        check_both("priced", priced, priced_twin, &at, value, &adj);
    }
}

#[derive(Differentiable, Clone, Debug)]
enum Tree {
    Leaf(f64),
    Node { left: Box<Tree>, right: Box<Tree>, weight: f64 },
}

#[differentiate(reverse, forward, cross_check)]
impl Tree {
    fn total(&self, x: f64) -> f64 {
        match self {
            Tree::Leaf(v) => v * x,
            Tree::Node { left, right, weight } => weight * left.total(x * 0.5) + right.total(x) * x,
        }
    }

    fn scale(&mut self, k: f64) {
        match self {
            Tree::Leaf(v) => *v *= k,
            Tree::Node { left, right, weight } => {
                left.scale(k);
                right.scale(*weight);
                *weight += k;
            }
        }
    }
}

#[differentiate(reverse, forward, cross_check)]
fn grown(v: &[f64]) -> f64 {
    let inner = Tree::Node {
        left: Box::new(Tree::Leaf(v[0])),
        right: Box::new(Tree::Leaf(v[1])),
        weight: v[2],
    };
    let mut tree =
        Tree::Node { left: Box::new(inner), right: Box::new(Tree::Leaf(v[3])), weight: v[4] };
    let before = tree.total(v[5]);
    tree.scale(before);
    let after = tree.total(v[5]);
    tree.scale(v[6]);
    before * after + tree.total(1.0)
}

/// Three leaves and two weights, `l` and `w`.
fn grown_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let total = |l: [D; 3], w: [D; 2], x: D| {
        let half = x / 2.0;
        w[1] * (w[0] * l[0] * half / 2.0 + l[1] * half * half) + l[2] * x * x
    };
    let scale =
        |l: [D; 3], w: [D; 2], k: D| ([l[0] * k, l[1] * w[0], l[2] * w[1]], [w[0] + k, w[1] + k]);
    let (l, w) = ([v[0], v[1], v[3]], [v[2], v[4]]);
    let before = total(l, w, v[5]);
    let (l, w) = scale(l, w, before);
    let after = total(l, w, v[5]);
    let (l, w) = scale(l, w, v[6]);
    before * after + total(l, w, D::from(1.0))
}

#[test]
fn receivers_in_boxes() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(7, shift);
        let (value, adj) = grown::value_and_gradient(&at);
        check_both("grown", grown, grown_twin, &at, value, &adj);
    }
}

thread_local! {
    static DRAWS: Cell<u32> = const { Cell::new(0) };
}

fn draw() -> f64 {
    DRAWS.set(DRAWS.get() + 1);
    f64::from(DRAWS.get())
}

#[derive(Differentiable, Clone, Debug)]
struct Noisy {
    scale: f64,
}

#[differentiate(reverse, forward, cross_check)]
impl Noisy {
    fn sample(&self, x: f64) -> f64 {
        #[constant]
        let noise = draw();
        self.scale * noise * x
    }
}

#[differentiate(reverse, forward)]
fn sampled(noisy: &Noisy, x: f64) -> f64 {
    noisy.sample(x) + noisy.sample(x * x)
}

/// A method of an `impl` that is seen as a whole runs once, whether it is public or not.
#[test]
fn random_numbers_are_drawn_once() {
    DRAWS.set(0);
    let (value, (noisy, x)) = sampled::value_and_gradient(&Noisy { scale: 3.0 }, 2.0);
    assert_eq!(value, 3.0 * 2.0 + 3.0 * 2.0 * 4.0);
    assert_eq!((noisy.scale, x), (2.0 + 2.0 * 4.0, 3.0 + 3.0 * 2.0 * 2.0 * 2.0));
    assert_eq!(DRAWS.get(), 2);
}
