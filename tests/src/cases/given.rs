//! What the programs are given besides the entries of a row's point.

use super::programs::{Gravity, IntPool, Mixture, Potential, Spring};

/// Operation codes of case 8.
pub const CODE: [u32; 8] = [1, 1, 3, 4, 7, 2, 0, 2];

/// The first operands of case 8.
pub const LEFT: [u32; 8] = [0, 1, 0, 0, 3, 2, 0, 5];

/// The second operands of case 8.
pub const RIGHT: [u32; 8] = [0, 0, 1, 0, 0, 4, 0, 6];

/// Gains and costs of case 75.
pub const RESPONSES: [f64; 5] = [1.0, 2.0, 0.0, -1.0, 0.6];

/// Where the branches of case 77 begin.
pub const BRANCH: [usize; 3] = [0, 2, 4];

/// The bodies of case 77, in the order of branches.
pub const BODY: [usize; 4] = [1, 2, 3, 4];

/// The parent of each body of case 77.
pub const PARENT: [usize; 5] = [0, 0, 1, 1, 3];

/// The mixture of case 13.
pub fn mixture() -> Mixture {
    Mixture { sigma: vec![3.2, 3.9], eps: vec![1.5, 2.3] }
}

/// The parts of case 14, with the strengths that come first in the point.
pub fn potentials(v: &[f64]) -> Vec<Box<dyn Potential>> {
    vec![Box::new(Spring(v[0])), Box::new(Gravity(v[1]))]
}

/// The reserves of case 16.
pub fn pool() -> IntPool {
    IntPool { base: 1000, quote: 500, fee_num: 9970, fee_den: 10000 }
}

/// The points of case 19.
pub fn points(v: &[f64]) -> [[f64; 2]; 5] {
    std::array::from_fn(|k| [v[2 * k], v[2 * k + 1]])
}

/// The observations of case 94.
pub fn observations() -> Vec<f64> {
    (1..=20).map(f64::from).collect()
}

/// `Σ (k + 1) xₖ`, which makes one number of a list of results.
pub fn weighed(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(k, x)| (k + 1) as f64 * x).sum()
}

/// The weight of an entry of the product in case 11.
pub fn tile_weight(i: usize, j: usize) -> f64 {
    (i + 2 * j + 1) as f64
}
