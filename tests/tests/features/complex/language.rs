//! Complex numbers with the constructs of the language: loops, branches, closures, chains, structs, calls.

use super::{c, check_at, complex, numbers, parts};
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::check;
use num_complex::{Complex, Complex64};

#[differentiate(reverse)]
fn accumulated(z: &[Complex64], k: f64) -> f64 {
    let mut acc = Complex64::new(0.0, 0.0);
    let mut power = Complex64::new(1.0, 0.0);
    for (i, v) in z.iter().enumerate() {
        acc += v * Complex64::cis(k * i as f64) * power;
        power *= Complex::new(0.9, k);
    }
    acc.norm_sqr() + power.re
}

#[test]
fn sums_in_a_loop() {
    let z = numbers(5, 0.3);
    let (value, (z_adj, k_adj)) = accumulated::value_and_gradient(&z, 0.4);
    let mut at = parts(&z);
    at.push(0.4);
    let mut gradient = parts(&z_adj);
    gradient.push(k_adj);
    check("accumulated", |v| accumulated(&complex(&v[..10]), v[10]), &at, value, &gradient);
}

#[differentiate(reverse)]
fn chains(z: &[Complex64], w: &[Complex64]) -> f64 {
    let product: Complex64 = z.iter().zip(w).map(|(a, b)| a.conj() * b).sum();
    let total = z.iter().sum::<Complex64>() - w.iter().copied().sum::<Complex64>();
    let all = w.iter().map(|b| b + 2.0).product::<Complex64>();
    let folded = z.iter().fold(Complex64::new(0.0, 0.0), |acc, v| acc * 0.5 + v * v);
    let made: Vec<Complex64> = z.iter().map(|v| v.exp() * 2.0).collect();
    let energy = made.iter().map(|v| v.norm_sqr()).sum::<f64>();
    product.norm() + total.re * folded.im + all.im + made[0].im + energy.sqrt()
}

#[test]
fn iterator_chains() {
    let (z, w) = (numbers(4, 0.3), numbers(4, 1.9));
    let (value, (z_adj, w_adj)) = chains::value_and_gradient(&z, &w);
    let (at, gradient) = ([z, w].concat(), [z_adj, w_adj].concat());
    check_at("chains", &at, |x| chains(&x[..4], &x[4..]), (value, gradient));
}

#[differentiate(reverse)]
fn summed(z: &[Complex64]) -> Complex64 {
    z.iter().map(|v| v * v).sum()
}

#[test]
fn a_sum_as_the_result() {
    let z = numbers(3, 0.7);
    let mut z_adj = vec![c(0.0, 0.0); 3];
    summed::adjoint(&z, &mut z_adj, c(1.0, 0.0));
    assert_eq!(z_adj, z.iter().map(|v| 2.0 * v.conj()).collect::<Vec<_>>());
    assert_eq!(summed::adjoint(&[], &mut [], c(1.0, 0.0)), c(0.0, 0.0));
}

#[differentiate(reverse)]
fn branches(z: Complex64, w: Complex64) -> f64 {
    let mut u = if z.norm() > w.norm() { z * w } else { z - w };
    if u.im < 0.0 {
        u = u.conj();
    }
    let v = match u.re > 0.0 {
        true => u.sqrt(),
        false => (-u).sqrt() * Complex64::i(),
    };
    v.re + 2.0 * v.im
}

#[test]
fn conditions_on_complex_numbers() {
    for at in
        [[c(0.7, 0.4), c(-0.6, 0.9)], [c(1.3, -0.2), c(0.5, -0.1)], [c(-0.4, 0.5), c(0.1, 1.0)]]
    {
        let (value, (z, w)) = branches::value_and_gradient(at[0], at[1]);
        check_at("branches", &at, |x| branches(x[0], x[1]), (value, vec![z, w]));
    }
}

#[differentiate(reverse)]
fn closures(z: &[Complex64], gain: f64) -> f64 {
    let squash = |v: Complex64| (v * gain).tanh();
    let turned = |v: &Complex64, phase: f64| v * Complex64::from_polar(1.0, phase);
    let mut sum = 0.0;
    for v in z {
        sum += squash(turned(v, gain)).norm_sqr() + squash(*v).re;
    }
    sum
}

#[test]
fn closures_of_complex_numbers() {
    let z = numbers(3, 0.3);
    let (value, (z_adj, gain_adj)) = closures::value_and_gradient(&z, 0.6);
    let (mut at, mut gradient) = (parts(&z), parts(&z_adj));
    at.push(0.6);
    gradient.push(gain_adj);
    check("closures", |v| closures(&complex(&v[..6]), v[6]), &at, value, &gradient);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Beam {
    amplitude: Complex64,
    modes: Vec<Complex64>,
    k: f64,
}

#[differentiate(reverse)]
impl Beam {
    pub fn at(&self, x: f64) -> Complex64 {
        let mut field = self.amplitude * Complex64::cis(self.k * x);
        for (n, mode) in self.modes.iter().enumerate() {
            field += mode * (n as f64 * x).cos();
        }
        field
    }

    pub fn turn(&mut self, phase: f64) {
        let turn = Complex64::cis(phase);
        self.amplitude *= turn;
        for mode in self.modes.iter_mut() {
            *mode *= turn;
        }
    }
}

#[differentiate(reverse)]
fn seen(beam: &Beam, x: f64) -> f64 {
    let mut beam = beam.clone();
    let before = beam.at(x);
    beam.turn(x);
    let after = beam.at(2.0 * x);
    (before + after.conj()).norm_sqr() + 2.0 * (before * after).im
}

#[test]
fn fields_of_structs() {
    let beam = |v: &[f64]| Beam { amplitude: c(v[0], v[1]), modes: complex(&v[2..6]), k: v[6] };
    let at = [0.7, 0.4, -0.6, 0.9, 0.2, 0.1, 1.3, 0.8];
    let (value, (adj, x_adj)) = seen::value_and_gradient(&beam(&at), at[7]);
    let mut gradient = vec![adj.amplitude.re, adj.amplitude.im];
    gradient.extend(parts(&adj.modes));
    gradient.extend([adj.k, x_adj]);
    check("seen", |v| seen(&beam(v), v[7]), &at, value, &gradient);
}

#[differentiate(reverse)]
fn transfer(omega: f64, damping: f64) -> Complex64 {
    1.0 / (Complex64::new(1.0 - omega * omega, 2.0 * damping * omega))
}

#[differentiate(reverse)]
fn response(omega: f64, damping: f64) -> f64 {
    let h = transfer(omega, damping);
    let g = transfer(2.0 * omega, damping) * h;
    let mut peak = h * 2.0;
    peak += g;
    peak.norm() + (h + g).arg()
}

#[test]
fn functions_that_give_complex_numbers() {
    let (value, (omega, damping)) = response::value_and_gradient(0.8, 0.1);
    check("response", |v| response(v[0], v[1]), &[0.8, 0.1], value, &[omega, damping]);
}

#[differentiate(reverse)]
fn nested(
    m: &[[Complex64; 2]; 2],
    rows: &[Vec<Complex64>],
    pair: (Complex64, f64),
) -> Vec<Complex64> {
    let (z, x) = pair;
    let mut out = vec![Complex64::new(0.0, 0.0); 2];
    for i in 0..2 {
        for j in 0..2 {
            out[i] += m[i][j] * rows[j][i] * x;
        }
        out[i] -= z;
    }
    out.push(z * z);
    out.swap(0, 1);
    out
}

#[test]
fn arrays_and_vectors() {
    let at = numbers(9, 0.3);
    let run = |v: &[Complex64]| {
        nested(&[[v[0], v[1]], [v[2], v[3]]], &[v[4..6].to_vec(), v[6..8].to_vec()], (v[8], 0.7))
    };
    let weigh = |out: &[Complex64]| out[0].re - 2.0 * out[1].im + 3.0 * out[2].re;
    let seed = vec![c(1.0, 0.0), c(0.0, -2.0), c(3.0, 0.0)];
    let m = [[at[0], at[1]], [at[2], at[3]]];
    let rows = [at[4..6].to_vec(), at[6..8].to_vec()];
    let mut m_adj = [[c(0.0, 0.0); 2]; 2];
    let mut rows_adj = [vec![c(0.0, 0.0); 2], vec![c(0.0, 0.0); 2]];
    let (value, (z_adj, _)) =
        nested::adjoint(&m, &mut m_adj, &rows, &mut rows_adj, (at[8], 0.7), seed);
    let mut gradient = [m_adj.concat(), rows_adj.concat()].concat();
    gradient.push(z_adj);
    check_at("nested", &at, |v| weigh(&run(v)), (weigh(&value), gradient));
}

#[differentiate(reverse)]
fn normalised(psi: &mut [Complex64], h: f64) -> f64 {
    for p in psi.iter_mut() {
        let phase = Complex64::new(0.0, -h * p.norm_sqr()).exp();
        *p *= phase;
    }
    let norm: f64 = psi.iter().map(|p| p.norm_sqr()).sum::<f64>().sqrt();
    psi.iter_mut().for_each(|p| *p /= norm);
    psi[0].re * psi[1].im
}

#[test]
fn slices_changed_in_place() {
    let psi = numbers(3, 0.3);
    let f = |v: &[f64]| normalised(&mut complex(&v[..6]), v[6]);
    let (value, (psi_adj, h_adj)) = normalised::value_and_gradient(&mut psi.clone(), 0.2);
    let (mut at, mut gradient) = (parts(&psi), parts(&psi_adj));
    at.push(0.2);
    gradient.push(h_adj);
    check("normalised", f, &at, value, &gradient);
}

#[differentiate(reverse)]
fn optional(z: Option<Complex64>, w: Complex64) -> Result<f64, String> {
    let Some(z) = z else { return Err("none".into()) };
    if w.norm_sqr() == 0.0 {
        return Err("zero".into());
    }
    Ok((z / w).norm_sqr())
}

#[test]
fn options_of_complex_numbers() {
    let (z, w) = (c(0.7, 0.4), c(-0.6, 0.9));
    let Ok((value, (Some(z_adj), w_adj))) = optional::value_and_gradient(Some(z), w) else {
        panic!("there is a number")
    };
    check_at(
        "optional",
        &[z, w],
        |v| optional(Some(v[0]), v[1]).unwrap(),
        (value, vec![z_adj, w_adj]),
    );
}
