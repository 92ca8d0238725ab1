//! Arithmetic of complex numbers with each other and with real numbers.

use super::{inverse, pull_back, pull_real, pull_scaled};
use crate::Real;
use crate::operator::{Operator, UnaryOperator, marker};
use num_complex::Complex;

/// One rule for a pair of operand types: `|a, b, seed|` and the adjoints of `a` and `b`.
macro_rules! rules {
    ([$($params:tt)*] $left:ty, $right:ty => $complex:ty:) => {};
    ([$($params:tt)*] $left:ty, $right:ty => $complex:ty:
        $op:ident |$a:ident, $b:ident, $seed:ident| $adjoints:expr; $($rest:tt)*) => {
        impl<$($params)*> Operator<marker::$op, $right> for $left {
            type Output = $complex;
            #[inline]
            fn adjoint(&self, rhs: &$right, seed: &$complex) -> ($left, $right) {
                let ($a, $b, $seed) = (*self, *rhs, *seed);
                $adjoints
            }
        }
        rules! { [$($params)*] $left, $right => $complex: $($rest)* }
    };
}

rules! {
    [T: Real] Complex<T>, Complex<T> => Complex<T>:
        Add |_a, _b, seed| (seed, seed);
        Sub |_a, _b, seed| (seed, -seed);
        Mul |a, b, seed| (pull_back(seed, b), pull_back(seed, a));
        Div |a, b, seed| {
            let slope = inverse(b);
            (pull_back(seed, slope), pull_back(seed, -a * slope * slope))
        };
}

rules! {
    [T: Real] Complex<T>, T => Complex<T>:
        Add |_a, _b, seed| (seed, seed.re);
        Sub |_a, _b, seed| (seed, -seed.re);
        Mul |a, b, seed| (pull_scaled(seed, b), pull_real(seed, a));
        Div |a, b, seed| {
            let slope = b.recip();
            (pull_scaled(seed, slope), pull_real(seed, -a * slope * slope))
        };
}

macro_rules! real_on_the_left {
    ($($real:ty),*) => {$(
        rules! {
            [] $real, Complex<$real> => Complex<$real>:
                Add |_a, _b, seed| (seed.re, seed);
                Sub |_a, _b, seed| (seed.re, -seed);
                Mul |a, b, seed| (pull_real(seed, b), pull_scaled(seed, a));
                Div |a, b, seed| {
                    let slope = inverse(b);
                    (pull_real(seed, slope), pull_back(seed, slope * slope * -a))
                };
        }
    )*};
}
real_on_the_left!(f32, f64);

impl<T: Real> UnaryOperator<marker::Neg> for Complex<T> {
    type Output = Self;
    #[inline]
    fn adjoint(&self, seed: &Self) -> Self {
        -seed
    }
}
