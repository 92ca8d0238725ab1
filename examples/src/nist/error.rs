//! The errors a dataset file can cause.
//!
//! Every error names the file. An error in its content also names the line
//! (counted from one), what was expected there and what was found.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a dataset file cannot be used.
#[derive(Debug)]
pub enum DatasetError {
    /// The file cannot be read as text.
    Unreadable {
        /// The file that was asked for.
        path: PathBuf,
        /// The reason given by the operating system.
        source: io::Error,
    },
    /// The content differs from the NIST format, or from its model.
    Malformed {
        /// The file that was read.
        path: PathBuf,
        /// The line at fault, counted from one.
        line: usize,
        /// What that line should hold.
        expected: String,
        /// What it holds.
        found: String,
    },
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(
                f,
                "{}: expected a readable NIST dataset file, found: {source}",
                path.display()
            ),
            Self::Malformed { path, line, expected, found } => {
                write!(f, "{}:{line}: expected {expected}, found {found}", path.display())
            }
        }
    }
}

impl std::error::Error for DatasetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Malformed { .. } => None,
        }
    }
}
