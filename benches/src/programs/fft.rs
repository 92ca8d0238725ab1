//! The fast Fourier transform, in place.

use crate::data::{Failure, Numbers, sample};
use crate::programs::{Program, Size};
use ad_runtime::{Unspecified, differentiate};
use std::f64::consts::PI;
use std::hint::black_box;
use std::path::Path;

/// Transforms `data`, real and imaginary parts in turn, whose length is twice a power of two.
#[differentiate(reverse)]
pub fn transform(data: &mut [f64]) {
    let n = data.len() / 2;
    let mut j = 0;
    for i in 1..n {
        let mut bit = n / 2;
        while j & bit != 0 {
            j ^= bit;
            bit /= 2;
        }
        j |= bit;
        if i < j {
            data.swap(2 * i, 2 * j);
            data.swap(2 * i + 1, 2 * j + 1);
        }
    }
    let mut half = 1;
    while half < n {
        let angle = -PI / half as f64;
        let (step_re, step_im) = (angle.cos(), angle.sin());
        let (mut re, mut im) = (1.0, 0.0);
        for k in 0..half {
            for i in (k..n).step_by(2 * half) {
                let (a, b) = (2 * i, 2 * (i + half));
                let x = data[b] * re - data[b + 1] * im;
                let y = data[b] * im + data[b + 1] * re;
                data[b] = data[a] - x;
                data[b + 1] = data[a + 1] - y;
                data[a] += x;
                data[a + 1] += y;
            }
            (re, im) = (re * step_re - im * step_im, re * step_im + im * step_re);
        }
        half *= 2;
    }
}

/// The function with its argument and a seed.
pub struct Fft {
    start: Vec<f64>,
    seed: Vec<f64>,
    data: Vec<f64>,
    data_adj: Vec<f64>,
}

impl Fft {
    fn new(start: Vec<f64>, seed: Vec<f64>) -> Self {
        let (data, data_adj) = (start.clone(), seed.clone());
        Fft { start, seed, data, data_adj }
    }
}

impl Program for Fft {
    const NAME: &str = "FFT 2^16";
    const INPUTS: &[&str] = &["fft/fft_N1024_x.txt", "fft/fft_N1024_seed.txt"];
    const GRADIENT: &str = "fft/fft_N1024.fftonly_grad.txt";
    const TIME_REFERENCE: bool = false;

    fn generated(size: Size) -> Self {
        let n = match size {
            Size::Small => 16,
            Size::Full => 1 << 16,
        };
        Self::new(sample(2 * n, 0.3), sample(2 * n, 0.6))
    }

    fn read(directory: &Path) -> Result<Self, Failure> {
        let start = Numbers::open(directory.join(Self::INPUTS[0]))?.rest("a part of a number")?;
        let mut seed = Numbers::open(directory.join(Self::INPUTS[1]))?;
        let parts = seed.take(start.len(), "a part of a seed")?;
        seed.end()?;
        Ok(Self::new(start, parts))
    }

    fn point(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn value_at(&self, point: &[f64]) -> f64 {
        let mut data = point.to_vec();
        transform(&mut data);
        data.iter().zip(&self.seed).map(|(x, s)| x * s).sum()
    }

    fn primal(&mut self) {
        self.data.copy_from_slice(&self.start);
        transform(black_box(&mut self.data));
    }

    fn gradient(&mut self) {
        self.data.copy_from_slice(&self.start);
        self.data_adj.copy_from_slice(&self.seed);
        transform::adjoint(black_box(&mut self.data), &mut self.data_adj);
    }

    fn forward(&mut self) -> impl Sized {
        self.data.copy_from_slice(&self.start);
        transform::vjp(Unspecified, &mut self.data)
    }

    fn found(&self) -> Vec<f64> {
        self.data_adj.clone()
    }
}
