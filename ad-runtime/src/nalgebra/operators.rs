//! Arithmetic operators between matrices, vectors and scalars.

use super::Element;
use crate::__private::{pull, zeros};
use crate::operator::{Operator, UnaryOperator, marker};
use ::nalgebra::allocator::Allocator;
use ::nalgebra::constraint::{SameNumberOfRows, ShapeConstraint};
use ::nalgebra::{DefaultAllocator, Dim, OMatrix};

/// Whether every element is exactly 0.
pub(super) fn is_zero<T: Element, R: Dim, C: Dim>(matrix: &OMatrix<T, R, C>) -> bool
where
    DefaultAllocator: Allocator<R, C>,
{
    matrix.iter().all(|x| *x == T::nearest(0.0))
}

/// The matrix with every element multiplied, by the strong zero.
pub(super) fn pulled<T: Element, R: Dim, C: Dim>(
    seed: &OMatrix<T, R, C>,
    partial: T,
) -> OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    seed.map(|seed| pull(seed, partial))
}

/// The sum of all products of elements of equal place, by the strong zero.
pub(super) fn inner<T: Element, R: Dim, C: Dim>(
    seed: &OMatrix<T, R, C>,
    partial: &OMatrix<T, R, C>,
) -> T
where
    DefaultAllocator: Allocator<R, C>,
{
    let products = seed.iter().zip(partial.iter()).map(|(seed, partial)| pull(*seed, *partial));
    products.fold(T::nearest(0.0), |sum, product| sum + product)
}

impl<T: Element, R: Dim, C: Dim> Operator<marker::Add, OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;
    /// `c = a + b`: both adjoints are `c_adj`.
    #[inline]
    fn adjoint(&self, _: &Self, seed: &Self) -> (Self, Self) {
        (seed.clone(), seed.clone())
    }
}

impl<T: Element, R: Dim, C: Dim> Operator<marker::Sub, OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;
    /// `c = a - b`: `a_adj = c_adj`, `b_adj = -c_adj`.
    #[inline]
    fn adjoint(&self, _: &Self, seed: &Self) -> (Self, Self) {
        (seed.clone(), -seed)
    }
}

impl<T: Element, R: Dim, C: Dim> UnaryOperator<marker::Neg> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;
    #[inline]
    fn adjoint(&self, seed: &Self) -> Self {
        -seed
    }
}

impl<T: Element, R: Dim, K: Dim, C: Dim> Operator<marker::Mul, OMatrix<T, K, C>>
    for OMatrix<T, R, K>
where
    DefaultAllocator: Allocator<R, K> + Allocator<K, C> + Allocator<R, C>,
    DefaultAllocator: Allocator<K, R> + Allocator<C, K>,
    ShapeConstraint: SameNumberOfRows<R, R>,
{
    type Output = OMatrix<T, R, C>;
    /// `C = A B`: `A_adj = C_adj Bᵀ`, `B_adj = Aᵀ C_adj`.
    #[inline]
    fn adjoint(&self, rhs: &OMatrix<T, K, C>, seed: &Self::Output) -> (Self, OMatrix<T, K, C>) {
        (self.left_adjoint(rhs, seed), self.right_adjoint(rhs, seed))
    }
    #[inline]
    fn left_adjoint(&self, rhs: &OMatrix<T, K, C>, seed: &Self::Output) -> Self {
        if is_zero(seed) { zeros(self) } else { seed * rhs.transpose() }
    }
    #[inline]
    fn right_adjoint(&self, rhs: &OMatrix<T, K, C>, seed: &Self::Output) -> OMatrix<T, K, C> {
        match seed.ncols() {
            _ if is_zero(seed) => zeros(rhs),
            // Without a transposed copy of the matrix.
            1 => self.tr_mul(seed),
            _ => self.transpose() * seed,
        }
    }
}

impl<T: Element, R: Dim, C: Dim> Operator<marker::Mul, T> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;
    /// `C = A s`: `A_adj = C_adj s`, `s_adj = Σ C_adj A`.
    #[inline]
    fn adjoint(&self, rhs: &T, seed: &Self) -> (Self, T) {
        (pulled(seed, *rhs), inner(seed, self))
    }
}

impl<T: Element, R: Dim, C: Dim> Operator<marker::Div, T> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;
    /// `C = A / s`: `A_adj = C_adj / s`, `s_adj = -Σ C_adj A / s²`.
    #[inline]
    fn adjoint(&self, rhs: &T, seed: &Self) -> (Self, T) {
        let slope = T::nearest(1.0) / *rhs;
        (pulled(seed, slope), pull(-pull(inner(seed, self), slope), slope))
    }
}

macro_rules! scalar_on_the_left {
    ($($real:ty),*) => {$(
        impl<R: Dim, C: Dim> Operator<marker::Mul, OMatrix<$real, R, C>> for $real
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = OMatrix<$real, R, C>;
            #[inline]
            fn adjoint(
                &self,
                rhs: &OMatrix<$real, R, C>,
                seed: &OMatrix<$real, R, C>,
            ) -> ($real, OMatrix<$real, R, C>) {
                (inner(seed, rhs), pulled(seed, *self))
            }
        }
    )*};
}
scalar_on_the_left!(f32, f64);
