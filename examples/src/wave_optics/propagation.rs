//! The model: a mask, the way to the camera, and how far pictures are from those that were taken.
//!
//! Lengths are in micrometres.

use super::transform::{Plans, fft2, ifft2};
use ad_runtime::differentiate;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// What is known of the experiment.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Transforms of fields.
    pub plans: Plans,
    /// The distance of two samples, at the mask and at the camera.
    pub pixel: f64,
    /// The wavelength to which the phases of the mask belong; it delays others in inverse proportion.
    pub reference: f64,
    /// The amplitude of the light that falls on the mask.
    pub amplitude: Vec<f64>,
}

/// Carries a field over a distance, in place: `ifft2(fft2(field) · H)`.
///
/// `H = exp(i k_z distance)` with `k_z = √(k² - k_x² - k_y²)`, which is imaginary for waves that decay.
#[differentiate(reverse)]
pub fn propagate(
    #[constant] plans: &Plans,
    field: &mut [Complex64],
    distance: f64,
    wavelength: f64,
    pixel: f64,
) {
    fft2(plans, field);
    let size = plans.size();
    let k = TAU / wavelength;
    let step = TAU / (size as f64 * pixel);
    for row in 0..size {
        let k_y = step * frequency(row, size);
        for column in 0..size {
            let k_x = step * frequency(column, size);
            let k_z = Complex64::from(k * k - k_x * k_x - k_y * k_y).sqrt();
            field[row * size + column] *= (Complex64::I * k_z * distance).exp();
        }
    }
    ifft2(plans, field);
}

/// The frequency of a sample, in periods per field: the upper half is negative.
fn frequency(index: usize, size: usize) -> f64 {
    if index < size.div_ceil(2) { index as f64 } else { index as f64 - size as f64 }
}

/// The mean square by which the intensities of a field, seen at a distance in light of several wavelengths, differ
/// from `pictures`, one for each wavelength.
#[differentiate(reverse)]
pub fn field_error(
    field: &[Complex64],
    distance: f64,
    wavelengths: &[f64],
    #[constant] setup: &Setup,
    #[constant] pictures: &[Vec<f64>],
) -> f64 {
    let mut sum = 0.0;
    for (wavelength, picture) in wavelengths.iter().zip(pictures) {
        let mut wave = field.to_vec();
        propagate(&setup.plans, &mut wave, distance, *wavelength, setup.pixel);
        for (z, seen) in wave.iter().zip(picture) {
            sum += (z.norm_sqr() - seen).powi(2);
        }
    }
    sum / (wavelengths.len() * field.len()) as f64
}

/// The same for light that passes a mask with the given phases.
#[differentiate(reverse)]
pub fn mask_error(
    phase: &[f64],
    distance: f64,
    wavelengths: &[f64],
    #[constant] setup: &Setup,
    #[constant] pictures: &[Vec<f64>],
) -> f64 {
    let mut sum = 0.0;
    for (wavelength, picture) in wavelengths.iter().zip(pictures) {
        let delay = setup.reference / wavelength;
        let behind = |(phase, amplitude): (&f64, &f64)| amplitude * Complex64::cis(delay * phase);
        let mut wave: Vec<Complex64> = phase.iter().zip(&setup.amplitude).map(behind).collect();
        propagate(&setup.plans, &mut wave, distance, *wavelength, setup.pixel);
        for (z, seen) in wave.iter().zip(picture) {
            sum += (z.norm_sqr() - seen).powi(2);
        }
    }
    sum / (wavelengths.len() * phase.len()) as f64
}

/// The picture that the camera takes.
pub fn picture(setup: &Setup, phase: &[f64], distance: f64, wavelength: f64) -> Vec<f64> {
    let delay = setup.reference / wavelength;
    let lit = phase.iter().zip(&setup.amplitude);
    let mut wave: Vec<Complex64> =
        lit.map(|(phase, a)| a * Complex64::cis(delay * phase)).collect();
    propagate(&setup.plans, &mut wave, distance, wavelength, setup.pixel);
    wave.iter().map(Complex64::norm_sqr).collect()
}
