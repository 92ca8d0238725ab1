//! Methods of types of other crates: what generated code brings into scope as `ad::methods::*`.
//!
//! A caller of `x.dot(&y)` writes `x.dot_vjp(…)` and `x.dot_reverse(…)`. For types of the user, these stand
//! next to `dot`; for those of another crate, they are methods of a trait that is exported here. Such a trait is
//! implemented for types of that crate alone, so that it never stands in the way of a method of the user.

#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
pub use crate::arrays::Methods as ArrayMethods;
#[cfg(feature = "nalgebra")]
pub use crate::nalgebra::constructors::*;
#[cfg(feature = "ndarray")]
pub use crate::ndarray::constructors::*;
