//! Recovers a phase mask and its distance from pictures in light of several wavelengths.
//!
//! See `ad_examples::wave_optics` for what happens.

use std::io;
use std::process::ExitCode;

use ad_examples::wave_optics::cli::run;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    match run(arguments, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("wave_optics: {error}");
            ExitCode::from(2)
        }
    }
}
