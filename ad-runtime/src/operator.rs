//! Rules of arithmetic operators on types of the user.
//!
//! `#[differentiate(reverse)]` on `impl Mul<f64> for V3` implements [`Operator`] for `V3`; generated
//! code that multiplies a `V3` calls it. Scalars have theirs here, for results whose type generated
//! code does not know.

/// What an operator is called in the traits of this module.
pub mod marker {
    macro_rules! markers {
        ($($name:ident),*) => {$(
            /// The operator of this name in `core::ops`.
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}
        )*};
    }
    markers!(Add, Sub, Mul, Div, Rem, Neg);
}

/// The adjoint of a binary operator.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` on `{Self}` and `{Rhs}` has no derivative",
    note = "help: put `#[differentiate(reverse)]` on the `impl` of the operator"
)]
pub trait Operator<Op, Rhs>: Sized {
    /// The type of the result.
    type Output;
    /// The adjoints of both operands, for a result whose adjoint is `seed`.
    fn adjoint(&self, rhs: &Rhs, seed: &Self::Output) -> (Self, Rhs);
    /// That of the left operand alone.
    #[inline]
    fn left_adjoint(&self, rhs: &Rhs, seed: &Self::Output) -> Self {
        self.adjoint(rhs, seed).0
    }
    /// That of the right operand alone.
    #[inline]
    fn right_adjoint(&self, rhs: &Rhs, seed: &Self::Output) -> Rhs {
        self.adjoint(rhs, seed).1
    }
}

/// The adjoint of a unary operator.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` on `{Self}` has no derivative",
    note = "help: put `#[differentiate(reverse)]` on the `impl` of the operator"
)]
pub trait UnaryOperator<Op>: Sized {
    /// The type of the result.
    type Output;
    /// The adjoint of the operand, for a result whose adjoint is `seed`.
    fn adjoint(&self, seed: &Self::Output) -> Self;
}

/// The tangent of a binary operator.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` on `{Self}` and `{Rhs}` has no tangent",
    note = "help: put `#[differentiate(forward)]` on the `impl` of the operator"
)]
pub trait OperatorTangent<Op, Rhs>: Sized {
    /// The type of the result.
    type Output;
    /// The tangent of the result, for operands with tangents.
    fn tangent(&self, self_tan: &Self, rhs: &Rhs, rhs_tan: &Rhs) -> Self::Output;
}

/// The tangent of a unary operator.
#[diagnostic::on_unimplemented(
    message = "the operator `{Op}` on `{Self}` has no tangent",
    note = "help: put `#[differentiate(forward)]` on the `impl` of the operator"
)]
pub trait UnaryOperatorTangent<Op>: Sized {
    /// The type of the result.
    type Output;
    /// The tangent of the result, for an operand with a tangent.
    fn tangent(&self, self_tan: &Self) -> Self::Output;
}

macro_rules! scalar {
    ($real:ty: $($op:ident |$a:ident, $b:ident, $seed:ident| $adjoints:expr;)*) => {
        $(impl Operator<marker::$op, $real> for $real {
            type Output = $real;
            #[inline]
            fn adjoint(&self, rhs: &$real, seed: &$real) -> ($real, $real) {
                let ($a, $b, $seed) = (*self, *rhs, *seed);
                $adjoints
            }
        })*
        $(impl OperatorTangent<marker::$op, $real> for $real {
            type Output = $real;
            #[inline]
            fn tangent(&self, self_tan: &$real, rhs: &$real, rhs_tan: &$real) -> $real {
                // Both partials, as the adjoints of a seed of 1.
                let (by_self, by_rhs) = Operator::<marker::$op, $real>::adjoint(self, rhs, &1.0);
                crate::__private::pull(*self_tan, by_self) + crate::__private::pull(*rhs_tan, by_rhs)
            }
        })*
        impl UnaryOperatorTangent<marker::Neg> for $real {
            type Output = $real;
            #[inline]
            fn tangent(&self, self_tan: &$real) -> $real {
                -self_tan
            }
        }
        impl UnaryOperator<marker::Neg> for $real {
            type Output = $real;
            #[inline]
            fn adjoint(&self, seed: &$real) -> $real {
                -seed
            }
        }
    };
}

macro_rules! scalars {
    ($($real:ty),*) => {$(
        scalar! { $real:
            Add |_a, _b, seed| (seed, seed);
            Sub |_a, _b, seed| (seed, -seed);
            Mul |a, b, seed| (crate::__private::pull(seed, b), crate::__private::pull(seed, a));
            Div |a, b, seed| {
                let slope = 1.0 / b;
                (
                    crate::__private::pull(seed, slope),
                    crate::__private::pull(seed, -a * slope * slope),
                )
            };
            Rem |a, b, seed| (seed, crate::__private::pull(seed, num_traits::Float::round((a % b - a) / b)));
        }
    )*};
}
scalars!(f32, f64);
