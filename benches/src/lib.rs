//! Speed and memory of gradients: programs to measure, and their inputs.
//!
//! `cargo bench -p ad-benches` measures them. The inputs are read from the directory that the
//! environment variable `AD_DATA` names, and generated where it has none.

pub mod data;
pub mod programs;
