//! The annotated functions of the test suite, each run as it is written and as every body of its derivative code, without rustc.
//!
//! Compiled tests say the same of them in minutes; this says it in seconds, and so can be run once for each mutant (`tests/mutants`).
//! `DIFFI_CORPUS=1 cargo test --release -p diffi-macros --lib corpus -- --nocapture` runs all of them and counts, and
//! `DIFFI_CORPUS=language/loops` those of a file, each with what became of it; `DIFFI_CORPUS=/path/to/file.rs` those of any file.

use crate::tests::interpreter::checks::{Case, Verdict, verdict};
use crate::tests::interpreter::value::Value;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

const FOLDERS: &[&str] = &["language", "found", "soundness", "composition", "structs", "programs"];
/// Functions that the interpreter runs otherwise than Rust does, which compiled tests show to be right.
const UNSUITED: &[&str] = &[
    // a receiver or an array is a copy, of which its place does not change the value later
    "given_clamp",
    "given_powi",
    "array_before",
    // shadows of lists that are shorter afterwards
    "shortened",
    "thrown_away",
    // iterators that are handed on, or kept
    "passive_iterator_in_a_check",
    "present_values",
    "picks",
    // a vector that an allocation before the loops has made
    "weighted",
];

#[test]
fn functions_of_the_suite_agree_with_their_text() {
    let Ok(asked) = env::var("DIFFI_CORPUS") else { return };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || run(&asked));
    let (counts, wrong) = thread.expect("a thread").join().expect("no panic outside of a function");
    println!("{counts:#?}");
    assert!(wrong.is_empty(), "{} functions are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.contains_key("right"), "no function was compared");
}

/// How many functions came out how, and those that are wrong.
fn run(asked: &str) -> (BTreeMap<String, usize>, Vec<String>) {
    let (mut counts, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    for (k, (name, case)) in cases((asked != "1").then_some(asked)).iter().enumerate() {
        if k % 50 == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        let verdict = std::panic::catch_unwind(|| verdict(case));
        let kind = match verdict.unwrap_or_else(|_| Verdict::Wrong("the compiler panics".to_owned())) {
            Verdict::Right(..) => "right".to_owned(),
            Verdict::Wild => "wild".to_owned(),
            Verdict::Unknown(what) | Verdict::Refused(what) | Verdict::Invalid(what) => what.chars().take(60).collect(),
            Verdict::Wrong(message) => {
                wrong.push(format!("// {name}: {message}\n{}", case.text));
                "wrong".to_owned()
            }
        };
        if asked != "1" {
            println!("{name}: {kind}");
        }
        *counts.entry(kind).or_default() += 1;
    }
    (counts, wrong)
}

/// The functions whose arguments can be made up, by file and name, each with the items of its file that it mentions.
fn cases(asked: Option<&str>) -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    if let Some(path) = asked.filter(|word| word.ends_with(".rs")) {
        of_file("", Path::new(path), &mut cases);
        return cases;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    for folder in FOLDERS {
        let mut files: Vec<_> =
            fs::read_dir(tests.join(folder)).expect("a folder").flatten().map(|e| e.path()).collect();
        files.sort();
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
            let stem = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let name = format!("{folder}/{stem}");
            if asked.is_none_or(|word| word == name) {
                of_file(&name, path, &mut cases);
            }
        }
    }
    cases
}

fn of_file(name: &str, path: &Path, cases: &mut Vec<(String, Case)>) {
    let file = fs::read_to_string(path).ok().and_then(|text| syn::parse_file(&text).ok());
    file.iter().for_each(|file| of_items(name, &file.items, cases));
}

fn of_items(file: &str, items: &[syn::Item], cases: &mut Vec<(String, Case)>) {
    for item in items {
        match item {
            syn::Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("differentiable")) => {
                let Some(args) = arguments(&f.sig) else { continue };
                let (name, text) = (f.sig.ident.to_string(), program(f, items));
                if !UNSUITED.contains(&name.as_str()) && !text.contains("#[cfg") {
                    cases.push((format!("{file}/{name}"), Case { text, name, args }));
                }
            }
            syn::Item::Mod(inner) => {
                inner.content.iter().for_each(|(_, items)| of_items(&format!("{file}/{}", inner.ident), items, cases));
            }
            _ => {}
        }
    }
}

/// A function, and what it mentions, directly or not.
fn program(function: &syn::ItemFn, items: &[syn::Item]) -> String {
    let (mut words, mut taken) = (mentioned(function), BTreeSet::new());
    loop {
        let new = items
            .iter()
            .enumerate()
            .filter(|(k, item)| !taken.contains(k) && names(item).iter().any(|n| words.contains(n)));
        let new: Vec<usize> = new.map(|(k, _)| k).collect();
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|k| words.extend(mentioned(&items[*k])));
        taken.extend(new);
    }
    let text = |k: &usize| {
        let mut file = syn::File { shebang: None, attrs: Vec::new(), items: vec![items[*k].clone()] };
        file.items.iter_mut().for_each(plain);
        prettyplease::unparse(&file)
    };
    taken.iter().map(text).collect()
}

/// Without attributes.
fn plain(item: &mut syn::Item) {
    match item {
        syn::Item::Fn(f) => f.attrs.clear(),
        syn::Item::Impl(i) => i.attrs.clear(),
        syn::Item::Struct(s) => s.attrs.clear(),
        syn::Item::Enum(e) => e.attrs.clear(),
        _ => {}
    }
}

fn mentioned(item: &impl ToTokens) -> BTreeSet<String> {
    let text = item.to_token_stream().to_string();
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
}

/// The name under which an item is mentioned.
fn names(item: &syn::Item) -> Vec<String> {
    match item {
        syn::Item::Fn(f) => vec![f.sig.ident.to_string()],
        syn::Item::Struct(s) => vec![s.ident.to_string()],
        syn::Item::Enum(e) => vec![e.ident.to_string()],
        syn::Item::Const(c) => vec![c.ident.to_string()],
        syn::Item::Impl(i) if i.trait_.is_none() => vec![i.self_ty.to_token_stream().to_string()],
        _ => Vec::new(),
    }
}

/// Arguments for a function, if their types are plain.
fn arguments(sig: &syn::Signature) -> Option<Vec<Value>> {
    if !sig.generics.params.is_empty() {
        return None;
    }
    let mut count = 0;
    let arg = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(typed) => argument(&typed.ty, &mut count),
        syn::FnArg::Receiver(_) => None,
    };
    sig.inputs.iter().map(arg).collect()
}

fn argument(ty: &syn::Type, count: &mut usize) -> Option<Value> {
    let mut elements = |of: &syn::Type, n: usize| (0..n).map(|_| argument(of, count)).collect::<Option<Vec<Value>>>();
    match ty {
        syn::Type::Reference(r) => argument(&r.elem, count),
        syn::Type::Slice(s) => Some(Value::Seq(elements(&s.elem, 4)?)),
        syn::Type::Array(a) => Some(Value::Seq(elements(&a.elem, a.len.to_token_stream().to_string().parse().ok()?)?)),
        syn::Type::Tuple(t) => t.elems.iter().map(|of| argument(of, count)).collect::<Option<_>>().map(Value::Tuple),
        syn::Type::Path(p) if p.path.segments.len() == 1 => {
            let last = &p.path.segments[0];
            match (last.ident.to_string().as_str(), &last.arguments) {
                ("f64", _) => {
                    *count += 1;
                    Some(Value::float(0.4 + 0.37 * *count as f64))
                }
                ("usize" | "i32" | "u32", _) => Some(Value::Int(2)),
                ("bool", _) => Some(Value::Bool(true)),
                ("Vec", syn::PathArguments::AngleBracketed(of)) => match of.args.first() {
                    Some(syn::GenericArgument::Type(of)) => Some(Value::Seq(elements(of, 4)?)),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
