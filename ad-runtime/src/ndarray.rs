//! Arrays of ndarray.

pub(crate) mod constructors;
mod differentiable;
mod elementary;
mod methods;
mod operators;

use crate::Real;
use ::ndarray::{LinalgScalar, ScalarOperand};
use num_traits::FromPrimitive;

/// A scalar of arrays with adjoints: `f64` or `f32`.
pub trait Element: Real + LinalgScalar + ScalarOperand + FromPrimitive {}

impl Element for f64 {}
impl Element for f32 {}
