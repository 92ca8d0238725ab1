//! Methods of matrices and vectors.

use super::Element;
use super::operators::{inner, is_zero};
use crate::__private::{pull, zeros};
use crate::arrays::{Asked, Binary, Mapped, Picked, Unary, name};
use ::nalgebra::allocator::Allocator;
use ::nalgebra::constraint::{DimEq, SameNumberOfColumns, SameNumberOfRows, ShapeConstraint};
use ::nalgebra::{DefaultAllocator, Dim, OMatrix, OVector, U1, Vector3};

/// Methods of all matrices: what they give, and the adjoint for a seed.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident -> $output:ty: |$this:ident, $seed:ident| $adjoint:expr;)*) => {$(
        impl<T: Element, R: Dim, C: Dim> Unary<name::$name> for OMatrix<T, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = $output;
            #[inline]
            #[track_caller]
            fn value(&self) -> $output {
                self.$name()
            }
            $(#[$doc])*
            #[inline]
            fn adjoint(&self, seed: &$output) -> Self {
                let ($this, $seed) = (self, seed);
                $adjoint
            }
        }
    )*};
}
unary! {
    /// `y = Σ x`: every adjoint is `y_adj`.
    sum -> T: |x, seed| x.map(|_| *seed);
    /// `y = Σ x / n`
    mean -> T: |x, seed| {
        let part = *seed / T::nearest(x.len() as f64);
        x.map(|_| part)
    };
    /// `y = √Σ x²`: `x_adj = y_adj x / y`, and 0 where `y` is.
    norm -> T: |x, seed| direction(x, *seed);
    /// The same as `norm`.
    magnitude -> T: |x, seed| direction(x, *seed);
    /// `y = Σ x²`: `x_adj = 2 y_adj x`
    norm_squared -> T: |x, seed| x.map(|x| pull(*seed, x + x));
    /// The same as `norm_squared`.
    magnitude_squared -> T: |x, seed| x.map(|x| pull(*seed, x + x));
    /// `y = x / |x|`: `x_adj = (y_adj - y ⟨y, y_adj⟩) / |x|`
    normalize -> Self: |x, seed| {
        let (slope, y) = (T::nearest(1.0) / x.norm(), x.normalize());
        let along = inner(seed, &y);
        seed.zip_map(&y, |seed, y| pull(seed - pull(along, y), slope))
    };
}

/// The adjoint of a norm; at the origin, its minimum, the derivative is 0.
fn direction<T: Element, R: Dim, C: Dim>(x: &OMatrix<T, R, C>, seed: T) -> OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    let norm = x.norm();
    if norm == T::nearest(0.0) { zeros(x) } else { x.map(|x| pull(seed, x / norm)) }
}

impl<T: Element, R: Dim, C: Dim> Unary<name::transpose> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
{
    type Output = OMatrix<T, C, R>;
    #[inline]
    fn value(&self) -> Self::Output {
        self.transpose()
    }
    #[inline]
    fn adjoint(&self, seed: &Self::Output) -> Self {
        seed.transpose()
    }
}

impl<T: Element, D: Dim> Unary<name::trace> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = T;
    #[inline]
    #[track_caller]
    fn value(&self) -> T {
        self.trace()
    }
    #[inline]
    fn adjoint(&self, seed: &T) -> Self {
        let mut adjoint = zeros(self);
        adjoint.fill_diagonal(*seed);
        adjoint
    }
}

impl<T: Element, D: Dim> Unary<name::diagonal> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
    ShapeConstraint: ::nalgebra::constraint::DimEq<D, D>,
{
    type Output = OVector<T, D>;
    #[inline]
    #[track_caller]
    fn value(&self) -> Self::Output {
        let (size, _) = self.shape_generic();
        OVector::from_fn_generic(size, U1, |k, _| self[(k, k)])
    }
    #[inline]
    fn adjoint(&self, seed: &Self::Output) -> Self {
        let mut adjoint = zeros(self);
        for k in 0..seed.len() {
            adjoint[(k, k)] = seed[k];
        }
        adjoint
    }
}

/// Methods of two matrices of equal shape, with the adjoints of both.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident -> $output:ty: |$a:ident, $b:ident, $seed:ident|
        $value:expr, $adjoint:expr, $rhs_adjoint:expr;)*) => {$(
        impl<T: Element, R: Dim, C: Dim> Binary<name::$name, OMatrix<T, R, C>> for OMatrix<T, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
            ShapeConstraint: SameNumberOfRows<R, R> + SameNumberOfColumns<C, C>,
            ShapeConstraint: DimEq<R, R> + DimEq<C, C>,
        {
            type Output = $output;
            #[inline]
            #[track_caller]
            fn value(&self, $b: &Self) -> $output {
                let $a = self;
                $value
            }
            $(#[$doc])*
            #[inline]
            fn adjoint(&self, $b: &Self, $seed: &$output) -> Self {
                let $a = self;
                $adjoint
            }
            #[inline]
            fn rhs_adjoint(&self, $b: &Self, $seed: &$output) -> Self {
                let $a = self;
                $rhs_adjoint
            }
        }
    )*};
}
binary! {
    /// `y = Σ a b`: `a_adj = y_adj b`, `b_adj = y_adj a`.
    dot -> T: |a, b, seed|
        a.dot(b),
        { let _ = a; b.map(|b| pull(*seed, b)) },
        { let _ = b; a.map(|a| pull(*seed, a)) };
    /// The products of elements: `a_adj = c_adj b`, `b_adj = c_adj a`.
    component_mul -> Self: |a, b, seed|
        { let mut c = a.clone(); c.component_mul_assign(b); c },
        { let _ = a; seed.zip_map(b, pull) },
        { let _ = b; seed.zip_map(a, pull) };
    /// `c = a / b`: `a_adj = c_adj / b`, `b_adj = -c_adj a / b²`.
    component_div -> Self: |a, b, seed|
        { let mut c = a.clone(); c.component_div_assign(b); c },
        { let _ = a; seed.zip_map(b, |seed, b| pull(seed, T::nearest(1.0) / b)) },
        seed.zip_zip_map(a, b, |seed, a, b| pull(seed, -a / (b * b)));
    /// `y = |a - b|`
    metric_distance -> T: |a, b, seed|
        a.metric_distance(b),
        direction(&a.zip_map(b, |a, b| a - b), *seed),
        direction(&b.zip_map(a, |b, a| b - a), *seed);
}

impl<T: Element> Binary<name::cross, Vector3<T>> for Vector3<T> {
    type Output = Self;
    #[inline]
    fn value(&self, rhs: &Self) -> Self {
        self.cross(rhs)
    }
    /// `c = a × b`: `a_adj = b × c_adj`, `b_adj = c_adj × a`.
    #[inline]
    fn adjoint(&self, rhs: &Self, seed: &Self) -> Self {
        if is_zero(seed) { zeros(self) } else { rhs.cross(seed) }
    }
    #[inline]
    fn rhs_adjoint(&self, _: &Self, seed: &Self) -> Self {
        if is_zero(seed) { zeros(self) } else { seed.cross(self) }
    }
}

impl<T: Element, K: Dim, R: Dim, C: Dim> Binary<name::tr_mul, OMatrix<T, K, C>> for OMatrix<T, K, R>
where
    DefaultAllocator: Allocator<K, R> + Allocator<K, C> + Allocator<R, C> + Allocator<C, R>,
    ShapeConstraint: SameNumberOfRows<K, K>,
{
    type Output = OMatrix<T, R, C>;
    #[inline]
    #[track_caller]
    fn value(&self, rhs: &OMatrix<T, K, C>) -> Self::Output {
        self.tr_mul(rhs)
    }
    /// `C = Aᵀ B`: `A_adj = B C_adjᵀ`, `B_adj = A C_adj`.
    #[inline]
    fn adjoint(&self, rhs: &OMatrix<T, K, C>, seed: &Self::Output) -> Self {
        if is_zero(seed) { zeros(self) } else { rhs * seed.transpose() }
    }
    #[inline]
    fn rhs_adjoint(&self, rhs: &OMatrix<T, K, C>, seed: &Self::Output) -> OMatrix<T, K, C> {
        if is_zero(seed) { zeros(rhs) } else { self * seed }
    }
}

impl<T: Element, R: Dim, C: Dim> Picked<name::row, usize> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C> + Allocator<U1, C>,
{
    type Output = OMatrix<T, U1, C>;
    #[inline]
    #[track_caller]
    fn value(&self, row: &usize) -> Self::Output {
        self.row(*row).into_owned()
    }
    #[inline]
    fn add_adjoint(&self, row: &usize, seed: &Self::Output, total: &mut Self) {
        let mut part = total.row_mut(*row);
        part.zip_apply(seed, |total, seed| *total += seed);
    }
}

impl<T: Element, R: Dim, C: Dim> Picked<name::column, usize> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C> + Allocator<R>,
{
    type Output = OVector<T, R>;
    #[inline]
    #[track_caller]
    fn value(&self, column: &usize) -> Self::Output {
        self.column(*column).into_owned()
    }
    #[inline]
    fn add_adjoint(&self, column: &usize, seed: &Self::Output, total: &mut Self) {
        let mut part = total.column_mut(*column);
        part.zip_apply(seed, |total, seed| *total += seed);
    }
}

impl<T: Element, R: Dim, C: Dim> Mapped<name::map> for OMatrix<T, R, C>
where
    DefaultAllocator: Allocator<R, C>,
{
    type Element = T;
    #[inline]
    fn value(&self, f: impl FnMut(T) -> T) -> Self {
        self.map(f)
    }
    #[inline]
    fn adjoint(&self, seed: &Self, f: impl FnMut(T) -> T) -> Self {
        seed.map(f)
    }
}

/// Methods whose results have no derivative.
macro_rules! asked {
    ($($name:ident -> $output:ty;)*) => {$(
        impl<T: Element, R: Dim, C: Dim> Asked<name::$name> for OMatrix<T, R, C>
        where
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = $output;
            #[inline]
            fn value(&self) -> $output {
                self.$name()
            }
        }
    )*};
}
asked! {
    nrows -> usize;
    ncols -> usize;
    shape -> (usize, usize);
}
