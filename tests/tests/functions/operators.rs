//! Arithmetic operators and indexing of types of the user.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;
use std::ops::{Add, Div, Index, IndexMut, Mul, Neg, Sub};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiate(reverse, forward, cross_check)]
impl Add for V3 {
    type Output = V3;
    fn add(self, other: V3) -> V3 {
        V3 { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Sub for V3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self::Output {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Mul<f64> for V3 {
    type Output = V3;
    fn mul(self, k: f64) -> V3 {
        V3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Mul<V3> for f64 {
    type Output = V3;
    fn mul(self, v: V3) -> V3 {
        v * self
    }
}

/// The inner product.
#[differentiate(reverse, forward, cross_check)]
impl Mul for V3 {
    type Output = f64;
    fn mul(self, other: V3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Div<f64> for V3 {
    type Output = V3;
    fn div(self, k: f64) -> V3 {
        self * (1.0 / k)
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Neg for V3 {
    type Output = V3;
    fn neg(self) -> V3 {
        V3 { x: -self.x, y: -self.y, z: -self.z }
    }
}

/// Data with operators of its own.
#[derive(Clone, Copy, PartialEq)]
struct Flags(u32);

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl std::ops::AddAssign<u32> for Flags {
    fn add_assign(&mut self, other: u32) {
        self.0 += other;
    }
}

#[differentiate(reverse)]
fn flagged(x: f64, #[constant] flags: Flags) -> f64 {
    let mut seen: Flags = flags;
    let mut sum = 0.0;
    for _ in 0..3 {
        seen |= Flags(1);
        seen += 2;
        sum += if seen == Flags(3) { x * x } else { x };
    }
    sum
}

#[test]
fn compound_assignment_to_data_of_a_type_of_the_user() {
    // 3, 5 and 7
    assert_eq!(flagged::value_and_gradient(3.0, Flags(0)), (15.0, 8.0));
}

/// A charge in a magnetic field along z, with friction.
#[differentiate(reverse, forward, cross_check)]
fn charge(start: V3, speed: V3, field: f64, h: f64) -> f64 {
    let (mut position, mut velocity) = (start, speed);
    for _ in 0..5 {
        let force = field * V3 { x: velocity.y, y: -velocity.x, z: 0.0 } - velocity / 4.0;
        velocity = velocity + force * h;
        position = position + h * velocity;
    }
    position * position + 0.5 * (velocity * -(position - start))
}

fn charge_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (start, field, h) = ([v[0], v[1], v[2]], v[6], v[7]);
    let (mut p, mut u) = (start, [v[3], v[4], v[5]]);
    for _ in 0..5 {
        let force = [field * u[1] - u[0] * 0.25, -field * u[0] - u[1] * 0.25, -u[2] * 0.25];
        for k in 0..3 {
            u[k] += force[k] * h;
        }
        for k in 0..3 {
            p[k] += h * u[k];
        }
    }
    let mut sum = D::from(0.0);
    for k in 0..3 {
        sum += p[k] * p[k] - u[k] * (p[k] - start[k]) * 0.5;
    }
    sum
}

#[test]
fn operators_on_vectors() {
    let at = [1.0, 0.2, -0.3, 0.1, -0.5, 0.4, 0.7, 0.1];
    let v3 = |v: &[f64], k: usize| V3 { x: v[k], y: v[k + 1], z: v[k + 2] };
    let (value, (a, b, field, h)) =
        charge::value_and_gradient(v3(&at, 0), v3(&at, 3), at[6], at[7]);
    let gradient = [a.x, a.y, a.z, b.x, b.y, b.z, field, h];
    let f = |v: &[f64]| charge(v3(v, 0), v3(v, 3), v[6], v[7]);
    check_both("charge", f, charge_twin, &at, value, &gradient);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Matrix {
    size: usize,
    elements: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.elements[i * self.size + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.elements[i * self.size + j]
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Mul<&Matrix> for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        let n = self.size;
        let mut product = Matrix { size: n, elements: vec![0.0; n * n] };
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    product[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        product
    }
}

/// References to local and borrowed matrices, and elements by two indices.
#[differentiate(reverse, forward, cross_check)]
fn cube_trace(m: &Matrix, shift: f64) -> f64 {
    let mut shifted = m.clone();
    for i in 0..m.size {
        shifted[(i, i)] -= shift * m[(0, i)];
    }
    let square = &shifted * m;
    let cube = &square * &shifted;
    let mut trace = 0.0;
    for i in 0..m.size {
        trace += cube[(i, i)] * (i + 1) as f64;
    }
    trace
}

#[test]
fn operators_on_references_and_elements() {
    let at = [0.3, -0.7, 1.1, 0.2, 0.9, -0.4, 0.5, 0.8, -1.2, 0.6];
    let matrix = |v: &[f64]| Matrix { size: 3, elements: v[..9].to_vec() };
    let (value, (m, shift)) = cube_trace::value_and_gradient(&matrix(&at), at[9]);
    let gradient = [m.elements, vec![shift]].concat();
    let f = |v: &[f64]| cube_trace(&matrix(v), v[9]);
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        let product = |a: &[D], b: &[D]| -> Vec<D> {
            let entry = |i: usize, j: usize| {
                (0..3).fold(D::from(0.0), |sum, k| sum + a[i * 3 + k] * b[k * 3 + j])
            };
            (0..9).map(|e| entry(e / 3, e % 3)).collect()
        };
        let mut shifted = v[..9].to_vec();
        for i in 0..3 {
            shifted[4 * i] -= v[9] * v[i];
        }
        let cube = product(&product(&shifted, &v[..9]), &shifted);
        cube[0] + cube[4] * 2.0 + cube[8] * 3.0
    }
    check_both("cube_trace", f, twin, &at, value, &gradient);
}

/// Data that an active operand meets, on either side.
#[differentiate(reverse, forward, cross_check)]
fn with_data(v: V3, #[constant] axis: V3, #[constant] weights: &[f64]) -> f64 {
    let mut sum = v;
    for w in weights {
        sum = sum + axis * *w + v * (*w * *w);
    }
    sum * axis + (sum - axis) * sum
}

/// `s` is the sum, `a` the axis: `s · a + s · s - a · s`.
fn with_data_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let axis = [0.5, -0.2, 1.5];
    let mut product = D::from(0.0);
    for k in 0..3 {
        let sum = v[k] * (1.0 + 0.09 + 0.64) + axis[k] * (0.3 - 0.8);
        product += sum * sum;
    }
    product
}

#[test]
fn constants_take_part() {
    let (axis, weights) = (V3 { x: 0.5, y: -0.2, z: 1.5 }, [0.3, -0.8]);
    let at = [0.7, 1.1, -0.4];
    let v3 = |v: &[f64]| V3 { x: v[0], y: v[1], z: v[2] };
    let (value, adj) = with_data::value_and_gradient(v3(&at), axis, &weights);
    let f = |v: &[f64]| with_data(v3(v), axis, &weights);
    check_both("with_data", f, with_data_twin, &at, value, &[adj.x, adj.y, adj.z]);
}
