//! The test binaries of the copy, and the files that each is made of.

use crate::tree::tree;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A test binary, or a file whose messages are compared.
pub struct Suite {
    pub name: String,
    /// What cargo is told to run.
    pub arguments: Vec<String>,
    /// The file with its modules, and all files, by their names from the root on.
    pub root: PathBuf,
    pub files: Vec<String>,
}

/// All test binaries that need no feature.
pub fn suites() -> Vec<Suite> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(tree())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo says what there is");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let targets = packages.iter().filter(|p| p["name"] == "diffi-suite").flat_map(|p| list(&p["targets"]));
    let tests =
        targets.filter(|t| list(&t["kind"]).iter().any(|kind| kind == "test") && t["required-features"].is_null());
    let tests = tests.filter_map(|t| suite(t["name"].as_str()?, Path::new(t["src_path"].as_str()?)));
    tests.chain(refused()).collect()
}

/// The files that must not compile.
fn refused() -> impl Iterator<Item = Suite> {
    let all = fs::read_dir(tree().join("tests/ui")).expect("a folder").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    files.sort();
    files.into_iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.to_owned();
        let arguments = ["--test", "ui", "--", &format!("trybuild={name}")].map(str::to_owned).to_vec();
        let root = tree().join("tests/ui.rs");
        Some(Suite { files: vec![format!("tests/ui/{name}")], name, arguments, root })
    })
}

fn suite(name: &str, root: &Path) -> Option<Suite> {
    let mut files = Vec::new();
    add(root, root.parent()?, &mut files);
    let arguments = ["--test", name].map(str::to_owned).to_vec();
    Some(Suite { name: name.to_owned(), arguments, root: root.to_owned(), files })
}

/// Adds a file, and the modules that it declares, which lie in a folder.
fn add(file: &Path, folder: &Path, files: &mut Vec<String>) {
    let Ok(text) = fs::read_to_string(file) else { return };
    files.extend(file.strip_prefix(tree()).ok().map(|name| name.display().to_string()));
    for line in text.lines() {
        let declared =
            line.trim().trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
        let Some(module) = declared else { continue };
        let (own, inner) = (folder.join(format!("{module}.rs")), folder.join(module));
        add(&if own.is_file() { own } else { inner.join("mod.rs") }, &inner, files);
    }
}
