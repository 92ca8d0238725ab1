//! The models of the NIST datasets, as ordinary functions.
//!
//! Every model maps the parameters `b` and the predictors `x` of one
//! observation to a predicted response. `#[differentiate]` puts next to each
//! function a type of the same name with its derivatives with respect to `b`;
//! the table [`MODELS`](super::model::MODELS) is the only place that refers to
//! those types. The functions index `b` and `x` without further checks: the
//! table tells how long they must be.

use std::f64::consts::PI;

use ad_runtime::differentiate;

/// `b1 (1 - exp(-b2 x))`
#[differentiate(reverse)]
pub fn misra1a(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * (1.0 - (-b[1] * x[0]).exp())
}

/// `b1 (1 - (1 + b2 x / 2)^-2)`
#[differentiate(reverse)]
pub fn misra1b(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * (1.0 - (1.0 + b[1] * x[0] / 2.0).powi(-2))
}

/// `b1 (1 - (1 + 2 b2 x)^-0.5)`
#[differentiate(reverse)]
pub fn misra1c(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * (1.0 - 1.0 / (1.0 + 2.0 * b[1] * x[0]).sqrt())
}

/// `b1 b2 x / (1 + b2 x)`
#[differentiate(reverse)]
pub fn misra1d(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let t = b[1] * x[0];
    b[0] * t / (1.0 + t)
}

/// `exp(-b1 x) / (b2 + b3 x)`
#[differentiate(reverse)]
pub fn chwirut(b: &[f64], #[constant] x: &[f64]) -> f64 {
    (-b[0] * x[0]).exp() / (b[1] + b[2] * x[0])
}

/// `b1 exp(-b2 x) + b3 exp(-b4 x) + b5 exp(-b6 x)`
#[differentiate(reverse)]
pub fn lanczos(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += b[2 * i] * (-b[2 * i + 1] * x[0]).exp();
    }
    sum
}

/// `b1 exp(-b2 x)` plus the peaks `b3 exp(-((x - b4) / b5)^2)` and
/// `b6 exp(-((x - b7) / b8)^2)`
#[differentiate(reverse)]
pub fn gauss(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let mut sum = b[0] * (-b[1] * x[0]).exp();
    for peak in 0..2 {
        let z = (x[0] - b[3 * peak + 3]) / b[3 * peak + 4];
        sum += b[3 * peak + 2] * (-z * z).exp();
    }
    sum
}

/// `b1 x^b2`
#[differentiate(reverse)]
pub fn dan_wood(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * x[0].powf(b[1])
}

/// `(b1 + b2 x + b3 x^2) / (1 + b4 x + b5 x^2)`
#[differentiate(reverse)]
pub fn kirby2(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let t = x[0];
    (b[0] + b[1] * t + b[2] * t.powi(2)) / (1.0 + b[3] * t + b[4] * t.powi(2))
}

/// `(b1 + b2 x + b3 x^2 + b4 x^3) / (1 + b5 x + b6 x^2 + b7 x^3)`
///
/// Both Hahn1 and Thurber use it.
#[differentiate(reverse)]
pub fn cubic_ratio(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let t = x[0];
    let numerator = b[0] + t * (b[1] + t * (b[2] + t * b[3]));
    let denominator = 1.0 + t * (b[4] + t * (b[5] + t * b[6]));
    numerator / denominator
}

/// `b1 - b2 x1 exp(-b3 x2)`, for the logarithm of the response
#[differentiate(reverse)]
pub fn nelson(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] - b[1] * x[0] * (-b[2] * x[1]).exp()
}

/// `b1 + b2 exp(-b4 x) + b3 exp(-b5 x)`
#[differentiate(reverse)]
pub fn mgh17(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] + b[1] * (-x[0] * b[3]).exp() + b[2] * (-x[0] * b[4]).exp()
}

/// `b1 - b2 x - arctan(b3 / (x - b4)) / pi`
#[differentiate(reverse)]
pub fn roszman1(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] - b[1] * x[0] - (b[2] / (x[0] - b[3])).atan() / PI
}

/// A mean `b1`, an annual cycle `b2`, `b3`, and two cycles of unknown
/// periods: `b5`, `b6` with period `b4` and `b8`, `b9` with period `b7`
#[differentiate(reverse)]
pub fn enso(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let turns = 2.0 * PI * x[0];
    let annual = b[1] * (turns / 12.0).cos() + b[2] * (turns / 12.0).sin();
    let second = b[4] * (turns / b[3]).cos() + b[5] * (turns / b[3]).sin();
    let third = b[7] * (turns / b[6]).cos() + b[8] * (turns / b[6]).sin();
    b[0] + annual + second + third
}

/// `b1 (x^2 + b2 x) / (x^2 + b3 x + b4)`
#[differentiate(reverse)]
pub fn mgh09(b: &[f64], #[constant] x: &[f64]) -> f64 {
    let t = x[0];
    b[0] * (t * t + t * b[1]) / (t * t + t * b[2] + b[3])
}

/// `b1 exp(b2 / (x + b3))`
#[differentiate(reverse)]
pub fn mgh10(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * (b[1] / (x[0] + b[2])).exp()
}

/// `b1 / (1 + exp(b2 - b3 x))`
#[differentiate(reverse)]
pub fn rat42(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x[0]).exp())
}

/// `b1 / (1 + exp(b2 - b3 x))^(1 / b4)`
#[differentiate(reverse)]
pub fn rat43(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x[0]).exp()).powf(1.0 / b[3])
}

/// `(b1 / b2) exp(-((x - b3) / b2)^2 / 2)`
#[differentiate(reverse)]
pub fn eckerle4(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] / b[1] * (-0.5 * ((x[0] - b[2]) / b[1]).powi(2)).exp()
}

/// `b1 (b2 + x)^(-1 / b3)`
#[differentiate(reverse)]
pub fn bennett5(b: &[f64], #[constant] x: &[f64]) -> f64 {
    b[0] * (b[1] + x[0]).powf(-1.0 / b[2])
}
