//! Reverse-mode automatic differentiation of ordinary Rust functions on stable Rust.
//!
//! [`macro@differentiate`] reads a function and writes next to it a *companion*: a type of the
//! same name whose associated functions compute the value together with the gradient.
//!
//! ```
//! use ad_runtime::differentiate;
//!
//! #[differentiate(reverse)]
//! fn rosenbrock(x: f64, y: f64) -> f64 {
//!     (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
//! }
//!
//! let (value, (x_adj, y_adj)) = rosenbrock::value_and_gradient(1.0, 2.0);
//! assert_eq!((value, x_adj, y_adj), (100.0, -400.0, 200.0));
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub use ad_macros::{Differentiable, custom_rule, differentiate};

mod argument;
pub mod check;
mod count;
mod differentiable;
mod holding;
mod operator;
mod part;
mod policy;
mod real;
mod shared;
mod stack;

pub use differentiable::Differentiable;
pub use policy::{Restore, Restored, Unspecified};
pub use real::Real;
pub use stack::Stack;

#[doc(hidden)]
#[path = "generated.rs"]
pub mod __private;
