//! Complex numbers of `num-complex`.
//!
//! The adjoint of `z` for a real result `L` is `∂L/∂re + i ∂L/∂im`, a complex number whose parts are
//! the adjoints of the parts. So the pullback of a holomorphic function multiplies by the conjugate
//! of its derivative, and a step against the adjoint is one of steepest descent.

mod methods;
mod operators;

pub use methods::ComplexSiblings;

use crate::check::Point;
use crate::{__private::pull, Differentiable, Real};
use alloc::{format, string::String};
use num_complex::Complex;

impl<T: Differentiable<Owned = T>> Differentiable for Complex<T> {
    type Owned = Self;

    #[inline]
    fn zeros_like(&self) -> Self {
        Complex { re: self.re.zeros_like(), im: self.im.zeros_like() }
    }

    #[inline]
    fn set_zero(&mut self) {
        self.re.set_zero();
        self.im.set_zero();
    }

    #[inline]
    fn accumulate(&mut self, other: &Self) {
        self.re.accumulate(&other.re);
        self.im.accumulate(&other.im);
    }

    #[inline]
    fn inner_product(&self, other: &Self) -> f64 {
        self.re.inner_product(&other.re) + self.im.inner_product(&other.im)
    }

    fn for_each_real(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.re.for_each_real(visit);
        self.im.for_each_real(visit);
    }

    fn shape_difference(&self, other: &Self) -> Option<String> {
        let re = self.re.shape_difference(&other.re).map(|found| format!("at .re: {found}"));
        re.or_else(|| Some(format!("at .im: {}", self.im.shape_difference(&other.im)?)))
    }
}

impl<P: Point> Point for Complex<P> {
    fn parts(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut f64)) {
        self.re.parts(&format!("{name}.re"), visit);
        self.im.parts(&format!("{name}.im"), visit);
    }
}

/// `adjoint · conj(partial)`: what flows back through a holomorphic function. Each real product has
/// the strong zero.
#[inline]
fn pull_back<T: Real>(adjoint: Complex<T>, partial: Complex<T>) -> Complex<T> {
    Complex {
        re: pull_real(adjoint, partial),
        im: pull(adjoint.im, partial.re) - pull(adjoint.re, partial.im),
    }
}

/// `Re(adjoint · conj(partial))`: what flows back to a real number, whose adjoint is real.
#[inline]
fn pull_real<T: Real>(adjoint: Complex<T>, partial: Complex<T>) -> T {
    pull(adjoint.re, partial.re) + pull(adjoint.im, partial.im)
}

/// `adjoint · partial`, for a real partial.
#[inline]
fn pull_scaled<T: Real>(adjoint: Complex<T>, partial: T) -> Complex<T> {
    Complex { re: pull(adjoint.re, partial), im: pull(adjoint.im, partial) }
}

/// `1 / z`, without overflow on the way, and infinite along the real axis at 0.
#[inline]
fn inverse<T: Real>(z: Complex<T>) -> Complex<T> {
    if z.re.abs() >= z.im.abs() {
        let slope = if z.re.is_zero() { T::zero() } else { z.im / z.re };
        let re = T::one() / (z.re + z.im * slope);
        Complex { re, im: if slope.is_zero() { T::zero() } else { -slope * re } }
    } else {
        let slope = z.re / z.im;
        let im = T::one() / (z.re * slope + z.im);
        Complex { re: slope * im, im: -im }
    }
}
