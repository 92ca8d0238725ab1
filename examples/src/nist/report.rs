//! Comparison of fitted with certified values, and its printed form.

use std::fmt;

use levenberg_marquardt::TerminationReason;

use super::dataset::{Dataset, Start};
use super::fit::Fit;

/// NIST certifies eleven significant digits; agreement beyond is chance.
pub const CERTIFIED_DIGITS: f64 = 11.0;

/// Digits that every parameter must reach for a fit to count as good.
pub const REQUIRED_DIGITS: f64 = 6.0;

/// The number of significant digits in which `fitted` agrees with
/// `certified`: the negative decimal logarithm of the relative error, between
/// zero and [`CERTIFIED_DIGITS`]. No digits if `fitted` is not finite.
#[must_use]
pub fn agreeing_digits(fitted: f64, certified: f64) -> f64 {
    let scale = if certified == 0.0 { 1.0 } else { certified };
    let digits = -((fitted - certified) / scale).abs().log10();
    // Not `clamp`, which would keep NaN and the sign of zero.
    if digits > 0.0 { digits.min(CERTIFIED_DIGITS) } else { 0.0 }
}

/// One fitted quantity next to its certified value.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is compared.
    pub label: String,
    /// The value NIST certifies.
    pub certified: f64,
    /// The value found.
    pub fitted: f64,
}

impl Row {
    /// See [`agreeing_digits`].
    #[must_use]
    pub fn digits(&self) -> f64 {
        agreeing_digits(self.fitted, self.certified)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, digits) = (&self.label, self.digits());
        let (certified, fitted) = (self.certified, self.fitted);
        write!(f, "  {label:<15} {certified:>18.10e} {fitted:>18.10e} {digits:>7.1}")
    }
}

/// One fit compared with the certified results; its printed form is a table.
#[derive(Debug)]
pub struct Comparison {
    /// Name of the dataset.
    pub name: String,
    /// Its level of difficulty.
    pub difficulty: String,
    /// Where the fit started.
    pub start: Start,
    /// How many points the solver tried.
    pub evaluations: usize,
    /// Why the solver stopped.
    pub termination: TerminationReason,
    /// One row per parameter.
    pub parameters: Vec<Row>,
    /// The residual sum of squares.
    pub residual_sum_of_squares: Row,
}

impl Comparison {
    /// Compares `fit`, made from `start`, with the values in `dataset`.
    #[must_use]
    pub fn new(dataset: &Dataset, start: Start, fit: Fit) -> Self {
        let pairs = dataset.parameters.iter().zip(&fit.parameters);
        let parameters = pairs.zip(1..).map(|((published, &fitted), index)| Row {
            label: format!("b{index}"),
            certified: published.certified,
            fitted,
        });
        Self {
            name: dataset.name.value.clone(),
            difficulty: dataset.difficulty.clone(),
            start,
            evaluations: fit.evaluations,
            parameters: parameters.collect(),
            residual_sum_of_squares: Row {
                label: "sum of squares".to_owned(),
                certified: dataset.residual_sum_of_squares,
                fitted: fit.residual_sum_of_squares,
            },
            termination: fit.termination,
        }
    }

    /// The digits of the worst parameter.
    #[must_use]
    pub fn digits(&self) -> f64 {
        self.parameters.iter().map(Row::digits).fold(CERTIFIED_DIGITS, f64::min)
    }

    /// Whether all parameters have [`REQUIRED_DIGITS`].
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.digits() >= REQUIRED_DIGITS
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, start, evaluations) = (&self.name, self.start, self.evaluations);
        writeln!(f, "{name}, {start}: {evaluations} evaluations")?;
        writeln!(f, "  {:<15} {:>18} {:>18} {:>7}", "", "certified", "fitted", "digits")?;
        for row in &self.parameters {
            writeln!(f, "{row}")?;
        }
        writeln!(f, "{}", self.residual_sum_of_squares)?;
        if !self.termination.was_successful() {
            writeln!(f, "  the solver gave up: {:?}", self.termination)?;
        }
        Ok(())
    }
}

/// All comparisons of a run; its printed form has one line per fit.
#[derive(Debug)]
pub struct Summary<'a>(pub &'a [Comparison]);

impl Summary<'_> {
    /// Whether every fit from start 2 is good. Start 1 does not count: NIST
    /// chose it to be hard, and a failure there is no error of the derivatives.
    #[must_use]
    pub fn is_good(&self) -> bool {
        let mut second = self.from(Start::Second);
        second.all(Comparison::is_good)
    }

    fn from(&self, start: Start) -> impl Iterator<Item = &Comparison> {
        self.0.iter().filter(move |fit| fit.start == start)
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Digits of the worst parameter and of the sum of squares")?;
        for fit in self.0 {
            let (name, difficulty, start) = (&fit.name, &fit.difficulty, fit.start);
            let (worst, sum) = (fit.digits(), fit.residual_sum_of_squares.digits());
            let verdict = if fit.is_good() { "" } else { "  SHORT" };
            writeln!(f, "  {name:<9} {difficulty:<8} {start} {worst:>5.1} {sum:>5.1}{verdict}")?;
        }
        for start in Start::BOTH {
            let good = self.from(start).filter(|fit| fit.is_good()).count();
            let all = self.from(start).count();
            writeln!(
                f,
                "{start}: {good} of {all} fits have at least {REQUIRED_DIGITS} digits in every parameter"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_relative_error() {
        assert!((agreeing_digits(1.001, 1.0) - 3.0).abs() < 1e-9);
        assert!((agreeing_digits(-2.0e5 - 2.0, -2.0e5) - 5.0).abs() < 1e-9);
        assert!((agreeing_digits(1e-4, 0.0) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn digits_are_capped_and_never_negative() {
        assert_eq!(agreeing_digits(0.1, 0.1), CERTIFIED_DIGITS);
        assert_eq!(agreeing_digits(50.0, 1.0), 0.0);
        assert_eq!(agreeing_digits(f64::NAN, 1.0), 0.0);
        assert_eq!(agreeing_digits(f64::INFINITY, 1.0), 0.0);
    }

    fn comparison(start: Start, fitted: f64) -> Comparison {
        let row = |label: &str, fitted| Row { label: label.to_owned(), certified: 1.0, fitted };
        Comparison {
            name: "Example".to_owned(),
            difficulty: "Lower".to_owned(),
            start,
            evaluations: 3,
            termination: TerminationReason::LostPatience,
            parameters: vec![row("b1", 1.0), row("b2", fitted)],
            residual_sum_of_squares: row("sum of squares", 1.0),
        }
    }

    #[test]
    fn the_worst_parameter_decides() {
        assert!(comparison(Start::First, 1.0 + 1e-7).is_good());
        assert!(!comparison(Start::First, 1.0 + 1e-5).is_good());
    }

    #[test]
    fn only_start_2_decides_the_run() {
        let bad_first = [comparison(Start::First, 2.0), comparison(Start::Second, 1.0)];
        assert!(Summary(&bad_first).is_good());
        let bad_second = [comparison(Start::First, 1.0), comparison(Start::Second, 2.0)];
        assert!(!Summary(&bad_second).is_good());
    }

    #[test]
    fn a_failure_shows_in_table_and_summary() {
        let failed = comparison(Start::Second, 2.0);
        let table = failed.to_string();
        assert!(table.contains("the solver gave up: LostPatience"), "{table}");
        let summary = Summary(std::slice::from_ref(&failed)).to_string();
        assert!(summary.contains("SHORT"), "{summary}");
        assert!(summary.contains("start 2: 0 of 1 fits"), "{summary}");
    }
}
