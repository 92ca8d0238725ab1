//! Vectors and matrices of numbers: `Vector3::new(x, y, z)`, `DVector::from_vec(numbers)`.
//!
//! A caller writes `Vector3::new_vjp(…)` and `Vector3::new_reverse(…)`, as for a function of the user.

use super::Element;
use super::operators::inner;
use crate::argument::ConstantInCallee;
use crate::policy::AnyPolicy;
use ::nalgebra::{
    DMatrix, DVector, Matrix2, Matrix2x3, Matrix3, Matrix3x2, Matrix4, RowVector2, RowVector3,
    RowVector4, Vector2, Vector3, Vector4, Vector5, Vector6,
};
use alloc::vec::Vec;

macro_rules! new {
    ($($type:ident $new:ident: $($part:ident $at:expr),*;)*) => {$(
        #[doc = concat!("`", stringify!($type), "::new`")]
        pub trait $new<T>: Sized {
            /// The value.
            #[allow(clippy::too_many_arguments, reason = "as many as the matrix has elements")]
            fn new_vjp(policy: &dyn AnyPolicy, $($part: T),*) -> (Self, ());
            /// The adjoints of the elements.
            fn new_reverse(record: (), seed: Self) -> ($(new!(@ty $part T)),*);
        }

        impl<T: Element> $new<T> for $type<T> {
            #[inline]
            fn new_vjp(_: &dyn AnyPolicy, $($part: T),*) -> (Self, ()) {
                (Self::new($($part),*), ())
            }
            #[inline]
            fn new_reverse((): (), seed: Self) -> ($(new!(@ty $part T)),*) {
                ($(seed[$at]),*)
            }
        }
    )*};
    (@ty $part:ident $ty:ident) => { $ty };
}
new! {
    Vector2 NewVector2: a 0, b 1;
    Vector3 NewVector3: a 0, b 1, c 2;
    Vector4 NewVector4: a 0, b 1, c 2, d 3;
    Vector5 NewVector5: a 0, b 1, c 2, d 3, e 4;
    Vector6 NewVector6: a 0, b 1, c 2, d 3, e 4, f 5;
    RowVector2 NewRowVector2: a 0, b 1;
    RowVector3 NewRowVector3: a 0, b 1, c 2;
    RowVector4 NewRowVector4: a 0, b 1, c 2, d 3;
    Matrix2 NewMatrix2: a (0, 0), b (0, 1), c (1, 0), d (1, 1);
    Matrix2x3 NewMatrix2x3: a (0, 0), b (0, 1), c (0, 2), d (1, 0), e (1, 1), f (1, 2);
    Matrix3x2 NewMatrix3x2: a (0, 0), b (0, 1), c (1, 0), d (1, 1), e (2, 0), f (2, 1);
    Matrix3 NewMatrix3: a (0, 0), b (0, 1), c (0, 2), d (1, 0), e (1, 1), f (1, 2),
        g (2, 0), h (2, 1), i (2, 2);
    Matrix4 NewMatrix4: a (0, 0), b (0, 1), c (0, 2), d (0, 3), e (1, 0), f (1, 1), g (1, 2), h (1, 3),
        i (2, 0), j (2, 1), k (2, 2), l (2, 3), m (3, 0), n (3, 1), o (3, 2), p (3, 3);
}

/// `DVector::from_vec`
pub trait VectorFromVec<T>: Sized {
    /// The value.
    fn from_vec_vjp(policy: &dyn AnyPolicy, numbers: Vec<T>) -> (Self, ());
    /// The adjoint of the numbers.
    fn from_vec_reverse(record: (), seed: Self) -> Vec<T>;
    /// The value.
    fn from_element_vjp(policy: &dyn AnyPolicy, len: usize, number: T) -> (Self, ());
    /// The adjoint of the number.
    fn from_element_reverse(record: (), seed: Self) -> (ConstantInCallee, T);
}

impl<T: Element> VectorFromVec<T> for DVector<T> {
    #[inline]
    fn from_vec_vjp(_: &dyn AnyPolicy, numbers: Vec<T>) -> (Self, ()) {
        (DVector::from_vec(numbers), ())
    }
    #[inline]
    fn from_vec_reverse((): (), seed: Self) -> Vec<T> {
        seed.data.into()
    }
    #[inline]
    fn from_element_vjp(_: &dyn AnyPolicy, len: usize, number: T) -> (Self, ()) {
        (DVector::from_element(len, number), ())
    }
    #[inline]
    fn from_element_reverse((): (), seed: Self) -> (ConstantInCallee, T) {
        (ConstantInCallee, seed.sum())
    }
}

/// `DMatrix::from_vec`
pub trait MatrixFromVec<T>: Sized {
    /// The value.
    fn from_vec_vjp(
        policy: &dyn AnyPolicy,
        rows: usize,
        columns: usize,
        numbers: Vec<T>,
    ) -> (Self, ());
    /// The adjoint of the numbers.
    fn from_vec_reverse(record: (), seed: Self) -> (ConstantInCallee, ConstantInCallee, Vec<T>);
    /// The value.
    fn from_element_vjp(
        policy: &dyn AnyPolicy,
        rows: usize,
        columns: usize,
        number: T,
    ) -> (Self, ());
    /// The adjoint of the number.
    fn from_element_reverse(record: (), seed: Self) -> (ConstantInCallee, ConstantInCallee, T);
}

impl<T: Element> MatrixFromVec<T> for DMatrix<T> {
    #[inline]
    fn from_vec_vjp(_: &dyn AnyPolicy, rows: usize, columns: usize, numbers: Vec<T>) -> (Self, ()) {
        (DMatrix::from_vec(rows, columns, numbers), ())
    }
    #[inline]
    fn from_vec_reverse((): (), seed: Self) -> (ConstantInCallee, ConstantInCallee, Vec<T>) {
        (ConstantInCallee, ConstantInCallee, seed.data.into())
    }
    #[inline]
    fn from_element_vjp(_: &dyn AnyPolicy, rows: usize, columns: usize, number: T) -> (Self, ()) {
        (DMatrix::from_element(rows, columns, number), ())
    }
    #[inline]
    fn from_element_reverse((): (), seed: Self) -> (ConstantInCallee, ConstantInCallee, T) {
        (ConstantInCallee, ConstantInCallee, seed.sum())
    }
}

macro_rules! diagonal {
    ($($type:ident of $vector:ident: $trait:ident;)*) => {$(
        #[doc = concat!("`", stringify!($type), "::from_diagonal`")]
        pub trait $trait<T>: Sized {
            /// The value.
            fn from_diagonal_element_vjp(policy: &dyn AnyPolicy, number: T) -> (Self, ());
            /// The adjoint of the number.
            fn from_diagonal_element_reverse(record: (), seed: Self) -> T;
        }

        impl<T: Element> $trait<T> for $type<T> {
            #[inline]
            fn from_diagonal_element_vjp(_: &dyn AnyPolicy, number: T) -> (Self, ()) {
                (Self::from_diagonal_element(number), ())
            }
            #[inline]
            fn from_diagonal_element_reverse((): (), seed: Self) -> T {
                inner(&seed, &Self::identity())
            }
        }
    )*};
}
diagonal! {
    Matrix2 of Vector2: DiagonalMatrix2;
    Matrix3 of Vector3: DiagonalMatrix3;
    Matrix4 of Vector4: DiagonalMatrix4;
}
