//! The programs have right gradients, and reference files that are wrong are reported.

use ad_benches::data::{Failure, Numbers, compare};
use ad_benches::programs::ba::BundleAdjustment;
use ad_benches::programs::brusselator::Brusselator;
use ad_benches::programs::fft::Fft;
use ad_benches::programs::gmm::Gmm;
use ad_benches::programs::lstm::Lstm;
use ad_benches::programs::{Program, Size};
use ad_tests::check::assert_gradient;
use std::fs;
use std::path::PathBuf;

/// Compares a gradient with differences, also when it is computed a second time.
fn check<P: Program>() {
    let mut program = P::generated(Size::Small);
    let point = program.point();
    for _ in 0..2 {
        program.primal();
        program.gradient();
        assert_gradient(P::NAME, |x| program.value_at(x), &point, &program.found());
    }
}

#[test]
fn gmm_has_the_gradient_of_its_differences() {
    check::<Gmm>();
}

#[test]
fn lstm_has_the_gradient_of_its_differences() {
    check::<Lstm>();
}

#[test]
fn bundle_adjustment_has_the_gradient_of_its_differences() {
    check::<BundleAdjustment>();
}

#[test]
fn fft_has_the_gradient_of_its_differences() {
    check::<Fft>();
}

#[test]
fn brusselator_has_the_gradient_of_its_differences() {
    check::<Brusselator>();
}

/// A file of these contents, of its own for each test.
fn file(name: &str, contents: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, contents).expect("the directory for tests can be written to");
    path
}

#[test]
fn a_gradient_that_agrees_is_accepted() {
    let path = file("agrees.txt", "1.0 2.0\n3e10\n");
    assert!(compare(&path, &[1.0 + 1e-10, 2.0, 3e10 + 1.0]).is_ok());
}

#[test]
fn the_entry_that_is_off_most_is_named() {
    let path = file("differs.txt", "1.0\n2.0\n4.0\n");
    let message = compare(&path, &[1.5, 2.0, 3.0]).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "{}: 2 entries are off, most of all entry 0: expected 1e0, computed 1.5e0, which is \
             off by 5.0e-1 relatively",
            path.display()
        )
    );
}

#[test]
fn nan_agrees_with_nothing() {
    let path = file("nan.txt", "1.0 2.0");
    let failure = compare(&path, &[1.0, f64::NAN]).unwrap_err();
    assert!(matches!(failure, Failure::Differs { entry: 1, count: 1, .. }), "{failure}");
}

#[test]
fn another_number_of_entries_is_reported() {
    let path = file("length.txt", "1.0 2.0");
    let failure = compare(&path, &[1.0]).unwrap_err();
    assert!(matches!(failure, Failure::Length { expected: 2, found: 1, .. }), "{failure}");
}

#[test]
fn what_is_no_number_is_reported_with_its_line() {
    let path = file("word.txt", "1.0\n\n2.0 x3\n");
    let message = compare(&path, &[1.0, 2.0, 3.0]).unwrap_err().to_string();
    let place = format!("{}:3: expected an entry of the gradient, found `x3`", path.display());
    assert_eq!(message, place);
}

#[test]
fn a_file_that_ends_early_or_late_is_reported() {
    let mut numbers = Numbers::open(file("ends.txt", "1\n2 3\n")).unwrap();
    assert_eq!(numbers.take(2, "a number").unwrap(), [1.0, 2.0]);
    let message = numbers.take(2, "a number").unwrap_err().to_string();
    assert!(message.ends_with(":2: expected a number, found the end of the file"), "{message}");
    let message = Numbers::open(file("ends.txt", "1\n")).unwrap().end().unwrap_err().to_string();
    assert!(message.ends_with(":1: expected the end of the file, found `1`"), "{message}");
}

#[test]
fn a_directory_without_the_files_is_reported() {
    let Err(Failure::Unreadable { path, .. }) = Gmm::read(&file("none", "")) else {
        panic!("there is no such file");
    };
    assert!(path.ends_with(Gmm::INPUTS[0]));
}
