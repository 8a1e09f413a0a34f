//! Generated parts of the documents: the book's chapter on the compiler, and the pass table of `ARCHITECTURE.md`.
//!
//! After a change of the compiler, `BOOK=overwrite cargo test -p diffi-macros --lib book` writes the parts anew. Look at the difference,
//! and mend the text around it. A pass that begins to change the function needs a place in the chapter.

use super::*;
use crate::opt::pass::{Body, Pass};
use crate::opt::passes::PASSES;
use difference::difference;
use document::{Part, is_up_to_date, path};
use quote::quote;

mod difference;
mod document;

/// How the heading of a body of derivative code begins.
const BODY: &str = "// ";
/// The function that the chapter follows.
const SOURCE: &str = "\
fn misfit(x: &[f64], p: &[f64]) -> f64 {
    let mut level = p[0];
    let mut total = 0.0;
    for i in 0..x.len() {
        level += p[1] * (x[i] - level);
        if level > 1.0 {
            level = 1.0 / level;
        }
        total += (x[i] - level) * (x[i] - level);
    }
    total
}";

#[test]
fn the_book_shows_the_dump_of_every_pass() {
    let mut parts = phases();
    parts.push(("passes".to_owned(), passes_by_body()));
    is_up_to_date("book/src/compiler.md", &parts);
}

#[test]
fn the_architecture_lists_every_pass() {
    is_up_to_date("ARCHITECTURE.md", &[("passes".to_owned(), passes_by_purpose())]);
}

#[test]
fn the_architecture_names_files_that_exist() {
    let text = document::read("ARCHITECTURE.md");
    let prose = text.split("```").step_by(2);
    let names = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let mut files = names.filter(|name| name.ends_with(".rs") || name.contains('/') && !name.contains(' '));
    let exists =
        |file: &&str| ["", "diffi-macros/src", "diffi-runtime/src"].iter().any(|root| path(root).join(file).exists());
    assert_eq!(files.find(|file| !exists(file)), None, "ARCHITECTURE.md names a file that does not exist");
}

/// The source, the IR at the end of each phase, the difference that each pass makes, and the code.
fn phases() -> Vec<Part> {
    let (ends, passes) = (dumped(None), dumped(Some("all")));
    let end = |phase: &str| ends.iter().find(|end| end.0 == phase).expect("the phase ends in a dump").1.clone();
    let mut parts = vec![("source".to_owned(), fenced("rust,ignore", SOURCE))];
    parts.push(("lower".to_owned(), fenced("text", &end("lower"))));
    parts.extend(differences(&end("lower"), &passes, true));
    let differentiated = end("differentiate");
    let bodies = bodies(&differentiated).into_iter();
    let joint = bodies.filter(|body| matches!(&body.0[..], "push" | "pull"));
    parts.extend(joint.map(|(name, text)| (format!("differentiate, {name}"), fenced("text", &text))));
    parts.extend(differences(&differentiated, &passes, false));
    parts.push(("emit".to_owned(), fenced("rust,ignore", &pull())));
    parts
}

/// The texts of a dump, without second derivatives.
fn dumped(after: Option<&str>) -> Vec<Part> {
    let (options, dump) = (Options::default(), Dump::kept("misfit", after));
    let function = normal(&options, &source(), None, &dump).expect("the function is accepted");
    let wanted = Wanted { again: true, second: false };
    derivatives(&function, &activity(&function), wanted, &dump);
    dump.into_kept()
}

fn source() -> syn::ItemFn {
    syn::parse_str(SOURCE).expect("the function parses")
}

/// A part for each pass that changes the function, or else for each that changes its derivative code.
fn differences(first: &str, passes: &[Part], of_function: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut before = first;
    for (name, after) in passes.iter().filter(|(_, text)| text.starts_with(BODY) != of_function) {
        let changes = changed_bodies(before, after);
        if !changes.is_empty() {
            parts.push((name.clone(), fenced("diff", &changes)));
        }
        before = after;
    }
    parts
}

/// The bodies of a dump: the text behind each heading.
fn bodies(dump: &str) -> Vec<Part> {
    let parts = dump.split(BODY).filter(|part| !part.trim().is_empty());
    let parts = parts.map(|part| part.split_once('\n').expect("a heading is a line"));
    parts.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned())).collect()
}

/// The difference between two dumps. Where the joint adjoint changes, other bodies that change are only named.
fn changed_bodies(before: &str, after: &str) -> String {
    if !after.starts_with(BODY) {
        return difference(before, after);
    }
    let pairs = bodies(before).into_iter().zip(bodies(after));
    let (pull, others): (Vec<_>, Vec<_>) =
        pairs.filter(|(before, after)| before != after).partition(|(_, after)| after.0 == "pull");
    let shown = if pull.is_empty() { &others } else { &pull };
    let mut text = String::new();
    for (before, after) in shown {
        text += &format!("@@ {} @@\n{}", after.0, difference(&before.1, &after.1));
    }
    if !pull.is_empty() && !others.is_empty() {
        let names: Vec<_> = others.iter().map(|(_, after)| &after.0[..]).collect();
        text += &format!("@@ also {} @@\n", names.join(", "));
    }
    text
}

/// The joint adjoint as it is emitted.
fn pull() -> String {
    let options = Options { first_order: true, ..Options::default() };
    let code = compile(&options, &source(), &quote!(::diffi)).expect("the function is accepted");
    let file: syn::File = syn::parse2(code).expect("generated code is Rust");
    let text = prettyplease::unparse(&file);
    let lines = text.lines().skip_while(|line| !line.contains("pub fn __pull<"));
    let function: Vec<_> = lines.take_while(|line| line.trim() != "#[doc(hidden)]").collect();
    let indent = function[0].len() - function[0].trim_start().len();
    function.iter().map(|line| format!("{}\n", &line[indent..])).collect()
}

/// Each pass, with the bodies over which it runs.
fn passes_by_body() -> String {
    let headings: Vec<_> = Body::ALL.iter().map(|body| format!(" {} |", body.heading())).collect();
    let mut table = format!("| pass | stage |{}\n|---|---|{}\n", headings.concat(), ":-:|".repeat(headings.len()));
    for pass in PASSES {
        let mark = |body: &Body| if pass.bodies.contains(body) { " x |" } else { " |" };
        let marks: String = Body::ALL.iter().map(mark).collect();
        table += &format!("| `{}` | {} |{marks}\n", pass.name, stage(pass));
    }
    table
}

/// Each pass, with the sentence that begins its file.
fn passes_by_purpose() -> String {
    let mut table = "| pass | stage | bodies | transformation |\n|---|---|---|---|\n".to_owned();
    for pass in PASSES {
        let headings: Vec<_> = pass.bodies.iter().map(|body| body.heading()).collect();
        let bodies = match pass.bodies.len() {
            0 => "primal".to_owned(),
            n if n == Body::ALL.len() => "all".to_owned(),
            _ => headings.join(", "),
        };
        table += &format!("| `{}` | {} | {bodies} | {} |\n", pass.name, stage(pass), head(pass.name));
    }
    table
}

fn stage(pass: &Pass) -> String {
    let required = if pass.required { ", required" } else { "" };
    format!("{}{required}", format!("{:?}", pass.stage).to_lowercase())
}

/// The first paragraph of the file of a pass.
fn head(pass: &str) -> String {
    let folders = ["analysis", "opt/normalize", "opt/scalar", "opt/adjoint", "opt/loops", "opt/access", "opt/memory"];
    let source = path("diffi-macros/src");
    let files = folders.iter().flat_map(|folder| [format!("{folder}/{pass}.rs"), format!("{folder}/{pass}/mod.rs")]);
    let text = files.filter_map(|file| std::fs::read_to_string(source.join(file)).ok()).next();
    let text = text.expect("a pass has a file of its name");
    let head = text.lines().map_while(|line| line.strip_prefix("//! "));
    head.collect::<Vec<_>>().join(" ")
}

fn fenced(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}
