//! Reference files: numbers between white space, and what can be wrong with them.
//!
//! Every error names the file, and the line or the entry at fault.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Largest difference from a reference gradient, relative to the larger of its entry and one.
///
/// Both are exact but for rounding and have 17 digits; the sums have up to 10⁶ terms, whose order
/// costs at most 10⁻¹⁰ if their rounding errors all point the same way.
pub const TOLERANCE: f64 = 1e-9;

/// Why a reference file cannot be used, or what disagrees with it.
#[derive(Debug)]
pub enum Failure {
    /// The file cannot be read as text.
    Unreadable {
        /// The file that was asked for.
        path: PathBuf,
        /// The reason given by the operating system.
        source: io::Error,
    },
    /// The file does not have the format of its program.
    Malformed {
        /// The file that was read.
        path: PathBuf,
        /// The line at fault, counted from one.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A gradient has another number of entries than its reference.
    Length {
        /// The reference.
        path: PathBuf,
        /// How many entries it has.
        expected: usize,
        /// How many were computed.
        found: usize,
    },
    /// A gradient differs from its reference.
    Differs {
        /// The reference.
        path: PathBuf,
        /// The entry that is off most, counted from zero.
        entry: usize,
        /// How many entries are off.
        count: usize,
        /// The entry in the reference.
        expected: f64,
        /// The entry that was computed.
        found: f64,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => {
                write!(f, "{}: cannot be read: {source}", path.display())
            }
            Self::Malformed { path, line, expected, found } => {
                write!(f, "{}:{line}: expected {expected}, found {found}", path.display())
            }
            Self::Length { path, expected, found } => write!(
                f,
                "{}: expected {expected} entries, as many as there are, computed {found}",
                path.display()
            ),
            Self::Differs { path, entry, count, expected, found } => write!(
                f,
                "{}: {count} entries are off, most of all entry {entry}: expected {expected:e}, \
                 computed {found:e}, which is off by {:.1e} relatively",
                path.display(),
                difference(*found, *expected)
            ),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Malformed { .. } | Self::Length { .. } | Self::Differs { .. } => None,
        }
    }
}

/// The numbers of one file, one after the other.
pub struct Numbers {
    path: PathBuf,
    /// Each word with its line.
    words: std::vec::IntoIter<(usize, String)>,
    line: usize,
}

impl Numbers {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read as text.
    pub fn open(path: PathBuf) -> Result<Self, Failure> {
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Self::parse(path, &text)),
            Err(source) => Err(Failure::Unreadable { path, source }),
        }
    }

    fn parse(path: PathBuf, text: &str) -> Self {
        let words: Vec<_> = text
            .lines()
            .zip(1..)
            .flat_map(|(line, at)| line.split_whitespace().map(move |word| (at, word.to_owned())))
            .collect();
        Numbers { path, words: words.into_iter(), line: 1 }
    }

    /// The next number, called `what` in errors.
    ///
    /// # Errors
    ///
    /// If what comes next is none.
    pub fn next<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Failure> {
        let Some((line, word)) = self.words.next() else {
            return Err(self.malformed(what, "the end of the file".into()));
        };
        self.line = line;
        word.parse().map_err(|_| self.malformed(what, format!("`{word}`")))
    }

    /// The next `count` numbers.
    ///
    /// # Errors
    ///
    /// If there are fewer.
    pub fn take(&mut self, count: usize, what: &str) -> Result<Vec<f64>, Failure> {
        (0..count).map(|_| self.next(what)).collect()
    }

    /// The next `N` numbers.
    ///
    /// # Errors
    ///
    /// If there are fewer.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[f64; N], Failure> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.next(what)?;
        }
        Ok(numbers)
    }

    /// All numbers that are left.
    ///
    /// # Errors
    ///
    /// If something else is left, too.
    pub fn rest(mut self, what: &str) -> Result<Vec<f64>, Failure> {
        self.take(self.words.len(), what)
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    ///
    /// If something is.
    pub fn end(mut self) -> Result<(), Failure> {
        match self.words.next() {
            None => Ok(()),
            Some((line, word)) => {
                self.line = line;
                Err(self.malformed("the end of the file", format!("`{word}`")))
            }
        }
    }

    fn malformed(&self, expected: &str, found: String) -> Failure {
        let path = self.path.clone();
        Failure::Malformed { path, line: self.line, expected: expected.to_owned(), found }
    }
}

/// Compares a gradient with the one in a file.
///
/// # Errors
///
/// If the file cannot be used, or an entry differs by more than [`TOLERANCE`].
pub fn compare(path: &Path, gradient: &[f64]) -> Result<(), Failure> {
    let path = path.to_owned();
    let reference = Numbers::open(path.clone())?.rest("an entry of the gradient")?;
    if reference.len() != gradient.len() {
        return Err(Failure::Length { path, expected: reference.len(), found: gradient.len() });
    }
    let off = |entry: &usize| difference(gradient[*entry], reference[*entry]);
    let wrong = (0..gradient.len()).filter(|entry| off(entry) > TOLERANCE);
    let count = wrong.clone().count();
    match wrong.max_by(|a, b| off(a).total_cmp(&off(b))) {
        None => Ok(()),
        Some(entry) => {
            let (expected, found) = (reference[entry], gradient[entry]);
            Err(Failure::Differs { path, entry, count, expected, found })
        }
    }
}

/// How far `found` is off, relative to the larger of `expected` and one; NaN is infinitely far.
fn difference(found: f64, expected: f64) -> f64 {
    let difference = (found - expected).abs() / expected.abs().max(1.0);
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// Numbers without a pattern, between -1 and 1.
pub fn sample(n: usize, shift: f64) -> Vec<f64> {
    (0..n).map(|k| (1.7 * k as f64 + shift).sin()).collect()
}
