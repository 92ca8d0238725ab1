//! The table of elementary derivatives.
//!
//! A row names an operation, gives its arguments with a test point (real ones first, others behind
//! `;`), the expression, and one partial per real argument, over arguments and result. Each side is
//! kept twice: as text for the macro, and compiled for the test that compares it with differences.
//!
//! Conventions at kinks: the derivative is 0 at a local extremum (`abs` at 0), else that of the
//! branch that ran; ties of `max` and `min` go to `self`. A constant partial is written as a
//! literal, which the macro recognises.
//!
//! For second derivatives the partials are differentiated by the table itself (`tangent::partial`
//! reads them). So a branch must not hide a value that its derivative needs: `ad::pull(p, q)` is a
//! product that is 0 if either factor is, and its own derivative is right there.

/// A row of the table.
#[derive(Debug)]
pub struct Rule {
    /// The method's name, or the operator's (`mul`).
    pub name: &'static str,
    /// Real arguments, the receiver first.
    pub args: &'static [&'static str],
    /// Further arguments, which carry no derivative.
    pub others: &'static [&'static str],
    /// The name of the result in the partials.
    pub result: &'static str,
    /// One partial per real argument.
    pub partials: &'static [&'static str],
}

/// The rule for a method or operator.
pub fn lookup(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

macro_rules! rules {
    ($($name:ident |$($arg:ident = $at:literal),+ $(; $other:ident = $other_at:literal)?| $primal:expr => $result:ident { $($partial:expr),+ $(,)? })*) => {
        /// Every elementary operation that has a derivative.
        pub const RULES: &[Rule] = &[$(Rule {
            name: stringify!($name),
            args: &[$(stringify!($arg)),+],
            others: &[$(stringify!($other))?],
            result: stringify!($result),
            partials: &[$(stringify!($partial)),+],
        }),*];

        #[cfg(test)]
        mod compiled {
            #![allow(unused_variables, clippy::all, clippy::pedantic)]
            use super::tests::{ad, Row};
            pub fn rows() -> Vec<Row> {
                vec![$({
                    #[allow(unused_mut)]
                    fn primal(x: &[f64]) -> f64 {
                        let mut x = x.iter();
                        $(let $arg = *x.next().unwrap();)+
                        $(let $other = $other_at;)?
                        $primal
                    }
                    fn partials(x: &[f64]) -> Vec<f64> {
                        let $result = primal(x);
                        let mut x = x.iter();
                        $(let $arg = *x.next().unwrap();)+
                        $(let $other = $other_at;)?
                        vec![$($partial),+]
                    }
                    Row { name: stringify!($name), at: vec![$($at),+], primal, partials }
                }),*]
            }
        }
    };
}

rules! {
    // operators
    add |a = 1.3, b = 0.7| a + b => y { 1.0, 1.0 }
    sub |a = 1.3, b = 0.7| a - b => y { 1.0, -1.0 }
    mul |a = 1.3, b = 0.7| a * b => y { b, a }
    div |a = 1.3, b = 0.7| a / b => y { 1.0 / b, -y * (1.0 / b) }
    rem |a = 7.3, b = 2.1| a % b => y { 1.0, ((y - a) / b).round() }
    neg |a = 1.3| -a => y { -1.0 }

    // powers and roots
    powi |x = 1.3; n = 3| x.powi(n) => y { ad::power_slope(x, n) }
    powf |x = 1.3, p = 2.5| x.powf(p) => y {
        ad::pull(p, x.powf(p - 1.0)),
        ad::pull(y, x.ln()),
    }
    sqrt |x = 2.0| x.sqrt() => y { 0.5 / y }
    cbrt |x = 2.0| x.cbrt() => y { 1.0 / (3.0 * y * y) }
    recip |x = 2.0| x.recip() => y { -y * y }
    hypot |x = 1.3, y = 0.7| x.hypot(y) => r {
        if r == 0.0 { 0.0 } else { x / r },
        if r == 0.0 { 0.0 } else { y / r },
    }

    // exponentials and logarithms
    exp |x = 0.4| x.exp() => y { y }
    exp2 |x = 0.4| x.exp2() => y { y * 0.693_147_180_559_945_3 }
    exp_m1 |x = 0.4| x.exp_m1() => y { x.exp() }
    ln |x = 1.7| x.ln() => y { 1.0 / x }
    ln_1p |x = 0.4| x.ln_1p() => y { 1.0 / (1.0 + x) }
    log2 |x = 1.7| x.log2() => y { 1.442_695_040_888_963_4 / x }
    log10 |x = 1.7| x.log10() => y { 0.434_294_481_903_251_8 / x }
    log |x = 1.7, b = 3.1| x.log(b) => y { 1.0 / (x * b.ln()), -y / (b * b.ln()) }

    // trigonometry
    sin |x = 0.4| x.sin() => y { x.cos() }
    cos |x = 0.4| x.cos() => y { -x.sin() }
    tan |x = 0.4| x.tan() => y { 1.0 + y * y }
    asin |x = 0.4| x.asin() => y { 1.0 / ((1.0 - x) * (1.0 + x)).sqrt() }
    acos |x = 0.4| x.acos() => y { -1.0 / ((1.0 - x) * (1.0 + x)).sqrt() }
    atan |x = 0.4| x.atan() => y { 1.0 / (1.0 + x * x) }
    atan2 |b = 0.7, a = -1.3| b.atan2(a) => y {
        if a.hypot(b) == 0.0 { 0.0 } else { a / a.hypot(b) / a.hypot(b) },
        if a.hypot(b) == 0.0 { 0.0 } else { -b / a.hypot(b) / a.hypot(b) },
    }
    to_radians |x = 40.0| x.to_radians() => y { 0.017_453_292_519_943_295 }
    to_degrees |x = 0.4| x.to_degrees() => y { 57.295_779_513_082_32 }

    // hyperbolic functions
    sinh |x = 0.4| x.sinh() => y { x.cosh() }
    cosh |x = 0.4| x.cosh() => y { x.sinh() }
    tanh |x = 0.4| x.tanh() => y { (1.0 - y) * (1.0 + y) }
    asinh |x = 0.4| x.asinh() => y { 1.0 / x.hypot(1.0) }
    acosh |x = 1.4| x.acosh() => y { 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt()) }
    atanh |x = 0.4| x.atanh() => y { 1.0 / ((1.0 - x) * (1.0 + x)) }

    // kinks
    abs |x = -1.3| x.abs() => y { if x == 0.0 { 0.0 } else { x.signum() } }
    max |a = 1.3, b = 0.7| a.max(b) => y {
        if a >= b || b.is_nan() { 1.0 } else { 0.0 },
        if a >= b || b.is_nan() { 0.0 } else { 1.0 },
    }
    min |a = 1.3, b = 0.7| a.min(b) => y {
        if a <= b || b.is_nan() { 1.0 } else { 0.0 },
        if a <= b || b.is_nan() { 0.0 } else { 1.0 },
    }
    clamp |x = 0.4, lo = 0.1, hi = 0.9| x.clamp(lo, hi) => y {
        if x < lo || x > hi { 0.0 } else { 1.0 },
        if x < lo { 1.0 } else { 0.0 },
        if x > hi { 1.0 } else { 0.0 },
    }
    copysign |x = -1.3, s = 0.7| x.copysign(s) => y {
        if x == 0.0 { 0.0 } else { x.signum() * s.signum() },
        0.0,
    }
    rem_euclid |a = -7.3, b = 2.1| a.rem_euclid(b) => y { 1.0, ((y - a) / b).round() }
    fract |x = 1.3| x.fract() => y { 1.0 }

    // sums and products of several
    mul_add |a = 1.3, b = 0.7, c = 0.2| a.mul_add(b, c) => y { b, a, 1.0 }
    midpoint |a = 1.3, b = 0.7| a.midpoint(b) => y { 0.5, 0.5 }

    // piecewise constant
    floor |x = 1.3| x.floor() => y { 0.0 }
    ceil |x = 1.3| x.ceil() => y { 0.0 }
    round |x = 1.3| x.round() => y { 0.0 }
    round_ties_even |x = 1.3| x.round_ties_even() => y { 0.0 }
    trunc |x = 1.3| x.trunc() => y { 0.0 }
    signum |x = 1.3| x.signum() => y { 0.0 }
    div_euclid |a = -7.3, b = 2.1| a.div_euclid(b) => y { 0.0, 0.0 }
}

#[cfg(test)]
mod tests {
    /// What the partials call in generated code.
    pub mod ad {
        pub fn pull(derivative: f64, partial: f64) -> f64 {
            if derivative == 0.0 || partial == 0.0 { 0.0 } else { derivative * partial }
        }

        pub fn power_slope(x: f64, n: i32) -> f64 {
            f64::from(n) * x.powi(n - 1)
        }
    }

    pub struct Row {
        pub name: &'static str,
        pub at: Vec<f64>,
        pub primal: fn(&[f64]) -> f64,
        pub partials: fn(&[f64]) -> Vec<f64>,
    }

    /// Fourth-order central differences with step 1e-3 err by about 1e-12 from the truncation and
    /// 1e-12 from rounding at these points; the worst fifth derivatives here are below 1e3.
    #[test]
    fn every_partial_agrees_with_differences() {
        for row in super::compiled::rows() {
            let partials = (row.partials)(&row.at);
            assert_eq!(partials.len(), row.at.len(), "{}: one partial per argument", row.name);
            for (k, partial) in partials.into_iter().enumerate() {
                let shifted = |h: f64| {
                    let mut x = row.at.clone();
                    x[k] += h;
                    (row.primal)(&x)
                };
                let h = 1e-3;
                let near = shifted(h) - shifted(-h);
                let far = shifted(2.0 * h) - shifted(-2.0 * h);
                let difference = (8.0 * near - far) / (12.0 * h);
                let error = (partial - difference).abs();
                assert!(
                    error <= 1e-9 * (1.0 + difference.abs()),
                    "{} by argument {k}: {partial} but differences give {difference}",
                    row.name
                );
            }
        }
    }

    #[test]
    fn every_partial_parses() {
        for rule in super::RULES {
            assert_eq!(rule.partials.len(), rule.args.len(), "{}", rule.name);
            for partial in rule.partials {
                assert!(syn::parse_str::<syn::Expr>(partial).is_ok(), "{}: {partial}", rule.name);
            }
        }
    }
}
