//! The floors of both crates: a folder imports only from folders below it, and files form no long import cycles.
//!
//! Imports are read from the text: paths that begin with `crate::`, tests left out. `cargo test --test floors -- --nocapture` prints
//! the counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders of the compiler, from the top to the ground.
const MACROS: &[&[&str]] = &[
    &["lib"],
    &["item"],
    &["pipeline"],
    &["emit"],
    &["opt"],
    &["ad"],
    &["frontend"],
    &["analysis"],
    &["ir"],
    &["support"],
];

/// The folders of the runtime, likewise.
const RUNTIME: &[&[&str]] = &[
    &["lib"],
    &["registry"],
    &["sparse"],
    &["backend"],
    &["operators"],
    &["intrinsics"],
    &["overload"],
    &["signature"],
    &["value"],
    &["number"],
    &["stack"],
    &["error", "special"],
];

/// The length of the longest import cycle of files that is left in either crate. It may only get shorter.
const LONGEST: [usize; 2] = [3, 3];

type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn folders_import_from_below() {
    for (krate, floors) in [("diffi-macros", MACROS), ("diffi-runtime", RUNTIME)] {
        let floor = |module: &str| {
            let folder = module.split("::").next().unwrap_or_default();
            let at = floors.iter().position(|folders| folders.contains(&folder));
            at.unwrap_or_else(|| panic!("{krate}: `{folder}` stands on no floor"))
        };
        let graph = imports(krate);
        let upwards: Vec<String> = edges(&graph)
            .filter(|(from, to)| floor(from) > floor(to))
            .map(|(from, to)| format!("{from} -> {to}"))
            .collect();
        println!("{krate}: {} files, {} imports, {} upwards", graph.len(), edges(&graph).count(), upwards.len());
        assert!(upwards.is_empty(), "{krate}: imports from a floor above:\n{}", upwards.join("\n"));
    }
}

#[test]
fn files_form_no_long_cycles() {
    for (krate, longest) in ["diffi-macros", "diffi-runtime"].into_iter().zip(LONGEST) {
        let cycles = cycles(&imports(krate));
        println!("{krate}: {} cycles of {:?} files", cycles.len(), cycles.iter().map(Vec::len).collect::<Vec<_>>());
        for cycle in cycles {
            assert!(cycle.len() <= longest, "{krate}: an import cycle of {} files: {cycle:?}", cycle.len());
        }
    }
}

fn edges(graph: &Graph) -> impl Iterator<Item = (&str, &str)> {
    graph.iter().flat_map(|(from, all)| all.iter().map(move |to| (from.as_str(), to.as_str())))
}

/// By file: the files that it imports from.
fn imports(krate: &str) -> Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(krate).join("src");
    let mut texts = BTreeMap::new();
    read(&root, "", &mut texts);
    let modules: BTreeSet<String> = texts.keys().cloned().collect();
    let of = |(module, text): (&String, &String)| {
        let mut found = BTreeSet::new();
        paths(&without_comments(without_tests(text)), &mut |path| found.extend(module_of(&modules, path)));
        found.remove(module);
        (module.clone(), found)
    };
    let is_test = |module: &str| module.split("::").any(|part| part.ends_with("tests"));
    texts.iter().filter(|(module, _)| !is_test(module)).map(of).collect()
}

fn read(folder: &Path, prefix: &str, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the entry is readable").path();
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let module = if prefix.is_empty() { name.clone() } else { format!("{prefix}::{name}") };
        if path.is_dir() {
            read(&path, &module, texts);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let module = if name == "mod" { prefix.to_owned() } else { module };
            texts.insert(module, fs::read_to_string(&path).expect("the file is text"));
        }
    }
}

fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Calls `found` on every path behind a `crate::`, lists in braces written out.
fn paths(text: &str, found: &mut dyn FnMut(&[&str])) {
    for (at, prefix) in text.match_indices("crate::") {
        tree(&text[at + prefix.len()..], &mut Vec::new(), found);
    }
}

/// Reads a tree of paths; gives the text behind it.
fn tree<'t>(text: &'t str, path: &mut Vec<&'t str>, found: &mut dyn FnMut(&[&str])) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches([',', ' ', '\n']);
            match rest.strip_prefix('}') {
                Some(behind) => return behind,
                None if rest.is_empty() => return rest,
                None => rest = tree(rest, path, found),
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    path.push(name);
    match rest.trim_start().strip_prefix("::") {
        Some(behind) if !name.is_empty() => rest = tree(behind, path, found),
        _ => {
            found(path);
            // what is neither a name nor a list ends the path: `*`, `<`
            rest = rest.strip_prefix(if name.is_empty() { '*' } else { '\0' }).unwrap_or(rest);
            if name.is_empty() && !rest.starts_with([',', '}']) {
                rest = "";
            }
            rest = rest.trim_start().strip_prefix("as ").map_or(rest, |r| r.trim_start_matches(char::is_alphanumeric));
        }
    }
    path.pop();
    rest
}

/// The file in which a path lies.
fn module_of(modules: &BTreeSet<String>, path: &[&str]) -> Option<String> {
    (1..=path.len()).rev().map(|n| path[..n].join("::")).find(|module| modules.contains(module))
}

/// The strongly connected parts of more than one file (Tarjan 1972).
fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let mut search =
        Search { graph, index: BTreeMap::new(), low: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    graph.keys().for_each(|module| search.visit(module));
    search.found.retain(|part| part.len() > 1);
    search.found
}

struct Search<'g> {
    graph: &'g Graph,
    index: BTreeMap<&'g str, usize>,
    low: BTreeMap<&'g str, usize>,
    stack: Vec<&'g str>,
    found: Vec<Vec<String>>,
}

impl<'g> Search<'g> {
    fn visit(&mut self, module: &'g str) {
        if self.index.contains_key(module) {
            return;
        }
        let at = self.index.len();
        self.index.insert(module, at);
        self.low.insert(module, at);
        self.stack.push(module);
        for to in self.graph.get(module).into_iter().flatten() {
            let new = !self.index.contains_key(to.as_str());
            self.visit(to);
            let reached = if new { self.low[to.as_str()] } else { self.index[to.as_str()] };
            if self.stack.contains(&to.as_str()) {
                self.low.insert(module, self.low[module].min(reached));
            }
        }
        if self.low[module] == at {
            let from = self.stack.iter().position(|m| *m == module).expect("the file is on the stack");
            self.found.push(self.stack.drain(from..).map(str::to_owned).collect());
        }
    }
}
