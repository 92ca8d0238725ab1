//! One good file, and one test for each way in which a file can be wrong.

use super::*;

const GOOD: &str = "\
NIST/ITL StRD
Dataset Name:  Sample            (Sample.dat)

File Format:   ASCII
               Starting Values   (lines 18 to  19)
               Certified Values  (lines 18 to  22)
               Data              (lines 25 to 27)

Data:          1 Response Variable  (y = growth)
               2 Predictors (x1 = time; x2 = light)
               3 Observations
               Higher Level of Difficulty

Model:         Exponential Class
               2 Parameters (b1 and b2)
          Starting values                  Certified Values
        Start 1     Start 2           Parameter     Standard Deviation
  b1 =   500         250           2.5E+02  2.7E+00
  b2 =    -.5          0.0005      5.5E-04  7.2E-06

Residual Sum of Squares:                    1.2455138894E-01
Number of Observations:                             3

Data:   y               x1      x2
      10.07E0      77.6E0       1
      14.73E0     114.9E0       2
      -1E1        141.1E0       .5

";

fn parsed(text: &str) -> Result<Dataset, DatasetError> {
    parse(Path::new("Sample.dat"), text)
}

/// Checks the message for `text`, without the file name: `line: problem`.
#[track_caller]
fn assert_rejected(text: &str, message: &str) {
    let error = parsed(text).expect_err("a malformed file").to_string();
    assert_eq!(error, format!("Sample.dat:{message}"));
}

/// As [`assert_rejected`], for the good file with `old` replaced by `new`.
#[track_caller]
fn assert_edit_rejected(old: &str, new: &str, message: &str) {
    assert!(GOOD.contains(old), "nothing to replace");
    assert_rejected(&GOOD.replacen(old, new, 1), message);
}

/// The first `count` lines of the good file.
fn first_lines(count: usize) -> String {
    let lines: Vec<_> = GOOD.lines().take(count).collect();
    lines.join("\n")
}

#[test]
fn a_good_file_is_read_completely() {
    let dataset = parsed(GOOD).expect("a good file");
    assert_eq!((dataset.name.value.as_str(), dataset.name.line), ("Sample", 2));
    assert_eq!(dataset.difficulty, "Higher");
    assert_eq!(dataset.predictor_count, Located { value: 2, line: 10 });
    assert_eq!(dataset.parameter_count, Located { value: 2, line: 15 });
    assert_eq!(dataset.residual_sum_of_squares, 1.2455138894e-1);
    let second =
        Parameter { start1: -0.5, start2: 0.0005, certified: 5.5e-4, standard_deviation: 7.2e-6 };
    assert_eq!(dataset.parameters[1], second);
    let last = Observation { line: 27, response: -10.0, predictors: vec![141.1, 0.5] };
    assert_eq!(dataset.observations.len(), 3);
    assert_eq!(dataset.observations[2], last);
}

#[test]
fn line_ends_of_other_systems_make_no_difference() {
    let other = parsed(&GOOD.replace('\n', "\r\n")).expect("a good file");
    assert_eq!(other, parsed(GOOD).expect("a good file"));
}

#[test]
fn every_truncation_is_an_error() {
    for count in 0..27 {
        assert!(parsed(&first_lines(count)).is_err(), "{count} lines");
    }
    assert!(parsed(&first_lines(27)).is_ok());
}

#[test]
fn every_missing_line_is_an_error() {
    for missing in 0..27 {
        let mut lines: Vec<_> = GOOD.lines().collect();
        lines.remove(missing);
        assert!(parsed(&lines.join("\n")).is_err(), "line {}", missing + 1);
    }
}

#[test]
fn truncated_sections() {
    assert_rejected(
        "",
        "1: expected `Starting Values (lines <first> to <last>)`, found an empty file",
    );
    assert_rejected(
        &first_lines(5),
        "5: expected `Certified Values (lines <first> to <last>)`, found none in lines 1 to 5",
    );
    assert_rejected(
        &first_lines(18),
        "18: expected `b2 =` and four numbers at line 19, found the end of the file at line 18",
    );
    assert_rejected(
        &first_lines(25),
        "25: expected 3 numbers: y and the predictors at line 26, \
         found the end of the file at line 25",
    );
}

#[test]
fn missing_header_lines() {
    assert_edit_rejected(
        "Dataset Name:",
        "Name:",
        "17: expected a line `Dataset Name: ...`, found none in lines 1 to 17",
    );
    assert_edit_rejected(
        "  Sample            (Sample.dat)",
        "",
        "2: expected a name after `Dataset Name:`, found ``",
    );
    assert_edit_rejected(
        "Level of Difficulty",
        "Difficulty",
        "17: expected a line `... Level of Difficulty`, found none in lines 1 to 17",
    );
    assert_edit_rejected(
        "2 Parameters",
        "2 Numbers",
        "17: expected a line `<number> Parameters`, found none in lines 1 to 17",
    );
    assert_edit_rejected(
        "3 Observations",
        "three Observations",
        "11: expected a line `<number> Observations`, found `three`",
    );
}

#[test]
fn bad_section_ranges() {
    assert_edit_rejected(
        "(lines 25 to 27)",
        "(lines 25 - 27)",
        "7: expected `Data (lines <first> to <last>)`, found `Data              (lines 25 - 27)`",
    );
    assert_edit_rejected(
        "(lines 25 to 27)",
        "(lines 25 to end)",
        "7: expected `Data (lines <first> to <last>)`, found `end`",
    );
    assert_edit_rejected(
        "(lines 25 to 27)",
        "(lines 27 to 25)",
        "7: expected `Data (lines <first> to <last>)`, found `Data              (lines 27 to 25)`",
    );
    assert_edit_rejected(
        "(lines 18 to  19)",
        "(lines 0 to 1)",
        "5: expected `Starting Values (lines <first> to <last>)`, \
         found `Starting Values   (lines 0 to 1)`",
    );
}

#[test]
fn sections_out_of_order() {
    assert_edit_rejected(
        "(lines 18 to  19)",
        "(lines 6 to 7)",
        "5: expected starting values after line 7, found a start at line 6",
    );
    assert_edit_rejected(
        "(lines 18 to  22)",
        "(lines 18 to 19)",
        "6: expected certified values from line 18 to beyond line 19, found lines 18 to 19",
    );
    assert_edit_rejected(
        "(lines 25 to 27)",
        "(lines 20 to 22)",
        "7: expected data after line 22, found a start at line 20",
    );
}

#[test]
fn declared_counts_that_differ_from_the_ranges() {
    assert_edit_rejected(
        "2 Parameters",
        "3 Parameters",
        "5: expected one line for each of the 3 parameters declared, found a range of 2 lines",
    );
    assert_edit_rejected(
        "3 Observations",
        "4 Observations",
        "7: expected one line for each of the 4 observations declared, found a range of 3 lines",
    );
    assert_edit_rejected(
        "(lines 25 to 27)",
        "(lines 25 to 18446744073709551615)",
        "7: expected one line for each of the 3 observations declared, \
         found a range of 18446744073709551591 lines",
    );
}

#[test]
fn counts_that_contradict_each_other() {
    assert_edit_rejected(
        "Number of Observations:                             3",
        "Number of Observations: 4",
        "22: expected `Number of Observations: 3`, as in the header, found `4`",
    );
    let one_row = GOOD
        .replace("3 Observations", "1 Observations")
        .replace("(lines 25 to 27)", "(lines 25 to 25)");
    assert_rejected(
        &one_row,
        "11: expected at least as many observations as parameters, 2, found 1",
    );
}

#[test]
fn bad_parameter_lines() {
    assert_edit_rejected(
        "b2 =",
        "b3 =",
        "19: expected `b2 =` and four numbers, \
         found `b3 =    -.5          0.0005      5.5E-04  7.2E-06`",
    );
    assert_edit_rejected(
        "b2 =    -.5          0.0005      5.5E-04  7.2E-06",
        "b2",
        "19: expected `b2 =` and four numbers, found `b2`",
    );
    assert_edit_rejected(
        "2.5E+02  2.7E+00",
        "2.5E+02",
        "18: expected `b1 =` and four numbers, found 3 numbers",
    );
    assert_edit_rejected(
        "2.5E+02",
        "2.5D+02",
        "18: expected `b1 =` and four numbers, found `2.5D+02`",
    );
}

#[test]
fn bad_summary() {
    assert_edit_rejected(
        "Residual Sum of Squares:",
        "Sum:",
        "22: expected a line `Residual Sum of Squares: ...`, found none in lines 20 to 22",
    );
    assert_edit_rejected(
        "1.2455138894E-01",
        "about 0.12",
        "21: expected one residual sum of squares, found `about`",
    );
    assert_edit_rejected(
        "1.2455138894E-01",
        "",
        "21: expected one residual sum of squares, found 0 numbers",
    );
}

#[test]
fn bad_data_rows() {
    assert_edit_rejected(
        "114.9E0       2",
        "114.9E0",
        "26: expected 3 numbers: y and the predictors, found 2 numbers",
    );
    assert_edit_rejected(
        "114.9E0       2",
        "114.9E0       2  3",
        "26: expected 3 numbers: y and the predictors, found 4 numbers",
    );
    assert_edit_rejected(
        "14.73E0",
        "14,73E0",
        "26: expected 3 numbers: y and the predictors, found `14,73E0`",
    );
    for not_finite in ["NaN", "inf", "1E999"] {
        assert_edit_rejected(
            "14.73E0",
            not_finite,
            &format!("26: expected 3 numbers: y and the predictors, found `{not_finite}`"),
        );
    }
    assert_rejected(
        &format!("{GOOD}1 2 3\n"),
        "29: expected nothing after the data, which ends at line 27, found `1 2 3`",
    );
}
