//! Derivatives of functions of one vector, in the shapes that solvers call: slices in, the caller's
//! buffers out.
//!
//! A function of the shape `fn(&[T], data…) -> T`, or `fn(&[T], data…)` with a result that is an array, a
//! `Vec` or a last parameter `&mut [T]`, has a companion that implements the traits of this module. It
//! is passed to a driver as a type. What follows the vector is its [`Function::Context`]: `()` if there is
//! nothing, the parameter itself if there is one, else a tuple.
//!
//! ```
//! use ad_runtime::{differentiate, drivers};
//!
//! #[differentiate(reverse, forward)]
//! fn residuals(x: &[f64], #[constant] data: &[f64], r: &mut [f64]) {
//!     for (r, d) in r.iter_mut().zip(data) {
//!         *r = x[0] * (x[1] * d).exp();
//!     }
//! }
//!
//! let (x, data) = ([2.0, 0.0], [1.0, 3.0]);
//! let (mut r, mut jac) = ([0.0; 2], [0.0; 4]);
//! drivers::jacobian::<residuals>(&x, &&data[..], &mut r, &mut jac);
//! assert_eq!(r, [2.0, 2.0]);
//! assert_eq!(jac, [1.0, 2.0, 1.0, 6.0]);
//! ```
//!
//! Matrices are row-major: the Jacobian of `f: ℝⁿ → ℝᵐ` has `m` rows of `n` entries.
//! [`sparse`] has those of which most entries are 0.

pub mod sparse;

use crate::Real;
use alloc::vec;
use alloc::vec::Vec;
use num_traits::{One, Zero};

/// A function of a vector, and of data.
pub trait Function {
    /// The scalar type.
    type Real: Real;
    /// The parameters behind the vector.
    type Context<'a>;
    /// Writes the value to `y`, which has one entry for a real function.
    ///
    /// # Panics
    ///
    /// If `y` does not have as many entries as the value.
    fn value(x: &[Self::Real], context: &Self::Context<'_>, y: &mut [Self::Real]);
}

/// A function with a Jacobian-vector product.
pub trait Forward: Function {
    /// Writes the value to `y`, and `J x_tan` to `y_tan`.
    ///
    /// # Panics
    ///
    /// If `x_tan` is not as long as `x`, or `y` or `y_tan` not as long as the value.
    fn jvp(
        x: &[Self::Real],
        x_tan: &[Self::Real],
        context: &Self::Context<'_>,
        y: &mut [Self::Real],
        y_tan: &mut [Self::Real],
    );
}

/// A function with a vector-Jacobian product.
pub trait Reverse: Function {
    /// Writes the value to `y`, and `Jᵀ y_adj` to `x_adj`; leaves `y_adj` unspecified.
    ///
    /// # Panics
    ///
    /// If `x_adj` is not as long as `x`, or `y` or `y_adj` not as long as the value.
    fn vjp(
        x: &[Self::Real],
        context: &Self::Context<'_>,
        y: &mut [Self::Real],
        y_adj: &mut [Self::Real],
        x_adj: &mut [Self::Real],
    );
}

/// A real function with a Hessian-vector product.
pub trait Second: Function {
    /// The value; writes the gradient to `gradient`, and `H direction` to `product`.
    ///
    /// # Panics
    ///
    /// If one of the vectors is not as long as `x`.
    fn hvp(
        x: &[Self::Real],
        direction: &[Self::Real],
        context: &Self::Context<'_>,
        gradient: &mut [Self::Real],
        product: &mut [Self::Real],
    ) -> Self::Real;
}

/// Value of a real function; writes its gradient to `gradient`.
///
/// ```
/// use ad_runtime::{differentiate, drivers};
///
/// #[differentiate(reverse)]
/// fn norm2(x: &[f64]) -> f64 {
///     x.iter().map(|x| x * x).sum()
/// }
///
/// let mut gradient = [0.0; 2];
/// assert_eq!(drivers::gradient::<norm2>(&[3.0, 4.0], &(), &mut gradient), 25.0);
/// assert_eq!(gradient, [6.0, 8.0]);
/// ```
///
/// # Panics
///
/// If `gradient` is not as long as `x`, or the function has more than one result.
pub fn gradient<F: Reverse>(
    x: &[F::Real],
    context: &F::Context<'_>,
    gradient: &mut [F::Real],
) -> F::Real {
    let (mut value, mut seed) = ([F::Real::zero()], [F::Real::one()]);
    F::vjp(x, context, &mut value, &mut seed, gradient);
    value[0]
}

/// Writes the value to `y` and the Jacobian to `jacobian`, by columns or by rows, whichever are fewer.
///
/// # Panics
///
/// If `jacobian` does not have `x.len() * y.len()` entries, or `y` is not as long as the value.
pub fn jacobian<F: Forward + Reverse>(
    x: &[F::Real],
    context: &F::Context<'_>,
    y: &mut [F::Real],
    jacobian: &mut [F::Real],
) {
    if x.len() <= y.len() {
        jacobian_by_columns::<F>(x, context, y, jacobian);
    } else {
        jacobian_by_rows::<F>(x, context, y, jacobian);
    }
}

/// The same by `x.len()` runs in forward mode.
///
/// # Panics
///
/// As [`jacobian`] does.
pub fn jacobian_by_columns<F: Forward>(
    x: &[F::Real],
    context: &F::Context<'_>,
    y: &mut [F::Real],
    jacobian: &mut [F::Real],
) {
    assert_matrix(jacobian.len(), y.len(), x.len());
    let zero = F::Real::zero();
    let (mut x_tan, mut y_tan) = (vec![zero; x.len()], vec![zero; y.len()]);
    if x.is_empty() {
        F::value(x, context, y);
    }
    for column in 0..x.len() {
        x_tan[column] = F::Real::one();
        F::jvp(x, &x_tan, context, y, &mut y_tan);
        x_tan[column] = zero;
        for (row, tangent) in y_tan.iter().enumerate() {
            jacobian[row * x.len() + column] = *tangent;
        }
    }
}

/// The same by `y.len()` runs in reverse mode.
///
/// # Panics
///
/// As [`jacobian`] does.
pub fn jacobian_by_rows<F: Reverse>(
    x: &[F::Real],
    context: &F::Context<'_>,
    y: &mut [F::Real],
    jacobian: &mut [F::Real],
) {
    assert_matrix(jacobian.len(), y.len(), x.len());
    let mut y_adj = vec![F::Real::zero(); y.len()];
    if y.is_empty() || x.is_empty() {
        F::value(x, context, y);
        return;
    }
    for (row, x_adj) in jacobian.chunks_exact_mut(x.len()).enumerate() {
        y_adj.fill(F::Real::zero());
        y_adj[row] = F::Real::one();
        F::vjp(x, context, y, &mut y_adj, x_adj);
    }
}

/// Value of a real function; writes its gradient to `gradient` and its Hessian to `hessian`, by
/// `x.len()` products.
///
/// # Panics
///
/// If `gradient` is not as long as `x`, or `hessian` not as long as its square.
pub fn hessian<F: Second>(
    x: &[F::Real],
    context: &F::Context<'_>,
    gradient: &mut [F::Real],
    hessian: &mut [F::Real],
) -> F::Real {
    assert_matrix(hessian.len(), x.len(), x.len());
    let mut direction = vec![F::Real::zero(); x.len()];
    let mut value = [F::Real::zero()];
    if x.is_empty() {
        F::value(x, context, &mut value);
    }
    for (k, row) in hessian.chunks_exact_mut(x.len().max(1)).enumerate() {
        direction[k] = F::Real::one();
        // The Hessian is symmetric: its product with a unit vector is a row.
        value[0] = F::hvp(x, &direction, context, gradient, row);
        direction[k] = F::Real::zero();
    }
    value[0]
}

fn assert_matrix(found: usize, rows: usize, columns: usize) {
    assert_eq!(
        found,
        rows * columns,
        "a matrix of {rows} rows and {columns} columns in a buffer of {found} entries"
    );
}

/// Derivative of a root by the implicit-function theorem: if `F(y, p) = 0` with invertible `∂F/∂y`, then
/// the adjoint of `p` for a seed `y_adj` is `-(∂F/∂p)ᵀ λ` with `(∂F/∂y)ᵀ λ = y_adj`.
///
/// `residual_vjp(λ, y_part, p_part)` overwrites the parts with `(∂F/∂y)ᵀ λ` and `(∂F/∂p)ᵀ λ` at the root,
/// as the companion of `F` does. The adjoint of `p` is added to `p_adj`. For use in the pullback of a
/// `#[custom_rule(vjp = …)]` of a solver, whose iterations are then of no concern to the derivative; a fixed
/// point `y = G(y, p)` is the root of `G(y, p) - y`.
///
/// ```
/// use ad_runtime::{custom_rule, differentiate, drivers::root_adjoint};
///
/// // The square root of p is the root of y² - p.
/// #[custom_rule(vjp = root_rule)]
/// fn root(p: f64) -> f64 {
///     (0..60).fold(1.0, |y, _| 0.5 * (y + p / y))
/// }
///
/// #[differentiate(reverse)]
/// fn residual(y: f64, p: f64) -> f64 {
///     y * y - p
/// }
///
/// fn root_rule(p: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
///     let y = root(p);
///     (y, move |seed| {
///         let mut p_adj = [0.0];
///         root_adjoint(&[seed], &mut p_adj, |lambda, y_part, p_part| {
///             let (_, by_y, by_p) = residual::adjoint(y, p, lambda[0]);
///             (y_part[0], p_part[0]) = (by_y, by_p);
///         });
///         p_adj[0]
///     })
/// }
///
/// #[differentiate(reverse)]
/// fn twice(p: f64) -> f64 {
///     2.0 * root(p)
/// }
///
/// assert!((twice::gradient(4.0) - 0.5).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// If `∂F/∂y` is singular.
pub fn root_adjoint(
    y_adj: &[f64],
    p_adj: &mut [f64],
    mut residual_vjp: impl FnMut(&[f64], &mut [f64], &mut [f64]),
) {
    let (n, mut p_part) = (y_adj.len(), vec![0.0; p_adj.len()]);
    let (mut matrix, mut lambda) = (vec![0.0; n * n], vec![0.0; n]);
    let mut row = vec![0.0; n];
    for k in 0..n {
        lambda.fill(0.0);
        lambda[k] = 1.0;
        residual_vjp(&lambda, &mut row, &mut p_part);
        // Row k of ∂F/∂y is column k of its transpose.
        for (j, entry) in row.iter().enumerate() {
            matrix[j * n + k] = *entry;
        }
    }
    lambda.copy_from_slice(y_adj);
    solve(&mut matrix, &mut lambda);
    residual_vjp(&lambda, &mut row, &mut p_part);
    for (total, part) in p_adj.iter_mut().zip(&p_part) {
        *total -= part;
    }
}

/// Solves a dense system in place, by elimination with row pivoting.
fn solve(matrix: &mut [f64], rhs: &mut [f64]) {
    let n = rhs.len();
    for k in 0..n {
        let magnitude = |row: &usize| matrix[row * n + k].abs();
        let pivot = (k..n).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)));
        let pivot = pivot.expect("there is a row to eliminate with");
        assert!(matrix[pivot * n + k] != 0.0, "the derivative of the residual is singular");
        for column in 0..n {
            matrix.swap(k * n + column, pivot * n + column);
        }
        rhs.swap(k, pivot);
        for row in k + 1..n {
            let factor = matrix[row * n + k] / matrix[k * n + k];
            for column in k..n {
                matrix[row * n + column] -= factor * matrix[k * n + column];
            }
            rhs[row] -= factor * rhs[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|column| matrix[k * n + column] * rhs[column]).sum();
        rhs[k] = (rhs[k] - known) / matrix[k * n + k];
    }
}

/// A vector that is 0 but for some entries.
fn marked<T: Real>(len: usize, entries: impl IntoIterator<Item = usize>) -> Vec<T> {
    let mut vector = vec![T::zero(); len];
    entries.into_iter().for_each(|k| vector[k] = T::one());
    vector
}
