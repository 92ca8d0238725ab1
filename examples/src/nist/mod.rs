//! Fits of the NIST Statistical Reference Datasets for nonlinear regression.
//!
//! NIST publishes each dataset together with a model, two starting points and
//! least-squares parameters certified to eleven digits. The program reads the
//! files ([`parse`]), fits each model with gradients made by
//! `#[differentiate]` ([`models`], [`model`], [`fit`]) and counts how many of
//! the certified digits it found ([`report`]). [`cli`] ties these together.

pub mod cli;
pub mod dataset;
pub mod error;
pub mod fit;
pub mod model;
pub mod models;
pub mod parse;
pub mod report;
