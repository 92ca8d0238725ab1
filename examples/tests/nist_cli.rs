//! The program's exit codes and messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ad_examples::nist::cli::default_data;

fn nist<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nist")).args(arguments).output().expect("the program runs")
}

/// A fresh directory with Misra1a.dat, in which `old` is replaced by `new`.
fn edited(directory: &str, old: &str, new: &str) -> PathBuf {
    let text = fs::read_to_string(default_data().join("Misra1a.dat")).expect("the file");
    assert!(text.contains(old), "nothing to replace");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    fs::create_dir_all(&directory).expect("a directory for the test");
    fs::write(directory.join("Misra1a.dat"), text.replacen(old, new, 1)).expect("a copy");
    directory
}

fn fit_misra1a(directory: &Path) -> Output {
    nist(&["--data".as_ref(), directory.as_os_str(), "Misra1a".as_ref()])
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_good_run_prints_tables_and_exits_with_0() {
    let output = nist(&["Misra1a", "BoxBOD"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    for part in ["Misra1a, start 1:", "2.3894212918e2", "BoxBOD, start 2:", "start 2: 2 of 2 fits"]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn missing_digits_give_exit_code_1() {
    let directory = edited("missing-digits", "2.3894212918E+02", "2.3894312918E+02");
    let output = fit_misra1a(&directory);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stdout(&output).contains("start 2: 0 of 1 fits"));
}

#[test]
fn a_malformed_file_gives_exit_code_2_and_its_line() {
    let directory = edited("malformed", "14.73E0", "14.73?");
    let output = fit_misra1a(&directory);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    let end = "Misra1a.dat:62: expected 2 numbers: y and the predictors, found `14.73?`\n";
    let message = stderr(&output);
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_wrong_directory_gives_exit_code_2_and_its_name() {
    let output = fit_misra1a(Path::new("no/such/directory"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = stderr(&output);
    let file = Path::new("no/such/directory").join("Misra1a.dat");
    assert!(message.contains(&file.display().to_string()), "{message}");
}

#[test]
fn text_in_an_unknown_encoding_gives_exit_code_2() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("encoding");
    fs::create_dir_all(&directory).expect("a directory for the test");
    fs::write(directory.join("Misra1a.dat"), [0xff, 0xfe]).expect("a file");
    let output = fit_misra1a(&directory);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("expected a readable NIST dataset file"));
}

#[test]
fn an_unknown_dataset_gives_exit_code_2_and_the_known_ones() {
    let output = nist(&["Misra1x"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = stderr(&output);
    assert!(message.contains("found `Misra1x`") && message.contains("Bennett5"));
}
