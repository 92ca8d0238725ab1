//! The command line, and the run itself.

use super::gradients::compare;
use super::picture;
use super::propagation;
use super::retrieval::{Experiment, Guess, SIZE, WAVELENGTHS};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How to call the program.
pub const USAGE: &str = "\
Usage: wave_optics [DIR]

Compares gradients of a wave that passes a mask with differences, then recovers the mask and its
distance from pictures in light of three wavelengths. Pictures of target, start and result are
written into DIR, or into `wave_optics` beside the program.
";

/// Steps of the fit.
pub const STEPS: usize = 400;

/// The error of a derivative, relative to the largest of its kind, that is left to differences.
pub const TOLERANCE: f64 = 1e-7;

/// Runs the program; whether the gradients agree and the fit succeeded.
///
/// # Errors
///
/// If pictures or text cannot be written.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut impl Write,
) -> io::Result<bool> {
    let directory = match arguments.into_iter().next() {
        Some(help) if help == "--help" => {
            out.write_all(USAGE.as_bytes())?;
            return Ok(true);
        }
        Some(directory) => PathBuf::from(directory),
        None => std::env::current_exe()?.with_file_name("wave_optics"),
    };
    let table = compare();
    writeln!(out, "{table}")?;
    let agree = table.0.iter().all(|row| row.error <= TOLERANCE);

    let experiment = Experiment::new();
    let start = experiment.start();
    let result = experiment.fit(&start, STEPS);
    for (name, guess) in [("start", &start), ("result", &result)] {
        writeln!(
            out,
            "{name:<7} error of the pictures {:.2e}, of the phases {:.3} rad, distance {:.1} µm",
            experiment.error(guess),
            experiment.phase_error(guess),
            guess.distance
        )?;
    }
    writeln!(out, "target  distance {:.1} µm", experiment.target.distance)?;
    let fell = experiment.error(&start) / experiment.error(&result);
    writeln!(out, "the error fell by a factor of {fell:.0} in {STEPS} steps")?;

    fs::create_dir_all(&directory)?;
    for (name, guess) in [("target", &experiment.target), ("start", &start), ("result", &result)] {
        save(&directory, name, &experiment, guess)?;
    }
    writeln!(out, "pictures are in {}", directory.display())?;
    Ok(agree && fell >= 1000.0)
}

/// Writes the mask of a guess, and what the camera sees of it in the middle wavelength.
fn save(directory: &Path, name: &str, experiment: &Experiment, guess: &Guess) -> io::Result<()> {
    let mask = directory.join(format!("mask-{name}.png"));
    picture::write(&mask, SIZE, &guess.phase, (-1.5, 2.5))?;
    let seen =
        propagation::picture(&experiment.setup, &guess.phase, guess.distance, WAVELENGTHS[1]);
    let brightest = experiment.pictures[1].iter().fold(0.0_f64, |most, x| most.max(*x));
    picture::write(&directory.join(format!("camera-{name}.png")), SIZE, &seen, (0.0, brightest))
}
