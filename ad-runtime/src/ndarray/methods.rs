//! Methods of arrays and their views.

use super::Element;
use crate::__private::{pull, zeros};
use crate::arrays::{Asked, Binary, Mapped, Picked, Unary, name};
use ::ndarray::{
    Array, Array1, Array2, ArrayRef, ArrayRef1, ArrayRef2, Axis, Dimension, Ix1, Ix2, RemoveAxis,
    SliceArg,
};

/// Methods without arguments: what they give, and the adjoint for a seed.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident -> $output:ty: |$this:ident, $seed:ident| $value:expr, $adjoint:expr;)*) => {$(
        impl<T: Element, D: Dimension> Unary<name::$name> for ArrayRef<T, D> {
            type Output = $output;
            #[inline]
            fn value(&self) -> $output {
                let $this = self;
                $value
            }
            $(#[$doc])*
            #[inline]
            fn adjoint(&self, $seed: &$output) -> Array<T, D> {
                let $this = self;
                $adjoint
            }
        }
    )*};
}
unary! {
    /// `y = Σ x`: every adjoint is `y_adj`.
    sum -> T: |x, seed| x.sum(), Array::from_elem(x.raw_dim(), *seed);
    /// `y = Σ x / n`
    mean -> Option<T>: |x, seed| x.mean(), {
        let part = seed.map_or(T::nearest(0.0), |seed| seed / T::nearest(x.len() as f64));
        Array::from_elem(x.raw_dim(), part)
    };
    /// The axes in reverse order, so the adjoint is turned back.
    t -> Array<T, D>: |x, seed| x.t().to_owned(), { let _ = x; seed.t().to_owned() };
    view -> Array<T, D>: |x, seed| x.to_owned(), { let _ = x; seed.clone() };
    to_owned -> Array<T, D>: |x, seed| x.to_owned(), { let _ = x; seed.clone() };
}

impl<T: Element, D: Dimension> Unary<name::product> for ArrayRef<T, D> {
    type Output = T;
    #[inline]
    fn value(&self) -> T {
        self.product()
    }
    /// `y = Π x`: each adjoint is `y_adj` times the product of the other elements.
    fn adjoint(&self, seed: &T) -> Array<T, D> {
        let mut adjoint = Array::from_elem(self.raw_dim(), *seed);
        let mut before = T::nearest(1.0);
        for (part, x) in adjoint.iter_mut().zip(self) {
            *part = pull(*part, before);
            before *= *x;
        }
        // From the end, so that the elements behind each are known; the order of elements does not matter.
        let mut behind = T::nearest(1.0);
        let elements: alloc::vec::Vec<T> = self.iter().copied().collect();
        let mut parts: alloc::vec::Vec<&mut T> = adjoint.iter_mut().collect();
        for (part, x) in parts.iter_mut().zip(&elements).rev() {
            **part = pull(**part, behind);
            behind *= *x;
        }
        adjoint
    }
}

impl<T: Element> Unary<name::diag> for ArrayRef2<T> {
    type Output = Array1<T>;
    #[inline]
    fn value(&self) -> Array1<T> {
        self.diag().to_owned()
    }
    #[inline]
    fn adjoint(&self, seed: &Array1<T>) -> Array2<T> {
        let mut adjoint = zeros(self);
        adjoint.diag_mut().assign(seed);
        adjoint
    }
}

/// Whether every element is exactly 0, so that nothing flows back, whatever infinities it would meet.
fn is_zero<T: Element, D: Dimension>(seed: &Array<T, D>) -> bool {
    seed.iter().all(|seed| *seed == T::nearest(0.0))
}

impl<T: Element> Binary<name::dot, ArrayRef1<T>> for ArrayRef1<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn value(&self, rhs: &Self) -> T {
        self.dot(rhs)
    }
    /// `y = Σ a b`: `a_adj = y_adj b`, `b_adj = y_adj a`.
    #[inline]
    fn adjoint(&self, rhs: &Self, seed: &T) -> Array1<T> {
        rhs.mapv(|b| pull(*seed, b))
    }
    #[inline]
    fn rhs_adjoint(&self, _: &Self, seed: &T) -> Array1<T> {
        self.mapv(|a| pull(*seed, a))
    }
}

/// The matrix of all products `a b`.
fn outer<T: Element>(a: &ArrayRef1<T>, b: &ArrayRef1<T>) -> Array2<T> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| pull(a[i], b[j]))
}

impl<T: Element> Binary<name::dot, ArrayRef1<T>> for ArrayRef2<T> {
    type Output = Array1<T>;
    #[inline]
    #[track_caller]
    fn value(&self, rhs: &ArrayRef1<T>) -> Array1<T> {
        self.dot(rhs)
    }
    /// `y = A x`: `A_adj = y_adj xᵀ`, `x_adj = Aᵀ y_adj`.
    #[inline]
    fn adjoint(&self, rhs: &ArrayRef1<T>, seed: &Array1<T>) -> Array2<T> {
        outer(seed, rhs)
    }
    #[inline]
    fn rhs_adjoint(&self, rhs: &ArrayRef1<T>, seed: &Array1<T>) -> Array1<T> {
        if is_zero(seed) { zeros(rhs) } else { self.t().dot(seed) }
    }
}

impl<T: Element> Binary<name::dot, ArrayRef2<T>> for ArrayRef1<T> {
    type Output = Array1<T>;
    #[inline]
    #[track_caller]
    fn value(&self, rhs: &ArrayRef2<T>) -> Array1<T> {
        self.dot(rhs)
    }
    /// `y = Aᵀ x`: `x_adj = A y_adj`, `A_adj = x y_adjᵀ`.
    #[inline]
    fn adjoint(&self, rhs: &ArrayRef2<T>, seed: &Array1<T>) -> Array1<T> {
        if is_zero(seed) { zeros(self) } else { rhs.dot(seed) }
    }
    #[inline]
    fn rhs_adjoint(&self, _: &ArrayRef2<T>, seed: &Array1<T>) -> Array2<T> {
        outer(self, seed)
    }
}

impl<T: Element> Binary<name::dot, ArrayRef2<T>> for ArrayRef2<T> {
    type Output = Array2<T>;
    #[inline]
    #[track_caller]
    fn value(&self, rhs: &Self) -> Array2<T> {
        self.dot(rhs)
    }
    /// `C = A B`: `A_adj = C_adj Bᵀ`, `B_adj = Aᵀ C_adj`.
    #[inline]
    fn adjoint(&self, rhs: &Self, seed: &Array2<T>) -> Array2<T> {
        if is_zero(seed) { zeros(self) } else { seed.dot(&rhs.t()) }
    }
    #[inline]
    fn rhs_adjoint(&self, rhs: &Self, seed: &Array2<T>) -> Array2<T> {
        if is_zero(seed) { zeros(rhs) } else { self.t().dot(seed) }
    }
}

/// Parts of arrays: the adjoint is 0 outside of the part.
macro_rules! parts {
    ($($name:ident $name_mut:ident;)*) => {$(
        impl<T: Element> Picked<name::$name, usize> for ArrayRef2<T> {
            type Output = Array1<T>;
            #[inline]
            #[track_caller]
            fn value(&self, k: &usize) -> Array1<T> {
                self.$name(*k).to_owned()
            }
            #[inline]
            fn adjoint(&self, k: &usize, seed: &Array1<T>) -> Array2<T> {
                let mut adjoint = zeros(self);
                adjoint.$name_mut(*k).assign(seed);
                adjoint
            }
        }
    )*};
}
parts! {
    row row_mut;
    column column_mut;
}

impl<T, D, I> Picked<name::slice, I> for ArrayRef<T, D>
where
    T: Element,
    D: Dimension,
    I: SliceArg<D>,
{
    type Output = Array<T, I::OutDim>;
    #[inline]
    #[track_caller]
    fn value(&self, info: &I) -> Self::Output {
        self.slice(info).to_owned()
    }
    #[inline]
    fn adjoint(&self, info: &I, seed: &Self::Output) -> Array<T, D> {
        let mut adjoint = zeros(self);
        adjoint.slice_mut(info).assign(seed);
        adjoint
    }
}

impl<T: Element, D: RemoveAxis> Picked<name::sum_axis, Axis> for ArrayRef<T, D> {
    type Output = Array<T, D::Smaller>;
    #[inline]
    #[track_caller]
    fn value(&self, axis: &Axis) -> Self::Output {
        self.sum_axis(*axis)
    }
    #[inline]
    fn adjoint(&self, axis: &Axis, seed: &Self::Output) -> Array<T, D> {
        let mut adjoint = zeros(self);
        for mut part in adjoint.axis_iter_mut(*axis) {
            part.assign(seed);
        }
        adjoint
    }
}

impl<T: Element, D: RemoveAxis> Picked<name::mean_axis, Axis> for ArrayRef<T, D> {
    type Output = Option<Array<T, D::Smaller>>;
    #[inline]
    #[track_caller]
    fn value(&self, axis: &Axis) -> Self::Output {
        self.mean_axis(*axis)
    }
    #[inline]
    fn adjoint(&self, axis: &Axis, seed: &Self::Output) -> Array<T, D> {
        let mut adjoint = zeros(self);
        let len = T::nearest(self.len_of(*axis) as f64);
        for (mut part, seed) in adjoint.axis_iter_mut(*axis).zip(core::iter::repeat(seed)) {
            if let Some(seed) = seed {
                part.assign(seed);
                part.mapv_inplace(|part| part / len);
            }
        }
        adjoint
    }
}

impl<T: Element, D: Dimension> Mapped<name::mapv> for ArrayRef<T, D> {
    type Element = T;
    // In the order of elements, whatever their layout: that of a seed may differ.
    #[inline]
    fn value(&self, mut f: impl FnMut(T) -> T) -> Array<T, D> {
        let mut value = self.to_owned();
        value.iter_mut().for_each(|x| *x = f(*x));
        value
    }
    #[inline]
    fn adjoint(&self, seed: &Array<T, D>, mut f: impl FnMut(T) -> T) -> Array<T, D> {
        let mut adjoint = seed.clone();
        adjoint.iter_mut().for_each(|seed| *seed = f(*seed));
        adjoint
    }
}

impl<T: Element> Asked<name::nrows> for ArrayRef2<T> {
    type Output = usize;
    #[inline]
    fn value(&self) -> usize {
        self.nrows()
    }
}

impl<T: Element> Asked<name::ncols> for ArrayRef2<T> {
    type Output = usize;
    #[inline]
    fn value(&self) -> usize {
        self.ncols()
    }
}

impl<T: Element, D: Dimension> Asked<name::ndim> for ArrayRef<T, D> {
    type Output = usize;
    #[inline]
    fn value(&self) -> usize {
        self.ndim()
    }
}

impl<T: Element> Asked<name::dim> for ArrayRef<T, Ix1> {
    type Output = usize;
    #[inline]
    fn value(&self) -> usize {
        self.dim()
    }
}

impl<T: Element> Asked<name::dim> for ArrayRef<T, Ix2> {
    type Output = (usize, usize);
    #[inline]
    fn value(&self) -> (usize, usize) {
        self.dim()
    }
}
