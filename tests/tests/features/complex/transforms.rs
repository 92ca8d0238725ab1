//! Fourier transforms: their adjoint is the transform with the opposite sign.

use super::{c, numbers, parts};
use ad_runtime::differentiate;
use ad_tests::check::assert_exact;
use num_complex::Complex64;
use std::f64::consts::PI;

/// In place, of a power of two, with butterflies.
#[differentiate(reverse)]
fn fft(x: &mut [Complex64]) {
    let n = x.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
        if i < j {
            x.swap(i, j);
        }
    }
    let mut len = 2;
    while len <= n {
        let angle = -2.0 * PI / len as f64;
        let turn = Complex64::new(angle.cos(), angle.sin());
        for start in (0..n).step_by(len) {
            let mut w = Complex64::new(1.0, 0.0);
            for k in start..start + len / 2 {
                let u = x[k];
                let v = x[k + len / 2] * w;
                x[k] = u + v;
                x[k + len / 2] = u - v;
                w *= turn;
            }
        }
        len *= 2;
    }
}

/// By its definition.
#[differentiate(reverse)]
fn dft(x: &[Complex64]) -> Vec<Complex64> {
    let n = x.len();
    let mut out = Vec::new();
    for k in 0..n {
        let mut acc = Complex64::new(0.0, 0.0);
        for (j, v) in x.iter().enumerate() {
            acc += v * Complex64::from_polar(1.0, -2.0 * PI * (k * j) as f64 / n as f64);
        }
        out.push(acc);
    }
    out
}

/// `Σ seedₖ exp(2π i j k / n)`: the unnormalised inverse transform.
fn inverse(seed: &[Complex64]) -> Vec<Complex64> {
    let n = seed.len();
    let at = |j: usize| {
        let turned =
            |(k, s): (usize, &Complex64)| s * Complex64::cis(2.0 * PI * (j * k) as f64 / n as f64);
        seed.iter().enumerate().map(turned).sum()
    };
    (0..n).map(at).collect()
}

#[test]
fn radix_two_in_place() {
    let (x, seed) = (numbers(16, 0.3), numbers(16, 1.1));
    let (mut y, mut adj) = (x.clone(), seed.clone());
    fft::adjoint(&mut y, &mut adj);
    assert_exact("fft", &parts(&y), &parts(&dft(&x)));
    assert_exact("fft adjoint", &parts(&adj), &parts(&inverse(&seed)));
}

#[test]
fn by_definition() {
    let (x, seed) = (numbers(7, 0.3), numbers(7, 1.1));
    let mut adj = vec![c(0.0, 0.0); 7];
    dft::adjoint(&x, &mut adj, seed.clone());
    assert_exact("dft adjoint", &parts(&adj), &parts(&inverse(&seed)));
}

/// A filter in the frequency domain, twice through the transform.
#[differentiate(reverse)]
fn filtered(x: &[Complex64], cutoff: f64) -> f64 {
    let n = x.len();
    let mut y = x.to_vec();
    fft(&mut y);
    for (k, v) in y.iter_mut().enumerate() {
        let f = k.min(n - k) as f64;
        *v *= (-f * f / (cutoff * cutoff)).exp();
    }
    for v in y.iter_mut() {
        *v = v.conj();
    }
    fft(&mut y);
    y.iter().map(|v| v.norm_sqr() * v.norm()).sum::<f64>() / n as f64
}

#[test]
fn transforms_of_transforms() {
    let x = numbers(8, 0.3);
    let (value, (x_adj, cutoff_adj)) = filtered::value_and_gradient(&x, 2.5);
    let f = |v: &[f64]| filtered(&super::complex(&v[..16]), v[16]);
    let (at, gradient) =
        ([parts(&x), vec![2.5]].concat(), [parts(&x_adj), vec![cutoff_adj]].concat());
    ad_tests::check::check("filtered", f, &at, value, &gradient);
}
