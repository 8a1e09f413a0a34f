//! The tables of the book's page on std: which methods are followed, by the rows, and which are refused, by their messages.

use std::path::{Path, PathBuf};

/// Sees that the page has the tables that the rows make, or writes them.
pub fn check(rows: &[(&str, &[&str])]) {
    let path = at("book/src/std.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let wanted = replaced(&replaced(&page, "methods", &methods(rows)), "refused", &refused());
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        return std::fs::write(&path, wanted).unwrap();
    }
    assert!(page == wanted, "book/src/std.md: `BOOK=overwrite cargo test --test std_methods` writes its tables");
}

/// A line for each type: the methods that a row of its has, those that are refused, and those without a row.
fn methods(rows: &[(&str, &[&str])]) -> String {
    let messages = messages();
    let mut table = String::from("| type | followed | refused | without a test |\n|---|---|---|---|\n");
    for line in include_str!("methods.txt").lines() {
        let (of, names) = line.split_once(": ").expect("a type and its methods");
        let refuses = |name: &str| messages.iter().any(|(row, _)| row == &format!("{of}_{name}"));
        let follows =
            |name: &str| rows.iter().any(|(ty, texts)| *ty == of && texts.iter().any(|text| mentions(text, name)));
        let list = |of_kind: &dyn Fn(&str) -> bool| {
            let names: Vec<String> = names.split(' ').filter(|n| of_kind(n)).map(|n| format!("`{n}`")).collect();
            if names.is_empty() { "–".to_owned() } else { names.join(", ") }
        };
        let [followed, refused, others] =
            [list(&follows), list(&|n| !follows(n) && refuses(n)), list(&|n| !follows(n) && !refuses(n))];
        table += &format!("| `{of}` | {followed} | {refused} | {others} |\n");
    }
    table
}

/// Whether a method is called in the text of the rows.
fn mentions(text: &str, name: &str) -> bool {
    let calls = |before: &str| {
        let called = format!("{before}{name}");
        let word = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&called).any(|(at, _)| word(&text[at + called.len()..]))
    };
    calls(".") || calls("::") || calls(":: ") || calls(". ")
}

fn refused() -> String {
    let mut table = String::from("| method | message |\n|---|---|\n");
    for (row, message) in messages() {
        let (of, name) = row.split_once('_').expect("a type and a method");
        table += &format!("| `{of}`: `{name}` | {message} |\n");
    }
    table
}

/// The refused rows, and the message of each.
fn messages() -> Vec<(String, String)> {
    let [program, found] =
        ["rs", "stderr"].map(|kind| std::fs::read_to_string(at(&format!("tests/ui/std_refused.{kind}"))).unwrap());
    let lines: Vec<&str> = program.lines().collect();
    let row_at = |line: usize| {
        lines.iter().take(line).rev().find_map(|l| l.strip_prefix("    ")?.split_once(" {").map(|(name, _)| name))
    };
    let mut all = Vec::new();
    for block in found.split("\nerror: ") {
        let message = block.trim_start_matches("error: ").lines().next().unwrap_or_default();
        let place = block.split_once("std_refused.rs:").and_then(|(_, place)| place.split(':').next()?.parse().ok());
        if let Some(name) = place.and_then(row_at).filter(|name| !name.starts_with(' ')) {
            all.push((name.to_owned(), message.to_owned()));
        }
    }
    all
}

fn replaced(text: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the page has a place for the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("the place ends");
    format!("{before}{begin}{table}<!-- end -->{after}")
}

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
