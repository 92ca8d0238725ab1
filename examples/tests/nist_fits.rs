//! Every NIST dataset must be fitted to the certified digits.

use ad_examples::nist::cli::{default_data, load};
use ad_examples::nist::dataset::Start;
use ad_examples::nist::fit::fit;
use ad_examples::nist::model::MODELS;
use ad_examples::nist::report::{Comparison, REQUIRED_DIGITS};

fn comparisons(start: Start) -> impl Iterator<Item = Comparison> {
    MODELS.iter().map(move |model| {
        let dataset = load(&default_data(), model).expect("a good file");
        Comparison::new(&dataset, start, fit(model, &dataset, start))
    })
}

/// The residuals of Lanczos1 are as small as the rounding of its data, so only
/// the magnitude of their sum of squares can be met.
fn required_sum_digits(name: &str) -> f64 {
    if name == "Lanczos1" { 1.0 } else { REQUIRED_DIGITS }
}

#[track_caller]
fn assert_certified(comparison: &Comparison) {
    assert!(comparison.termination.was_successful(), "{comparison}");
    assert!(comparison.digits() >= REQUIRED_DIGITS, "{comparison}");
    let sum_digits = comparison.residual_sum_of_squares.digits();
    assert!(sum_digits >= required_sum_digits(&comparison.name), "{comparison}");
}

#[test]
fn all_datasets_converge_from_start_2() {
    for comparison in comparisons(Start::Second) {
        assert_certified(&comparison);
    }
}

#[test]
fn all_datasets_converge_from_start_1() {
    for comparison in comparisons(Start::First) {
        assert_certified(&comparison);
    }
}

#[test]
fn every_file_has_a_model_and_every_model_a_file() {
    let mut files: Vec<_> = std::fs::read_dir(default_data())
        .expect("the data directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "dat"))
        .map(|path| path.file_stem().expect("a name").to_owned())
        .collect();
    let mut models: Vec<_> = MODELS.iter().map(|model| model.name).collect();
    files.sort();
    models.sort_unstable();
    assert_eq!(files, models);
}
