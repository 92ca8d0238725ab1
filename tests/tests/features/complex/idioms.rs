//! Short programs from optics, control, signal processing and quantum mechanics, in the style of their authors.

use super::{c, check_at, complex, numbers, parts};
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{assert_exact, check};
use num_complex::{Complex, Complex64};
use std::f64::consts::PI;

type C = Complex64;

/// Compares a function of complex numbers and one real number.
#[track_caller]
fn check_with(
    name: &str,
    (z, x): (&[C], f64),
    f: impl Fn(&[C], f64) -> f64,
    (value, (z_adj, x_adj)): (f64, (Vec<C>, f64)),
) {
    let n = 2 * z.len();
    let (mut at, mut gradient) = (parts(z), parts(&z_adj));
    at.push(x);
    gradient.push(x_adj);
    check(name, |v| f(&complex(&v[..n]), v[n]), &at, value, &gradient);
}

#[differentiate(reverse)]
fn aliased(x: &[C], k: f64) -> f64 {
    let mut s = C::new(0.0, 0.0);
    for v in x {
        s = s + *v * C::new(0.0, k).exp();
    }
    s.re.powi(2) + 2.0 * s.im.powi(2)
}

#[test]
fn an_alias_of_the_type() {
    let x = numbers(3, 0.3);
    check_with("aliased", (&x, 0.7), aliased, aliased::value_and_gradient(&x, 0.7));
}

/// The gain of a rational transfer function in decibels.
#[differentiate(reverse)]
fn bode(numerator: &[f64], denominator: &[f64], omega: f64) -> f64 {
    let s = Complex::new(0.0, omega);
    let zero = Complex::new(0.0, 0.0);
    let n = numerator.iter().rev().fold(zero, |acc, &c| acc * s + c);
    let d = denominator.iter().rev().fold(Complex::new(0.0, 0.0), |acc, &c| acc * s + c);
    20.0 * (n / d).norm().log10()
}

#[test]
fn polynomials_by_horner() {
    let at = [1.0, 0.5, 1.0, 0.3, 0.2, 1.7];
    let (value, (n, d, omega)) = bode::value_and_gradient(&at[..2], &at[2..5], at[5]);
    let gradient = [n, d, vec![omega]].concat();
    check("bode", |v| bode(&v[..2], &v[2..5], v[5]), &at, value, &gradient);
}

/// Matrix times vector, with sums that are assigned to elements.
#[differentiate(reverse)]
fn product(m: &[Vec<C>], v: &[C]) -> Vec<C> {
    let mut out = vec![C::new(0.0, 0.0); v.len()];
    for (i, row) in m.iter().enumerate() {
        out[i] = row.iter().zip(v.iter()).map(|(a, b)| a * b).sum();
    }
    out
}

#[test]
fn sums_into_elements() {
    let (m, v) = (vec![numbers(2, 0.3), numbers(2, 1.1)], numbers(2, 2.0));
    let seed = numbers(2, 0.9);
    let (mut m_adj, mut v_adj) = (m.zeros_like(), v.zeros_like());
    product::adjoint(&m, &mut m_adj, &v, &mut v_adj, seed.clone());
    for i in 0..2 {
        let expected: Vec<C> = v.iter().map(|v| seed[i] * v.conj()).collect();
        assert_exact("matrix", &parts(&m_adj[i]), &parts(&expected));
        let expected = m[0][i].conj() * seed[0] + m[1][i].conj() * seed[1];
        assert_exact("vector", &parts(&v_adj[i..=i]), &parts(&[expected]));
    }
}

/// The Fourier transform of samples at one frequency.
#[differentiate(reverse)]
fn tone(x: &[f64], f: f64) -> f64 {
    let z: Vec<C> = x
        .iter()
        .enumerate()
        .map(|(k, &v)| C::new(v, 0.0) * C::from_polar(1.0, -2.0 * PI * f * k as f64))
        .collect();
    let total: C = z.iter().sum();
    total.norm()
}

#[test]
fn samples_at_one_frequency() {
    let at = [0.3, -0.7, 0.9, 0.1, 0.13];
    let (value, (x, f)) = tone::value_and_gradient(&at[..4], at[4]);
    check("tone", |v| tone(&v[..4], v[4]), &at, value, &[x, vec![f]].concat());
}

/// The phase that a signal turns by from sample to sample.
#[differentiate(reverse)]
fn turns(x: &[C]) -> f64 {
    x.windows(2)
        .map(|w| (w[1] * w[0].conj()).arg())
        .enumerate()
        .map(|(k, a)| k as f64 * a * a)
        .sum()
}

#[test]
fn windows_of_a_signal() {
    let x = numbers(5, 0.3);
    let (value, adj) = turns::value_and_gradient(&x);
    check_at("turns", &x, turns, (value, adj));
}

#[derive(Differentiable, Clone, Debug)]
struct Qubit {
    a: C,
    b: C,
}

#[differentiate(reverse)]
impl Qubit {
    fn rotate(&self, theta: f64) -> Qubit {
        let (s, c) = theta.sin_cos();
        Qubit { a: self.a * c - self.b * s, b: self.a * s + self.b * c }
    }

    fn excited(&self) -> f64 {
        self.b.norm_sqr() / (self.a.norm_sqr() + self.b.norm_sqr())
    }
}

#[differentiate(reverse)]
fn rotated(q: &Qubit, theta: f64) -> f64 {
    let r = q.rotate(theta).rotate(0.5);
    r.excited()
}

#[test]
fn methods_that_compute_with_fields() {
    let q = |z: &[C]| Qubit { a: z[0], b: z[1] };
    let z = numbers(2, 0.3);
    let (value, (adj, theta)) = rotated::value_and_gradient(&q(&z), 0.4);
    check_with(
        "rotated",
        (&z, 0.4),
        |z, t| rotated(&q(z), t),
        (value, (vec![adj.a, adj.b], theta)),
    );
}

/// A recursive filter with one pole.
#[differentiate(reverse)]
fn resonance(x: &[C], pole: C) -> f64 {
    let mut y = vec![C::new(0.0, 0.0); x.len()];
    y[0] = x[0];
    for n in 1..x.len() {
        y[n] = x[n] + pole * y[n - 1];
    }
    y.iter().map(|v| v.norm_sqr()).sum::<f64>()
}

#[test]
fn recursive_filter() {
    let at = numbers(5, 0.3);
    let (value, (x, pole)) = resonance::value_and_gradient(&at[..4], at[4]);
    check_at("resonance", &at, |v| resonance(&v[..4], v[4]), (value, [x, vec![pole]].concat()));
}

#[differentiate(reverse)]
fn rate(z: C, g: f64) -> C {
    C::i() * z * z.norm_sqr() - g * z
}

/// An oscillator by the method of Runge and Kutta.
#[differentiate(reverse)]
fn oscillator(z0: Complex64, g: f64) -> f64 {
    let (mut z, h) = (z0, 0.1);
    for _ in 0..4 {
        let k1 = rate(z, g);
        let k2 = rate(z + k1 * (h / 2.0), g);
        let k3 = rate(z + 0.5 * h * k2, g);
        let k4 = rate(z + h * k3, g);
        z += (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (h / 6.0);
    }
    z.re + 2.0 * z.im
}

#[test]
fn differential_equation() {
    let (value, (z, g)) = oscillator::value_and_gradient(c(1.2, 0.4), 0.3);
    let at = [c(1.2, 0.4)];
    check_with("oscillator", (&at, 0.3), |z, g| oscillator(z[0], g), (value, (vec![z], g)));
}

/// `U ρ U†` of arrays that begin with their default.
#[differentiate(reverse)]
fn evolved(rho: [[C; 2]; 2], u: [[C; 2]; 2]) -> f64 {
    let mut out = [[C::default(); 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                for l in 0..2 {
                    out[i][j] += u[i][k] * rho[k][l] * u[j][l].conj();
                }
            }
        }
    }
    (out[0][0] - out[1][1]).re + out[0][1].im
}

#[test]
fn density_matrix() {
    let at = numbers(8, 0.3);
    let square = |v: &[C]| [[v[0], v[1]], [v[2], v[3]]];
    let (value, (rho, u)) = evolved::value_and_gradient(square(&at), square(&at[4..]));
    let gradient = [rho.concat(), u.concat()].concat();
    check_at("evolved", &at, |v| evolved(square(v), square(&v[4..])), (value, gradient));
}

/// The parts of elements, changed by themselves.
#[differentiate(reverse)]
fn sheared(z: &[C], k: f64) -> f64 {
    let mut z = z.to_vec();
    for v in z.iter_mut() {
        v.re *= k;
        v.im += v.re * k;
    }
    (z[0] * z[1]).re
}

#[test]
fn parts_that_are_assigned() {
    let z = numbers(2, 0.3);
    check_with("sheared", (&z, 0.7), sheared, sheared::value_and_gradient(&z, 0.7));
}

/// What the roots of a quadratic equation are.
#[differentiate(reverse)]
fn roots(a: C, b: C, c: C) -> f64 {
    let discriminant = b * b - 4.0 * a * c;
    if a.norm() == 0.0 {
        return (-c / b).re;
    }
    let root = discriminant.sqrt();
    let r1 = (-b + root) / (2.0 * a);
    let r2 = (-b - root) / (2.0 * a);
    r1.re * r2.im + r1.norm()
}

#[test]
fn quadratic_equation() {
    let at = numbers(3, 0.3);
    let (value, (a, b, c)) = roots::value_and_gradient(at[0], at[1], at[2]);
    check_at("roots", &at, |v| roots(v[0], v[1], v[2]), (value, vec![a, b, c]));
}

#[differentiate(reverse)]
fn inner(a: &[C], b: &[C]) -> C {
    a.iter().zip(b).map(|(x, y)| x.conj() * y).sum()
}

#[differentiate(reverse)]
fn overlap(a: &[C], b: &[C]) -> f64 {
    let ab = inner(a, b);
    let length = inner(a, a).re.sqrt();
    (ab / length).norm_sqr()
}

#[test]
fn inner_products() {
    let at = numbers(6, 0.3);
    let (value, (a, b)) = overlap::value_and_gradient(&at[..3], &at[3..]);
    check_at("overlap", &at, |v| overlap(&v[..3], &v[3..]), (value, [a, b].concat()));
}

/// A name that means several numbers in turn, and one that gets its value in branches.
#[differentiate(reverse)]
fn late(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let z = Complex64 { re: x, im: y };
        let z = z * z;
        let z = z + f64::from(k);
        let w;
        if k == 1 {
            w = z.exp();
        } else {
            w = z.conj() * 2.0;
        }
        sum += w.re + w.im * w.re;
    }
    sum
}

#[test]
fn late_values() {
    let (value, (x, y)) = late::value_and_gradient(0.7, 0.4);
    check("late", |v| late(v[0], v[1]), &[0.7, 0.4], value, &[x, y]);
}

#[differentiate(reverse)]
fn twice(f: impl Fn(C) -> C, z: C) -> C {
    f(f(z))
}

#[differentiate(reverse)]
fn handed(z: C, k: C) -> f64 {
    twice(|v| v * k + 1.0, z).norm_sqr()
}

#[test]
fn closures_that_are_handed_on() {
    let at = numbers(2, 0.3);
    let (value, (z, k)) = handed::value_and_gradient(at[0], at[1]);
    check_at("handed", &at, |v| handed(v[0], v[1]), (value, vec![z, k]));
}

/// Heron's method, until it converges.
#[differentiate(reverse)]
fn heron(a: C) -> C {
    let mut x = a;
    let mut n = 0;
    while (x * x - a).norm() > 1e-13 && n < 60 {
        x = 0.5 * (x + a / x);
        n += 1;
    }
    x
}

#[test]
fn while_it_converges() {
    let a = c(0.7, 0.9);
    let (x, a_adj) = heron::adjoint(a, c(1.0, 0.0));
    assert_exact("heron", &parts(&[a_adj]), &parts(&[(0.5 / x).conj()]));
}

/// A transform that calls itself.
#[differentiate(reverse)]
fn fft(x: &[C]) -> Vec<C> {
    let n = x.len();
    if n == 1 {
        return x.to_vec();
    }
    let even: Vec<C> = x.iter().step_by(2).copied().collect();
    let odd: Vec<C> = x.iter().skip(1).step_by(2).copied().collect();
    let (e, o) = (fft(&even), fft(&odd));
    let mut out = vec![C::new(0.0, 0.0); n];
    for k in 0..n / 2 {
        let t = C::from_polar(1.0, -2.0 * PI * k as f64 / n as f64) * o[k];
        out[k] = e[k] + t;
        out[k + n / 2] = e[k] - t;
    }
    out
}

#[test]
fn recursive_transform() {
    let (x, seed) = (numbers(8, 0.3), numbers(8, 1.1));
    let mut x_adj = x.zeros_like();
    fft::adjoint(&x, &mut x_adj, seed.clone());
    // Backwards is forwards between conjugates.
    let conjugate = |z: &[C]| z.iter().map(Complex64::conj).collect::<Vec<C>>();
    assert_exact("fft", &parts(&x_adj), &parts(&conjugate(&fft(&conjugate(&seed)))));
}

const J: C = C::new(0.0, 1.0);

#[differentiate(reverse)]
fn constant(x: f64) -> f64 {
    let z = (-J * x).exp() + J;
    (z - z.conj()).im
}

#[test]
fn constants_of_the_program() {
    // 2 (1 - sin x)
    assert_exact("constant", &[constant::gradient(0.7)], &[-2.0 * 0.7_f64.cos()]);
}

#[differentiate(reverse)]
fn monic(roots: &[C], z: C) -> C {
    roots.iter().map(|r| z - r).product()
}

#[test]
fn products_of_chains() {
    let (roots, z) = (numbers(3, 0.3), c(1.5, 0.2));
    let mut roots_adj = roots.zeros_like();
    let (value, z_adj) = monic::adjoint(&roots, &mut roots_adj, z, c(1.0, 0.0));
    let slopes: Vec<C> = roots.iter().map(|r| value / (z - r)).collect();
    let expected: Vec<C> = slopes.iter().map(|s| -s.conj()).collect();
    assert_exact("roots", &parts(&roots_adj), &parts(&expected));
    assert_exact("z", &parts(&[z_adj]), &parts(&[slopes.iter().sum::<C>().conj()]));
}
