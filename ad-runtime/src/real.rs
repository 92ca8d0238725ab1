//! Real scalars: what generated code asks of `T` in a function generic over its scalar type.

use crate::Differentiable;
use crate::operator::{Operator, UnaryOperator, marker};
use core::ops::{AddAssign, DivAssign, MulAssign, RemAssign, SubAssign};
use num_traits::{Float, FloatConst};

/// A real scalar, `f32` or `f64`: the bound that companions of functions generic over their
/// scalar type add to it.
#[diagnostic::on_unimplemented(
    note = "help: if `{Self}` is a type of your own, put `#[differentiate(reverse)]` on the whole `impl`: \
            a method alone takes `T`, `S`, `F` and `R` for type parameters of the `impl`"
)]
pub trait Real:
    Float
    + FloatConst
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Default
    + Differentiable<Owned = Self>
    + Operator<marker::Add, Self, Output = Self>
    + Operator<marker::Sub, Self, Output = Self>
    + Operator<marker::Mul, Self, Output = Self>
    + Operator<marker::Div, Self, Output = Self>
    + Operator<marker::Rem, Self, Output = Self>
    + UnaryOperator<marker::Neg, Output = Self>
    + 'static
{
    /// The scalar nearest to `value`.
    fn nearest(value: f64) -> Self;
}

impl Real for f64 {
    #[inline]
    fn nearest(value: f64) -> Self {
        value
    }
}

impl Real for f32 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is what is asked for")]
    fn nearest(value: f64) -> Self {
        value as f32
    }
}
