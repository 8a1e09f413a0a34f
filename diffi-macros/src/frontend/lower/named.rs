//! The list of names that the front end does not take for any other name, for `tests/soundness/names`, which compiles them.
//!
//! Each name that stands in the compiler's sources as a text is put into each form of `tests/soundness/names/forms.rs`. Most are
//! lowered as a name that nothing knows, some are refused, and some are left to derivative code that only rustc finds. Of the others
//! the first of those that are lowered alike stands in the list: `BOOK=overwrite cargo test -p diffi-macros --lib named` writes it.

#[path = "../../../../tests/soundness/names/forms.rs"]
mod forms;

use crate::frontend::lower;
use crate::ir::print;
use crate::support::options::Options;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How the name ends under which a function's derivative code is imported.
const UNKNOWN: &str = "_without_the_attribute_differentiable";

/// The texts of all files in a folder.
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
    sources(&root.join("src"), &mut texts);
    sources(&root.join("../diffi-rules/src"), &mut texts);
    let is_name = |s: &str| {
        let shown = s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        shown && s.len() > 1 && s.starts_with(|c: char| c.is_ascii_alphabetic()) && !s.ends_with('_')
    };
    let quoted = texts.iter().flat_map(|text| text.split('"')).filter(|s| is_name(s));
    quoted.filter(|s| syn::parse_str::<syn::Ident>(s).is_ok()).map(str::to_owned).collect()
}

/// The annotated functions of a program as text, without a name that it is about; none if one is refused, or the program is none.
fn treated(code: &str, name: &str) -> Option<String> {
    let file = syn::parse_file(code).ok()?;
    let mut text = String::new();
    for item in &file.items {
        let syn::Item::Fn(function) = item else { continue };
        let Some(attribute) = function.attrs.iter().find(|a| a.path().is_ident("differentiable")) else { continue };
        let options: Options = match &attribute.meta {
            syn::Meta::List(list) => syn::parse2(list.tokens.clone()).ok()?,
            _ => Options::default(),
        };
        let lowered = lower::lower(&options, function, None).ok()?;
        text += &print::function(&lowered);
        lowered.checks.iter().chain(&lowered.items).for_each(|tokens| text += &tokens.to_string());
    }
    Some(without(&text, name))
}

/// A text's words without a name, and without those that only number variables.
fn without(text: &str, name: &str) -> String {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let kept = words.filter(|word| !word.starts_with("__d")).map(|word| match word.strip_prefix(name) {
        Some(rest) if rest.is_empty() || rest.starts_with('_') => rest,
        _ if word.ends_with(UNKNOWN) => UNKNOWN,
        _ => word,
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// Whether rustc has to find derivative code of the user's by the name.
fn is_asked_of_rustc(text: &str) -> bool {
    text.contains(" __known ") || text.contains(UNKNOWN)
}

/// The names of a form that stand in the list.
fn listed(code: &str, names: &[String], neutral: &str) -> Vec<String> {
    let plain = treated(&code.replace("NAME", neutral), neutral);
    let mut seen = BTreeSet::from_iter(plain);
    let mut is_new = |name: &String| {
        let text = treated(&code.replace("NAME", name), name);
        text.is_some_and(|text| !is_asked_of_rustc(&text) && seen.insert(text))
    };
    names.iter().filter(|name| is_new(name)).cloned().collect()
}

fn list() -> String {
    let (types, functions): (Vec<String>, Vec<String>) =
        names().into_iter().partition(|name| name.starts_with(char::is_uppercase));
    let mut lines = String::new();
    for (forms, names, neutral) in [(forms::FORMS, &functions, "zorp"), (forms::TYPES, &types, "Zorp")] {
        for (form, code) in forms {
            listed(code, names, neutral).iter().for_each(|name| lines += &format!("{form}\t{name}\n"));
        }
    }
    lines
}

#[test]
fn the_list_of_names_is_that_of_the_sources() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/soundness/names/list.tsv");
    let (written, found) = (fs::read_to_string(&file).unwrap_or_default(), list());
    if std::env::var("BOOK").is_ok_and(|v| v == "overwrite") {
        fs::write(&file, &found).expect("the list can be written");
    } else {
        assert!(written == found, "write the list anew: BOOK=overwrite cargo test -p diffi-macros --lib named");
    }
}
