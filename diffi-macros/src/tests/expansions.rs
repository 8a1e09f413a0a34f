//! The expansion of every item of the project, as text: what a change of the compiler changes in generated code.
//!
//! `DIFFI_EXPANSIONS=/tmp/after cargo test -p diffi-macros --lib expansions` writes it to a file. A change that only moves code leaves it
//! as it is; any other one shows in the difference of two files. `DIFFI_EXPANDED=tests/gmm.rs` takes one file alone.

use super::{expand, is_type};
use diffi_random::print::{Dialect, program};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

/// How many random programs are expanded besides.
const PROGRAMS: u64 = 150;
const THREADS: usize = 4;
const FOLDERS: &[&str] = &["tests", "benches", "examples", "adapters"];

#[test]
fn expansions_are_written_where_they_are_wanted() {
    let Some(path) = env::var_os("DIFFI_EXPANSIONS") else { return };
    let texts: Vec<_> = texts().collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let run = || {
        while let Some((name, text)) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let code = expansions(name, text);
            done.lock().expect("no expansion panics").insert(name.clone(), code);
        }
    };
    std::thread::scope(|scope| {
        let spawn = || std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, run);
        (0..THREADS).for_each(|_| _ = spawn().expect("a thread"));
    });
    let done = done.into_inner().expect("no expansion panics");
    fs::write(path, done.into_values().collect::<String>()).expect("the file can be written");
}

/// The expansions of a file's items.
fn expansions(name: &str, text: &str) -> String {
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut all = Vec::new();
    items(syn::parse_file(text).map(|file| file.items).unwrap_or_default(), name.starts_with("random"), &mut all);
    let code = |(options, item)| expand(options, item).to_string().replace(" ; ", " ;\n");
    all.into_iter().map(|item| format!("// {name}\n{}\n\n", code(item))).collect()
}

/// Files, by their names, and random programs; or one file.
fn texts() -> impl Iterator<Item = (String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let one = env::var("DIFFI_EXPANDED").ok().map(|name| root.join(name));
    let programs = if one.is_some() { 0 } else { PROGRAMS };
    let all = || {
        let mut files = Vec::new();
        FOLDERS.iter().for_each(|folder| find(&root.join(folder), &mut files));
        files.sort();
        files
    };
    let files = one.map_or_else(all, |one| vec![one]);
    let read = move |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        fs::read_to_string(path).ok().map(|text| (name, text))
    };
    let random = |seed| {
        (format!("random program {seed}"), program(&diffi_random::generate::program(seed), Dialect::Plain, true))
    };
    files.into_iter().filter_map(read).chain((0..programs).map(random))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries.filter(|path| !path.ends_with("ui") && !path.ends_with("target")) {
        match path.is_dir() {
            true => find(&path, files),
            false if path.extension().is_some_and(|e| e == "rs") => files.push(path),
            false => {}
        }
    }
}

/// The items to expand, with the attribute's options: all, or those that have it.
fn items(from: Vec<syn::Item>, all: bool, found: &mut Vec<(TokenStream, TokenStream)>) {
    for mut item in from {
        let attributes = match &mut item {
            syn::Item::Mod(inner) => {
                items(inner.content.take().map(|(_, items)| items).unwrap_or_default(), all, found);
                continue;
            }
            syn::Item::Fn(f) => &mut f.attrs,
            syn::Item::Impl(i) => &mut i.attrs,
            syn::Item::Trait(t) => &mut t.attrs,
            syn::Item::Struct(s) => &mut s.attrs,
            syn::Item::Enum(e) => &mut e.attrs,
            _ => continue,
        };
        let at = attributes.iter().position(|a| a.path().is_ident("differentiable"));
        let options = at.map(|at| attributes.remove(at)).map(|attribute| match attribute.meta {
            syn::Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        });
        let derives = attributes.iter().any(|a| a.path().is_ident("derive") && is_derived(a));
        let item = item.into_token_stream();
        if options.is_some() || derives || all && !is_type(&item) {
            found.push((options.unwrap_or_default(), item));
        }
    }
}

fn is_derived(attribute: &syn::Attribute) -> bool {
    attribute.to_token_stream().to_string().contains("Differentiable")
}
