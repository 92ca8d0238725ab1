//! Two-dimensional Fourier transforms by `rustfft`, and their rules.
//!
//! With the adjoint `∂L/∂re + i ∂L/∂im` of a complex number, the pullback of a linear function is its
//! conjugate transpose. That of a forward transform, `exp(-2π i j k / n)`, is the *unnormalised* inverse
//! transform, not the inverse function, which divides by the number of samples.

use ad_runtime::custom_rule;
use num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::fmt;
use std::sync::Arc;

/// The plans for square fields, stored row by row.
#[derive(Clone)]
pub struct Plans {
    size: usize,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plans").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Plans {
    /// Plans for fields of `size · size` samples.
    pub fn new(size: usize) -> Self {
        let mut planner = FftPlanner::new();
        let (forward, inverse) = (planner.plan_fft_forward(size), planner.plan_fft_inverse(size));
        Self { size, forward, inverse }
    }

    /// Samples in a row.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Transforms rows, then columns.
    fn run(&self, plan: &dyn Fft<f64>, field: &mut [Complex64]) {
        assert_eq!(field.len(), self.size * self.size, "a field has the size of its plans");
        plan.process(field);
        transpose(field, self.size);
        plan.process(field);
        transpose(field, self.size);
    }
}

fn transpose(field: &mut [Complex64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            field.swap(row * size + column, column * size + row);
        }
    }
}

fn scale(field: &mut [Complex64], factor: f64) {
    field.iter_mut().for_each(|z| *z *= factor);
}

/// `Σ field exp(-2π i (j k + l m) / n)`, unnormalised, in place.
#[custom_rule(vjp = fft2_rule)]
pub fn fft2(#[constant] plans: &Plans, field: &mut [Complex64]) {
    plans.run(&*plans.forward, field);
}

fn fft2_rule(
    plans: &Plans,
    field: &mut [Complex64],
) -> impl FnOnce(&Plans, &mut [Complex64], &mut [Complex64]) + use<> {
    fft2(plans, field);
    |plans: &Plans, _: &mut [Complex64], field_adj: &mut [Complex64]| {
        plans.run(&*plans.inverse, field_adj);
    }
}

/// The inverse of [`fft2()`], in place: it divides by the number of samples.
#[custom_rule(vjp = ifft2_rule)]
pub fn ifft2(#[constant] plans: &Plans, field: &mut [Complex64]) {
    plans.run(&*plans.inverse, field);
    scale(field, 1.0 / field.len() as f64);
}

fn ifft2_rule(
    plans: &Plans,
    field: &mut [Complex64],
) -> impl FnOnce(&Plans, &mut [Complex64], &mut [Complex64]) + use<> {
    ifft2(plans, field);
    |plans: &Plans, _: &mut [Complex64], field_adj: &mut [Complex64]| {
        plans.run(&*plans.forward, field_adj);
        scale(field_adj, 1.0 / field_adj.len() as f64);
    }
}
