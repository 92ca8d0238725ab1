//! Elementary functions of all elements: `x.exp()`, `x.powi(2)`.

use super::Element;
use crate::__private::{power_slope, pull};
use crate::arrays::{Picked, Unary, name};
use ::ndarray::{Array, ArrayRef, Dimension};
use num_traits::Float;

/// The seed, multiplied by the slope at each element.
fn pulled<T: Element, D: Dimension>(
    x: &ArrayRef<T, D>,
    seed: &Array<T, D>,
    slope: impl Fn(T) -> T,
) -> Array<T, D> {
    let mut adjoint = seed.clone();
    adjoint.zip_mut_with(x, |seed, x| *seed = pull(*seed, slope(*x)));
    adjoint
}

/// Each function with its value and its slope.
macro_rules! elementary {
    ($($name:ident |$x:ident| $value:expr => $slope:expr;)*) => {$(
        impl<T: Element, D: Dimension> Unary<name::$name> for ArrayRef<T, D> {
            type Output = Array<T, D>;
            #[inline]
            fn value(&self) -> Array<T, D> {
                self.mapv(|$x| $value)
            }
            #[inline]
            fn adjoint(&self, seed: &Array<T, D>) -> Array<T, D> {
                pulled(self, seed, |$x| $slope)
            }
        }
    )*};
}

fn real<T: Element>(value: f64) -> T {
    T::nearest(value)
}

elementary! {
    exp |x| Float::exp(x) => Float::exp(x);
    exp2 |x| Float::exp2(x) => Float::exp2(x) * real(core::f64::consts::LN_2);
    ln |x| Float::ln(x) => Float::recip(x);
    log2 |x| Float::log2(x) => Float::recip(x * real(core::f64::consts::LN_2));
    log10 |x| Float::log10(x) => Float::recip(x * real(core::f64::consts::LN_10));
    sqrt |x| Float::sqrt(x) => real::<T>(0.5) / Float::sqrt(x);
    cbrt |x| Float::cbrt(x) => real::<T>(1.0) / (real::<T>(3.0) * Float::powi(Float::cbrt(x), 2));
    recip |x| Float::recip(x) => -Float::recip(x) * Float::recip(x);
    abs |x| Float::abs(x) => if x == real(0.0) { real(0.0) } else { Float::signum(x) };
    sin |x| Float::sin(x) => Float::cos(x);
    cos |x| Float::cos(x) => -Float::sin(x);
    tan |x| Float::tan(x) => real::<T>(1.0) + Float::powi(Float::tan(x), 2);
    sinh |x| Float::sinh(x) => Float::cosh(x);
    cosh |x| Float::cosh(x) => Float::sinh(x);
    tanh |x| Float::tanh(x) => (real::<T>(1.0) - Float::tanh(x)) * (real::<T>(1.0) + Float::tanh(x));
    pow2 |x| x * x => x + x;
}

impl<T: Element, D: Dimension> Picked<name::powi, i32> for ArrayRef<T, D> {
    type Output = Array<T, D>;
    #[inline]
    fn value(&self, n: &i32) -> Array<T, D> {
        self.mapv(|x| Float::powi(x, *n))
    }
    #[inline]
    fn add_adjoint(&self, n: &i32, seed: &Array<T, D>, total: &mut Self) {
        total.zip_mut_with(&pulled(self, seed, |x| power_slope(x, *n)), |total, part| {
            *total += *part
        });
    }
}
