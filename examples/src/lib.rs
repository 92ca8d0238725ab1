//! Programs that use `ad-runtime` on real data.
//!
//! Each submodule holds the working parts of one program in `src/bin`, so
//! that they can be tested without running it.

pub mod nist;
pub mod wave_optics;
