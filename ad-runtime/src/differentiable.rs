//! Types that have adjoints and tangents of their own type and shape.

use alloc::{format, string::String, vec::Vec};
use core::borrow::BorrowMut;

/// A type whose adjoint has its own type and shape.
///
/// Implemented for `f32`, `f64`, integers and `bool` (which carry no derivative and ride along
/// unchanged), tuples, arrays, slices and `Vec`.
///
/// ```
/// use ad_runtime::Differentiable;
///
/// let weights = vec![[1.0, 2.0], [3.0, 4.0]];
/// let mut adjoint = weights.zeros_like();
/// adjoint.accumulate(&vec![[0.5, 0.0], [0.0, 0.25]]);
/// adjoint.accumulate(&vec![[0.5, 0.0], [0.0, 0.25]]);
/// assert_eq!(adjoint, vec![[1.0, 0.0], [0.0, 0.5]]);
/// adjoint.set_zero();
/// assert_eq!(adjoint, weights.zeros_like());
/// ```
pub trait Differentiable {
    /// The owned form: `Self`, except `Vec<T>` for `[T]`.
    type Owned: BorrowMut<Self>;

    /// A value of the same shape whose real parts are 0; other parts are copied.
    fn zeros_like(&self) -> Self::Owned;

    /// Sets every real part to 0.
    fn set_zero(&mut self);

    /// Adds the real parts of `other` to those of `self`.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    fn accumulate(&mut self, other: &Self);

    /// Says how the shape of `other` differs from that of `self`, if it does.
    fn shape_difference(&self, other: &Self) -> Option<String>;
}

macro_rules! real {
    ($($real:ty),*) => {$(
        impl Differentiable for $real {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                0.0
            }
            #[inline]
            fn set_zero(&mut self) {
                *self = 0.0;
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                *self += other;
            }
            #[inline]
            fn shape_difference(&self, _: &Self) -> Option<String> {
                None
            }
        }
    )*};
}
real!(f32, f64);

macro_rules! discrete {
    ($($discrete:ty),*) => {$(
        impl Differentiable for $discrete {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                *self
            }
            #[inline]
            fn set_zero(&mut self) {}
            #[inline]
            fn accumulate(&mut self, _: &Self) {}
            #[inline]
            fn shape_difference(&self, _: &Self) -> Option<String> {
                None
            }
        }
    )*};
}
discrete!((), bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl<T: Differentiable<Owned = T>> Differentiable for [T] {
    type Owned = Vec<T>;

    fn zeros_like(&self) -> Vec<T> {
        self.iter().map(T::zeros_like).collect()
    }

    fn set_zero(&mut self) {
        self.iter_mut().for_each(T::set_zero);
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        assert_eq!(
            self.len(),
            other.len(),
            "an adjoint of {} elements cannot be added to one of {}",
            other.len(),
            self.len()
        );
        for (total, part) in self.iter_mut().zip(other) {
            total.accumulate(part);
        }
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        if self.len() != other.len() {
            return Some(format!("{} elements, not {}", other.len(), self.len()));
        }
        let mut pairs = self.iter().zip(other).enumerate();
        pairs.find_map(|(k, (a, b))| Some(format!("at [{k}]: {}", a.shape_difference(b)?)))
    }
}

impl<T: Differentiable<Owned = T>, const N: usize> Differentiable for [T; N] {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        core::array::from_fn(|k| self[k].zeros_like())
    }

    #[inline]
    fn set_zero(&mut self) {
        self.as_mut_slice().set_zero();
    }

    #[inline]
    fn accumulate(&mut self, other: &Self) {
        for (total, part) in self.iter_mut().zip(other) {
            total.accumulate(part);
        }
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        self.as_slice().shape_difference(other)
    }
}

impl<T: Differentiable<Owned = T>> Differentiable for Vec<T> {
    type Owned = Self;

    fn zeros_like(&self) -> Self {
        self.as_slice().zeros_like()
    }

    fn set_zero(&mut self) {
        self.as_mut_slice().set_zero();
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        self.as_mut_slice().accumulate(other);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        self.as_slice().shape_difference(other)
    }
}

macro_rules! tuple {
    ($($part:ident $index:tt),+) => {
        impl<$($part: Differentiable<Owned = $part>),+> Differentiable for ($($part,)+) {
            type Owned = Self;
            #[inline]
            fn zeros_like(&self) -> Self {
                ($(self.$index.zeros_like(),)+)
            }
            #[inline]
            fn set_zero(&mut self) {
                $(self.$index.set_zero();)+
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                $(self.$index.accumulate(&other.$index);)+
            }
            fn shape_difference(&self, other: &Self) -> Option<String> {
                $(
                    if let Some(found) = self.$index.shape_difference(&other.$index) {
                        return Some(format!("at .{}: {found}", $index));
                    }
                )+
                None
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
