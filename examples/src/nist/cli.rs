//! The command line: which datasets to fit, and the run itself.
//!
//! All files are read and checked before the first fit, so that bad input
//! gives an error and nothing else.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::dataset::{Dataset, Start};
use super::error::DatasetError;
use super::fit::fit;
use super::model::{MODELS, Model};
use super::report::{Comparison, Summary};

/// How to call the program.
pub const USAGE: &str = "\
Usage: nist [--data DIR] [DATASET]...

Fits the NIST reference datasets for nonlinear regression (all of them, unless
some are named) from both published starting points and compares the results
with the certified values.

  --data DIR  read DATASET.dat in DIR instead of the files that come along
  --help      print this text

Exit code: 0 if every parameter has 6 digits from start 2, 1 if one has not,
2 if the arguments or a file are faulty.
";

/// What the arguments ask for.
#[derive(Debug)]
pub enum Command {
    /// Print [`USAGE`].
    Help,
    /// Fit datasets.
    Fit {
        /// The directory with the files.
        data: PathBuf,
        /// The models of the datasets.
        models: Vec<&'static Model>,
    },
}

/// Why a run has no verdict.
#[derive(Debug)]
pub enum CliError {
    /// The arguments make no sense; the text says what is wrong.
    Usage(String),
    /// A file cannot be used.
    Dataset(DatasetError),
    /// The results cannot be written.
    Output(io::Error),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(problem) => write!(f, "{problem}\n\n{USAGE}"),
            Self::Dataset(error) => error.fmt(f),
            Self::Output(error) => write!(f, "cannot write the results: {error}"),
        }
    }
}

impl std::error::Error for CliError {}

impl From<DatasetError> for CliError {
    fn from(error: DatasetError) -> Self {
        Self::Dataset(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The directory of the dataset files that come with this package.
#[must_use]
pub fn default_data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/nist")
}

/// Reads the arguments after the program name.
///
/// # Errors
///
/// If an option or a dataset is unknown or `--data` has no value.
pub fn parse_arguments(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, CliError> {
    let mut arguments = arguments.into_iter();
    let mut data = default_data();
    let mut models = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.to_string_lossy().as_ref() {
            "--help" | "-h" => return Ok(Command::Help),
            "--data" => {
                let value = arguments.next();
                data = value.map(PathBuf::from).ok_or_else(|| {
                    CliError::Usage("expected a directory after --data, found nothing".to_owned())
                })?;
            }
            name => models.push(Model::find(name).ok_or_else(|| unknown(name))?),
        }
    }
    if models.is_empty() {
        models = MODELS.iter().collect();
    }
    Ok(Command::Fit { data, models })
}

fn unknown(argument: &str) -> CliError {
    let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
    CliError::Usage(format!(
        "expected an option or one of the datasets {}; found `{argument}`",
        names.join(", ")
    ))
}

/// Does what the arguments ask for and writes the results to `output`.
/// Returns whether every fit from start 2 has the required digits.
///
/// # Errors
///
/// If the arguments or a file are faulty, or `output` fails.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    output: &mut impl Write,
) -> Result<bool, CliError> {
    let (data, models) = match parse_arguments(arguments)? {
        Command::Help => {
            output.write_all(USAGE.as_bytes())?;
            return Ok(true);
        }
        Command::Fit { data, models } => (data, models),
    };
    let datasets = models
        .into_iter()
        .map(|model| Ok((model, load(&data, model)?)))
        .collect::<Result<Vec<_>, DatasetError>>()?;

    let mut comparisons = Vec::new();
    for (model, dataset) in &datasets {
        for start in Start::BOTH {
            let comparison = Comparison::new(dataset, start, fit(model, dataset, start));
            writeln!(output, "{comparison}")?;
            comparisons.push(comparison);
        }
    }
    let summary = Summary(&comparisons);
    write!(output, "{summary}")?;
    output.flush()?;
    Ok(summary.is_good())
}

/// Reads the dataset of `model` in the directory `data`, ready to be fitted.
///
/// # Errors
///
/// If the file cannot be read, is malformed, or does not belong to `model`.
pub fn load(data: &Path, model: &Model) -> Result<Dataset, DatasetError> {
    let dataset = Dataset::load(&data.join(format!("{}.dat", model.name)))?;
    model.check(&dataset)?;
    Ok(dataset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Command, CliError> {
        parse_arguments(arguments.iter().map(OsString::from))
    }

    fn problem(arguments: &[&str]) -> String {
        match parsed(arguments) {
            Err(CliError::Usage(problem)) => problem,
            other => panic!("expected a usage error, found {other:?}"),
        }
    }

    #[test]
    fn no_arguments_mean_all_datasets_of_the_package() {
        let Ok(Command::Fit { data, models }) = parsed(&[]) else {
            panic!("expected a fit");
        };
        assert_eq!(data, default_data());
        assert_eq!(models.len(), MODELS.len());
    }

    #[test]
    fn names_and_directory_are_taken_in_any_order() {
        let Ok(Command::Fit { data, models }) = parsed(&["MGH09", "--data", "dir", "thurber"])
        else {
            panic!("expected a fit");
        };
        assert_eq!(data, Path::new("dir"));
        let names: Vec<_> = models.iter().map(|model| model.name).collect();
        assert_eq!(names, ["MGH09", "Thurber"]);
    }

    #[test]
    fn help_wins() {
        assert!(matches!(parsed(&["MGH09", "--help"]), Ok(Command::Help)));
    }

    #[test]
    fn faulty_arguments_are_named() {
        assert!(problem(&["Misra1e"]).ends_with("found `Misra1e`"));
        assert!(problem(&["--date"]).ends_with("found `--date`"));
        assert!(problem(&["--data"]).contains("a directory after --data"));
    }
}
