//! The log likelihood of a Gaussian mixture with a Wishart prior, as in ADBench.

use crate::data::{Failure, Numbers, sample};
use crate::programs::{Program, Size};
use ad_runtime::{Unspecified, differentiate};
use std::hint::black_box;
use std::path::Path;

/// The parameters of the prior.
#[derive(Clone, Copy, Debug)]
pub struct Wishart {
    /// Scale of the inverse covariances.
    pub gamma: f64,
    /// Degrees of freedom beyond the dimension.
    pub m: i32,
}

/// `ln Σ exp xₖ`, without overflow.
#[differentiate(reverse)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + x.iter().map(|v| (v - largest).exp()).sum::<f64>().ln()
}

/// Log likelihood of the points `x`, up to the constants of the prior.
///
/// Component `k` has the weight `alphas[k]`, a row of `means`, and a row of `icf` with the factor of
/// its inverse covariance: the logarithms of the diagonal, then the strictly lower triangle column
/// by column.
#[differentiate(reverse)]
pub fn log_likelihood(
    alphas: &[f64],
    means: &[f64],
    icf: &[f64],
    #[constant] x: &[f64],
    #[constant] prior: Wishart,
) -> f64 {
    let components = alphas.len();
    let d = means.len() / components;
    let size = d * (d + 1) / 2;
    let diagonals: Vec<f64> =
        (0..components * d).map(|k| icf[k / d * size + k % d].exp()).collect();
    let sums: Vec<f64> = icf.chunks_exact(size).map(|row| row[..d].iter().sum()).collect();

    let mut total = 0.0;
    let mut centred = vec![0.0; d];
    let mut scaled = vec![0.0; d];
    let mut terms = vec![0.0; components];
    for point in x.chunks_exact(d) {
        for k in 0..components {
            let mean = &means[k * d..(k + 1) * d];
            let diagonal = &diagonals[k * d..(k + 1) * d];
            let lower = &icf[k * size + d..(k + 1) * size];
            for j in 0..d {
                centred[j] = point[j] - mean[j];
                scaled[j] = diagonal[j] * centred[j];
            }
            for j in 0..d {
                let begin = j * (2 * d - j - 1) / 2;
                let column = &lower[begin..begin + d - j - 1];
                for (s, l) in scaled[j + 1..].iter_mut().zip(column) {
                    *s += l * centred[j];
                }
            }
            let distance: f64 = scaled.iter().map(|s| s * s).sum();
            terms[k] = alphas[k] + sums[k] - 0.5 * distance;
        }
        total += log_sum_exp(&terms);
    }

    let mut penalty = 0.0;
    for k in 0..components {
        let diagonal = &diagonals[k * d..(k + 1) * d];
        let lower = &icf[k * size + d..(k + 1) * size];
        let squares = diagonal.iter().chain(lower).map(|v| v * v).sum::<f64>();
        penalty += 0.5 * prior.gamma.powi(2) * squares - f64::from(prior.m) * sums[k];
    }
    total - (x.len() / d) as f64 * log_sum_exp(alphas) + penalty
}

/// The function with its arguments.
pub struct Gmm {
    alphas: Vec<f64>,
    means: Vec<f64>,
    icf: Vec<f64>,
    x: Vec<f64>,
    prior: Wishart,
    alphas_adj: Vec<f64>,
    means_adj: Vec<f64>,
    icf_adj: Vec<f64>,
}

impl Gmm {
    fn new([alphas, means, icf, x]: [Vec<f64>; 4], prior: Wishart) -> Self {
        let (alphas_adj, means_adj) = (vec![0.0; alphas.len()], vec![0.0; means.len()]);
        let icf_adj = vec![0.0; icf.len()];
        Gmm { alphas, means, icf, x, prior, alphas_adj, means_adj, icf_adj }
    }
}

impl Program for Gmm {
    const NAME: &str = "GMM d32 K25 n1000";
    const INPUTS: &[&str] = &["gmm/gmm_d32_K25.txt"];
    const GRADIENT: &str = "gmm/gmm_d32_K25.grad.txt";

    fn generated(size: Size) -> Self {
        let (d, components, points) = match size {
            Size::Small => (3, 4, 5),
            Size::Full => (32, 25, 1000),
        };
        let icf = sample(components * d * (d + 1) / 2, 0.2).iter().map(|v| 0.3 * v).collect();
        let [means, x] = [sample(components * d, 0.4), sample(points * d, 0.7)];
        let prior = Wishart { gamma: 1.0, m: 2 };
        Self::new([sample(components, 0.1), means, icf, x], prior)
    }

    fn read(directory: &Path) -> Result<Self, Failure> {
        let mut numbers = Numbers::open(directory.join(Self::INPUTS[0]))?;
        let d: usize = numbers.next("the dimension")?;
        let components: usize = numbers.next("the number of components")?;
        let points: usize = numbers.next("the number of points")?;
        let alphas = numbers.take(components, "a weight")?;
        let means = numbers.take(components * d, "an entry of a mean")?;
        let icf = numbers.take(components * d * (d + 1) / 2, "an entry of a factor")?;
        let x = numbers.take(points * d, "an entry of a point")?;
        let prior = Wishart { gamma: numbers.next("gamma")?, m: numbers.next("m")? };
        numbers.end()?;
        Ok(Self::new([alphas, means, icf, x], prior))
    }

    fn point(&self) -> Vec<f64> {
        [&self.alphas[..], &self.means, &self.icf].concat()
    }

    fn value_at(&self, point: &[f64]) -> f64 {
        let (alphas, rest) = point.split_at(self.alphas.len());
        let (means, icf) = rest.split_at(self.means.len());
        log_likelihood(alphas, means, icf, &self.x, self.prior)
    }

    fn primal(&mut self) {
        let Gmm { alphas, means, icf, x, prior, .. } = self;
        black_box(log_likelihood(black_box(alphas), means, icf, x, *prior));
    }

    fn gradient(&mut self) {
        black_box(log_likelihood::value_and_gradient_into(
            black_box(&self.alphas),
            &mut self.alphas_adj,
            &self.means,
            &mut self.means_adj,
            &self.icf,
            &mut self.icf_adj,
            &self.x,
            self.prior,
        ));
    }

    fn forward(&mut self) -> impl Sized {
        let Gmm { alphas, means, icf, x, prior, .. } = self;
        log_likelihood::vjp(Unspecified, alphas, means, icf, x, *prior)
    }

    fn found(&self) -> Vec<f64> {
        [&self.alphas_adj[..], &self.means_adj, &self.icf_adj].concat()
    }
}
