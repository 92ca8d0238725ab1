//! Fits the NIST reference datasets for nonlinear regression.
//!
//! See `ad_examples::nist` for what happens and `nist --help` for the options.

use std::io;
use std::process::ExitCode;

use ad_examples::nist::cli::run;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    match run(arguments, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("nist: {error}");
            ExitCode::from(2)
        }
    }
}
