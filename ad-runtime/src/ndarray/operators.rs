//! Arithmetic operators between arrays and scalars, element by element.
//!
//! Operands whose shapes differ are broadcast, as ndarray does; the adjoint of what was repeated is a sum.

use super::Element;
use crate::__private::pull;
use crate::operator::{Operator, UnaryOperator, marker};
use ::ndarray::{Array, Axis, DimMax, Dimension};

/// The seed of the result of two operands.
type Seed<T, D, E> = Array<T, <D as DimMax<E>>::Output>;

/// The sum over what an operand was repeated for, when it was broadcast to the shape of `seed`.
fn unrepeated<T: Element, D: Dimension, O: Dimension>(
    seed: Array<T, O>,
    operand: &Array<T, D>,
) -> Array<T, D> {
    let mut seed = seed.into_dyn();
    while seed.ndim() > operand.ndim() {
        seed = seed.sum_axis(Axis(0));
    }
    for (axis, len) in operand.shape().iter().enumerate() {
        if seed.shape()[axis] != *len {
            seed = seed.sum_axis(Axis(axis)).insert_axis(Axis(axis));
        }
    }
    seed.into_dimensionality().expect("as many axes are left as the operand has")
}

/// The seed, multiplied by what `partial` makes of the other operand, which may be broadcast.
fn pulled<T: Element, D: Dimension, O: Dimension>(
    seed: &Array<T, O>,
    other: &Array<T, D>,
    partial: impl Fn(T) -> T,
) -> Array<T, O> {
    let mut product = seed.clone();
    product.zip_mut_with(other, |seed, other| *seed = pull(*seed, partial(*other)));
    product
}

/// The sum of all products of elements of equal place, by the strong zero.
fn inner<T: Element, D: Dimension>(seed: &Array<T, D>, partial: &Array<T, D>) -> T {
    let products = seed.iter().zip(partial).map(|(seed, partial)| pull(*seed, *partial));
    products.fold(T::nearest(0.0), |sum, product| sum + product)
}

/// Operators of two arrays, with the adjoints of both.
macro_rules! arrays {
    ($($(#[$doc:meta])* $op:ident: |$a:ident, $b:ident, $seed:ident| $left:expr, $right:expr;)*) => {$(
        impl<T, D, E> Operator<marker::$op, Array<T, E>> for Array<T, D>
        where
            T: Element,
            D: Dimension + DimMax<E>,
            E: Dimension,
        {
            type Output = Seed<T, D, E>;
            $(#[$doc])*
            #[inline]
            fn adjoint(&self, rhs: &Array<T, E>, seed: &Seed<T, D, E>) -> (Self, Array<T, E>) {
                let left = Operator::<marker::$op, Array<T, E>>::left_adjoint(self, rhs, seed);
                (left, Operator::<marker::$op, Array<T, E>>::right_adjoint(self, rhs, seed))
            }
            #[inline]
            fn left_adjoint(&self, $b: &Array<T, E>, $seed: &Seed<T, D, E>) -> Self {
                let $a = self;
                unrepeated($left, $a)
            }
            #[inline]
            fn right_adjoint(&self, $b: &Array<T, E>, $seed: &Seed<T, D, E>) -> Array<T, E> {
                let $a = self;
                unrepeated($right, $b)
            }
        }
    )*};
}
arrays! {
    /// `c = a + b`: both adjoints are `c_adj`.
    Add: |a, b, seed| { let _ = b; seed.clone() }, { let _ = a; seed.clone() };
    /// `c = a - b`: `a_adj = c_adj`, `b_adj = -c_adj`.
    Sub: |a, b, seed| { let _ = b; seed.clone() }, { let _ = a; seed.mapv(|seed| -seed) };
    /// `c = a b`: `a_adj = c_adj b`, `b_adj = c_adj a`.
    Mul: |a, b, seed| pulled(seed, b, |b| b), pulled(seed, a, |a| a);
    /// `c = a / b`: `a_adj = c_adj / b`, `b_adj = -c_adj a / b²`.
    Div: |a, b, seed|
        pulled(seed, b, |b| T::nearest(1.0) / b),
        pulled(&pulled(seed, a, |a| -a), b, |b| T::nearest(1.0) / (b * b));
}

impl<T: Element, D: Dimension> UnaryOperator<marker::Neg> for Array<T, D> {
    type Output = Self;
    #[inline]
    fn adjoint(&self, seed: &Self) -> Self {
        seed.mapv(|seed| -seed)
    }
}

/// Operators with a scalar on the right, with the adjoints of the array and of the scalar.
macro_rules! scalar_on_the_right {
    ($($op:ident: |$a:ident, $s:ident, $seed:ident| $left:expr, $right:expr;)*) => {$(
        impl<T: Element, D: Dimension> Operator<marker::$op, T> for Array<T, D> {
            type Output = Self;
            #[inline]
            fn adjoint(&self, rhs: &T, seed: &Self) -> (Self, T) {
                let left = Operator::<marker::$op, T>::left_adjoint(self, rhs, seed);
                (left, Operator::<marker::$op, T>::right_adjoint(self, rhs, seed))
            }
            #[inline]
            fn left_adjoint(&self, rhs: &T, $seed: &Self) -> Self {
                let $s = *rhs;
                let _ = $s;
                $left
            }
            #[inline]
            fn right_adjoint(&self, rhs: &T, $seed: &Self) -> T {
                let ($a, $s) = (self, *rhs);
                let _ = ($a, $s);
                $right
            }
        }
    )*};
}
scalar_on_the_right! {
    Add: |a, s, seed| seed.clone(), seed.sum();
    Sub: |a, s, seed| seed.clone(), -seed.sum();
    Mul: |a, s, seed| seed.mapv(|seed| pull(seed, s)), inner(seed, a);
    Div: |a, s, seed|
        seed.mapv(|seed| pull(seed, T::nearest(1.0) / s)),
        pull(-inner(seed, a), T::nearest(1.0) / (s * s));
}

/// Operators with a scalar on the left.
macro_rules! scalar_on_the_left {
    ($real:ty: $($op:ident: |$s:ident, $a:ident, $seed:ident| $left:expr, $right:expr;)*) => {$(
        impl<D: Dimension> Operator<marker::$op, Array<$real, D>> for $real {
            type Output = Array<$real, D>;
            #[inline]
            fn adjoint(
                &self,
                rhs: &Array<$real, D>,
                seed: &Array<$real, D>,
            ) -> ($real, Array<$real, D>) {
                let left = Operator::<marker::$op, _>::left_adjoint(self, rhs, seed);
                (left, Operator::<marker::$op, _>::right_adjoint(self, rhs, seed))
            }
            #[inline]
            fn left_adjoint(&self, $a: &Array<$real, D>, $seed: &Array<$real, D>) -> $real {
                let _ = $a;
                $left
            }
            #[inline]
            fn right_adjoint(&self, $a: &Array<$real, D>, $seed: &Array<$real, D>) -> Array<$real, D> {
                let $s = *self;
                let _ = ($a, $s);
                $right
            }
        }
    )*};
}
macro_rules! scalars_on_the_left {
    ($($real:ty),*) => {$(
        scalar_on_the_left! { $real:
            Add: |s, a, seed| seed.sum(), seed.clone();
            Sub: |s, a, seed| seed.sum(), -seed;
            Mul: |s, a, seed| inner(seed, a), seed.mapv(|seed| pull(seed, s));
            Div: |s, a, seed|
                inner(seed, &a.mapv(|a| 1.0 / a)),
                pulled(seed, a, |a| -s / (a * a));
        }
    )*};
}
scalars_on_the_left!(f32, f64);
