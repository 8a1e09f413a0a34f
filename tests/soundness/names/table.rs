//! A program for each name that the front end's sources mention, in each form of [`FORMS`]: right or refused.
//!
//! `cargo test --test soundness -- --ignored --nocapture every_name` runs all of them, in about an hour on two cores;
//! `NAMED_FORMS=slice,vec_by_value` picks forms, and `NAMED_EVERY=20` takes each twentieth name only.

use super::forms::{FORMS, Form, TYPES};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One program of a batch: a file of its own.
struct Program {
    id: String,
    code: String,
}

/// The texts of all files of the compiler.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the sources are there").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.extend(fs::read_to_string(path)),
            false => {}
        }
    }
}

/// All names that stand in the compiler's sources as texts.
fn names() -> BTreeSet<String> {
    let (root, mut texts) = (Path::new(env!("CARGO_MANIFEST_DIR")), Vec::new());
    sources(&root.join("diffi-macros/src"), &mut texts);
    sources(&root.join("diffi-rules/src"), &mut texts);
    let is_name = |s: &str| {
        let shown = s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        shown && s.len() > 1 && s.starts_with(|c: char| c.is_ascii_alphabetic()) && !s.ends_with('_')
    };
    let quoted = texts.iter().flat_map(|text| text.split('"')).filter(|s| is_name(s));
    quoted.filter(|s| syn_keyword(s).is_none()).map(str::to_owned).collect()
}

/// Words that cannot be names of functions.
fn syn_keyword(name: &str) -> Option<&'static str> {
    const WORDS: &[&str] = &[
        "as", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn", "for", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static",
        "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "async", "await",
    ];
    WORDS.iter().copied().find(|word| *word == name)
}

fn programs() -> Vec<Program> {
    let chosen = std::env::var("NAMED_FORMS").ok();
    let every = std::env::var("NAMED_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let is_chosen = |form: &&Form| chosen.as_ref().is_none_or(|all| all.split(',').any(|name| name == form.0));
    let (types, functions): (Vec<String>, Vec<String>) =
        names().into_iter().partition(|name| name.starts_with(char::is_uppercase));
    let written = |forms: &[Form], names: &[String]| {
        let pairs = forms.iter().filter(is_chosen).flat_map(|form| names.iter().step_by(every).map(move |n| (form, n)));
        pairs
            .map(|((form, code), name)| Program {
                id: format!("{form}_{name}").to_lowercase(),
                code: code.replace("NAME", name),
            })
            .collect::<Vec<_>>()
    };
    [written(FORMS, &functions), written(TYPES, &types)].into_iter().flatten().collect()
}

/// A package with one file for each program.
struct Batch {
    folder: PathBuf,
    attribute: bool,
}

/// What becomes of a batch's programs.
#[derive(Default)]
struct Outcome {
    refused: BTreeMap<String, String>,
    output: String,
}

const HEAD: &str = "#![allow(warnings)]\n#[path = \"CHECK\"]\nmod check;\n";

impl Batch {
    fn write(&self, programs: &[&Program]) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let src = self.folder.join("src");
        let _ = fs::remove_dir_all(&src);
        fs::create_dir_all(&src).expect("the target directory can be written to");
        let check = root.join("tests/soundness/check.rs");
        let (mut main, mut calls) = (HEAD.replace("CHECK", &check.display().to_string()), String::new());
        for Program { id, code } in programs {
            let (code, test) = match self.attribute {
                true => (code.clone(), "pub fn check() { crate::check::gradients!(f); }"),
                false => (code.replace("#[differentiable]", "").replace(", Differentiable", ""), ""),
            };
            let text = format!("use diffi::prelude::*;\n{code}\n{test}\n");
            fs::write(src.join(format!("{id}.rs")), text).expect("a program is written");
            main += &format!("mod {id};\n");
            calls += &format!("println!(\"{{}} {id}\", std::panic::catch_unwind({id}::check).is_ok());\n");
        }
        let calls = if self.attribute { calls } else { String::new() };
        fs::write(src.join("main.rs"), format!("{main}fn main() {{\n{calls}}}\n")).expect("a package is written");
        let name = self.folder.file_name().expect("it has a name").to_string_lossy();
        let diffi = root.join("diffi").display().to_string();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"2024\"\n[dependencies]\ndiffi = {{ path = \"{diffi}\" }}\n[workspace]\n"
        );
        fs::write(self.folder.join("Cargo.toml"), manifest).expect("a package is written");
        let _ = fs::copy(root.join("Cargo.lock"), self.folder.join("Cargo.lock"));
    }

    /// Runs cargo; its errors, by the programs in which they are.
    fn cargo(&self, command: &str) -> (BTreeMap<String, String>, String) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("named");
        let output = Command::new(env!("CARGO"))
            .args([command, "--quiet", "--offline", "--message-format=short"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .output()
            .expect("cargo runs");
        let mut blamed = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stderr).lines().filter(|l| l.contains(": error")) {
            let file = line.strip_prefix("src/").and_then(|rest| rest.split_once(".rs:"));
            let Some((id, message)) = file else { continue };
            blamed.entry(id.to_owned()).or_insert_with(|| message.to_owned());
        }
        assert!(output.status.success() || !blamed.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        (blamed, String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Programs that do not compile are taken out until the rest does.
    fn outcome(&self, programs: &[Program], command: &str) -> Outcome {
        let mut outcome = Outcome::default();
        loop {
            let left: Vec<&Program> = programs.iter().filter(|p| !outcome.refused.contains_key(&p.id)).collect();
            self.write(&left);
            let (blamed, output) = self.cargo(command);
            if blamed.is_empty() {
                return Outcome { output, ..outcome };
            }
            outcome.refused.extend(blamed);
        }
    }
}

/// The wrong ones of some programs.
fn wrong(programs: Vec<Program>) -> Vec<String> {
    let folder = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let plain = Batch { folder: folder("named_plain"), attribute: false }.outcome(&programs, "check");
    let valid: Vec<Program> = programs.into_iter().filter(|p| !plain.refused.contains_key(&p.id)).collect();
    let found = Batch { folder: folder("named_batch"), attribute: true }.outcome(&valid, "run");
    let wrong: Vec<String> = found.output.lines().filter_map(|l| l.strip_prefix("false ")).map(str::to_owned).collect();
    let right = found.output.lines().filter(|l| l.starts_with("true ")).count();
    println!("{} programs: {right} right, {} refused, {} wrong", valid.len(), found.refused.len(), wrong.len());
    wrong
}

#[test]
#[ignore = "it compiles tens of thousands of programs"]
fn every_name_is_right_or_refused() {
    let mut programs = programs();
    let mut found = Vec::new();
    while !programs.is_empty() {
        let rest = programs.split_off(programs.len().min(1000));
        found.extend(wrong(programs));
        programs = rest;
    }
    assert!(found.is_empty(), "wrong: {found:#?}");
}
