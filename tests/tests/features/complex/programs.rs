//! Programs with complex numbers: roots, fractals, circuits, quantum mechanics.

use super::{c, check_at, complex, numbers, parts};
use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, check};
use num_complex::Complex64;
use std::f64::consts::PI;

/// A root of `z³ = c` by Newton's method.
#[differentiate(reverse)]
fn cube_root(c: Complex64, start: Complex64) -> Complex64 {
    let mut z = start;
    for _ in 0..50 {
        let f = z * z * z - c;
        let step = f / (3.0 * z * z);
        z -= step;
        if step.norm() < 1e-14 {
            break;
        }
    }
    z
}

#[test]
fn root_finding() {
    let at = c(0.3, 0.8);
    let (z, c_adj, start_adj) = cube_root::adjoint(at, c(1.0, 0.5), c(1.0, 0.0));
    // dz/dc = 1 / (3 z²), and the start has no influence.
    let expected = (1.0 / (3.0 * z * z)).conj();
    assert_exact("cube_root", &parts(&[c_adj]), &parts(&[expected]));
    assert_exact("start", &parts(&[start_adj]), &[0.0, 0.0]);
}

/// The smooth number of iterations until a point escapes.
#[differentiate(reverse)]
fn escape(c: Complex64) -> f64 {
    let mut z = Complex64::new(0.0, 0.0);
    for n in 0..200 {
        z = z * z + c;
        if z.norm_sqr() > 1e4 {
            return n as f64 + 1.0 - z.norm().ln().ln() / 2.0_f64.ln();
        }
    }
    z.norm()
}

#[test]
fn mandelbrot_with_early_exit() {
    for at in [c(0.4, 0.5), c(-0.9, 0.4), c(0.1, 0.2), c(-1.6, 0.2)] {
        let (value, adj) = escape::value_and_gradient(at);
        check_at("escape", &[at], |v| escape(v[0]), (value, vec![adj]));
    }
}

/// Impedances in series and parallel; the power that a load takes.
#[differentiate(reverse)]
fn load_power(r: f64, l: f64, cap: f64, frequency: f64) -> f64 {
    let omega = 2.0 * PI * frequency;
    let z_l = Complex64::new(r, omega * l);
    let z_c = 1.0 / (Complex64::i() * omega * cap);
    let parallel = z_l * z_c / (z_l + z_c);
    let current = 5.0 / (parallel + 2.0);
    (current * current.conj() * parallel).re
}

#[test]
fn circuits() {
    let at = [3.0, 0.2, 0.4, 0.5];
    let (value, g) = load_power::value_and_gradient(at[0], at[1], at[2], at[3]);
    let f = |v: &[f64]| load_power(v[0], v[1], v[2], v[3]);
    check("load_power", f, &at, value, &[g.0, g.1, g.2, g.3]);
}

/// Matrix times vector, and the expectation of a Hermitian matrix.
#[differentiate(reverse)]
fn expectation(h: &[Complex64], psi: &[Complex64]) -> f64 {
    let n = psi.len();
    let mut value = Complex64::new(0.0, 0.0);
    for i in 0..n {
        let mut row = Complex64::new(0.0, 0.0);
        for j in 0..n {
            row += h[i * n + j] * psi[j];
        }
        value += psi[i].conj() * row;
    }
    let norm: f64 = psi.iter().map(|z| z.norm_sqr()).sum();
    value.re / norm
}

#[test]
fn matrices_of_complex_numbers() {
    let at = numbers(12, 0.4);
    let (value, (h, psi)) = expectation::value_and_gradient(&at[..9], &at[9..]);
    check_at("expectation", &at, |v| expectation(&v[..9], &v[9..]), (value, [h, psi].concat()));
}

/// A rotation of one qubit in a register, in place.
#[differentiate(reverse)]
fn rotate(state: &mut [Complex64], qubit: usize, theta: f64) {
    let (sin, cos) = (theta / 2.0).sin_cos();
    let stride = 1 << qubit;
    let mut base = 0;
    while base < state.len() {
        for k in base..base + stride {
            let (a, b) = (state[k], state[k + stride]);
            state[k] = a * cos - Complex64::i() * b * sin;
            state[k + stride] = b * cos - Complex64::i() * a * sin;
        }
        base += 2 * stride;
    }
}

#[differentiate(reverse)]
fn phase_gate(state: &mut [Complex64], mask: usize, phi: f64) {
    let phase = Complex64::from_polar(1.0, phi);
    for (k, amplitude) in state.iter_mut().enumerate() {
        if k & mask == mask {
            *amplitude *= phase;
        }
    }
}

#[differentiate(reverse)]
fn circuit(angles: &[f64]) -> f64 {
    let mut state = vec![Complex64::new(0.0, 0.0); 8];
    state[0] = Complex64::new(1.0, 0.0);
    for layer in angles.chunks(4) {
        for q in 0..3 {
            rotate(&mut state, q, layer[q]);
        }
        phase_gate(&mut state, 3, layer[3]);
    }
    state.iter().enumerate().map(|(k, z)| k as f64 * z.norm_sqr()).sum()
}

#[test]
fn quantum_circuit() {
    let angles: Vec<f64> = (0..8).map(|k| 0.3 + 0.2 * f64::from(k)).collect();
    let (value, gradient) = circuit::value_and_gradient(&angles);
    check("circuit", circuit, &angles, value, &gradient);
}

/// One step of Crank and Nicolson for the Schrödinger equation, by Thomas' algorithm.
#[differentiate(reverse)]
fn crank_nicolson(psi: &mut [Complex64], potential: &[f64], dt: f64) {
    let n = psi.len();
    let off = Complex64::new(0.0, -0.25 * dt);
    let mut upper = vec![Complex64::new(0.0, 0.0); n];
    let mut rhs = vec![Complex64::new(0.0, 0.0); n];
    for k in 0..n {
        let diagonal = Complex64::new(0.0, 0.5 * dt * (1.0 + potential[k]));
        let mut right = psi[k] * (1.0 - diagonal);
        if k > 0 {
            right -= off * psi[k - 1];
        }
        if k + 1 < n {
            right -= off * psi[k + 1];
        }
        let mut pivot = 1.0 + diagonal;
        if k > 0 {
            pivot -= off * upper[k - 1];
            right -= off * rhs[k - 1];
        }
        upper[k] = off / pivot;
        rhs[k] = right / pivot;
    }
    psi[n - 1] = rhs[n - 1];
    for k in (0..n - 1).rev() {
        psi[k] = rhs[k] - upper[k] * psi[k + 1];
    }
}

#[differentiate(reverse)]
fn spread(psi: &[Complex64], potential: &[f64], dt: f64) -> f64 {
    let mut state = psi.to_vec();
    for _ in 0..3 {
        crank_nicolson(&mut state, potential, dt);
    }
    state.iter().enumerate().map(|(k, z)| (k as f64).powi(2) * z.norm_sqr()).sum()
}

#[test]
fn schroedinger_equation() {
    let psi = numbers(5, 0.2);
    let potential = [0.3, -0.2, 0.5, 0.1, 0.7];
    let f = |v: &[f64]| spread(&complex(&v[..10]), &v[10..15], v[15]);
    let (value, (psi_adj, potential_adj, dt_adj)) =
        spread::value_and_gradient(&psi, &potential, 0.2);
    let at = [parts(&psi), potential.to_vec(), vec![0.2]].concat();
    let gradient = [parts(&psi_adj), potential_adj, vec![dt_adj]].concat();
    check("spread", f, &at, value, &gradient);
}

/// Transfer matrices of a stack of thin films: the part of the light that is reflected.
#[differentiate(reverse)]
fn reflectance(index: &[Complex64], thickness: &[f64], wavelength: f64) -> f64 {
    let one = Complex64::new(1.0, 0.0);
    let mut m = [[one, Complex64::new(0.0, 0.0)], [Complex64::new(0.0, 0.0), one]];
    for (n, d) in index.iter().zip(thickness) {
        let delta = n * (2.0 * PI * d / wavelength);
        let (cos, sin) = (delta.cos(), delta.sin());
        let layer = [[cos, -Complex64::i() * sin / n], [-Complex64::i() * n * sin, cos]];
        let mut next = [[Complex64::new(0.0, 0.0); 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    next[i][j] += m[i][k] * layer[k][j];
                }
            }
        }
        m = next;
    }
    let (b, q) = (m[0][0] + m[0][1] * 1.5, m[1][0] + m[1][1] * 1.5);
    ((b - q) / (b + q)).norm_sqr()
}

#[test]
fn thin_films() {
    let index = [c(2.3, 0.01), c(1.4, 0.0), c(2.0, 0.2)];
    let thickness = [0.11, 0.2, 0.07];
    let f = |v: &[f64]| reflectance(&complex(&v[..6]), &v[6..9], v[9]);
    let (value, (index_adj, thickness_adj, wavelength_adj)) =
        reflectance::value_and_gradient(&index, &thickness, 0.55);
    let at = [parts(&index), thickness.to_vec(), vec![0.55]].concat();
    let gradient = [parts(&index_adj), thickness_adj, vec![wavelength_adj]].concat();
    check("reflectance", f, &at, value, &gradient);
}
