//! Companions of the methods of real numbers that other numbers have as well.
//!
//! Where generated code does not know whether a number is real, it calls a method's siblings
//! (`exp_vjp`, `exp_reverse`), as for a type of the user. The slopes are those of the macro's table:
//! the macro differentiates the methods here. They are kept for the reverse sweep.

use crate::argument::{ConstantInCallee, Holder, Receiver};
use crate::policy::AnyPolicy;
use crate::{__private::pull, Real, differentiate};

/// The trait and its implementation, from the names of the methods.
macro_rules! siblings {
    (
        alone { $($alone:ident $alone_vjp:ident $alone_reverse:ident;)* }
        with_real { $($mixed:ident $mixed_vjp:ident $mixed_reverse:ident;)* }
    ) => {
        $(
            #[differentiate(reverse, crate = crate)]
            fn $alone<T: Real>(x: T) -> T {
                x.$alone()
            }
        )*
        $(
            #[differentiate(reverse, crate = crate)]
            fn $mixed<T: Real>(x: T, y: T) -> T {
                x.$mixed(y)
            }
        )*

        /// What stands next to the methods of a real number.
        pub trait RealSiblings: Real {
            $(
                /// The value and the slope.
                #[inline]
                fn $alone_vjp(&self, _: impl AnyPolicy) -> (Self, Self) {
                    $alone::value_and_gradient(*self)
                }
                /// Adds `seed · slope`.
                #[inline]
                fn $alone_reverse(&self, adjoint: impl Receiver<Self>, slope: Self, seed: Self) {
                    add(adjoint, self, pull(seed, slope));
                }
            )*
            $(
                /// The value and the slopes.
                #[inline]
                fn $mixed_vjp(&self, _: impl AnyPolicy, y: Self) -> (Self, (Self, Self)) {
                    $mixed::value_and_gradient(*self, y)
                }
                /// Adds `seed · slope`; gives that for the argument.
                #[inline]
                fn $mixed_reverse(
                    &self,
                    adjoint: impl Receiver<Self>,
                    slopes: (Self, Self),
                    seed: Self,
                ) -> Self {
                    add(adjoint, self, pull(seed, slopes.0));
                    pull(seed, slopes.1)
                }
            )*
            /// The value and the slope of a power.
            #[inline]
            fn powi_vjp(&self, _: impl AnyPolicy, n: i32) -> (Self, Self) {
                powi::value_and_gradient(*self, n)
            }
            /// Adds `seed · slope`.
            #[inline]
            fn powi_reverse(
                &self,
                adjoint: impl Receiver<Self>,
                slope: Self,
                seed: Self,
            ) -> ConstantInCallee {
                add(adjoint, self, pull(seed, slope));
                ConstantInCallee
            }
        }

        impl<T: Real> RealSiblings for T {}
    };
}

siblings! {
    alone {
        acos acos_vjp acos_reverse;
        acosh acosh_vjp acosh_reverse;
        asin asin_vjp asin_reverse;
        asinh asinh_vjp asinh_reverse;
        atan atan_vjp atan_reverse;
        atanh atanh_vjp atanh_reverse;
        cbrt cbrt_vjp cbrt_reverse;
        cos cos_vjp cos_reverse;
        cosh cosh_vjp cosh_reverse;
        exp exp_vjp exp_reverse;
        exp2 exp2_vjp exp2_reverse;
        ln ln_vjp ln_reverse;
        log10 log10_vjp log10_reverse;
        log2 log2_vjp log2_reverse;
        sin sin_vjp sin_reverse;
        sinh sinh_vjp sinh_reverse;
        sqrt sqrt_vjp sqrt_reverse;
        tan tan_vjp tan_reverse;
        tanh tanh_vjp tanh_reverse;
    }
    with_real {
        log log_vjp log_reverse;
        powf powf_vjp powf_reverse;
    }
}

#[differentiate(reverse, crate = crate)]
fn powi<T: Real>(x: T, n: i32) -> T {
    x.powi(n)
}

/// Adds to the adjoint of a receiver.
#[inline]
fn add<T: Real>(adjoint: impl Receiver<T>, primal: &T, part: T) {
    *adjoint.adjoint(primal).get() += part;
}
