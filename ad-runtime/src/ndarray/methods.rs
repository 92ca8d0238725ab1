//! Methods of arrays and their views.

use super::Element;
use crate::__private::{pull, zeros};
use crate::Differentiable;
use crate::arrays::{Asked, Binary, Mapped, Picked, Unary, name};
use ::ndarray::linalg::general_mat_mul;
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

/// Adds all products `a b`, row by row.
fn add_outer<T: Element>(total: &mut ArrayRef2<T>, a: &ArrayRef1<T>, b: &ArrayRef1<T>) {
    for (mut row, a) in total.rows_mut().into_iter().zip(a) {
        row.zip_mut_with(b, |total, b| *total += pull(*a, *b));
    }
}

/// The adjoints of a product, as sums into the adjoints of its operands.
macro_rules! product {
    ($left:ident, $right:ident, $output:ident; $(#[$doc:meta])*
        |$a:ident, $b:ident, $seed:ident, $total:ident| $add:expr, $add_rhs:expr) => {
        impl<T: Element> Binary<name::dot, $right<T>> for $left<T> {
            type Output = $output<T>;
            #[inline]
            #[track_caller]
            fn value(&self, rhs: &$right<T>) -> $output<T> {
                self.dot(rhs)
            }
            fn adjoint(&self, rhs: &$right<T>, seed: &$output<T>) -> Self::Owned {
                let mut adjoint = zeros(self);
                Binary::<name::dot, _>::add_adjoint(self, rhs, seed, &mut *adjoint);
                adjoint
            }
            fn rhs_adjoint(
                &self,
                rhs: &$right<T>,
                seed: &$output<T>,
            ) -> <$right<T> as Differentiable>::Owned {
                let mut adjoint = zeros(rhs);
                Binary::<name::dot, _>::add_rhs_adjoint(self, rhs, seed, &mut *adjoint);
                adjoint
            }
            $(#[$doc])*
            #[inline]
            fn add_adjoint(&self, $b: &$right<T>, $seed: &$output<T>, $total: &mut Self) {
                let $a = self;
                let _ = $a;
                if !is_zero($seed) {
                    $add
                }
            }
            #[inline]
            fn add_rhs_adjoint(&self, $b: &$right<T>, $seed: &$output<T>, $total: &mut $right<T>) {
                let $a = self;
                let _ = $b;
                if !is_zero($seed) {
                    $add_rhs
                }
            }
        }
    };
}

product! {
    ArrayRef2, ArrayRef1, Array1;
    /// `y = A x`: `A_adj = y_adj xᵀ`, `x_adj = Aᵀ y_adj`.
    |a, x, seed, total| add_outer(total, seed, x), add_transposed(total, a, seed)
}

product! {
    ArrayRef1, ArrayRef2, Array1;
    /// `y = Aᵀ x`: `x_adj = A y_adj`, `A_adj = x y_adjᵀ`.
    |x, a, seed, total| total.scaled_add(T::nearest(1.0), &a.dot(seed)), add_outer(total, x, seed)
}

product! {
    ArrayRef2, ArrayRef2, Array2;
    /// `C = A B`: `A_adj = C_adj Bᵀ`, `B_adj = Aᵀ C_adj`.
    |a, b, seed, total|
        general_mat_mul(T::nearest(1.0), seed, &b.t(), T::nearest(1.0), total),
        general_mat_mul(T::nearest(1.0), &a.t(), seed, T::nearest(1.0), total)
}

/// Adds `Aᵀ y`, along the rows of `A` if these are together in memory.
fn add_transposed<T: Element>(total: &mut ArrayRef1<T>, a: &ArrayRef2<T>, y: &ArrayRef1<T>) {
    if a.strides()[0].abs() < a.strides()[1].abs() {
        return total.scaled_add(T::nearest(1.0), &a.t().dot(y));
    }
    for (row, y) in a.rows().into_iter().zip(y) {
        total.scaled_add(*y, &row);
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
            fn add_adjoint(&self, k: &usize, seed: &Array1<T>, total: &mut Self) {
                let mut part = total.$name_mut(*k);
                part += seed;
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
    fn add_adjoint(&self, info: &I, seed: &Self::Output, total: &mut Self) {
        total.slice_mut(info).zip_mut_with(seed, |total, seed| *total += *seed);
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
    fn add_adjoint(&self, axis: &Axis, seed: &Self::Output, total: &mut Self) {
        for mut part in total.axis_iter_mut(*axis) {
            part.zip_mut_with(seed, |total, seed| *total += *seed);
        }
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
    fn add_adjoint(&self, axis: &Axis, seed: &Self::Output, total: &mut Self) {
        let len = T::nearest(self.len_of(*axis) as f64);
        let Some(seed) = seed else { return };
        for mut part in total.axis_iter_mut(*axis) {
            part.zip_mut_with(seed, |total, seed| *total += *seed / len);
        }
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
