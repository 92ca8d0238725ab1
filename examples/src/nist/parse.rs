//! Parser for the NIST dataset format.
//!
//! A file announces in its header the line ranges of its sections and the
//! numbers of parameters, predictors and observations. The parser goes by the
//! announced ranges and checks every announcement against the content, so a
//! file that was cut, edited or mangled is rejected instead of fitted. It
//! promises to return an error, never to panic, whatever the text.

use std::ops::RangeInclusive;
use std::path::Path;

use super::dataset::{Dataset, Located, Observation, Parameter};
use super::error::DatasetError;

/// Parses `text`, the content of the file at `path`.
///
/// # Errors
///
/// At the first line that departs from the format.
pub fn parse(path: &Path, text: &str) -> Result<Dataset, DatasetError> {
    let file = Lines { path, lines: text.lines().collect() };
    let sections = Sections::read(&file)?;
    let header = 1..=sections.starting.value.start() - 1;

    let parameter_count = file.count(&header, "Parameter")?;
    let predictor_count = file.count(&header, "Predictor")?;
    let observation_count = file.count(&header, "Observation")?;
    sections.check_lengths(&file, parameter_count.value, observation_count.value)?;

    let parameters = parameters(&file, &sections)?;
    let summary = sections.starting.value.end() + 1..=*sections.certified.value.end();
    check_observation_count(&file, &summary, &observation_count, parameter_count.value)?;
    Ok(Dataset {
        path: path.to_owned(),
        name: name(&file, &header)?,
        difficulty: difficulty(&file, &header)?,
        parameters,
        residual_sum_of_squares: residual_sum_of_squares(&file, &summary)?,
        observations: observations(&file, &sections.data.value, predictor_count.value)?,
        parameter_count,
        predictor_count,
    })
}

/// The line ranges announced at the top of the file.
struct Sections {
    /// One line per parameter.
    starting: Located<RangeInclusive<usize>>,
    /// The same lines, followed by the certified summary.
    certified: Located<RangeInclusive<usize>>,
    /// One line per observation.
    data: Located<RangeInclusive<usize>>,
}

impl Sections {
    fn read(file: &Lines<'_>) -> Result<Self, DatasetError> {
        let sections = Self {
            starting: file.section("Starting Values")?,
            certified: file.section("Certified Values")?,
            data: file.section("Data")?,
        };
        sections.check_order(file)?;
        Ok(sections)
    }

    /// The header comes first, then starting values, summary, and data.
    fn check_order(&self, file: &Lines<'_>) -> Result<(), DatasetError> {
        let (starting, certified) = (&self.starting.value, &self.certified.value);
        if *starting.start() <= self.data.line {
            return Err(file.error(
                self.starting.line,
                format!("starting values after line {}", self.data.line),
                format!("a start at line {}", starting.start()),
            ));
        }
        if certified.start() != starting.start() || certified.end() <= starting.end() {
            return Err(file.error(
                self.certified.line,
                format!(
                    "certified values from line {} to beyond line {}",
                    starting.start(),
                    starting.end()
                ),
                format!("lines {} to {}", certified.start(), certified.end()),
            ));
        }
        if self.data.value.start() <= certified.end() {
            return Err(file.error(
                self.data.line,
                format!("data after line {}", certified.end()),
                format!("a start at line {}", self.data.value.start()),
            ));
        }
        Ok(())
    }

    /// Each parameter and each observation takes one line.
    fn check_lengths(
        &self,
        file: &Lines<'_>,
        parameters: usize,
        observations: usize,
    ) -> Result<(), DatasetError> {
        for (range, count, what) in
            [(&self.starting, parameters, "parameters"), (&self.data, observations, "observations")]
        {
            let length = range.value.end() - range.value.start() + 1;
            if length != count {
                return Err(file.error(
                    range.line,
                    format!("one line for each of the {count} {what} declared"),
                    format!("a range of {length} lines"),
                ));
            }
        }
        Ok(())
    }
}

fn name(file: &Lines<'_>, header: &RangeInclusive<usize>) -> Result<Located<String>, DatasetError> {
    let label = "Dataset Name:";
    let rest = file.labelled(header, label)?;
    match rest.value.split_whitespace().next() {
        Some(name) => Ok(Located { value: name.to_owned(), line: rest.line }),
        None => Err(file.error(rest.line, format!("a name after `{label}`"), quote(""))),
    }
}

fn difficulty(file: &Lines<'_>, header: &RangeInclusive<usize>) -> Result<String, DatasetError> {
    file.within(header)
        .find_map(|(_, text)| text.trim().strip_suffix(" Level of Difficulty"))
        .map(str::to_owned)
        .ok_or_else(|| file.missing(header, "a line `... Level of Difficulty`"))
}

fn parameters(file: &Lines<'_>, sections: &Sections) -> Result<Vec<Parameter>, DatasetError> {
    sections
        .starting
        .value
        .clone()
        .zip(1..)
        .map(|(line, index)| parameter(file, line, index))
        .collect()
}

fn parameter(file: &Lines<'_>, line: usize, index: usize) -> Result<Parameter, DatasetError> {
    let expected = format!("`b{index} =` and four numbers");
    let text = file.line(line, &expected)?;
    let Some((label, numbers)) = text.split_once('=') else {
        return Err(file.error(line, expected, quote(text)));
    };
    if label.trim() != format!("b{index}") {
        return Err(file.error(line, expected, quote(text)));
    }
    let [start1, start2, certified, standard_deviation] = file.numbers(line, numbers, &expected)?;
    Ok(Parameter { start1, start2, certified, standard_deviation })
}

fn residual_sum_of_squares(
    file: &Lines<'_>,
    summary: &RangeInclusive<usize>,
) -> Result<f64, DatasetError> {
    let rest = file.labelled(summary, "Residual Sum of Squares:")?;
    let [value] = file.numbers(rest.line, rest.value, "one residual sum of squares")?;
    Ok(value)
}

/// The summary repeats the number of observations; a fit needs at least as
/// many as there are parameters.
///
/// The degrees of freedom, which follow from both, are not compared: NIST's
/// own file for Rat43 has them wrong.
fn check_observation_count(
    file: &Lines<'_>,
    summary: &RangeInclusive<usize>,
    observations: &Located<usize>,
    parameters: usize,
) -> Result<(), DatasetError> {
    let count = observations.value;
    if count < parameters {
        let expected = format!("at least as many observations as parameters, {parameters}");
        return Err(file.error(observations.line, expected, count.to_string()));
    }
    let label = "Number of Observations:";
    let rest = file.labelled(summary, label)?;
    let expected = format!("`{label} {count}`, as in the header");
    if file.integer(rest.line, rest.value.trim(), &expected)? != count {
        return Err(file.error(rest.line, expected, quote(rest.value)));
    }
    Ok(())
}

fn observations(
    file: &Lines<'_>,
    data: &RangeInclusive<usize>,
    predictors: usize,
) -> Result<Vec<Observation>, DatasetError> {
    let expected = format!("{} numbers: y and the predictors", predictors + 1);
    let rows = data
        .clone()
        .map(|line| {
            let text = file.line(line, &expected)?;
            let numbers = file.reals(line, text, &expected)?;
            match numbers.split_first() {
                Some((&response, rest)) if rest.len() == predictors => {
                    Ok(Observation { line, response, predictors: rest.to_vec() })
                }
                _ => Err(file.wrong_count(line, &expected, numbers.len())),
            }
        })
        .collect::<Result<_, _>>()?;
    match file
        .within(&(data.end() + 1..=file.lines.len()))
        .find(|(_, text)| !text.trim().is_empty())
    {
        Some((line, text)) => Err(file.error(
            line,
            format!("nothing after the data, which ends at line {}", data.end()),
            quote(text),
        )),
        None => Ok(rows),
    }
}

/// The text of one file, with errors that point into it.
///
/// Lines are counted from one, as in the file's own header.
struct Lines<'a> {
    path: &'a Path,
    lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn error(&self, line: usize, expected: impl Into<String>, found: String) -> DatasetError {
        DatasetError::Malformed {
            path: self.path.to_owned(),
            line,
            expected: expected.into(),
            found,
        }
    }

    /// The error for something sought in all of `range` and not there.
    fn missing(&self, range: &RangeInclusive<usize>, expected: &str) -> DatasetError {
        if self.lines.is_empty() {
            return self.error(1, expected, "an empty file".to_owned());
        }
        let last = self.lines.len().min(*range.end());
        let found = format!("none in lines {} to {last}", range.start());
        self.error(last, expected, found)
    }

    fn wrong_count(&self, line: usize, expected: &str, count: usize) -> DatasetError {
        self.error(line, expected, format!("{count} numbers"))
    }

    fn line(&self, line: usize, expected: &str) -> Result<&'a str, DatasetError> {
        let text = line.checked_sub(1).and_then(|index| self.lines.get(index));
        text.copied().ok_or_else(|| {
            let last = self.lines.len();
            let expected = format!("{expected} at line {line}");
            self.error(last, expected, format!("the end of the file at line {last}"))
        })
    }

    /// The lines of `range` that exist, with their numbers.
    fn within(
        &self,
        range: &RangeInclusive<usize>,
    ) -> impl Iterator<Item = (usize, &'a str)> + use<'_, 'a> {
        let count = (range.end() + 1).saturating_sub(*range.start());
        (1..).zip(self.lines.iter().copied()).skip(range.start().saturating_sub(1)).take(count)
    }

    /// What follows `label` on the first line of `range` that begins with it.
    fn labelled(
        &self,
        range: &RangeInclusive<usize>,
        label: &str,
    ) -> Result<Located<&'a str>, DatasetError> {
        self.within(range)
            .find_map(|(line, text)| {
                let value = text.trim_start().strip_prefix(label)?;
                Some(Located { value, line })
            })
            .ok_or_else(|| self.missing(range, &format!("a line `{label} ...`")))
    }

    /// The range in the first line `<title> (lines <first> to <last>)`.
    fn section(&self, title: &str) -> Result<Located<RangeInclusive<usize>>, DatasetError> {
        let expected = format!("`{title} (lines <first> to <last>)`");
        let all = 1..=self.lines.len();
        let (line, text) = self
            .within(&all)
            .find(|(_, text)| text.trim_start().starts_with(title) && text.contains("(lines"))
            .ok_or_else(|| self.missing(&all, &expected))?;
        let bounds = text
            .split_once("(lines")
            .and_then(|(_, rest)| rest.trim_end().strip_suffix(')'))
            .and_then(|rest| rest.split_once("to"))
            .ok_or_else(|| self.error(line, &expected, quote(text)))?;
        let first = self.integer(line, bounds.0.trim(), &expected)?;
        let last = self.integer(line, bounds.1.trim(), &expected)?;
        if first == 0 || last < first {
            return Err(self.error(line, expected, quote(text)));
        }
        Ok(Located { value: first..=last, line })
    }

    /// The number before `noun` or its plural, as in `14 Observations`.
    ///
    /// The first such line counts, with or without a title like `Data:`.
    fn count(
        &self,
        range: &RangeInclusive<usize>,
        noun: &str,
    ) -> Result<Located<usize>, DatasetError> {
        let expected = format!("a line `<number> {noun}s`");
        for (line, text) in self.within(range) {
            let body = text.split_once(':').map_or(text, |(_, body)| body);
            let mut words = body.split_whitespace();
            if let (Some(number), Some(word)) = (words.next(), words.next())
                && word.strip_suffix('s').unwrap_or(word) == noun
            {
                let value = self.integer(line, number, &expected)?;
                return Ok(Located { value, line });
            }
        }
        Err(self.missing(range, &expected))
    }

    fn integer(&self, line: usize, word: &str, expected: &str) -> Result<usize, DatasetError> {
        word.parse().map_err(|_| self.error(line, expected, quote(word)))
    }

    /// Exactly `N` numbers.
    fn numbers<const N: usize>(
        &self,
        line: usize,
        text: &str,
        expected: &str,
    ) -> Result<[f64; N], DatasetError> {
        self.reals(line, text, expected)?
            .try_into()
            .map_err(|all: Vec<f64>| self.wrong_count(line, expected, all.len()))
    }

    /// All the words of `text`, each of which must be a finite number.
    fn reals(&self, line: usize, text: &str, expected: &str) -> Result<Vec<f64>, DatasetError> {
        text.split_whitespace()
            .map(|word| match word.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => Err(self.error(line, expected, quote(word))),
            })
            .collect()
    }
}

fn quote(text: &str) -> String {
    format!("`{}`", text.trim())
}

#[cfg(test)]
mod tests;
