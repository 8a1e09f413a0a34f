//! The tables of the book's chapter on what is accepted and refused: made from the programs and from the cases that must not compile.
//! `BOOK=overwrite cargo test --test corpus` writes them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How each program that was run came out.
pub struct Outcomes {
    /// Programs that agree in everything.
    pub right: Vec<String>,
    /// Programs that do not.
    pub wrong: Vec<String>,
}

/// A construct, and how a program that uses it looks.
type Feature = (&'static str, fn(&str) -> bool);

const FEATURES: &[Feature] = &[
    ("`for` over ranges", |s| s.contains("..") && s.contains("for ")),
    ("`while` and `loop`", |s| s.contains("while ") || s.contains("loop {")),
    ("`break`, `continue`, early `return`", |s| ["break", "continue", "return "].iter().any(|word| s.contains(word))),
    ("`match`, `if let`, `let else`", |s| ["match ", "if let", "let Some"].iter().any(|word| s.contains(word))),
    ("iterator chains", |s| s.contains(".iter()") || s.contains(".map(")),
    ("closures", |s| s.contains("(|") || s.contains("= |")),
    ("functions that call functions", |s| s.matches("#[differentiable").count() > 1),
    ("in-place changes of slices", |s| s.contains("&mut [") || s.contains("] = ") || s.contains("] += ")),
    ("exchanges and sorting", |s| s.contains("swap(") || s.contains("sort")),
    ("`Vec`s that grow and shrink", |s| s.contains(".push(") || s.contains(".pop(")),
    ("nested containers", |s| ["Vec<Vec", "vec![vec", "[["].iter().any(|word| s.contains(word))),
    ("structs", |s| s.contains("struct ")),
    ("methods and traits", |s| s.contains("impl ") || s.contains("trait ")),
    ("generic functions", |s| s.contains("<T") || s.contains("const N: usize")),
    ("`Option` and `?`", |s| s.contains("Option<") || s.contains("?;")),
    ("tuples and arrays as results", |s| s.contains("-> (") || s.contains("-> [")),
    ("`f32`", |s| s.contains("f32")),
    ("`ndarray`", |s| s.contains("ndarray")),
    ("`nalgebra`", |s| s.contains("nalgebra")),
];

/// The table of levels, with the counts of what is wrong.
pub fn levels(outcomes: &Outcomes) -> String {
    let names = ["formulas", "slices, loops, iterators", "mutation and control flow", "structures", "array libraries"];
    let mut table = String::from("| level | programs | accepted | wrong |\n|---|---|---|---|\n");
    for (k, name) in names.iter().enumerate() {
        let of_level = |program: &&String| program.starts_with(&format!("l{}_", k + 1));
        let all = programs().keys().filter(of_level).count();
        let wrong = outcomes.wrong.iter().filter(of_level).count();
        table += &format!("| {} {name} | {all} | {} | {wrong} |\n", k + 1, all - wrong);
    }
    table
}

/// The table of constructs.
pub fn features(outcomes: &Outcomes) -> String {
    let mut table = String::from("| construct | programs | accepted | wrong |\n|---|---|---|---|\n");
    for (name, uses) in FEATURES {
        let using: Vec<String> = programs().into_iter().filter(|(_, code)| uses(code)).map(|(name, _)| name).collect();
        assert!(!using.is_empty(), "no program uses {name}");
        let wrong = using.iter().filter(|program| outcomes.wrong.contains(program)).count();
        table += &format!("| {name} | {} | {} | {wrong} |\n", using.len(), using.len() - wrong);
    }
    table
}

/// The table of refused constructs: the cases whose message is the attribute's own.
pub fn refused() -> String {
    let mut table = String::from("| refused | message |\n|---|---|\n");
    for (name, message) in files("tests/ui", "stderr") {
        let Some(first) = message.lines().next().and_then(|line| line.strip_prefix("error: ")) else { continue };
        if !first.starts_with("could not") {
            table += &format!("| {} | {} |\n", name.replace('_', " "), first.replace('|', "\\|"));
        }
    }
    table
}

/// The programs by their names, without comments.
pub fn programs() -> BTreeMap<String, String> {
    let mut all = files("tests/programs", "rs");
    all.remove("mod");
    let code =
        |text: String| text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    all.into_iter().map(|(name, text)| (name, code(text))).collect()
}

fn files(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(at(folder)).unwrap().map(|entry| entry.unwrap().path());
    let wanted = entries.filter(|path| path.extension().is_some_and(|e| e == extension));
    wanted
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Sees that every row of the chapter's tables is what the tests say, or writes them.
pub fn check(tables: &[(&str, String)]) {
    let path = at("book/src/accepted.md");
    let chapter = std::fs::read_to_string(&path).unwrap();
    let wanted = tables.iter().fold(chapter.clone(), |text, (name, table)| replaced(&text, name, table));
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    assert!(
        chapter == wanted,
        "book/src/accepted.md is not what the tests say; `BOOK=overwrite cargo test --test corpus` writes it"
    );
}

fn replaced(text: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the chapter has a place for the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("the place ends");
    format!("{before}{begin}{table}<!-- end -->{after}")
}
