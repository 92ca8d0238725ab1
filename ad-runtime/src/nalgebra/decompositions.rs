//! Determinants, inverses and systems of equations, by LU and Cholesky decompositions.
//!
//! A decomposition is a [`Factored`] matrix while derivatives are computed: its adjoint is that of the matrix. The
//! formulas are those of M. B. Giles, "Collected matrix derivative results for forward and reverse mode
//! algorithmic differentiation", 2008; the one of the Cholesky factor is that of I. Murray, "Differentiation of the
//! Cholesky decomposition", 2016.

use super::Element;
use super::operators::{is_zero, pulled};
use crate::__private::{pull, zeros};
use crate::Differentiable;
use crate::arrays::{Binary, Foreign, ForeignMut, Unary, name};
use ::nalgebra::allocator::Allocator;
use ::nalgebra::{Cholesky, DMatrix, DefaultAllocator, Dim, DimMin, LU, OMatrix};
use alloc::string::String;

/// A square matrix and its factors; an adjoint has none.
#[derive(Clone, Debug)]
pub struct Factored<M, F> {
    matrix: M,
    factors: Option<F>,
}

/// The LU decomposition.
type Lu<T, D> = Factored<OMatrix<T, D, D>, LU<T, D, D>>;
/// The Cholesky decomposition.
type Chol<T, D> = Factored<OMatrix<T, D, D>, Cholesky<T, D>>;

impl<M, F> Factored<M, F> {
    fn adjoint(matrix: M) -> Self {
        Factored { matrix, factors: None }
    }

    fn factors(&self) -> &F {
        self.factors.as_ref().expect("only adjoints have no factors")
    }
}

impl<M: Differentiable<Owned = M>, F> Differentiable for Factored<M, F> {
    type Owned = Self;
    fn zeros_like(&self) -> Self {
        Factored::adjoint(self.matrix.zeros_like())
    }
    fn set_zero(&mut self) {
        self.matrix.set_zero();
    }
    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        self.matrix.accumulate(&other.matrix);
    }
    #[track_caller]
    fn inner_product(&self, other: &Self) -> f64 {
        self.matrix.inner_product(&other.matrix)
    }
    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.matrix.for_each_real(visit);
    }
    fn shape_difference(&self, other: &Self) -> Option<String> {
        self.matrix.shape_difference(&other.matrix)
    }
}

impl<M: Differentiable<Owned = M>, F> Foreign for Factored<M, F> {
    type Core = Self;
    fn core(&self) -> &Self {
        self
    }
}

impl<M: Differentiable<Owned = M>, F> ForeignMut for Factored<M, F> {
    fn core_mut(&mut self) -> &mut Self {
        self
    }
}

/// The solution `y` of `Aᵀ y = s`, by the factors of `P A = L U`: `Uᵀ z = s`, `Lᵀ w = z`, `y = Pᵀ w`.
fn solve_transposed<T: Element, D: DimMin<D, Output = D>, C: Dim>(
    lu: &LU<T, D, D>,
    seed: &OMatrix<T, D, C>,
) -> OMatrix<T, D, C>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<D>,
{
    let mut y = seed.clone();
    lu.u().tr_solve_upper_triangular_mut(&mut y);
    lu.l().tr_solve_lower_triangular_mut(&mut y);
    lu.p().inv_permute_rows(&mut y);
    y
}

/// `y = -Cᵀ c_adj Cᵀ`, the adjoint of a matrix whose inverse is `C`.
fn of_inverse<T: Element, D: Dim>(
    inverse: &OMatrix<T, D, D>,
    seed: &OMatrix<T, D, D>,
) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let turned = inverse.transpose();
    -(&turned * seed * &turned)
}

/// The derivatives of the determinant by all elements: `det A · A⁻ᵀ`, which are the cofactors. Those of a
/// singular matrix are determinants of its parts.
fn cofactors<T: Element, D: DimMin<D, Output = D>>(matrix: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    if let Some(inverse) = matrix.clone().try_inverse() {
        return inverse.transpose() * matrix.determinant();
    }
    let whole = DMatrix::from_iterator(matrix.nrows(), matrix.ncols(), matrix.iter().copied());
    let (rows, columns) = matrix.shape_generic();
    OMatrix::from_fn_generic(rows, columns, |i, j| {
        let minor = whole.clone().remove_row(i).remove_column(j).determinant();
        if (i + j) % 2 == 0 { minor } else { -minor }
    })
}

impl<T: Element, D: DimMin<D, Output = D>> Unary<name::determinant> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Output = T;
    #[track_caller]
    fn value(&self) -> T {
        self.determinant()
    }
    /// `d = det A`: `A_adj = d_adj d A⁻ᵀ` (Giles, 2.2.4).
    fn adjoint(&self, seed: &T) -> Self {
        cofactors(self).map(|cofactor| pull(*seed, cofactor))
    }
}

impl<T: Element, D: Dim> Unary<name::try_inverse> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = Option<Self>;
    #[track_caller]
    fn value(&self) -> Option<Self> {
        self.clone().try_inverse()
    }
    /// `C = A⁻¹`: `A_adj = -Cᵀ C_adj Cᵀ` (Giles, 2.2.3).
    fn adjoint(&self, seed: &Option<Self>) -> Self {
        match (seed, self.clone().try_inverse()) {
            (Some(seed), Some(inverse)) if !is_zero(seed) => of_inverse(&inverse, seed),
            _ => zeros(self),
        }
    }
}

impl<T: Element, D: DimMin<D, Output = D>> Unary<name::lu> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Output = Lu<T, D>;
    fn value(&self) -> Lu<T, D> {
        Factored { matrix: self.clone(), factors: Some(self.clone().lu()) }
    }
    fn adjoint(&self, seed: &Lu<T, D>) -> Self {
        seed.matrix.clone()
    }
}

impl<T: Element, D: DimMin<D, Output = D>, C: Dim> Binary<name::solve, OMatrix<T, D, C>>
    for Lu<T, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<D> + Allocator<C, D>,
{
    type Output = Option<OMatrix<T, D, C>>;
    #[track_caller]
    fn value(&self, rhs: &OMatrix<T, D, C>) -> Self::Output {
        self.factors().solve(rhs)
    }
    /// `X = A⁻¹ B`: `B_adj = A⁻ᵀ X_adj`, `A_adj = -B_adj Xᵀ` (Giles, 2.3.1).
    fn adjoint(&self, rhs: &OMatrix<T, D, C>, seed: &Self::Output) -> Self {
        match (seed, self.factors().solve(rhs)) {
            (Some(seed), Some(x)) if !is_zero(seed) => {
                Factored::adjoint(-(solve_transposed(self.factors(), seed) * x.transpose()))
            }
            _ => zeros(self),
        }
    }
    fn rhs_adjoint(&self, rhs: &OMatrix<T, D, C>, seed: &Self::Output) -> OMatrix<T, D, C> {
        match seed {
            Some(seed) if !is_zero(seed) => solve_transposed(self.factors(), seed),
            _ => zeros(rhs),
        }
    }
}

impl<T: Element, D: DimMin<D, Output = D>> Unary<name::determinant> for Lu<T, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Output = T;
    fn value(&self) -> T {
        self.factors().determinant()
    }
    fn adjoint(&self, seed: &T) -> Self {
        Factored::adjoint(cofactors(&self.matrix).map(|cofactor| pull(*seed, cofactor)))
    }
}

impl<T: Element, D: DimMin<D, Output = D>> Unary<name::try_inverse> for Lu<T, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Output = Option<OMatrix<T, D, D>>;
    fn value(&self) -> Self::Output {
        self.factors().try_inverse()
    }
    fn adjoint(&self, seed: &Self::Output) -> Self {
        match (seed, self.factors().try_inverse()) {
            (Some(seed), Some(inverse)) if !is_zero(seed) => {
                Factored::adjoint(of_inverse(&inverse, seed))
            }
            _ => zeros(self),
        }
    }
}

impl<T: Element, D: Dim> Unary<name::cholesky> for OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = Option<Chol<T, D>>;
    #[track_caller]
    fn value(&self) -> Self::Output {
        let factors = self.clone().cholesky()?;
        Some(Factored { matrix: self.clone(), factors: Some(factors) })
    }
    /// Nobody reads the elements above the diagonal; those below stand for both.
    fn adjoint(&self, seed: &Self::Output) -> Self {
        let Some(Factored { matrix: seed, .. }) = seed else { return zeros(self) };
        let (rows, columns) = self.shape_generic();
        Self::from_fn_generic(rows, columns, |i, j| match i.cmp(&j) {
            core::cmp::Ordering::Less => T::nearest(0.0),
            core::cmp::Ordering::Equal => seed[(i, i)],
            core::cmp::Ordering::Greater => seed[(i, j)] + seed[(j, i)],
        })
    }
}

impl<T: Element, D: Dim> Unary<name::l> for Chol<T, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = OMatrix<T, D, D>;
    fn value(&self) -> Self::Output {
        self.factors().l()
    }
    /// `A = L Lᵀ`: `A_adj = L⁻ᵀ Φ(Lᵀ L_adj) L⁻¹`, where `Φ` takes the lower triangle and half of the diagonal.
    fn adjoint(&self, seed: &Self::Output) -> Self {
        let l = self.factors().l();
        let (rows, columns) = l.shape_generic();
        let product = l.tr_mul(&seed.lower_triangle());
        let mut inner = OMatrix::from_fn_generic(rows, columns, |i, j| match i.cmp(&j) {
            core::cmp::Ordering::Less => T::nearest(0.0),
            core::cmp::Ordering::Equal => product[(i, i)] * T::nearest(0.5),
            core::cmp::Ordering::Greater => product[(i, j)],
        });
        l.tr_solve_lower_triangular_mut(&mut inner);
        let mut turned = inner.transpose();
        l.tr_solve_lower_triangular_mut(&mut turned);
        Factored::adjoint(turned.transpose())
    }
}

impl<T: Element, D: Dim, C: Dim> Binary<name::solve, OMatrix<T, D, C>> for Chol<T, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<C, D>,
{
    type Output = OMatrix<T, D, C>;
    #[track_caller]
    fn value(&self, rhs: &OMatrix<T, D, C>) -> Self::Output {
        self.factors().solve(rhs)
    }
    /// As for any other solution; `A` is symmetric.
    fn adjoint(&self, rhs: &OMatrix<T, D, C>, seed: &Self::Output) -> Self {
        if is_zero(seed) {
            return zeros(self);
        }
        let (x, y) = (self.factors().solve(rhs), self.factors().solve(seed));
        Factored::adjoint(-(y * x.transpose()))
    }
    fn rhs_adjoint(&self, rhs: &OMatrix<T, D, C>, seed: &Self::Output) -> OMatrix<T, D, C> {
        if is_zero(seed) { zeros(rhs) } else { self.factors().solve(seed) }
    }
}

impl<T: Element, D: Dim> Unary<name::inverse> for Chol<T, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = OMatrix<T, D, D>;
    fn value(&self) -> Self::Output {
        self.factors().inverse()
    }
    fn adjoint(&self, seed: &Self::Output) -> Self {
        if is_zero(seed) {
            return zeros(self);
        }
        Factored::adjoint(of_inverse(&self.factors().inverse(), seed))
    }
}

impl<T: Element, D: Dim> Unary<name::determinant> for Chol<T, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = T;
    fn value(&self) -> T {
        self.factors().determinant()
    }
    fn adjoint(&self, seed: &T) -> Self {
        let slope = pull(*seed, self.factors().determinant());
        Factored::adjoint(pulled(&self.factors().inverse(), slope))
    }
}

impl<T: Element, D: Dim> Unary<name::ln_determinant> for Chol<T, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    type Output = T;
    fn value(&self) -> T {
        self.factors().ln_determinant()
    }
    /// `y = ln det A`: `A_adj = y_adj A⁻¹`
    fn adjoint(&self, seed: &T) -> Self {
        Factored::adjoint(pulled(&self.factors().inverse(), *seed))
    }
}
