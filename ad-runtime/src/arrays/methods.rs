//! What callers of methods ask for.

use super::{Argument, Asked, Binary, Foreign, Mapped, Picked, Sink, Unary};
use crate::argument::ConstantInCallee;
use crate::policy::AnyPolicy;
use crate::{Differentiable, Unspecified};
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::marker::PhantomData;

/// What is kept of a call with an argument by reference: the type of the argument.
#[derive(Debug)]
pub struct Of<T: ?Sized>(PhantomData<fn(&T)>);

macro_rules! methods {
    (
        unary { $($u:ident: $u_vjp:ident, $u_reverse:ident;)* }
        binary { $($b:ident: $b_vjp:ident, $b_reverse:ident;)* }
        asked { $($a:ident: $a_vjp:ident, $a_reverse:ident;)* }
        picked { $($p:ident: $p_vjp:ident, $p_reverse:ident;)* }
        mapped { $($m:ident: $m_vjp:ident, $m_reverse:ident;)* }
    ) => {
        /// The methods that have derivatives, by their names.
        #[allow(non_camel_case_types, reason = "they are shown in messages")]
        pub mod name {
            $(
                /// The method of this name.
                #[derive(Clone, Copy, Debug)]
                pub enum $u {}
            )*
            $(
                /// The method of this name.
                #[derive(Clone, Copy, Debug)]
                pub enum $b {}
            )*
            $(
                /// The method of this name.
                #[derive(Clone, Copy, Debug)]
                pub enum $a {}
            )*
            $(
                /// The method of this name.
                #[derive(Clone, Copy, Debug)]
                pub enum $p {}
            )*
            $(
                /// The method of this name.
                #[derive(Clone, Copy, Debug)]
                pub enum $m {}
            )*
        }

        /// What callers ask for: see the module.
        pub trait Methods: Foreign {
            $(
                /// The value.
                #[inline]
                #[track_caller]
                fn $u_vjp(
                    &self,
                    _: &dyn AnyPolicy,
                ) -> (<Self::Core as Unary<name::$u>>::Output, ())
                where
                    Self::Core: Unary<name::$u>,
                {
                    (self.core().value(), ())
                }
                /// Adds to the adjoint.
                #[inline]
                #[track_caller]
                fn $u_reverse(
                    &self,
                    adjoint: impl Sink<Self::Core>,
                    (): (),
                    seed: <Self::Core as Unary<name::$u>>::Output,
                )
                where
                    Self::Core: Unary<name::$u>,
                {
                    adjoint.add(|total| total.accumulate(self.core().adjoint(&seed).borrow()));
                }
            )*
            $(
                /// The value.
                #[inline]
                #[track_caller]
                fn $b_vjp<B: Foreign + ?Sized>(
                    &self,
                    _: &dyn AnyPolicy,
                    rhs: &B,
                ) -> (<Self::Core as Binary<name::$b, B::Core>>::Output, Of<B::Core>)
                where
                    Self::Core: Binary<name::$b, B::Core>,
                {
                    (self.core().value(rhs.core()), Of(PhantomData))
                }
                /// Adds to both adjoints.
                #[inline]
                #[track_caller]
                fn $b_reverse<B: Differentiable + ?Sized>(
                    &self,
                    adjoint: impl Sink<Self::Core>,
                    _: Of<B>,
                    rhs: impl Argument<B>,
                    seed: <Self::Core as Binary<name::$b, B>>::Output,
                )
                where
                    Self::Core: Binary<name::$b, B>,
                {
                    adjoint.add(|total| self.core().add_adjoint(rhs.value(), &seed, total));
                    rhs.add(|rhs, total| self.core().add_rhs_adjoint(rhs, &seed, total));
                }
            )*
            $(
                /// The value.
                #[inline]
                fn $a_vjp(
                    &self,
                    _: &dyn AnyPolicy,
                ) -> (<Self::Core as Asked<name::$a>>::Output, ())
                where
                    Self::Core: Asked<name::$a>,
                {
                    (self.core().value(), ())
                }
                /// Adds nothing.
                #[inline]
                fn $a_reverse(
                    &self,
                    _: impl Sink<Self::Core>,
                    (): (),
                    _: <Self::Core as Asked<name::$a>>::Output,
                ) where
                    Self::Core: Asked<name::$a>,
                {
                }
            )*
            $(
                /// The value.
                #[inline]
                #[track_caller]
                fn $p_vjp<D>(
                    &self,
                    _: &dyn AnyPolicy,
                    data: D,
                ) -> (<Self::Core as Picked<name::$p, D>>::Output, D)
                where
                    Self::Core: Picked<name::$p, D>,
                {
                    (self.core().value(&data), data)
                }
                /// Adds to the adjoint.
                #[inline]
                #[track_caller]
                fn $p_reverse<D>(
                    &self,
                    adjoint: impl Sink<Self::Core>,
                    data: D,
                    seed: <Self::Core as Picked<name::$p, D>>::Output,
                ) -> ConstantInCallee
                where
                    Self::Core: Picked<name::$p, D>,
                {
                    adjoint.add(|total| self.core().add_adjoint(&data, &seed, total));
                    ConstantInCallee
                }
            )*
            $(
                /// The value, and the pullbacks of the elements.
                #[inline]
                fn $m_vjp<F, P>(
                    &self,
                    _: &dyn AnyPolicy,
                    f: F,
                ) -> (<Self::Core as Differentiable>::Owned, Vec<P>)
                where
                    Self::Core: Mapped<name::$m>,
                    F: Fn(
                        Unspecified,
                        <Self::Core as Mapped<name::$m>>::Element,
                    ) -> (<Self::Core as Mapped<name::$m>>::Element, P),
                {
                    let mut pullbacks = Vec::new();
                    let value = self.core().value(|x| {
                        let (y, pullback) = f(Unspecified, x);
                        pullbacks.push(pullback);
                        y
                    });
                    (value, pullbacks)
                }
                /// Adds to the adjoint.
                #[inline]
                fn $m_reverse<P>(
                    &self,
                    adjoint: impl Sink<Self::Core>,
                    pullbacks: Vec<P>,
                    seed: <Self::Core as Differentiable>::Owned,
                )
                where
                    Self::Core: Mapped<name::$m>,
                    P: FnOnce(
                        <Self::Core as Mapped<name::$m>>::Element,
                    ) -> <Self::Core as Mapped<name::$m>>::Element,
                {
                    // They have to run even if nobody asks for the adjoint of the array: what they captured does.
                    let mut pullbacks = pullbacks.into_iter();
                    let part = self.core().adjoint(&seed, |seed| {
                        let pullback = pullbacks.next().expect("every element has a pullback");
                        pullback(seed)
                    });
                    adjoint.add(|total| total.accumulate(part.borrow()));
                }
            )*
        }
    };
}

methods! {
    unary {
        sum: sum_vjp, sum_reverse;
        mean: mean_vjp, mean_reverse;
        product: product_vjp, product_reverse;
        t: t_vjp, t_reverse;
        transpose: transpose_vjp, transpose_reverse;
        trace: trace_vjp, trace_reverse;
        diagonal: diagonal_vjp, diagonal_reverse;
        diag: diag_vjp, diag_reverse;
        norm: norm_vjp, norm_reverse;
        norm_squared: norm_squared_vjp, norm_squared_reverse;
        magnitude: magnitude_vjp, magnitude_reverse;
        magnitude_squared: magnitude_squared_vjp, magnitude_squared_reverse;
        normalize: normalize_vjp, normalize_reverse;
        view: view_vjp, view_reverse;
        to_owned: to_owned_vjp, to_owned_reverse;
        determinant: determinant_vjp, determinant_reverse;
        try_inverse: try_inverse_vjp, try_inverse_reverse;
        lu: lu_vjp, lu_reverse;
        cholesky: cholesky_vjp, cholesky_reverse;
        l: l_vjp, l_reverse;
        inverse: inverse_vjp, inverse_reverse;
        ln_determinant: ln_determinant_vjp, ln_determinant_reverse;
        exp: exp_vjp, exp_reverse;
        exp2: exp2_vjp, exp2_reverse;
        ln: ln_vjp, ln_reverse;
        log2: log2_vjp, log2_reverse;
        log10: log10_vjp, log10_reverse;
        sqrt: sqrt_vjp, sqrt_reverse;
        cbrt: cbrt_vjp, cbrt_reverse;
        recip: recip_vjp, recip_reverse;
        abs: abs_vjp, abs_reverse;
        sin: sin_vjp, sin_reverse;
        cos: cos_vjp, cos_reverse;
        tan: tan_vjp, tan_reverse;
        sinh: sinh_vjp, sinh_reverse;
        cosh: cosh_vjp, cosh_reverse;
        tanh: tanh_vjp, tanh_reverse;
        pow2: pow2_vjp, pow2_reverse;
        qr: qr_vjp, qr_reverse;
        svd: svd_vjp, svd_reverse;
        symmetric_eigen: symmetric_eigen_vjp, symmetric_eigen_reverse;
    }
    binary {
        dot: dot_vjp, dot_reverse;
        cross: cross_vjp, cross_reverse;
        tr_mul: tr_mul_vjp, tr_mul_reverse;
        component_mul: component_mul_vjp, component_mul_reverse;
        component_div: component_div_vjp, component_div_reverse;
        metric_distance: metric_distance_vjp, metric_distance_reverse;
        solve: solve_vjp, solve_reverse;
    }
    asked {
        nrows: nrows_vjp, nrows_reverse;
        ncols: ncols_vjp, ncols_reverse;
        ndim: ndim_vjp, ndim_reverse;
        dim: dim_vjp, dim_reverse;
        shape: shape_vjp, shape_reverse;
    }
    picked {
        row: row_vjp, row_reverse;
        column: column_vjp, column_reverse;
        slice: slice_vjp, slice_reverse;
        sum_axis: sum_axis_vjp, sum_axis_reverse;
        mean_axis: mean_axis_vjp, mean_axis_reverse;
        powi: powi_vjp, powi_reverse;
    }
    mapped {
        map: map_vjp, map_reverse;
        mapv: mapv_vjp, mapv_reverse;
    }
}

impl<T: Foreign + ?Sized> Methods for T {}
