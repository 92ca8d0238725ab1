//! Arrays of numbers: `Array1::from_vec(numbers)`, `Array2::from_elem((m, n), number)`.
//!
//! A caller writes `Array1::from_vec_vjp(…)` and `Array1::from_vec_reverse(…)`, as for a function of the user.

use super::Element;
use crate::argument::ConstantInCallee;
use crate::policy::AnyPolicy;
use ::ndarray::{Array, Array1, Dimension, ShapeBuilder};
use alloc::vec::Vec;

/// `Array1::from_vec`
pub trait ArrayFromVec<T>: Sized {
    /// The value.
    fn from_vec_vjp(policy: &dyn AnyPolicy, numbers: Vec<T>) -> (Self, ());
    /// The adjoint of the numbers.
    fn from_vec_reverse(record: (), seed: Self) -> Vec<T>;
}

impl<T: Element> ArrayFromVec<T> for Array1<T> {
    #[inline]
    fn from_vec_vjp(_: &dyn AnyPolicy, numbers: Vec<T>) -> (Self, ()) {
        (Array1::from_vec(numbers), ())
    }
    #[inline]
    fn from_vec_reverse((): (), seed: Self) -> Vec<T> {
        seed.to_vec()
    }
}

/// `Array::from_elem`
pub trait ArrayFromElem<T, D>: Sized {
    /// The value.
    fn from_elem_vjp<S: ShapeBuilder<Dim = D>>(
        policy: &dyn AnyPolicy,
        shape: S,
        number: T,
    ) -> (Self, ());
    /// The adjoint of the number.
    fn from_elem_reverse(record: (), seed: Self) -> (ConstantInCallee, T);
}

impl<T: Element, D: Dimension> ArrayFromElem<T, D> for Array<T, D> {
    #[inline]
    fn from_elem_vjp<S: ShapeBuilder<Dim = D>>(
        _: &dyn AnyPolicy,
        shape: S,
        number: T,
    ) -> (Self, ()) {
        (Array::from_elem(shape, number), ())
    }
    #[inline]
    fn from_elem_reverse((): (), seed: Self) -> (ConstantInCallee, T) {
        (ConstantInCallee, seed.sum())
    }
}
