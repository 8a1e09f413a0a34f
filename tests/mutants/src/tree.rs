//! The folders: the project, and what this tool makes of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is there")
}

/// The folder of everything that this tool writes.
pub fn folder() -> PathBuf {
    root().join("target/mutants")
}

/// The copy of the project.
pub fn tree() -> PathBuf {
    folder().join("tree")
}

/// Copies the files that git knows.
pub fn copy() {
    let (root, tree) = (root(), tree());
    let _ = fs::remove_dir_all(&tree);
    let listed = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(&root).output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("names are text");
    for name in listed.lines().filter(|name| root.join(name).is_file()) {
        let to = tree.join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("the folder can be made");
        fs::copy(root.join(name), to).expect("the file can be copied");
    }
}

/// The sources that get mutants, by their names from the root on.
pub fn sources() -> Vec<String> {
    let mut found = Vec::new();
    find(&root().join("diffi-macros/src"), &mut found);
    found.sort();
    found
}

fn find(folder: &Path, found: &mut Vec<String>) {
    for path in fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match path.is_dir() {
            true if name != "tests" && name != "book" => find(&path, found),
            false
                if name.ends_with(".rs")
                    && !["tests.rs", "named.rs", "growth.rs", "verify.rs", "timer.rs", "dump.rs", "print.rs"]
                        .contains(&name) =>
            {
                let path = path.strip_prefix(root()).expect("it is in the project");
                found.push(path.display().to_string());
            }
            _ => {}
        }
    }
}
