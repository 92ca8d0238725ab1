//! The right-hand side of the Brusselator, two reacting substances that diffuse on the unit square.

use crate::data::{Failure, Numbers, sample};
use crate::programs::{Program, Size};
use ad_runtime::{Unspecified, differentiate};
use std::hint::black_box;
use std::path::Path;

/// The parameters of the reaction.
pub type Parameters = [f64; 3];

/// Rates of change of `u` and `v`, given on a grid of `n` by `n` points, at time `t`.
#[differentiate(reverse)]
pub fn rates(
    u: &[f64],
    v: &[f64],
    p: &Parameters,
    #[constant] t: f64,
    n: usize,
    du: &mut [f64],
    dv: &mut [f64],
) {
    let step = 1.0 / (n - 1) as f64;
    let diffusion = p[2] / (step * step);
    for i in 0..n {
        let (up, down) = (i.saturating_sub(1), (i + 1).min(n - 1));
        for j in 0..n {
            let (left, right) = (j.saturating_sub(1), (j + 1).min(n - 1));
            let at = i * n + j;
            let (x, y) = (i as f64 * step, j as f64 * step);
            let inside = (x - 0.3).powi(2) + (y - 0.6).powi(2) <= 0.01;
            let source = if inside && t >= 1.1 { 5.0 } else { 0.0 };
            let around = |w: &[f64]| {
                w[up * n + j] + w[down * n + j] + w[i * n + left] + w[i * n + right] - 4.0 * w[at]
            };
            let reaction = u[at] * u[at] * v[at];
            du[at] = diffusion * around(u) + p[1] + reaction - (p[0] + 1.0) * u[at] + source;
            dv[at] = diffusion * around(v) + p[0] * u[at] - reaction;
        }
    }
}

/// The function with its arguments and a seed for each result.
pub struct Brusselator {
    n: usize,
    t: f64,
    u: Vec<f64>,
    v: Vec<f64>,
    p: Parameters,
    seed: Vec<f64>,
    rates: Vec<f64>,
    rates_adj: Vec<f64>,
    u_adj: Vec<f64>,
    v_adj: Vec<f64>,
    p_adj: Parameters,
}

impl Brusselator {
    /// With `u` and `v` one after the other, and their seeds likewise.
    fn new(n: usize, uv: &[f64], seed: Vec<f64>) -> Self {
        let zeros = vec![0.0; n * n];
        Brusselator {
            n,
            t: 2.1,
            u: uv[..n * n].to_vec(),
            v: uv[n * n..].to_vec(),
            p: [3.4, 1.0, 10.0],
            rates: vec![0.0; 2 * n * n],
            rates_adj: seed.clone(),
            seed,
            u_adj: zeros.clone(),
            v_adj: zeros,
            p_adj: [0.0; 3],
        }
    }
}

impl Program for Brusselator {
    const NAME: &str = "Brusselator 32x32";
    const INPUTS: &[&str] =
        &["brusselator/brusselator_N32_uv.txt", "brusselator/brusselator_N32_seed.txt"];
    const GRADIENT: &str = "brusselator/brusselator_N32.grad.txt";

    fn generated(size: Size) -> Self {
        let n = match size {
            Size::Small => 4,
            Size::Full => 32,
        };
        let uv: Vec<f64> = sample(2 * n * n, 0.4).iter().map(|s| 1.5 + s).collect();
        Self::new(n, &uv, sample(2 * n * n, 0.9))
    }

    fn read(directory: &Path) -> Result<Self, Failure> {
        let mut uv = Numbers::open(directory.join(Self::INPUTS[0]))?;
        let mut seed = Numbers::open(directory.join(Self::INPUTS[1]))?;
        let n = 32;
        let values = uv.take(2 * n * n, "a concentration")?;
        let seeds = seed.take(2 * n * n, "a seed")?;
        uv.end()?;
        seed.end()?;
        Ok(Self::new(n, &values, seeds))
    }

    fn point(&self) -> Vec<f64> {
        [&self.u[..], &self.v, &self.p].concat()
    }

    fn value_at(&self, point: &[f64]) -> f64 {
        let (u, rest) = point.split_at(self.u.len());
        let (v, p) = rest.split_at(self.v.len());
        let mut all = vec![0.0; 2 * u.len()];
        let (du, dv) = all.split_at_mut(u.len());
        rates(u, v, &[p[0], p[1], p[2]], self.t, self.n, du, dv);
        all.iter().zip(&self.seed).map(|(x, s)| x * s).sum()
    }

    fn primal(&mut self) {
        let (du, dv) = self.rates.split_at_mut(self.u.len());
        rates(black_box(&self.u), &self.v, &self.p, self.t, self.n, du, dv);
    }

    /// What the results held before does not matter to them, so their adjoints are 0 afterwards.
    fn gradient(&mut self) {
        let (du, dv) = self.rates.split_at_mut(self.u.len());
        self.rates_adj.copy_from_slice(&self.seed);
        let (du_adj, dv_adj) = self.rates_adj.split_at_mut(self.u.len());
        self.u_adj.fill(0.0);
        self.v_adj.fill(0.0);
        self.p_adj.fill(0.0);
        rates::adjoint(
            black_box(&self.u),
            &mut self.u_adj,
            &self.v,
            &mut self.v_adj,
            &self.p,
            &mut self.p_adj,
            self.t,
            self.n,
            du,
            du_adj,
            dv,
            dv_adj,
        );
    }

    fn forward(&mut self) -> impl Sized {
        let (du, dv) = self.rates.split_at_mut(self.u.len());
        rates::vjp(Unspecified, &self.u, &self.v, &self.p, self.t, self.n, du, dv)
    }

    fn found(&self) -> Vec<f64> {
        [&self.u_adj[..], &self.v_adj, &self.p_adj].concat()
    }
}
