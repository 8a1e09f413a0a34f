//! Builds the copy.

use crate::plant::Places;
use crate::tree::{folder, tree};
use serde_json::Value;
use std::ops::Range;
use std::process::{Command, Stdio};

/// What rustc finds wrong in the copy: the places of each error.
pub fn errors() -> Vec<Vec<(String, Range<usize>)>> {
    let output =
        cargo(&["check", "-p", "diffi-macros", "--lib", "--message-format=json"]).output().expect("cargo runs");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors =
        messages.filter(|m| m["message"]["level"] == "error").map(|m| spans(&m["message"])).collect::<Vec<_>>();
    assert!(
        output.status.success() || errors.iter().any(|e| !e.is_empty()),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    errors.into_iter().filter(|spans| !spans.is_empty()).collect()
}

fn spans(message: &Value) -> Vec<(String, Range<usize>)> {
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let spans = message["spans"].as_array().cloned().unwrap_or_default();
    let span = |s: &Value| {
        let file = s["file_name"].as_str().unwrap_or_default().to_owned();
        (file, number(&s["byte_start"])..number(&s["byte_end"]))
    };
    spans.iter().map(span).collect()
}

/// The mutants of an error: those at its places, the innermost of each; otherwise the nearest one.
pub fn blamed(error: &[(String, Range<usize>)], places: &Places) -> Vec<usize> {
    let around = |(file, span): &(String, Range<usize>)| {
        let here = places.get(file).into_iter().flatten();
        let touching = here.filter(|(_, at)| at.start < span.end.max(span.start + 1) && span.start < at.end);
        touching.min_by_key(|(_, at)| at.len()).map(|(id, _)| *id)
    };
    let found: Vec<usize> = error.iter().filter_map(around).collect();
    if !found.is_empty() {
        return found;
    }
    let nearest = error.iter().flat_map(|(file, span)| {
        places.get(file).into_iter().flatten().map(|(id, at)| (at.start.abs_diff(span.start), *id))
    });
    vec![nearest.min().unwrap_or_else(|| panic!("no mutant is at {error:?}")).1]
}

/// Builds the tests, optimised as far as that is quick.
pub fn tests() {
    let status = cargo(&["test", "-p", "diffi-macros", "--lib", "--no-run"]).status().expect("cargo runs");
    assert!(status.success(), "the tests do not compile");
}

/// A cargo command in the copy.
pub fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "15", "cargo"]).args(words).current_dir(tree());
    command.env("CARGO_TARGET_DIR", folder().join("build")).env("CARGO_INCREMENTAL", "0");
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1").env("RUSTFLAGS", "-Awarnings");
    command
}

/// A run of a test binary of the copy's suite with a mutant in the macro.
pub fn suite_of_copy(arguments: &[String], mutant: usize) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "15", "cargo", "test", "-q"]).args(arguments).current_dir(tree());
    command
        .env("CARGO_TARGET_DIR", folder().join("suite"))
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTFLAGS", "-Awarnings");
    command.env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "1").env("DIFFI_MUTANT", mutant.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}
