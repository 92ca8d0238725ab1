//! Vectors and matrices of nalgebra, fixed size and dynamic.
//!
//! ```
//! use ad_runtime::differentiate;
//! use nalgebra::{Matrix3, Vector3};
//!
//! /// `½ xᵀ A x`
//! #[differentiate(reverse)]
//! fn energy(a: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
//!     0.5 * x.dot(&(a * x))
//! }
//!
//! let a = Matrix3::new(2.0, 1.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 4.0);
//! let (a_adj, x_adj) = energy::gradient(&a, Vector3::new(1.0, 2.0, 0.0));
//! assert_eq!(x_adj, Vector3::new(4.0, 7.0, 0.0)); // A x, as A is symmetric
//! assert_eq!(a_adj[(0, 1)], 1.0); // ½ x xᵀ
//! ```

pub(crate) mod constructors;
mod decompositions;
mod differentiable;
mod methods;
mod operators;

use crate::Real;
use ::nalgebra::RealField;

/// A scalar of matrices with adjoints: `f64` or `f32`.
pub trait Element: Real + RealField {}

impl Element for f64 {}
impl Element for f32 {}
