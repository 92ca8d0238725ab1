//! Sums and products over iterators of numbers that are not known to be real.
//!
//! Generated code adds the items one by one, which is what `sum` does for the types listed here. A type
//! of the user may sum in its own way.

use core::iter::{Product, Sum, empty};

/// A type whose sums and products over iterators are repeated additions and multiplications.
#[diagnostic::on_unimplemented(
    message = "the sum over an iterator of `{Self}` has no derivative",
    note = "help: add the items in a loop"
)]
pub trait Summed: Sum + Product {}

impl Summed for f32 {}
impl Summed for f64 {}
#[cfg(feature = "num-complex")]
impl<T: crate::Real> Summed for num_complex::Complex<T> {}

/// The sum of no numbers.
#[must_use]
pub fn no_sum<T: Summed>() -> T {
    empty::<T>().sum()
}

/// The product of no numbers.
#[must_use]
pub fn no_product<T: Summed>() -> T {
    empty::<T>().product()
}

/// The sum of no numbers of the type of another.
pub fn sum_of_none<T: Summed>(_like: &T) -> T {
    no_sum()
}

/// The product of no numbers of the type of another.
pub fn product_of_none<T: Summed>(_like: &T) -> T {
    no_product()
}
