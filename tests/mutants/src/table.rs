//! Tables in files: a row a line, columns between tabs, and a number first.

use crate::tree::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;

/// The rows of a table, by their first column.
pub fn rows(name: &str) -> BTreeMap<usize, Vec<String>> {
    let text = fs::read_to_string(folder().join(name)).unwrap_or_default();
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::to_owned);
        Some((columns.next()?.parse().ok()?, columns.collect()))
    };
    text.lines().filter_map(row).collect()
}

/// The first columns of a table.
pub fn numbers(name: &str) -> BTreeSet<usize> {
    rows(name).into_keys().collect()
}

/// Adds a row.
pub fn add(name: &str, line: &str) {
    let file = OpenOptions::new().create(true).append(true).open(folder().join(name));
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the table can be written");
}

/// A whole file, if it is there.
pub fn read(name: &str) -> Option<String> {
    fs::read_to_string(folder().join(name)).ok()
}

/// Writes a whole file.
pub fn write(name: &str, text: &str) {
    let path = folder().join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}
