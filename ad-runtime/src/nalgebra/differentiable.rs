//! Adjoints of matrices have their types and shapes.

use super::Element;
use crate::Differentiable;
use crate::arrays::{Foreign, ForeignMut};
use ::nalgebra::allocator::Allocator;
use ::nalgebra::{DefaultAllocator, Dim, OMatrix};
use alloc::format;
use alloc::string::String;

impl<T: Element, R: Dim, C: Dim> Differentiable for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        let (rows, columns) = self.shape_generic();
        Self::from_element_generic(rows, columns, T::nearest(0.0))
    }

    #[inline]
    fn set_zero(&mut self) {
        self.fill(T::nearest(0.0));
    }

    #[inline]
    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        if let Some(found) = self.shape_difference(other) {
            panic!("an adjoint cannot be added to one of another shape: {found}");
        }
        for (total, part) in self.iter_mut().zip(other.iter()) {
            *total += *part;
        }
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        if let Some(found) = self.shape_difference(other) {
            panic!("the inner product of matrices of different shapes: {found}");
        }
        self.iter().zip(other.iter()).map(|(a, b)| wide(*a) * wide(*b)).sum()
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        for entry in self.iter_mut() {
            let mut value = wide(*entry);
            visit(&mut value);
            *entry = T::nearest(value);
        }
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        let ((rows, columns), (other_rows, other_columns)) = (self.shape(), other.shape());
        (self.shape() != other.shape())
            .then(|| format!("{other_rows} × {other_columns} elements, not {rows} × {columns}"))
    }
}

impl<T: Element, R: Dim, C: Dim> Foreign for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Core = Self;
    #[inline]
    fn core(&self) -> &Self {
        self
    }
}

impl<T: Element, R: Dim, C: Dim> ForeignMut for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    #[inline]
    fn core_mut(&mut self) -> &mut Self {
        self
    }
}

fn wide<T: Element>(entry: T) -> f64 {
    num_traits::ToPrimitive::to_f64(&entry).expect("a real scalar is an f64")
}
