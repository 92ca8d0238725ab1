//! Transforms of signals: a radix-2 Fourier transform in place, wavelets, filters, interpolation.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn fft(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        let angle = -2.0 * std::f64::consts::PI / length as f64;
        for start in (0..n).step_by(length) {
            for k in 0..length / 2 {
                let (s, c) = (angle * k as f64).sin_cos();
                let (a, b) = (start + k, start + k + length / 2);
                let xr = re[b] * c - im[b] * s;
                let xi = re[b] * s + im[b] * c;
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
            }
        }
        length <<= 1;
    }
}

#[test]
fn a_fourier_transform() {
    let at = sample(16, 0.2);
    let (mut re, mut im) = (at[..8].to_vec(), at[8..].to_vec());
    let (mut re_adj, mut im_adj) = (weights(8), sample(8, 1.0));
    let im_weights = im_adj.clone();
    fft::adjoint(&mut re, &mut re_adj, &mut im, &mut im_adj);
    let total = |re: &[f64], im: &[f64]| {
        combine(re) + im.iter().zip(&im_weights).map(|(a, b)| a * b).sum::<f64>()
    };
    let f = |v: &[f64]| {
        let (mut re, mut im) = (v[..8].to_vec(), v[8..].to_vec());
        fft(&mut re, &mut im);
        total(&re, &im)
    };
    check("fft", f, &at, total(&re, &im), &[re_adj, im_adj].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn spectral_power(signal: &[f64], low: usize) -> f64 {
    let mut re = signal.to_vec();
    let mut im = vec![0.0; signal.len()];
    fft(&mut re, &mut im);
    let mut power = 0.0;
    for k in low..signal.len() / 2 {
        power += (re[k] * re[k] + im[k] * im[k]).ln();
    }
    power
}

#[test]
fn a_power_spectrum() {
    let at = sample(8, 0.7);
    let (value, gradient) = spectral_power::value_and_gradient(&at, 1);
    check("power", |v| spectral_power(v, 1), &at, value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn lifting(x: &mut [f64], predict: f64, update: f64) {
    let n = x.len();
    let mut step = 1;
    while 2 * step < n {
        for i in (step..n).step_by(2 * step) {
            let left = x[i - step];
            let right = if i + step < n { x[i + step] } else { left };
            x[i] -= predict * (left + right);
        }
        for i in (0..n).step_by(2 * step) {
            let left = if i >= step { x[i - step] } else { 0.0 };
            let right = match i + step < n {
                false => 0.0,
                true => x[i + step],
            };
            x[i] += update * (left + right) * x[i];
        }
        step *= 2;
    }
}

#[test]
fn a_lifted_wavelet() {
    let at = [sample(9, 0.1), vec![0.5, 0.25]].concat();
    let (mut x, mut x_adj) = (at[..9].to_vec(), weights(9));
    let (predict, update) = lifting::adjoint(&mut x, &mut x_adj, at[9], at[10]);
    let f = |v: &[f64]| {
        let mut x = v[..9].to_vec();
        lifting(&mut x, v[9], v[10]);
        combine(&x)
    };
    check("lifting", f, &at, combine(&x), &[x_adj, vec![predict, update]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn biquad(x: &mut [f64], c: &[f64; 5]) {
    let (mut z1, mut z2) = (0.0, 0.0);
    let [b0, b1, b2, a1, a2] = *c;
    for v in x.iter_mut() {
        let y = b0 * *v + z1;
        z1 = b1 * *v - a1 * y + z2;
        z2 = b2 * *v - a2 * y;
        *v = y;
    }
}

#[test]
fn a_recursive_filter() {
    let at = [sample(6, 0.3), vec![0.4, 0.3, 0.2, -0.5, 0.3]].concat();
    let c = |v: &[f64]| [v[6], v[7], v[8], v[9], v[10]];
    let (mut x, mut x_adj, mut c_adj) = (at[..6].to_vec(), weights(6), [0.0; 5]);
    biquad::adjoint(&mut x, &mut x_adj, &c(&at), &mut c_adj);
    let f = |v: &[f64]| {
        let mut x = v[..6].to_vec();
        biquad(&mut x, &c(v));
        combine(&x)
    };
    check("biquad", f, &at, combine(&x), &[x_adj, c_adj.to_vec()].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn interpolate(knots: &[f64], values: &[f64], x: f64) -> f64 {
    let mut low = 0;
    let mut high = knots.len() - 1;
    while high - low > 1 {
        let middle = (low + high) / 2;
        if knots[middle] <= x {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (x - knots[low]) / (knots[high] - knots[low]);
    let t = t * t * (3.0 - 2.0 * t);
    values[low] + t * (values[high] - values[low])
}

#[test]
fn a_bisection_and_an_interpolation() {
    let at = [0.0, 1.0, 2.5, 3.0, 4.2, 0.3, -0.7, 1.1, 0.4, 0.9, 2.7];
    let (value, (knots, values, x)) = interpolate::value_and_gradient(&at[..5], &at[5..10], at[10]);
    let f = |v: &[f64]| interpolate(&v[..5], &v[5..10], v[10]);
    check("interpolate", f, &at, value, &[knots, values, vec![x]].concat());
}

/// De Casteljau's algorithm.
#[differentiate(reverse, forward, second_order, cross_check)]
fn bezier(points: &[[f64; 2]], t: f64) -> [f64; 2] {
    let mut p = points.to_vec();
    for level in (1..p.len()).rev() {
        for i in 0..level {
            for k in 0..2 {
                p[i][k] = (1.0 - t) * p[i][k] + t * p[i + 1][k];
            }
        }
    }
    p[0]
}

#[test]
fn a_bezier_curve() {
    let at = [0.0, 0.1, 0.4, 1.0, 0.9, -0.3, 1.0, 0.6, 0.35];
    let split = |v: &[f64]| -> Vec<[f64; 2]> { v[..8].as_chunks().0.to_vec() };
    let mut points_adj = vec![[0.0; 2]; 4];
    let (p, t_adj) = bezier::adjoint(&split(&at), &mut points_adj, at[8], [1.0, -2.0]);
    let f = |v: &[f64]| combine(&bezier(&split(v), v[8]));
    check("bezier", f, &at, combine(&p), &[points_adj.concat(), vec![t_adj]].concat());
}
