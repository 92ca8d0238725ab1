#![deny(warnings)]

use ad_runtime::{custom_rule, differentiate};

/// The `x` of the macro is not that of its caller, nor are their tangents.
macro_rules! product {
    ($name:ident, $x:ident, $ty:ty, $($mode:ident),+) => {
        #[differentiate($($mode),+)]
        fn $name(x: $ty, $x: $ty) -> $ty {
            let x = x * x;
            x * $x
        }
    };
}

product!(single, x, f32, forward);
product!(double, x, f64, reverse, forward);

macro_rules! ruled {
    ($($name:ident => $rule:ident, $factor:expr;)*) => {$(
        #[custom_rule(jvp = $rule)]
        fn $name(x: f64) -> f64 {
            $factor * x
        }

        fn $rule(x: f64, x_tan: f64) -> (f64, f64) {
            ($factor * x, $factor * x_tan)
        }
    )*};
}

ruled! {
    twice => twice_tangent, 2.0;
    thrice => thrice_tangent, 3.0;
}

#[cfg_attr(all(), differentiate(forward))]
fn sixfold(x: f64) -> f64 {
    twice(thrice(x))
}

#[cfg(any())]
#[differentiate(forward)]
fn sixfold(x: f64) -> f64 {
    unknown(x)
}

fn main() {
    assert_eq!(single::tangent(2.0, 1.0, 3.0, 0.0), (12.0, 12.0));
    assert_eq!(double::tangent(2.0, 0.0, 3.0, 1.0), (12.0, 4.0));
    assert_eq!(double::gradient(2.0, 3.0), (12.0, 4.0));
    assert_eq!(sixfold::tangent(2.0, 0.5), (12.0, 3.0));
}
