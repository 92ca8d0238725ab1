//! Gradients, rules and the fit of the example on wave optics.

use ad_examples::wave_optics::cli::{self, TOLERANCE};
use ad_examples::wave_optics::gradients::compare;
use ad_examples::wave_optics::propagation::propagate;
use ad_examples::wave_optics::retrieval::{DISTANCE, Experiment};
use ad_examples::wave_optics::transform::{Plans, fft2, ifft2};
use ad_runtime::{check, differentiate};
use num_complex::Complex64;
use std::fs;
use std::path::Path;

const SIZE: usize = 6;

fn field(shift: f64) -> Vec<Complex64> {
    let sample = |k: usize| (1.7 * k as f64 + shift).sin();
    (0..SIZE * SIZE).map(|k| Complex64::new(sample(k), sample(k + 2))).collect()
}

/// `Re Σ conj(a) b`, the inner product of fields as vectors of real parts.
fn inner(a: &[Complex64], b: &[Complex64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a.conj() * b).re).sum()
}

#[differentiate(reverse)]
fn transformed(
    #[constant] plans: &Plans,
    field: &[Complex64],
    #[constant] seed: &[Complex64],
) -> f64 {
    let mut there = field.to_vec();
    fft2(plans, &mut there);
    let mut back = field.to_vec();
    ifft2(plans, &mut back);
    let mut sum = 0.0;
    for ((a, b), s) in there.iter().zip(&back).zip(seed) {
        sum += (s.conj() * a).re * b.norm_sqr();
    }
    sum
}

#[test]
fn the_rules_agree_with_differences() {
    let (plans, seed) = (Plans::new(SIZE), field(2.0));
    check::test_rule(
        field(0.3),
        |x| transformed(&plans, x, &seed),
        |x| transformed::value_and_gradient(&plans, x, &seed),
    );
}

/// `⟨y, F x⟩ = ⟨F* y, x⟩`, exact to rounding: some hundred numbers near one are added.
#[test]
fn the_rules_are_adjoint_to_the_transforms() {
    let plans = Plans::new(SIZE);
    let (x, y) = (field(0.3), field(1.1));
    for adjoint in [fft2::adjoint, ifft2::adjoint] {
        let (mut image, mut y_adj) = (x.clone(), y.clone());
        adjoint(&plans, &mut image, &mut y_adj);
        let (there, back) = (inner(&y, &image), inner(&y_adj, &x));
        assert!((there - back).abs() <= 1e-12 * there.abs().max(1.0), "{there} and {back}");
        assert!(there.abs() > 0.1, "the product tells something");
    }
}

/// The adjoint of the forward transform is the inverse transform times the number of samples.
#[test]
fn the_adjoint_is_unnormalised() {
    let plans = Plans::new(SIZE);
    let (mut x, mut adj) = (field(0.3), field(1.1));
    fft2::adjoint(&plans, &mut x, &mut adj);
    let mut expected = field(1.1);
    ifft2(&plans, &mut expected);
    for (got, want) in adj.iter().zip(expected) {
        assert!((got - want * (SIZE * SIZE) as f64).norm() < 1e-12, "{got} and {want}");
    }
}

/// Waves that do not decay keep their energy, and those of opposite distances cancel.
#[test]
fn propagation_there_and_back() {
    let plans = Plans::new(SIZE);
    let mut wave = field(0.3);
    propagate(&plans, &mut wave, 30.0, 0.5, 1.0);
    let energy = |field: &[Complex64]| inner(field, field);
    assert!((energy(&wave) - energy(&field(0.3))).abs() < 1e-12 * energy(&wave));
    propagate(&plans, &mut wave, -30.0, 0.5, 1.0);
    let off = wave.iter().zip(field(0.3)).map(|(a, b)| (a - b).norm());
    assert!(off.fold(0.0, f64::max) < 1e-12);
}

#[test]
fn gradients_agree_with_differences() {
    let table = compare();
    assert_eq!(table.0.len(), 6);
    for row in &table.0 {
        assert!(row.gradient != 0.0 && row.error <= TOLERANCE, "{}\n{table}", row.name);
    }
}

#[test]
fn the_fit_recovers_mask_and_distance() {
    let experiment = Experiment::new();
    let start = experiment.start();
    let result = experiment.fit(&start, 200);
    let fell = experiment.error(&start) / experiment.error(&result);
    assert!(fell >= 500.0, "the error fell by a factor of {fell}");
    let phases = experiment.phase_error(&start) / experiment.phase_error(&result);
    assert!(phases >= 2.0, "that of the phases by {phases}");
    assert!((result.distance - DISTANCE).abs() < 15.0, "at {}", result.distance);
}

#[test]
fn the_program_prints_and_writes_pictures() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wave_optics");
    let mut text = Vec::new();
    let fine = cli::run([directory.clone().into_os_string()], &mut text).expect("a run");
    let text = String::from_utf8(text).expect("text");
    assert!(fine, "{text}");
    for part in ["wavelengths of the field", "start   error", "result  error", "fell by a factor"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    for name in [
        "mask-target",
        "mask-start",
        "mask-result",
        "camera-target",
        "camera-start",
        "camera-result",
    ] {
        let bytes = fs::read(directory.join(format!("{name}.png"))).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{name} is a PNG file");
    }
}
