//! Automatic differentiation of ordinary Rust functions on stable Rust, in reverse and forward mode.
//!
//! [`macro@differentiate`] reads a function and writes next to it a *companion*: a type of the
//! same name whose associated functions compute the value together with the gradient, or with the
//! derivative along a direction.
//!
//! ```
//! use ad_runtime::differentiate;
//!
//! #[differentiate(reverse, forward)]
//! fn rosenbrock(x: f64, y: f64) -> f64 {
//!     (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
//! }
//!
//! let (value, (x_adj, y_adj)) = rosenbrock::value_and_gradient(1.0, 2.0);
//! assert_eq!((value, x_adj, y_adj), (100.0, -400.0, 200.0));
//!
//! // Along (3, 1).
//! let (value, tangent) = rosenbrock::tangent(1.0, 3.0, 2.0, 1.0);
//! assert_eq!((value, tangent), (100.0, -400.0 * 3.0 + 200.0));
//! ```
//!
//! With the features `ndarray` and `nalgebra`, arrays of these crates are differentiable, with their
//! operators and many of their methods.
//!
//! [`macro@custom_rule`] writes the companion of a function that the macro cannot see into, by a
//! derivative that its author wrote; [`check`] tests such derivatives.
//!
//! # Features
//!
//! - `std` (on by default): elementary functions from the standard library.
//! - `libm`: elementary functions without it.
//! - `num-complex`: `num_complex::Complex` of `f32` and `f64` is differentiable. The adjoint of `z` for
//!   a real result `L` is `∂L/∂re z + i ∂L/∂im z`.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub use ad_macros::{Differentiable, differentiate};

/// Gives a function the companion of a differentiated one, by a rule that you write.
///
/// - `partials(x = …, y = …)`: one expression for each active parameter of a real function, over the
///   parameters and the result, which is called `value`.
/// - `vjp = path`: a function with the parameters of this one that returns its value (if there is
///   one) and the pullback. The pullback takes the reference parameters again, `&T` and `&mut T`,
///   active ones followed by `&mut T` for their adjoints, and the seed of an active result; it
///   returns the adjoints of active by-value parameters. These are the signatures of the
///   companion's `vjp`, without the policy.
/// - `jvp = path`: a function with the parameters of this one, active ones followed by their
///   tangents, that returns the value and its tangent; for `&mut` arguments it leaves both. This is
///   the signature of the companion's `tangent`. It may stand next to `vjp`.
/// - `zero`: nothing that comes out of the function depends on its parameters. `&mut` arguments
///   count as overwritten, so their adjoints and tangents become 0.
///
/// A rule serves the modes that it can: `vjp` reverse mode, `jvp` forward mode, the others both. The
/// options `reverse` and `forward` name the modes instead. A method that is not `pub` may belong to a
/// trait that is differentiated in reverse mode alone, so it has a tangent only if `jvp` or `forward`
/// is given.
///
/// Parameters may be marked `#[constant]`, and are then of any type. The options `name = Loss`,
/// `crate = path`, `associated` and `joint` are those of [`macro@differentiate`].
///
/// ```
/// use ad_runtime::{custom_rule, differentiate};
///
/// #[custom_rule(partials(x = 0.5 / value))]
/// fn root(x: f64) -> f64 {
///     x.sqrt()
/// }
///
/// #[custom_rule(vjp = scale_rule)]
/// fn scale(x: &mut [f64], factor: f64) {
///     x.iter_mut().for_each(|x| *x *= factor);
/// }
///
/// fn scale_rule(
///     x: &mut [f64],
///     factor: f64,
/// ) -> impl FnOnce(&mut [f64], &mut [f64]) -> f64 + use<> {
///     let before = x.to_vec();
///     scale(x, factor);
///     move |_: &mut [f64], x_adj: &mut [f64]| {
///         let factor_adj = x_adj.iter().zip(&before).map(|(adj, x)| adj * x).sum();
///         x_adj.iter_mut().for_each(|adj| *adj *= factor);
///         factor_adj
///     }
/// }
///
/// #[differentiate(reverse)]
/// fn loss(x: f64, y: f64) -> f64 {
///     let mut pair = [x, y];
///     scale(&mut pair, root(x));
///     pair[0] * pair[1]
/// }
///
/// // x² y
/// assert_eq!(loss::gradient(4.0, 3.0), (24.0, 16.0));
/// ```
///
/// A pullback need not put buffers back: the companion copies them for callers that read them. It
/// multiplies partials so that a seed of 0 absorbs an infinite one. [`check::test_rule`] tests a
/// rule, [`check::test_rule_in_both_modes`] one with `vjp` and `jvp`.
pub use ad_macros::custom_rule;

mod argument;
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
mod arrays;
pub mod check;
#[cfg(feature = "num-complex")]
mod complex;
mod count;
mod differentiable;
pub mod drivers;
mod holding;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
mod operator;
mod part;
mod policy;
mod real;
mod record;
mod second;
mod shared;
mod siblings;
mod stack;
mod summed;
mod tangent;

pub use differentiable::Differentiable;
pub use policy::{Restore, Restored, Unspecified};
pub use real::Real;
pub use stack::Stack;

#[doc(hidden)]
#[path = "generated.rs"]
pub mod __private;
