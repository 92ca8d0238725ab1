//! Adjoints of arrays have their types and shapes.

use super::Element;
use crate::Differentiable;
use crate::argument::View;
use crate::arrays::{Foreign, ForeignMut};
use ::ndarray::{Array, ArrayBase, ArrayRef, Data, DataMut, Dimension};
use alloc::format;
use alloc::string::String;

impl<T: Element, D: Dimension> Differentiable for ArrayRef<T, D> {
    type Owned = Array<T, D>;

    #[inline]
    fn zeros_like(&self) -> Array<T, D> {
        Array::from_elem(self.raw_dim(), T::nearest(0.0))
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
        self.zip_mut_with(other, |total, part| *total += *part);
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        if let Some(found) = self.shape_difference(other) {
            panic!("the inner product of arrays of different shapes: {found}");
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
        (self.shape() != other.shape())
            .then(|| format!("the shape {:?}, not {:?}", other.shape(), self.shape()))
    }
}

impl<T: Element, D: Dimension> Differentiable for Array<T, D> {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        (**self).zeros_like()
    }

    #[inline]
    fn set_zero(&mut self) {
        (**self).set_zero();
    }

    #[inline]
    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        (**self).accumulate(other);
    }

    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        Differentiable::inner_product(&**self, &**other)
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        (**self).for_each_real(visit);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        (**self).shape_difference(other)
    }
}

fn wide<T: Element>(entry: T) -> f64 {
    entry.to_f64().expect("a real scalar is an f64")
}

impl<T: Element, D: Dimension> Foreign for ArrayRef<T, D> {
    type Core = Self;
    #[inline]
    fn core(&self) -> &Self {
        self
    }
}

impl<T: Element, D: Dimension> ForeignMut for ArrayRef<T, D> {
    #[inline]
    fn core_mut(&mut self) -> &mut Self {
        self
    }
}

impl<T: Element, D: Dimension, S: Data<Elem = T>> Foreign for ArrayBase<S, D> {
    type Core = ArrayRef<T, D>;
    #[inline]
    fn core(&self) -> &ArrayRef<T, D> {
        self
    }
}

impl<T: Element, D: Dimension, S: DataMut<Elem = T>> ForeignMut for ArrayBase<S, D> {
    #[inline]
    fn core_mut(&mut self) -> &mut ArrayRef<T, D> {
        self
    }
}

impl<T, D: Dimension> View<ArrayRef<T, D>> for Array<T, D> {
    #[inline]
    fn view(&self) -> &ArrayRef<T, D> {
        self
    }
    #[inline]
    fn view_mut(&mut self) -> &mut ArrayRef<T, D> {
        self
    }
}
