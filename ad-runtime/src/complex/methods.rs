//! Methods and associated functions of complex numbers: siblings that generated code calls.
//!
//! They are those of a method of the user (`norm_vjp`, `norm_reverse`, …), except that what is kept
//! for the reverse sweep is the value of the method rather than a closure.

use super::{inverse, pull_back, pull_real, pull_scaled};
use crate::__private::{pull, real};
use crate::Real;
use crate::argument::{ConstantInCallee, Holder, Receiver};
use crate::policy::AnyPolicy;
use num_complex::Complex;

/// The trait and its implementation, from one row for each method.
macro_rules! siblings {
    (
        holomorphic { $($analytic:ident $analytic_vjp:ident $analytic_reverse:ident
            |$z:ident, $y:ident| $slope:expr;)* }
        real { $($real:ident $real_vjp:ident $real_reverse:ident
            |$rz:ident, $ry:ident, $rseed:ident| $radjoint:expr;)* }
        with_real { $($mixed:ident $mixed_vjp:ident $mixed_reverse:ident
            |$mz:ident, $mx:ident, $my:ident, $mseed:ident| $madjoints:expr;)* }
        power { $($power:ident $power_vjp:ident $power_reverse:ident
            |$pz:ident, $n:ident: $exponent:ty| $pslope:expr;)* }
    ) => {
        /// What stands next to the methods of a complex number.
        pub trait ComplexSiblings: Sized {
            /// The type of its parts.
            type Part;
            $(
                /// The value, kept.
                fn $analytic_vjp(&self, _: impl AnyPolicy) -> (Self, Self);
                /// Adds `seed · conj(f′(z))`.
                fn $analytic_reverse(&self, adjoint: impl Receiver<Self>, kept: Self, seed: Self);
            )*
            $(
                /// The value, kept.
                fn $real_vjp(&self, _: impl AnyPolicy) -> (Self::Part, Self::Part);
                /// Adds the gradient, times `seed`.
                fn $real_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    kept: Self::Part,
                    seed: Self::Part,
                );
            )*
            $(
                /// The value, kept with the real argument.
                fn $mixed_vjp(
                    &self,
                    _: impl AnyPolicy,
                    x: Self::Part,
                ) -> (Self, (Self::Part, Self));
                /// Adds to the adjoint of the number; gives that of the argument.
                fn $mixed_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    kept: (Self::Part, Self),
                    seed: Self,
                ) -> Self::Part;
            )*
            $(
                /// The value, and the exponent kept.
                fn $power_vjp(&self, _: impl AnyPolicy, n: $exponent) -> (Self, $exponent);
                /// Adds `seed · conj(n zⁿ⁻¹)`.
                fn $power_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    n: $exponent,
                    seed: Self,
                ) -> ConstantInCallee;
            )*
            /// `z.conj()`
            fn conj_vjp(&self, _: impl AnyPolicy) -> (Self, ());
            /// Adds the conjugate of the seed.
            fn conj_reverse(&self, adjoint: impl Receiver<Self>, kept: (), seed: Self);
            /// `z.powc(w)`, kept with `w`.
            fn powc_vjp(&self, _: impl AnyPolicy, w: Self) -> (Self, (Self, Self));
            /// Adds to the adjoint of the base; gives that of the exponent.
            fn powc_reverse(
                &self,
                adjoint: impl Receiver<Self>,
                kept: (Self, Self),
                seed: Self,
            ) -> Self;
            /// `z.to_polar()`
            fn to_polar_vjp(&self, _: impl AnyPolicy) -> ((Self::Part, Self::Part), Self::Part);
            /// Adds the gradients of modulus and argument, times `seed`.
            fn to_polar_reverse(
                &self,
                adjoint: impl Receiver<Self>,
                norm: Self::Part,
                seed: (Self::Part, Self::Part),
            );
            /// `Complex::new(re, im)`
            fn new_vjp(_: impl AnyPolicy, re: Self::Part, im: Self::Part) -> (Self, ());
            /// The adjoints of the parts.
            fn new_reverse(kept: (), seed: Self) -> (Self::Part, Self::Part);
            /// `Complex::from(x)`
            fn from_vjp(_: impl AnyPolicy, x: Self::Part) -> (Self, ());
            /// The adjoint of the real part.
            fn from_reverse(kept: (), seed: Self) -> Self::Part;
            /// `Complex::from_polar(r, theta)`, kept with `r`.
            fn from_polar_vjp(
                _: impl AnyPolicy,
                r: Self::Part,
                theta: Self::Part,
            ) -> (Self, (Self::Part, Self::Part));
            /// The adjoints of modulus and argument.
            fn from_polar_reverse(
                kept: (Self::Part, Self::Part),
                seed: Self,
            ) -> (Self::Part, Self::Part);
            /// `Complex::cis(phase)`, kept.
            fn cis_vjp(_: impl AnyPolicy, phase: Self::Part) -> (Self, Self);
            /// The adjoint of the phase.
            fn cis_reverse(kept: Self, seed: Self) -> Self::Part;
        }

        impl<T: Real> ComplexSiblings for Complex<T> {
            type Part = T;
            $(
                #[inline]
                fn $analytic_vjp(&self, _: impl AnyPolicy) -> (Self, Self) {
                    let value = self.$analytic();
                    (value, value)
                }
                #[inline]
                fn $analytic_reverse(&self, adjoint: impl Receiver<Self>, kept: Self, seed: Self) {
                    let ($z, $y) = (*self, kept);
                    add(adjoint, self, pull_back(seed, $slope));
                }
            )*
            $(
                #[inline]
                fn $real_vjp(&self, _: impl AnyPolicy) -> (T, T) {
                    let value = self.$real();
                    (value, value)
                }
                #[inline]
                fn $real_reverse(&self, adjoint: impl Receiver<Self>, kept: T, seed: T) {
                    let ($rz, $ry, $rseed) = (*self, kept, seed);
                    add(adjoint, self, $radjoint);
                }
            )*
            $(
                #[inline]
                fn $mixed_vjp(&self, _: impl AnyPolicy, x: T) -> (Self, (T, Self)) {
                    let value = self.$mixed(x);
                    (value, (x, value))
                }
                #[inline]
                fn $mixed_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    kept: (T, Self),
                    seed: Self,
                ) -> T {
                    let ($mz, ($mx, $my), $mseed) = (*self, kept, seed);
                    let (z_adj, x_adj) = $madjoints;
                    add(adjoint, self, z_adj);
                    x_adj
                }
            )*
            $(
                #[inline]
                fn $power_vjp(&self, _: impl AnyPolicy, n: $exponent) -> (Self, $exponent) {
                    (self.$power(n), n)
                }
                #[inline]
                fn $power_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    $n: $exponent,
                    seed: Self,
                ) -> ConstantInCallee {
                    let $pz = *self;
                    add(adjoint, self, pull_back(seed, $pslope));
                    ConstantInCallee
                }
            )*
            #[inline]
            fn conj_vjp(&self, _: impl AnyPolicy) -> (Self, ()) {
                (self.conj(), ())
            }
            #[inline]
            fn conj_reverse(&self, adjoint: impl Receiver<Self>, (): (), seed: Self) {
                add(adjoint, self, seed.conj());
            }
            #[inline]
            fn powc_vjp(&self, _: impl AnyPolicy, w: Self) -> (Self, (Self, Self)) {
                let value = self.powc(w);
                (value, (w, value))
            }
            #[inline]
            fn powc_reverse(
                &self,
                adjoint: impl Receiver<Self>,
                (w, value): (Self, Self),
                seed: Self,
            ) -> Self {
                let slope = match is_zero(*self) {
                    true => power_at_zero(w),
                    false => self.powc(w - T::one()) * w,
                };
                add(adjoint, self, pull_back(seed, slope));
                pull_back(seed, by_exponent(*self, value))
            }
            #[inline]
            fn to_polar_vjp(&self, _: impl AnyPolicy) -> ((T, T), T) {
                let polar = self.to_polar();
                (polar, polar.0)
            }
            #[inline]
            fn to_polar_reverse(&self, adjoint: impl Receiver<Self>, norm: T, seed: (T, T)) {
                let part = outwards(*self, norm, seed.0) + around(*self, seed.1);
                add(adjoint, self, part);
            }
            #[inline]
            fn new_vjp(_: impl AnyPolicy, re: T, im: T) -> (Self, ()) {
                (Complex::new(re, im), ())
            }
            #[inline]
            fn new_reverse((): (), seed: Self) -> (T, T) {
                (seed.re, seed.im)
            }
            #[inline]
            fn from_vjp(_: impl AnyPolicy, x: T) -> (Self, ()) {
                (Complex::from(x), ())
            }
            #[inline]
            fn from_reverse((): (), seed: Self) -> T {
                seed.re
            }
            #[inline]
            fn from_polar_vjp(_: impl AnyPolicy, r: T, theta: T) -> (Self, (T, T)) {
                (Complex::from_polar(r, theta), (r, theta))
            }
            #[inline]
            fn from_polar_reverse((r, theta): (T, T), seed: Self) -> (T, T) {
                let outwards = Complex::cis(theta);
                let around = Complex::new(-outwards.im, outwards.re) * r;
                (pull_real(seed, outwards), pull_real(seed, around))
            }
            #[inline]
            fn cis_vjp(_: impl AnyPolicy, phase: T) -> (Self, Self) {
                let value = Complex::cis(phase);
                (value, value)
            }
            #[inline]
            fn cis_reverse(value: Self, seed: Self) -> T {
                pull_real(seed, Complex::new(-value.im, value.re))
            }
        }
    };
}

siblings! {
    holomorphic {
        exp exp_vjp exp_reverse |_z, y| y;
        exp2 exp2_vjp exp2_reverse |_z, y| y * real::<T>(core::f64::consts::LN_2);
        ln ln_vjp ln_reverse |z, _y| inverse(z);
        log2 log2_vjp log2_reverse |z, _y| inverse(z) * real::<T>(core::f64::consts::LOG2_E);
        log10 log10_vjp log10_reverse |z, _y| inverse(z) * real::<T>(core::f64::consts::LOG10_E);
        sqrt sqrt_vjp sqrt_reverse |_z, y| inverse(y + y);
        cbrt cbrt_vjp cbrt_reverse |_z, y| inverse(y * y * real::<T>(3.0));
        inv inv_vjp inv_reverse |z, _y| -square(inverse(z));
        sin sin_vjp sin_reverse |z, _y| z.cos();
        cos cos_vjp cos_reverse |z, _y| -z.sin();
        tan tan_vjp tan_reverse |z, _y| square(inverse(z.cos()));
        sinh sinh_vjp sinh_reverse |z, _y| z.cosh();
        cosh cosh_vjp cosh_reverse |z, _y| z.sinh();
        tanh tanh_vjp tanh_reverse |z, _y| square(inverse(z.cosh()));
        asin asin_vjp asin_reverse |z, _y| inverse(leg(z));
        acos acos_vjp acos_reverse |z, _y| -inverse(leg(z));
        atan atan_vjp atan_reverse |z, _y| inverse_leg_squared(turned(z));
        asinh asinh_vjp asinh_reverse |z, _y| inverse(leg(turned(z)));
        acosh acosh_vjp acosh_reverse |z, _y| {
            product(inverse((z - T::one()).sqrt()), inverse((z + T::one()).sqrt()))
        };
        atanh atanh_vjp atanh_reverse |z, _y| inverse_leg_squared(z);
    }
    real {
        norm norm_vjp norm_reverse |z, y, seed| outwards(z, y, seed);
        norm_sqr norm_sqr_vjp norm_sqr_reverse |z, _y, seed| pull_twice(z, seed);
        arg arg_vjp arg_reverse |z, _y, seed| around(z, seed);
    }
    with_real {
        scale scale_vjp scale_reverse |z, x, _y, seed| (pull_scaled(seed, x), pull_real(seed, z));
        unscale unscale_vjp unscale_reverse |z, x, _y, seed| {
            let slope = x.recip();
            (pull_scaled(seed, slope), pull_real(seed, -z * slope * slope))
        };
        powf powf_vjp powf_reverse |z, x, y, seed| {
            let slope = match is_zero(z) {
                true => power_at_zero(x.into()),
                false => z.powf(x - T::one()) * x,
            };
            (pull_back(seed, slope), pull_real(seed, by_exponent(z, y)))
        };
        expf expf_vjp expf_reverse |z, x, y, seed| {
            (pull_back(seed, y * x.ln()), pull_real(seed, z * y * x.recip()))
        };
        log log_vjp log_reverse |z, x, y, seed| {
            let slope = x.ln().recip();
            (pull_back(seed, inverse(z) * slope), pull_real(seed, -y * slope * x.recip()))
        };
    }
    power {
        powi powi_vjp powi_reverse |z, n: i32| match n {
            0 => Complex::new(T::zero(), T::zero()),
            _ => z.powi(n.saturating_sub(1)) * real::<T>(f64::from(n)),
        };
        powu powu_vjp powu_reverse |z, n: u32| match n {
            0 => Complex::new(T::zero(), T::zero()),
            _ => z.powu(n - 1) * real::<T>(f64::from(n)),
        };
    }
}

/// Adds to the adjoint of a receiver.
#[inline]
fn add<T: Real>(adjoint: impl Receiver<Complex<T>>, primal: &Complex<T>, part: Complex<T>) {
    let mut adjoint = adjoint.adjoint(primal);
    let total = adjoint.get();
    *total += part;
}

#[inline]
fn is_zero<T: Real>(z: Complex<T>) -> bool {
    z.re.is_zero() && z.im.is_zero()
}

/// `a · b`, where 0 absorbs infinite factors.
#[inline]
fn product<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    pull_back(a, b.conj())
}

#[inline]
fn square<T: Real>(z: Complex<T>) -> Complex<T> {
    product(z, z)
}

/// `i z`
#[inline]
fn turned<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex::new(-z.im, z.re)
}

/// `√(1 - z²)`, whose square does not overflow.
#[inline]
fn leg<T: Real>(z: Complex<T>) -> Complex<T> {
    product((-z + T::one()).sqrt(), (z + T::one()).sqrt())
}

/// `1 / (1 - z²)`
#[inline]
fn inverse_leg_squared<T: Real>(z: Complex<T>) -> Complex<T> {
    product(inverse(-z + T::one()), inverse(z + T::one()))
}

/// The derivative of `|z|`, times `seed`; 0 at 0, where the modulus has its minimum.
#[inline]
fn outwards<T: Real>(z: Complex<T>, norm: T, seed: T) -> Complex<T> {
    if norm.is_zero() {
        return Complex::new(T::zero(), T::zero());
    }
    Complex::new(pull(seed, z.re / norm), pull(seed, z.im / norm))
}

/// The derivative of the argument, times `seed`; 0 at 0.
#[inline]
fn around<T: Real>(z: Complex<T>, seed: T) -> Complex<T> {
    let norm = z.norm();
    outwards(turned(z), norm, pull(seed, norm.recip()))
}

/// The derivative of `|z|²`, times `seed`.
#[inline]
fn pull_twice<T: Real>(z: Complex<T>, seed: T) -> Complex<T> {
    Complex::new(pull(seed, z.re + z.re), pull(seed, z.im + z.im))
}

/// The derivative of a power by its exponent, from its base and value; 0 where the value is.
#[inline]
fn by_exponent<T: Real>(base: Complex<T>, value: Complex<T>) -> Complex<T> {
    if is_zero(value) { value } else { product(value, base.ln()) }
}

/// The derivative of a power at 0, as that of a real power.
#[inline]
fn power_at_zero<T: Real>(exponent: Complex<T>) -> Complex<T> {
    let power = T::zero().powf(exponent.re - T::one());
    Complex::new(pull(exponent.re, power), pull(exponent.im, power))
}
