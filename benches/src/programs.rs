//! The programs, each as its user would write it, with inputs to run it on.

pub mod ba;
pub mod brusselator;
pub mod fft;
pub mod gmm;
pub mod lstm;

use crate::data::Failure;
use std::path::Path;

/// How large generated inputs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// For differences by every input.
    Small,
    /// For timing; that of the reference inputs, where it is given.
    Full,
}

/// A program together with its inputs and the buffers for its gradient.
///
/// The program is a function with one real result; one with more results is multiplied with a
/// seed. Its point is all that it is differentiated by, one after the other.
pub trait Program: Sized {
    /// How it is called in the table.
    const NAME: &'static str;
    /// Files below the directory of reference data: inputs, perhaps a seed.
    const INPUTS: &'static [&'static str];
    /// The file with the gradient at these inputs.
    const GRADIENT: &'static str;
    /// Whether the reference inputs are those to time.
    const TIME_REFERENCE: bool = true;

    /// Inputs that are computed.
    fn generated(size: Size) -> Self;

    /// Inputs from files.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has another format.
    fn read(directory: &Path) -> Result<Self, Failure>;

    /// Where the gradient is computed.
    fn point(&self) -> Vec<f64>;

    /// The value at another point.
    fn value_at(&self, point: &[f64]) -> f64;

    /// Runs the program.
    fn primal(&mut self);

    /// Runs the program and its adjoint.
    fn gradient(&mut self);

    /// Runs the forward sweep; what it returns owns all that was recorded.
    fn forward(&mut self) -> impl Sized;

    /// What [`Self::gradient`] found.
    fn found(&self) -> Vec<f64>;
}
