//! The experiment, and the fit of mask and distance to its pictures by Adam.

use super::propagation::{Setup, mask_error, picture};
use super::transform::Plans;

/// Samples in a row of the mask.
pub const SIZE: usize = 64;

/// The light, in micrometres.
pub const WAVELENGTHS: [f64; 3] = [0.45, 0.55, 0.65];

/// The distance at which the pictures were taken.
pub const DISTANCE: f64 = 1500.0;

/// The distance at which the fit begins.
pub const FIRST_DISTANCE: f64 = 1425.0;

/// A mask and its distance from the camera.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The phases, row by row.
    pub phase: Vec<f64>,
    /// The distance.
    pub distance: f64,
}

/// What is looked for, and what is known.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What is known.
    pub setup: Setup,
    /// What is looked for.
    pub target: Guess,
    /// The pictures, one for each of [`WAVELENGTHS`].
    pub pictures: Vec<Vec<f64>>,
}

impl Experiment {
    /// Pictures of a mask with a ring and two discs, in a beam that fades towards the border.
    pub fn new() -> Self {
        let at = |k: usize| {
            let place = |k: usize| (k as f64 + 0.5) / SIZE as f64 * 2.0 - 1.0;
            (place(k % SIZE), place(k / SIZE))
        };
        let beam = |k| {
            let (x, y) = at(k);
            (-2.0 * (x * x + y * y)).exp()
        };
        let samples = SIZE * SIZE;
        let phase: Vec<f64> = (0..samples).map(|k| height(at(k))).collect();
        let setup = Setup {
            plans: Plans::new(SIZE),
            pixel: 4.0,
            reference: 0.55,
            amplitude: (0..samples).map(beam).collect(),
        };
        let taken = |w: &f64| picture(&setup, &phase, DISTANCE, *w);
        let pictures = WAVELENGTHS.iter().map(taken).collect();
        Self { setup, target: Guess { phase, distance: DISTANCE }, pictures }
    }

    /// Where the fit begins: no mask, at another distance.
    pub fn start(&self) -> Guess {
        Guess { phase: vec![0.0; SIZE * SIZE], distance: FIRST_DISTANCE }
    }

    /// How far the pictures of a guess are from those that were taken.
    pub fn error(&self, guess: &Guess) -> f64 {
        mask_error(&guess.phase, guess.distance, &WAVELENGTHS, &self.setup, &self.pictures)
    }

    /// The root of the mean square by which the phases of a guess are off, weighted by the light that passes; a
    /// phase that is the same everywhere does not count, as no picture shows it.
    pub fn phase_error(&self, guess: &Guess) -> f64 {
        let lit: Vec<f64> = self.setup.amplitude.iter().map(|a| a * a).collect();
        let all: f64 = lit.iter().sum();
        let off: Vec<f64> =
            guess.phase.iter().zip(&self.target.phase).map(|(a, b)| a - b).collect();
        let mean = off.iter().zip(&lit).map(|(off, lit)| off * lit).sum::<f64>() / all;
        let square: f64 = off.iter().zip(&lit).map(|(off, lit)| lit * (off - mean).powi(2)).sum();
        (square / all).sqrt()
    }

    /// Runs `steps` of Adam.
    pub fn fit(&self, start: &Guess, steps: usize) -> Guess {
        let mut guess = start.clone();
        let mut phase_steps = Adam::new(guess.phase.len(), 0.03);
        let mut distance_steps = Adam::new(1, 2.0);
        for step in 0..steps {
            // Shorter steps towards the end.
            let rate = 0.5 * (1.0 + (std::f64::consts::PI * step as f64 / steps as f64).cos());
            let (phase_adj, distance_adj, _) = mask_error::gradient(
                &guess.phase,
                guess.distance,
                &WAVELENGTHS,
                &self.setup,
                &self.pictures,
            );
            phase_steps.step(&mut guess.phase, &phase_adj, rate);
            let distance = std::slice::from_mut(&mut guess.distance);
            distance_steps.step(distance, &[distance_adj], rate);
        }
        guess
    }
}

impl Default for Experiment {
    fn default() -> Self {
        Self::new()
    }
}

/// The phase of the mask at a point of the square from -1 to 1.
fn height((x, y): (f64, f64)) -> f64 {
    // Edges are smooth, as those of a lens that was printed.
    let edge = |distance: f64| 1.0 / (1.0 + (distance / 0.04).exp());
    let ring = edge((x.hypot(y) - 0.5).abs() - 0.08);
    let discs = edge((x - 0.2).hypot(y + 0.1) - 0.15) - edge((x + 0.2).hypot(y - 0.15) - 0.12);
    1.2 * ring + 0.9 * discs
}

/// The state of Adam for some numbers.
struct Adam {
    rate: f64,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    fn new(count: usize, rate: f64) -> Self {
        Self { rate, mean: vec![0.0; count], square: vec![0.0; count], steps: 0 }
    }

    fn step(&mut self, x: &mut [f64], gradient: &[f64], rate: f64) {
        const MEAN: f64 = 0.9;
        const SQUARE: f64 = 0.99;
        self.steps += 1;
        let (unbiased_mean, unbiased_square) =
            (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        for (k, g) in gradient.iter().enumerate() {
            self.mean[k] = MEAN * self.mean[k] + (1.0 - MEAN) * g;
            self.square[k] = SQUARE * self.square[k] + (1.0 - SQUARE) * g * g;
            let root = (self.square[k] / unbiased_square).sqrt() + 1e-12;
            x[k] -= rate * self.rate * self.mean[k] / unbiased_mean / root;
        }
    }
}
