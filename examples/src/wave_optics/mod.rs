//! Recovers a phase mask, and its distance from a camera, from pictures in light of several wavelengths.
//!
//! The mask delays a wave; [`propagation`] carries the wave to the camera by the angular-spectrum
//! method, `ifft2(fft2(field) · H(distance, wavelength, pixel))`, with the plans of `rustfft` behind
//! rules ([`transform`]). [`retrieval`] fits mask and distance to the pictures with gradients made by
//! `#[differentiate]`, which [`gradients`] compares with differences. [`picture`] writes PNG files, and
//! [`cli`] ties these together.

pub mod cli;
pub mod gradients;
pub mod picture;
pub mod propagation;
pub mod retrieval;
pub mod transform;
