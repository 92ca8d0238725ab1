//! One reference dataset: observations, starting points, certified results.
//!
//! The types keep the line numbers they came from, so that a disagreement
//! with the model, which only shows after parsing, still points into the file.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::DatasetError;
use super::parse::parse;

/// A value and the line of the file it was read from, counted from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub line: usize,
}

/// One of the two published starting points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Start 1, usually far from the solution.
    First,
    /// Start 2, usually near the solution.
    Second,
}

impl Start {
    /// Both starting points, in the order of the file.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "start 1",
            Self::Second => "start 2",
        })
    }
}

/// One parameter of the model, as published.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Value at start 1.
    pub start1: f64,
    /// Value at start 2.
    pub start2: f64,
    /// Least-squares estimate, certified to eleven digits.
    pub certified: f64,
    /// Certified standard deviation of the estimate.
    pub standard_deviation: f64,
}

impl Parameter {
    /// The value at `start`.
    #[must_use]
    pub fn start(&self, start: Start) -> f64 {
        match start {
            Start::First => self.start1,
            Start::Second => self.start2,
        }
    }
}

/// One row of data.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Line of the row, counted from one.
    pub line: usize,
    /// The response variable, as published.
    pub response: f64,
    /// The predictor variables.
    pub predictors: Vec<f64>,
}

/// A whole dataset file.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// The file it was read from.
    pub path: PathBuf,
    /// The name in the header.
    pub name: Located<String>,
    /// The difficulty NIST assigns: `Lower`, `Average` or `Higher`.
    pub difficulty: String,
    /// Number of predictor variables; every observation has that many.
    pub predictor_count: Located<usize>,
    /// Number of parameters; equal to the length of `parameters`.
    pub parameter_count: Located<usize>,
    /// The parameters `b1`, `b2`, ... in order.
    pub parameters: Vec<Parameter>,
    /// Certified residual sum of squares.
    pub residual_sum_of_squares: f64,
    /// The data, in the order of the file.
    pub observations: Vec<Observation>,
}

impl Dataset {
    /// Reads and parses the file at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or departs from the NIST format.
    pub fn load(path: &Path) -> Result<Self, DatasetError> {
        let text = fs::read_to_string(path)
            .map_err(|source| DatasetError::Unreadable { path: path.to_owned(), source })?;
        parse(path, &text)
    }

    /// An error about `line` of this dataset's file.
    #[must_use]
    pub fn error(&self, line: usize, expected: String, found: String) -> DatasetError {
        DatasetError::Malformed { path: self.path.clone(), line, expected, found }
    }
}
