//! What may be added to an adjoint: one of the same shape, or that of a value cast from it.
//!
//! Generated code does not know the types of fields. `x.count as f64` may read an integer, whose
//! adjoint takes nothing, or an `f32`.

use crate::Differentiable;
use crate::argument::View;

/// A contribution to an adjoint of type `T`.
pub trait Part<T: ?Sized> {
    /// Adds this to `total`.
    fn add_to(&self, total: &mut T);
}

impl<T: Differentiable + ?Sized, U: View<T> + ?Sized> Part<T> for U {
    #[inline]
    #[track_caller]
    fn add_to(&self, total: &mut T) {
        total.accumulate(self.view());
    }
}

impl Part<f32> for f64 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the adjoint of an f32 is an f32")]
    fn add_to(&self, total: &mut f32) {
        *total += *self as f32;
    }
}

impl Part<f64> for f32 {
    #[inline]
    fn add_to(&self, total: &mut f64) {
        *total += f64::from(*self);
    }
}

macro_rules! discrete {
    ($($discrete:ty),*) => {$(
        impl Part<$discrete> for f64 {
            #[inline]
            fn add_to(&self, _: &mut $discrete) {}
        }
        impl Part<$discrete> for f32 {
            #[inline]
            fn add_to(&self, _: &mut $discrete) {}
        }
    )*};
}
discrete!(bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
