//! A program for each name that the front end's sources mention, in each form of [`FORMS`]: right or refused.
//!
//! `list.tsv` has those of them that the front end does not refuse itself, and does not take for a name that nothing knows; a unit
//! test of `diffi-macros` (`frontend/lower/named.rs`) makes it. `NAMED_FORMS=slice,vec_by_value` picks forms. One in eight programs is
//! compiled: `NAMED_SEED=3` picks others, `NAMED_SAMPLE=1` all.

use super::forms::{FORMS, TYPES};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Forms and names that the compiler does not take for any other name.
const LIST: &str = include_str!("list.tsv");

/// One program of a batch: a file of its own.
struct Program {
    id: String,
    code: String,
}

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Whether a program is one of the sample (by FNV-1a).
fn is_sampled(id: &str) -> bool {
    let (seed, one_in) = (number("NAMED_SEED", 0), number("NAMED_SAMPLE", 8).max(1));
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), mix);
    (hash >> 32) % one_in == 0
}

/// The programs of the list that `diffi-macros` makes of its sources.
fn programs() -> Vec<Program> {
    let chosen = std::env::var("NAMED_FORMS").ok();
    let is_chosen = |form: &str| chosen.as_ref().is_none_or(|all| all.split(',').any(|name| name == form));
    let forms: BTreeMap<&str, &str> = FORMS.iter().chain(TYPES).copied().collect();
    let pairs = LIST.lines().filter_map(|line| line.split_once('\t')).filter(|(form, _)| is_chosen(form));
    pairs
        .map(|(form, name)| Program {
            id: format!("{form}_{name}").to_lowercase(),
            code: forms[form].replace("NAME", name),
        })
        .filter(|program| is_sampled(&program.id))
        .collect()
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

const HEAD: &str = r#"#![allow(warnings)]
#[path = "CHECK"]
mod check;
fn report(id: &str, f: fn(&[f64]) -> f64, check: fn()) {
    if std::panic::catch_unwind(|| f(&[1.3, 0.7])).is_ok() {
        println!("{} {id}", std::panic::catch_unwind(check).is_ok());
    }
}
"#;

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
            // macros of the program's own are not those of the test
            let text = format!("pub use program::f;\nmod program {{\nuse diffi::prelude::*;\n{code}\n}}\n{test}\n");
            fs::write(src.join(format!("{id}.rs")), text).expect("a program is written");
            main += &format!("mod {id};\n");
            calls += &format!("report(\"{id}\", {id}::f, {id}::check);\n");
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
fn every_name_is_right_or_refused() {
    let found = wrong(programs());
    assert!(found.is_empty(), "wrong: {found:#?}");
}
