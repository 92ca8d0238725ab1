//! Prints what each program takes, what its gradient takes, and what is recorded for it.
//!
//! Primal and gradient run in turns, so that noise of the machine hits both, and their ratio is
//! that of the medians. Where the directory `AD_DATA` has reference data, the gradient is
//! compared with it first. Arguments choose the programs whose names contain one of them.

use ad_benches::data::{Failure, compare};
use ad_benches::programs::ba::BundleAdjustment;
use ad_benches::programs::brusselator::Brusselator;
use ad_benches::programs::fft::Fft;
use ad_benches::programs::gmm::Gmm;
use ad_benches::programs::lstm::Lstm;
use ad_benches::programs::{Program, Size};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How long each program is measured.
const BUDGET: Duration = Duration::from_secs(2);

/// How long one measurement takes at least, so that the clock is fine enough.
const TURN: Duration = Duration::from_millis(1);

fn main() -> ExitCode {
    let directory = std::env::var_os("AD_DATA").map(PathBuf::from);
    println!(
        "{:<28} {:<9} {:>10} {:>12} {:>6} {:>13}",
        "program", "inputs", "primal ms", "gradient ms", "ratio", "recorded KiB"
    );
    let rows = [
        row::<Lstm>(directory.as_deref()),
        row::<Gmm>(directory.as_deref()),
        row::<BundleAdjustment>(directory.as_deref()),
        row::<Fft>(directory.as_deref()),
        row::<Brusselator>(directory.as_deref()),
    ];
    let mut code = ExitCode::SUCCESS;
    for failure in rows.into_iter().filter_map(Result::err) {
        eprintln!("{failure}");
        code = ExitCode::FAILURE;
    }
    code
}

/// Checks and measures one program, if it is wanted.
fn row<P: Program>(directory: Option<&Path>) -> Result<(), Failure> {
    // Cargo adds an option of its own.
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    if words.peek().is_some() && !words.any(|word| P::NAME.contains(&word)) {
        return Ok(());
    }
    let reference = match directory {
        Some(directory) if directory.join(P::INPUTS[0]).exists() => Some(checked::<P>(directory)?),
        _ => None,
    };
    let (mut program, inputs) = match reference {
        Some(program) if P::TIME_REFERENCE => (program, "reference"),
        _ => (P::generated(Size::Full), "generated"),
    };
    let recorded = recorded(&mut program);
    let (primal, gradient) = measure(&mut program);
    println!(
        "{:<28} {inputs:<9} {primal:>10.4} {gradient:>12.4} {:>6.2} {:>13.1}",
        P::NAME,
        gradient / primal,
        recorded as f64 / 1024.0
    );
    Ok(())
}

/// The program on reference inputs, with the gradient that it should have.
fn checked<P: Program>(directory: &Path) -> Result<P, Failure> {
    let mut program = P::read(directory)?;
    program.gradient();
    compare(&directory.join(P::GRADIENT), &program.found())?;
    Ok(program)
}

/// How many bytes are kept between forward and reverse sweep.
fn recorded<P: Program>(program: &mut P) -> usize {
    let region = Region::new(ALLOCATOR);
    let pullback = program.forward();
    let stats = region.change();
    drop(pullback);
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Medians of the milliseconds that primal and gradient take.
fn measure<P: Program>(program: &mut P) -> (f64, f64) {
    let once = milliseconds(1, || program.gradient());
    let repeat = (TURN.as_secs_f64() * 1e3 / once).ceil() as usize;
    let (mut primal, mut gradient) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while begin.elapsed() < BUDGET {
        primal.push(milliseconds(repeat, || program.primal()));
        gradient.push(milliseconds(repeat, || program.gradient()));
    }
    (median(primal), median(gradient))
}

fn milliseconds(repeat: usize, mut run: impl FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..repeat {
        run();
    }
    begin.elapsed().as_secs_f64() * 1e3 / repeat as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
