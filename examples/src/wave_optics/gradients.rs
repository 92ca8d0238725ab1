//! Gradients against central differences.

use super::propagation::{Setup, field_error, mask_error, picture};
use super::transform::Plans;
use num_complex::Complex64;
use std::fmt;

/// A derivative and its difference, the one of a gradient that is farthest off.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the derivative is by.
    pub name: &'static str,
    /// How many real numbers that is.
    pub count: usize,
    /// The derivative.
    pub gradient: f64,
    /// The difference.
    pub difference: f64,
    /// How far they are apart, relative to the largest derivative of the row.
    pub error: f64,
}

impl Row {
    /// Compares derivatives with fourth-order differences of `f`, whose argument is added to each number in turn.
    fn new(name: &'static str, gradient: &[f64], step: f64, f: impl Fn(usize, f64) -> f64) -> Self {
        let largest = gradient.iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
        let rows = gradient.iter().enumerate().map(|(k, &gradient)| {
            let d = |h: f64| f(k, h) - f(k, -h);
            let difference = (8.0 * d(step) - d(2.0 * step)) / (12.0 * step);
            let error = (gradient - difference).abs() / largest;
            Row { name, count: 0, gradient, difference, error }
        });
        let worst = rows.max_by(|a, b| a.error.total_cmp(&b.error)).expect("there are derivatives");
        Row { count: gradient.len(), ..worst }
    }
}

/// The comparison.
#[derive(Clone, Debug)]
pub struct Table(pub Vec<Row>);

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28} {:>7} {:>17} {:>17} {:>9}",
            "derivative by", "numbers", "gradient", "difference", "error"
        )?;
        for Row { name, count, gradient, difference, error } in &self.0 {
            writeln!(
                f,
                "{name:<28} {count:>7} {gradient:>17.9e} {difference:>17.9e} {error:>9.1e}"
            )?;
        }
        Ok(())
    }
}

/// A number without a pattern, between -1 and 1.
fn sample(k: usize) -> f64 {
    (1.7 * k as f64 + 0.3).sin()
}

/// Compares all derivatives of a small field, and of a small mask.
pub fn compare() -> Table {
    let plans = Plans::new(12);
    let samples = plans.size() * plans.size();
    let amplitude = (0..samples).map(|k| 1.0 + 0.3 * sample(k)).collect();
    let setup = Setup { plans, pixel: 0.8, reference: 0.55, amplitude };
    let wavelengths = [0.45, 0.55, 0.65];
    let (distance, phase) = (40.0, (0..samples).map(|k| sample(k + 7)).collect::<Vec<f64>>());
    let pictures = wavelengths.map(|w| picture(&setup, &phase, 42.0, w)).to_vec();

    let field: Vec<Complex64> =
        (0..samples).map(|k| Complex64::new(sample(k), sample(k + 3))).collect();
    let by_field = |field: &[Complex64], distance: f64, wavelengths: &[f64]| {
        field_error(field, distance, wavelengths, &setup, &pictures)
    };
    let by_mask = |phase: &[f64], distance: f64, wavelengths: &[f64]| {
        mask_error(phase, distance, wavelengths, &setup, &pictures)
    };
    let moved = |x: &[f64], k: usize, h: f64| {
        let mut x = x.to_vec();
        x[k] += h;
        x
    };
    let (field_adj, distance_adj, wavelengths_adj) =
        field_error::gradient(&field, distance, &wavelengths, &setup, &pictures);
    let parts: Vec<f64> = field_adj.iter().flat_map(|z| [z.re, z.im]).collect();
    let mut rows = vec![
        Row::new("the field", &parts, 1e-3, |k, h| {
            let mut field = field.clone();
            field[k / 2] += if k % 2 == 0 { Complex64::from(h) } else { Complex64::new(0.0, h) };
            by_field(&field, distance, &wavelengths)
        }),
        Row::new("distance of the field", &[distance_adj], 1e-2, |_, h| {
            by_field(&field, distance + h, &wavelengths)
        }),
        Row::new("wavelengths of the field", &wavelengths_adj, 1e-5, |k, h| {
            by_field(&field, distance, &moved(&wavelengths, k, h))
        }),
    ];
    let (phase_adj, distance_adj, wavelengths_adj) =
        mask_error::gradient(&phase, distance, &wavelengths, &setup, &pictures);
    rows.extend([
        Row::new("the mask", &phase_adj, 1e-3, |k, h| {
            by_mask(&moved(&phase, k, h), distance, &wavelengths)
        }),
        Row::new("distance of the mask", &[distance_adj], 1e-2, |_, h| {
            by_mask(&phase, distance + h, &wavelengths)
        }),
        Row::new("wavelengths of the mask", &wavelengths_adj, 1e-5, |k, h| {
            by_mask(&phase, distance, &moved(&wavelengths, k, h))
        }),
    ]);
    Table(rows)
}
