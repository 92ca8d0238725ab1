//! One small program per public report: what people really differentiate, and where other tools went wrong.
//!
//! Each program was written afresh; only the pattern that broke the tool in question is taken from the report.
//! The number in `// case N` is the first part of the keys in [`super::ROWS`].
//! Programs that reverse mode does not cover yet have no attribute and are checked by value only.
#![allow(clippy::all, reason = "the programs are written as their users wrote them")]

use num_traits::Float;
use std::cell::RefCell;
use std::ops::Mul;
use std::rc::Rc;

// case 1
/// A plain sum of squares and a sum over neighbouring pairs, written to `out`.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn pair_terms(x: &[f64], w: &[f64; 3], out: &mut [f64; 2]) {
    out[0] = x.iter().map(|v| w[0] * v.powi(2)).sum();
    out[1] = x
        .windows(2)
        .map(|p| {
            let gap = p[1] - p[0] * p[0];
            (w[1] - p[0]).powi(2) + w[2] * gap * gap
        })
        .sum();
}

// case 3
/// Two squared mismatches; `a` and `b` are usually held fixed.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn two_circles(x: f64, y: f64, a: f64, b: f64) -> f64 {
    (x.powi(2) + y - a).powi(2) + (x + y.powi(3) - b).powi(2)
}

// case 4
/// Only `Mul` and `Copy` are asked of the scalar; the argument is a reference.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn cube_of<T: Copy + Mul<Output = T>>(x: &T) -> T {
    *x * *x * *x
}

/// The usual numeric bound.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn logistic<T: Float>(x: T, steepness: T) -> T {
    T::one() / (T::one() + (-steepness * x).exp())
}

// case 5
/// An elastic material.
pub trait Material {
    /// Strain energy at the volume ratio `j`.
    #[ad_runtime::differentiate(reverse, forward, cross_check)]
    fn energy(&self, j: f64) -> f64;
    /// Default method that calls the required one twice.
    #[ad_runtime::differentiate(reverse, forward, cross_check)]
    fn work(&self, from: f64, to: f64) -> f64 {
        self.energy(to) - self.energy(from)
    }
}

/// A quadratic and logarithmic well.
#[derive(ad_runtime::Differentiable)]
pub struct LogWell {
    /// Curvature of the well.
    pub stiffness: f64,
}

impl Material for LogWell {
    #[ad_runtime::differentiate(reverse, forward, cross_check)]
    fn energy(&self, j: f64) -> f64 {
        0.25 * self.stiffness * (j * j - 1.0 - 2.0 * j.ln())
    }
}

// case 7
macro_rules! polynomial {
    ($name:ident, $($c:expr),+) => {
        /// Horner's rule for the listed coefficients, highest power first.
        #[ad_runtime::differentiate(reverse, forward, cross_check)]
        pub fn $name(x: f64) -> f64 {
            let mut y = 0.0;
            $( y = y * x + $c; )+
            y
        }
    };
}
polynomial!(generated_cubic, 2.0, -1.0, 0.5, 3.0);

// case 8
/// Straight-line program held as data: operation codes, operand indices,
/// literals, inputs and a scratch register file.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn run_program(
    code: &[u32],
    left: &[u32],
    right: &[u32],
    #[constant] literal: &[f64],
    x: &[f64],
    reg: &mut [f64],
) -> f64 {
    for pc in 0..code.len() {
        let (l, r) = (left[pc] as usize, right[pc] as usize);
        reg[pc] = match code[pc] {
            0 => literal[l],
            1 => x[l],
            2 => reg[l] + reg[r],
            3 => reg[l] * reg[r],
            4 => reg[l].sin(),
            n => f64::from(n) * reg[l],
        };
    }
    reg[code.len() - 1]
}

// case 9
/// Objective for a Hessian-vector product (forward over reverse).
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn chained_quartic(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1] * x[i - 1];
        s += d * d + 0.5 * x[i - 1] * x[i];
    }
    s
}

// case 11
/// A block of `R` rows and `C` columns held in registers.
#[derive(ad_runtime::Differentiable)]
pub struct Tile<const R: usize, const C: usize> {
    /// The sums.
    pub acc: [[f64; C]; R],
}

impl<const R: usize, const C: usize> Tile<R, C> {
    /// Register-blocked product of packed panels.
    #[ad_runtime::differentiate(reverse, forward, cross_check)]
    pub fn product(a: &[f64], b: &[f64], depth: usize) -> Self {
        let mut acc = [[0.0; C]; R];
        for k in 0..depth {
            for i in 0..R {
                for j in 0..C {
                    acc[i][j] += a[k * R + i] * b[k * C + j];
                }
            }
        }
        Tile { acc }
    }
}

// case 13
/// Parameters of a fluid mixture.
pub struct Mixture {
    /// Diameters.
    pub sigma: Vec<f64>,
    /// Well depths.
    pub eps: Vec<f64>,
}

/// Residual energy of a fluid mixture: constant parameter struct, active
/// scalars, active slice, several temporaries on the heap.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn residual_energy(#[constant] p: &Mixture, t: f64, v: f64, n: &[f64]) -> f64 {
    let total: f64 = n.iter().sum();
    let frac: Vec<f64> = n.iter().map(|q| q / total).collect();
    let size: Vec<f64> =
        p.sigma.iter().zip(&p.eps).map(|(s, e)| s * (1.0 - 0.12 * (-3.0 * e / t).exp())).collect();
    let mut pull = 0.0;
    for i in 0..frac.len() {
        for j in 0..frac.len() {
            let d = 0.5 * (size[i] + size[j]);
            pull += frac[i] * frac[j] * (p.eps[i] * p.eps[j]).sqrt() * d.powi(3);
        }
    }
    let filled: f64 = size.iter().zip(&frac).map(|(d, x)| x * d.powi(3)).sum();
    let eta = total * filled / v;
    let push = (4.0 * eta - 3.0 * eta * eta) / (1.0 - eta).powi(2);
    total * (push - total * pull / (t * v))
}

// case 14
/// Something with an energy at a distance.
#[ad_runtime::differentiate(reverse, forward, cross_check)]
pub trait Potential {
    /// Energy at the distance `r`.
    fn at(&self, r: f64) -> f64;
}
/// Spring of the given stiffness.
#[derive(ad_runtime::Differentiable)]
pub struct Spring(pub f64);
/// Attraction of the given strength.
#[derive(ad_runtime::Differentiable)]
pub struct Gravity(pub f64);
#[ad_runtime::differentiate(reverse, forward, cross_check)]
impl Potential for Spring {
    fn at(&self, r: f64) -> f64 {
        0.5 * self.0 * r * r
    }
}
#[ad_runtime::differentiate(reverse, forward, cross_check)]
impl Potential for Gravity {
    fn at(&self, r: f64) -> f64 {
        -self.0 / r
    }
}

/// Sum over a list of trait objects.
#[ad_runtime::differentiate(reverse, forward, cross_check)]
pub fn total_potential(parts: &[Box<dyn Potential>], r: f64) -> f64 {
    parts.iter().map(|p| p.at(r)).sum()
}

// case 16
/// Reserves and fee of a pool, all integers.
#[derive(ad_runtime::Differentiable)]
pub struct IntPool {
    /// Reserve of the base currency.
    pub base: u128,
    /// Reserve of the quote currency.
    pub quote: u128,
    /// Numerator of what is left after the fee.
    pub fee_num: u128,
    /// Denominator of what is left after the fee.
    pub fee_den: u128,
}

/// Integer fields that enter through casts are constants.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn quote_out(amount: f64, pool: &IntPool) -> f64 {
    let net = amount * pool.fee_num as f64;
    net * pool.quote as f64 / (pool.fee_den as f64 * pool.base as f64 + net)
}

// case 17
/// Single precision throughout.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn saddle(x: f32, y: f32) -> f32 {
    x * (x - 2.0 * y)
}

// case 19
/// Ten numbers returned by value (large return value, array copies).
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn pair_distances(p: &[[f64; 2]; 5]) -> [f64; 10] {
    let mut out = [0.0; 10];
    let mut k = 0;
    for i in 0..5 {
        for j in i + 1..5 {
            let (a, b) = (p[i], p[j]);
            out[k] = (a[0] - b[0]).hypot(a[1] - b[1]);
            k += 1;
        }
    }
    out
}

// case 21
/// How a random effect changes a parameter.
#[derive(Clone, Copy)]
pub enum Map {
    /// It is added.
    Additive,
    /// It multiplies as an exponential.
    LogNormal,
    /// It is added to the logit.
    Logit,
}

/// Drug concentration after one oral dose; the random effect enters through a
/// map chosen at run time, and the result is floored.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn concentration(theta: &[f64; 3], eta: f64, #[constant] how: Map, dose: f64, t: f64) -> f64 {
    let [ka, ke, v] = *theta;
    let ke = match how {
        Map::Additive => ke + eta,
        Map::LogNormal => ke * eta.exp(),
        Map::Logit => 1.0 / (1.0 + (-(ke / (1.0 - ke)).ln() - eta).exp()),
    };
    let c = if (ka - ke).abs() < 1e-9 {
        dose / v * ka * t * (-ke * t).exp()
    } else {
        dose / v * ka / (ka - ke) * ((-ke * t).exp() - (-ka * t).exp())
    };
    c.max(1e-6).ln()
}

// case 22
/// Angles in degrees.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn bearing_height(degrees: f64, range: f64) -> f64 {
    range * degrees.to_radians().sin() + 0.01 * range.atan().to_degrees()
}

// case 24
/// A real power, also of zero.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn pressure_law(density: f64, exponent: f64) -> f64 {
    density.powf(exponent)
}

// case 25
/// Spherical Bessel function of order zero with a series near the origin.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn sph_j0(x: f64) -> f64 {
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 + x.powi(4) / 120.0 } else { x.sin() / x }
}

// case 27
/// Poisson log-likelihood up to a constant.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn poisson_ll(rate: &[f64], count: &[u32]) -> f64 {
    rate.iter().zip(count).map(|(r, &k)| f64::from(k) * r.ln() - r.exp_m1()).sum()
}

// case 29
/// Signed distance to an axis-aligned box.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn box_distance(p: &[f64; 3], half: &[f64; 3]) -> f64 {
    let q = [p[0].abs() - half[0], p[1].abs() - half[1], p[2].abs() - half[2]];
    let outside = q.iter().map(|d| d.max(0.0).powi(2)).sum::<f64>().sqrt();
    let inside = q[0].max(q[1]).max(q[2]).min(0.0);
    outside + inside
}

// case 30
/// `continue` in a counted loop.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn ramp_with_continue(u: f64) -> f64 {
    let mut r = 11.0 * u;
    for i in 0..4 {
        r += u * i as f64;
        if i == 2 {
            continue;
        }
        r -= 0.5 * u * u;
    }
    r
}

// case 32
/// The loop condition itself assigns an active variable.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn assign_in_condition(a: f64, b: f64) -> f64 {
    let mut r;
    let mut c = 0;
    while {
        r = a * b;
        c < 2
    } {
        c += 1;
    }
    r
}

// case 34
/// Scales its argument in place and sums the new values.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn scale_and_sum(v: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for e in v.iter_mut() {
        *e *= 5.0;
        s += *e;
    }
    s
}

// case 35
/// An array filled with one value, then scaled by the index.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn fill_then_scale(x: f64) -> f64 {
    let mut a = [x; 3];
    for (i, e) in a.iter_mut().enumerate() {
        *e *= i as f64;
    }
    a.iter().sum::<f64>() + 10.0 * a[0]
}

// case 37
/// Inputs are overwritten with a constant before use.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn wiped(mut u: f64, mut v: f64) -> f64 {
    let before = u * v;
    u = 0.0;
    v = u;
    before + v * 7.0
}

// case 39
/// A parameter is overwritten by another one.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn reuse_parameter(i: f64, mut j: f64) -> f64 {
    let kept = j * j;
    j = i;
    kept + 3.0 * j
}

// case 40
/// The angle is never used, and may be NaN.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn dead_angle(c: f64, a: f64) -> f64 {
    let _angle = (-c / a).acos();
    2.0 * c * c * a
}

// case 42
/// Polynomial with a shortcut that returns before the loop.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn poly_shortcut(c: &[f64], x: f64) -> f64 {
    if c.len() == 2 {
        return c[0] + c[1] * x;
    }
    let mut power = 1.0;
    let mut r = 0.0;
    for &k in c {
        r += k * power;
        power *= x;
    }
    r
}

// case 44
/// Power by repeated squaring, recursive.
#[ad_runtime::differentiate(reverse, forward, cross_check)]
pub fn power_rec(x: f64, n: u32) -> f64 {
    if n == 0 {
        1.0
    } else if n % 2 == 0 {
        let h = power_rec(x, n / 2);
        h * h
    } else {
        x * power_rec(x, n - 1)
    }
}

// case 47
/// The variable read in the second arm is overwritten afterwards.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn arm_then_overwrite(mut x: f64, flag: bool) -> f64 {
    let y = if flag { 2.0 * x } else { x * x };
    x = 100.0;
    y + 0.0 * x
}

// case 48
/// `break` on a data value.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn sum_until_large(v: &[f64], limit: f64) -> f64 {
    let mut s = 0.0;
    for e in v {
        if *e > limit {
            break;
        }
        s += e * e;
    }
    s
}

// case 50
/// Inner range starts at the outer index.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn upper_triangle(m: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in i..n {
            s += m[i * n + j] * (1 + i + j) as f64;
        }
    }
    s
}

// case 51
/// Writes in every pass, adds the active value in one of them.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn conditional_write(d: &[f64]) -> f64 {
    let n = d.len();
    let mut s = vec![0.0; n * n];
    for i in 0..n {
        s[i * n + 1] = 1.0;
        if i == 2 {
            s[i * n + i] += d[i];
            s[i * n + 1] *= d[0];
        }
    }
    s.iter().map(|e| e * e).sum()
}

// case 53
/// The bound of the `while` is an expression of the arguments.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn decay_until(start: f64, rate: f64, span: f64) -> f64 {
    let mut x = 1.0;
    let mut t = start;
    while t < start + span {
        x += -rate * x;
        t += 0.01;
    }
    x
}

// case 54
/// The length of the output is set by the function.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn squares_into(x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.resize(x.len(), 0.0);
    for i in 0..x.len() {
        out[i] = x[i].powi(2);
    }
}

// case 56
fn count_down(x: i64) -> i64 {
    let mut i = x;
    while i > 0 {
        i -= 1;
    }
    x - i
}

/// An integer loop whose result multiplies the active value.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn counted(y: f64) -> f64 {
    count_down(3) as f64 * y
}

// case 57
/// Confluent hypergeometric series, stopped on a relative test.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn kummer(a: f64, b: f64, z: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 0..500 {
        let k = k as f64;
        term *= (a + k) / (b + k) * z / (k + 1.0);
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

// case 59
/// Scratch space.
#[derive(ad_runtime::Differentiable)]
pub struct Workspace {
    /// As long as the input.
    pub buffer: Vec<f64>,
}
impl Workspace {
    /// The method owns scratch space that carries active values.
    #[ad_runtime::differentiate(reverse, forward)]
    pub fn sum_of_squares(&mut self, x: &[f64]) -> f64 {
        for (b, v) in self.buffer.iter_mut().zip(x) {
            *b = v * v;
        }
        self.buffer.iter().sum()
    }
}

// case 60
/// Oscillator right-hand side that stages a product in a reused cache.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn staged_rhs(du: &mut [f64], u: &[f64], k: f64, cache: &mut [f64]) {
    cache[0] = -k;
    cache[0] *= u[0];
    du[0] = u[1];
    du[1] = cache[0];
}

// case 62
/// A clamp that hides an infinite intermediate.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn capped_inverse(x: f64) -> f64 {
    let y = 1.0 / x;
    y.min(1.0)
}

// case 64
/// Product that stops early once it is zero.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn product_with_exit(x: &[f64]) -> f64 {
    let mut p = 1.0;
    for v in x {
        p *= v;
        if p == 0.0 {
            break;
        }
    }
    p
}

// case 65
/// An exact-equality shortcut.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn square_with_shortcut(x: f64) -> f64 {
    if x == 1.0 { 1.0 } else { x * x }
}

// case 66
/// Two handles on one buffer.
pub fn through_two_handles(t: &[f64]) -> f64 {
    let writer = Rc::new(RefCell::new(vec![0.0; t.len()]));
    let reader = Rc::clone(&writer);
    for (i, v) in t.iter().enumerate() {
        writer.borrow_mut()[i] = v * v;
    }
    let total = reader.borrow().iter().sum();
    total
}

// case 68
/// Heat equation with two buffers that trade places.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn diffuse(start: &[f64], k: f64, steps: usize) -> f64 {
    let n = start.len();
    let mut now = start.to_vec();
    let mut next = vec![0.0; n];
    for _ in 0..steps {
        for i in 0..n {
            let l = if i == 0 { now[0] } else { now[i - 1] };
            let r = if i + 1 == n { now[n - 1] } else { now[i + 1] };
            next[i] = now[i] + k * (l - 2.0 * now[i] + r) + 0.05 * now[i] * now[i];
        }
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v).sum()
}

// case 70
/// A captured start value is rebuilt in each pass.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn nested_cosines(start: &[f64], p: &[f64]) -> f64 {
    let apply = |x: Vec<f64>, q: f64| -> Vec<f64> { x.iter().map(|v| (v + q).cos()).collect() };
    let mut x = start.to_vec();
    for &q in p {
        x = apply(x, q);
    }
    x.iter().sum()
}

// case 71
#[ad_runtime::custom_rule(vjp = opaque_total_rule, jvp = opaque_total_tangent)]
fn opaque_total(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn opaque_total_rule(x: &[f64]) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) + use<>) {
    let pullback =
        |_: &[f64], x_adj: &mut [f64], seed: f64| x_adj.iter_mut().for_each(|adj| *adj += seed);
    (opaque_total(x), pullback)
}

fn opaque_total_tangent(x: &[f64], x_tan: &[f64]) -> (f64, f64) {
    (opaque_total(x), opaque_total(x_tan))
}

/// A function with a user rule is called on a fresh vector in each pass.
#[ad_runtime::differentiate(reverse, forward, cross_check)]
pub fn scaled_totals(a: &[f64], k: &[f64]) -> f64 {
    let mut s = 0.0;
    for c in k {
        let fresh: Vec<f64> = a.iter().map(|v| c * v).collect();
        s += opaque_total(&fresh);
    }
    s
}

// case 73
/// Defined before the loop, used after it.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn across_the_loop(x: f64, s: &[f64]) -> f64 {
    let area = x * x;
    let mut acc = 0.0;
    for (k, v) in s.iter().enumerate() {
        acc += v * (k + 1) as f64;
    }
    acc * area
}

// case 75
/// Largest weighted value; uninteresting entries are skipped.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn best_response(#[constant] c: &[f64], x: f64) -> f64 {
    let mut best = -1e20;
    for (i, k) in c.iter().enumerate() {
        if *k == 0.0 {
            continue;
        }
        let v = x * k * (i + 1) as f64;
        if v > best {
            best = v;
        }
    }
    best
}

// case 77
/// Planar linkage in compressed branch storage: nested loops with run-time
/// bounds and a parent table.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn linkage(branch: &[usize], body: &[usize], parent: &[usize], arm: &[f64], q: &[f64]) -> f64 {
    let mut x = vec![0.0; arm.len()];
    let mut y = vec![0.0; arm.len()];
    let mut phi = vec![0.0; arm.len()];
    for b in 0..branch.len() - 1 {
        for s in branch[b]..branch[b + 1] {
            let (i, p) = (body[s], parent[body[s]]);
            phi[i] = phi[p] + q[i];
            x[i] = x[p] + arm[i] * phi[i].cos();
            y[i] = y[p] + arm[i] * phi[i].sin();
        }
    }
    x.iter().zip(&y).map(|(a, b)| a * a + 2.0 * b).sum()
}

// case 78
/// Two numbers.
#[derive(Clone, Copy, ad_runtime::Differentiable)]
pub struct Pair {
    /// The first.
    pub a: f64,
    /// The second.
    pub b: f64,
}
/// Copies a field within a struct.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn copy_field(s: &mut Pair) {
    s.a = s.b;
}
/// Reads the copied field.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn crossed(a: f64, b: f64) -> f64 {
    let mut s = Pair { a, b };
    copy_field(&mut s);
    s.a * s.a
}

// case 80
/// Body first, test last.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn do_while_power(x: f64, n: usize) -> f64 {
    let mut r = x;
    let mut i = 0;
    loop {
        r = r * x;
        i += 1;
        if i >= n {
            break;
        }
    }
    r
}

// case 82
/// Euclidean norm.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
/// The square of a root.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn squared_norm_the_long_way(x: &[f64]) -> f64 {
    norm(x).powi(2)
}

// case 83
/// Square root only where it is defined.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn guarded_root(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

// case 85
/// An angle on and off the axis.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn heading(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

// case 86
/// Stevens' law: the stimulus may be zero, the exponent is estimated.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn stevens(stimulus: &[f64], a: f64) -> f64 {
    stimulus.iter().map(|s| s.powf(a)).sum()
}

// case 88
/// `x ln y` with the limit 0 at `x = 0`.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn xlogy(x: f64, y: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x * y.ln() }
}

// case 90
/// A distance, also at the origin and very large.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn distance(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

// case 91
/// Zero for every x, but only after the chain rule has passed a root at zero.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn null_spread(x: f64) -> f64 {
    let d = x - x;
    (d * d).sqrt() + x
}

// case 92
/// Rectifier with an `if` per element.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn rectified(x: &[f64]) -> f64 {
    x.iter().map(|v| if *v > 0.0 { *v } else { 0.0 }).sum()
}

// case 94
/// Loop body that reads data at the loop index, next to carried state.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn filtered_score(theta: &[f64], y: &[f64]) -> f64 {
    let a: f64 = theta.iter().sum();
    let mut state = [a; 4];
    let mut score = 0.0;
    for t in 0..y.len() {
        for s in state.iter_mut() {
            *s = a * *s + 0.1;
        }
        score += y[t] * state.iter().sum::<f64>();
    }
    score
}

// case 96
/// One small update of a large buffer per pass.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn sparse_updates(x: f64, size: usize, steps: usize) -> f64 {
    let mut buf = vec![1.0; size];
    for s in 0..steps {
        let i = (7 * s) % size;
        let j = (7 * s + size - 7 % size) % size;
        buf[i] = 0.5 * buf[i] + x * buf[j];
    }
    buf[(7 * (steps - 1)) % size]
}

// case 98
/// Constants of the source term.
#[derive(Default, ad_runtime::Differentiable)]
pub struct Constants {
    cv3: f64,
    inv_kappa2: f64,
    cw6: f64,
}

/// Turbulence source term; the constants live in a struct that the routine
/// itself fills in.
#[ad_runtime::differentiate(reverse, forward)]
pub fn source_term(c: &mut Constants, nu: &[f64], wall: &[f64]) -> f64 {
    c.cv3 = 7.1f64.powi(3);
    c.inv_kappa2 = 1.0 / 0.41f64.powi(2);
    c.cw6 = 2f64.powi(6);
    let mut s = 0.0;
    for (v, d) in nu.iter().zip(wall) {
        let chi3 = v.powi(3);
        let fv1 = chi3 / (chi3 + c.cv3);
        let r = (v * c.inv_kappa2 / (d * d)).min(10.0);
        let g = r + 0.3 * (r.powi(6) - r);
        let fw = g * ((1.0 + c.cw6) / (g.powi(6) + c.cw6)).powf(1.0 / 6.0);
        s += fv1 * v - fw * (v / d).powi(2);
    }
    s
}

// case 100
/// Two carried vectors that start as copies of one input.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn twin_start(x: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (x.to_vec(), x.to_vec());
    for _ in 0..n {
        a.iter_mut().for_each(|v| *v *= 2.0);
        b.iter_mut().for_each(|v| *v += 1.0);
    }
    a.iter().zip(&b).map(|(p, q)| p * q).sum()
}

// case 102
/// `Option`, `?` and an iterator that may be empty.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn spread(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    let top = x.iter().copied().fold(*first, f64::max);
    let low = x.iter().copied().reduce(f64::min)?;
    if top == low {
        return None;
    }
    Some((top - low).ln())
}

// case 104
/// Weighted mean of two models; the weight is a logistic function.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn blended(x: f64, left: f64, right: f64) -> f64 {
    let weight = 1.0 / (1.0 + (-x).exp());
    left + weight * (right - left)
}

// case 106
/// Largest entry, with the idiom that starts from NaN; missing entries are NaN as well.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn largest_present(x: &[f64]) -> f64 {
    x.iter().copied().fold(f64::NAN, f64::max)
}

// case 107
/// Second derivatives through `recip`, `cbrt` and `powf`.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn lorentz(x: f64) -> f64 {
    (x * x + 1.0).recip()
}
/// Cube root and real power of two variables.
#[ad_runtime::differentiate(reverse, forward, second_order, cross_check)]
pub fn root_chain(x: f64, y: f64) -> f64 {
    (x * y).cbrt() + x.powf(2.5) / y
}
