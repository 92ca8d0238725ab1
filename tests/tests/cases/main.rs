//! Programs of public bug reports: values and derivatives of the generated companions against exact ones.
//!
//! The expected numbers were computed with 60 digits by another program, so they do not share a mistake with the macro.
//! Kinks, one-sided points and branches on exact equality are compared as [`Kind`] says.
//! Every row is checked by value; those that [`reverse`] and [`forward`] know are checked by derivative too.

mod forward;
mod reverse;

use ad_tests::cases::{Kind, ROWS, Row, call};
use ad_tests::check::{central, close, moved, right, sample};
use forward::{ValueAndTangent, forward};
use reverse::reverse;
use std::collections::BTreeSet;

/// Agreement asked of values: the same few operations in the same order as the exact program.
const VALUE: f64 = 1e-12;

/// Agreement asked of derivatives: exact but for rounding, in sums of up to 5000 terms (row 96).
const DERIVATIVE: f64 = 1e-10;

/// Row 17 computes in `f32`, whose rounding unit is 6e-8; its integers are exact, so even this is generous.
const SINGLE: f64 = 1e-6;

/// Fewest programs that must have a derivative in this file.
const COVERED: usize = 67;

/// Relative agreement, as the rows' own tolerances are meant.
fn agree(a: f64, b: f64, tol: f64) -> bool {
    a.is_finite() && (a - b).abs() <= tol * (1.0 + a.abs().max(b.abs()))
}

/// The name of a program: several keys belong to one.
fn program(key: &str) -> &str {
    match key {
        "4a" => "cube_of",
        "4b" => "logistic",
        "107a" => "lorentz",
        "107b" => "root_chain",
        _ => key.trim_end_matches(|c: char| c.is_ascii_lowercase()),
    }
}

/// The derivative that we promise at a row.
fn promised(row: &Row) -> &[f64] {
    match row.kind {
        Kind::Path(executed) => executed,
        _ => row.grad,
    }
}

/// Index of the first entry that is a variable.
fn first(row: &Row) -> usize {
    match row.kind {
        Kind::Only(data) => data,
        _ => 0,
    }
}

fn check_differences(row: &Row, gradient: &[f64], report: &mut Vec<String>) {
    let f = call(row.key);
    for i in first(row)..row.at.len() {
        let h = row.step.unwrap_or(3e-5) * row.at[i].abs().max(1.0);
        let (shown, good) = match row.kind {
            Kind::Smooth | Kind::Only(_) | Kind::Path(_) => {
                let d = central(f, row.at, i, h);
                (d, agree(gradient[i], d, row.tol))
            }
            Kind::RightSided => {
                let d = right(f, row.at, i, 1e-6);
                (d, agree(gradient[i], d, row.tol))
            }
            Kind::Choice(range) => {
                let (low, high) = range[i];
                (gradient[i], low <= gradient[i] && gradient[i] <= high)
            }
        };
        if !good {
            report.push(format!(
                "{}: entry {i} is {}, differences show {shown}",
                row.key, gradient[i]
            ));
        }
    }
}

/// Agreement asked of a derivative of a row; row 17 has another.
fn tolerance(row: &Row) -> f64 {
    if row.key == "17" { SINGLE } else { DERIVATIVE }
}

fn check(row: &Row, (value, gradient): (f64, Vec<f64>), report: &mut Vec<String>) {
    let tol = if row.key == "17" { SINGLE } else { VALUE };
    if !agree(value, row.value, tol) {
        report.push(format!("{}: value {value} but {} expected", row.key, row.value));
    }
    if gradient.len() != row.at.len() {
        report.push(format!(
            "{}: {} derivatives for {} entries",
            row.key,
            gradient.len(),
            row.at.len()
        ));
        return;
    }
    for (i, &want) in promised(row).iter().enumerate().skip(first(row)) {
        if !agree(gradient[i], want, tolerance(row)) {
            report.push(format!("{}: entry {i} is {} but {want} expected", row.key, gradient[i]));
        }
    }
    // Differences cannot see which branch runs at the very point.
    if !matches!(row.kind, Kind::Path(_)) {
        check_differences(row, &gradient, report);
    }
}

/// Value and gradient by forward mode: one tangent for each unit direction.
fn by_tangents(f: ValueAndTangent, at: &[f64]) -> (f64, Vec<f64>) {
    let zero = vec![0.0; at.len()];
    let (value, _) = f(at, &zero);
    (value, (0..at.len()).map(|i| f(at, &moved(&zero, i, 1.0)).1).collect())
}

/// Along a direction of which no entry is zero, the tangent is the inner product with the gradient.
fn check_dense(row: &Row, f: ValueAndTangent, report: &mut Vec<String>) {
    let mut direction = sample(row.at.len(), 0.9);
    direction[..first(row)].fill(0.0);
    let terms: Vec<f64> = promised(row).iter().zip(&direction).map(|(g, d)| g * d).collect();
    let (want, size): (f64, f64) = (terms.iter().sum(), terms.iter().map(|t| t.abs()).sum());
    let (_, tangent) = f(row.at, &direction);
    // Relative to the terms, which may cancel.
    if (tangent - want).abs() > tolerance(row) * (1.0 + size) || !tangent.is_finite() {
        report.push(format!("{}: tangent {tangent} but {want} expected", row.key));
    }
}

#[test]
fn derivatives() {
    let mut report = Vec::new();
    for row in ROWS {
        if let Some(f) = reverse(row.key) {
            check(row, f(row.at), &mut report);
        }
    }
    assert!(report.is_empty(), "{} failures\n{}", report.len(), report.join("\n"));
}

#[test]
fn tangents() {
    let mut report = Vec::new();
    for row in ROWS {
        if let Some(f) = forward(row.key) {
            check(row, by_tangents(f, row.at), &mut report);
            check_dense(row, f, &mut report);
        }
    }
    assert!(report.is_empty(), "{} failures\n{}", report.len(), report.join("\n"));
}

#[test]
fn values() {
    let mut report = Vec::new();
    for row in ROWS {
        let value = call(row.key)(row.at);
        if !agree(value, row.value, VALUE) {
            report.push(format!("{}: value {value} but {} expected", row.key, row.value));
        }
    }
    assert!(report.is_empty(), "{} failures\n{}", report.len(), report.join("\n"));
}

/// The table itself: differences of the primals show the stated derivatives.
#[test]
fn expected_derivatives_are_those_of_the_programs() {
    let mut report = Vec::new();
    for row in ROWS {
        check_differences(row, row.grad, &mut report);
        for &(i, j, want) in row.second {
            let h = 2e-4;
            let at = |a, b| call(row.key)(&moved(&moved(row.at, i, a), j, b));
            let got = (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4.0 * h * h);
            // Second differences have an error of `1e-16 / h²`, some 3e-9 for values near one.
            if !agree(got, want, 1e-5) {
                report.push(format!(
                    "{}: second ({i}, {j}) is {want}, differences show {got}",
                    row.key
                ));
            }
        }
    }
    assert!(report.is_empty(), "{} failures\n{}", report.len(), report.join("\n"));
}

/// Coverage cannot shrink unnoticed.
#[test]
fn coverage() {
    let programs: BTreeSet<&str> =
        ROWS.iter().filter(|row| reverse(row.key).is_some()).map(|row| program(row.key)).collect();
    assert!(programs.len() >= COVERED, "{} programs covered: {programs:?}", programs.len());
    for row in ROWS {
        let modes = (reverse(row.key).is_some(), forward(row.key).is_some());
        assert_eq!(modes.0, modes.1, "{}: what one mode knows, the other does", row.key);
    }
}

/// Rows of one program one after the other, backwards and again: nothing may outlive a call.
#[test]
fn repeated_calls_agree() {
    fn bits(row: &Row) -> Option<(&str, Vec<u64>)> {
        let (value, gradient) = reverse(row.key)?(row.at);
        Some((row.key, [value].iter().chain(&gradient).map(|v| v.to_bits()).collect()))
    }
    let first: Vec<_> = ROWS.iter().filter_map(bits).collect();
    let mut second: Vec<_> = ROWS.iter().rev().filter_map(bits).collect();
    second.reverse();
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first, second);
    }
    for row in ROWS {
        let Some(f) = forward(row.key) else { continue };
        let direction = sample(row.at.len(), 0.4);
        let bits = || <[f64; 2]>::from(f(row.at, &direction)).map(f64::to_bits);
        assert_eq!(bits(), bits(), "{}", row.key);
    }
}

/// The generic programs at single precision; `f32` rounds at 6e-8.
#[test]
fn generic_programs_accept_single_precision() {
    use ad_tests::cases::programs::{cube_of, logistic};
    let mut x_adj = 0.0_f32;
    assert_eq!(cube_of::adjoint(&3.0_f32, &mut x_adj, 1.0), 27.0);
    assert_eq!(x_adj, 27.0);
    let (value, x_adj, steepness_adj) = logistic::adjoint(0.7_f32, 2.5, 1.0);
    assert!(close(value.into(), 0.851_952_801_968_310_5, SINGLE));
    assert!(close(x_adj.into(), 0.315_323_062_966_638, SINGLE));
    assert!(close(steepness_adj.into(), 0.088_290_457_630_658_64, SINGLE));
    assert_eq!(cube_of::tangent(&3.0_f32, &2.0), (27.0, 54.0));
    let (_, tangent) = logistic::tangent(0.7_f32, 1.0, 2.5, 0.0);
    assert!(close(tangent.into(), 0.315_323_062_966_638, SINGLE));
}
