//! Chooses mutants, writes them into the copy, and builds it.

use crate::build;
use crate::edits::planted;
use crate::mutant::Mutant;
use crate::sites::sites;
use crate::tree::{copy, folder, root, sources, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The switch, in the copy.
const SWITCH: &str = r#"
//! The switches of mutants.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CHOSEN: LazyLock<usize> = LazyLock::new(|| std::env::var("DIFFI_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX));
static LOG: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("DIFFI_MUTANTS_REACHED").ok());
static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

/// Whether this mutant is chosen.
pub fn mutant(n: usize) -> bool {
    if LOG.is_some() && !REACHED[n].swap(true, Relaxed) {
        use std::io::Write;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(LOG.as_ref().unwrap());
        file.unwrap().write_all(format!("{n}\n").as_bytes()).unwrap();
    }
    n == *CHOSEN
}
"#;

/// The folders that have twice the chance.
const WEIGHTY: &[&str] = &["analysis", "opt", "ad", "emit", "frontend/lower"];

/// Plants so many mutants; those that do not compile are taken out again.
pub fn plant(count: usize, seed: u64) {
    let texts: BTreeMap<String, String> = sources().into_iter().map(|name| (name.clone(), read(&name))).collect();
    let all: Vec<Mutant> = texts.iter().flat_map(|(name, text)| sites(name, text)).collect();
    println!("{} mistakes are possible", all.len());
    let mut chosen: BTreeMap<usize, Mutant> = sample(all, count, seed).into_iter().enumerate().collect();
    copy();
    loop {
        let places = write(&texts, &chosen);
        let bad: BTreeSet<usize> = build::errors().iter().flat_map(|error| build::blamed(error, &places)).collect();
        if bad.is_empty() {
            break;
        }
        println!("{} mutants do not compile", bad.len());
        chosen.retain(|id, _| !bad.contains(id));
    }
    let line = |(id, m): (&usize, &Mutant)| format!("{id}\t{}\t{}\t{}\t{}\n", m.file, m.line, m.function, m.kind);
    fs::write(folder().join("mutants.tsv"), chosen.iter().map(line).collect::<String>()).expect("it can be written");
    let _ = fs::remove_dir_all(folder().join("cases"));
    println!("{} mutants", chosen.len());
    build::tests();
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("the file can be read")
}

/// A sample without repetition: the smallest of random keys (Efraimidis & Spirakis 2006).
fn sample(all: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut keyed: Vec<(f64, Mutant)> = all.into_iter().map(|m| (-random.f64().ln() / weight(&m), m)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sample: Vec<Mutant> = keyed.into_iter().take(count).map(|(_, m)| m).collect();
    sample.sort_by(|a, b| (&a.file, a.line, a.kind).cmp(&(&b.file, b.line, b.kind)));
    sample
}

fn weight(mutant: &Mutant) -> f64 {
    let folder = mutant.file.trim_start_matches("diffi-macros/src/");
    if WEIGHTY.iter().any(|weighty| folder.starts_with(weighty)) { 2.0 } else { 1.0 }
}

/// Where each mutant stands, by file.
pub type Places = BTreeMap<String, Vec<(usize, std::ops::Range<usize>)>>;

fn write(texts: &BTreeMap<String, String>, chosen: &BTreeMap<usize, Mutant>) -> Places {
    let mut places = Places::new();
    for (name, text) in texts {
        let here: Vec<_> = chosen.iter().filter(|(_, m)| m.file == *name).map(|(id, m)| (*id, m)).collect();
        let (mut planted, at) = planted(text, &here);
        if name == "diffi-macros/src/lib.rs" {
            planted.push_str("\n#[allow(missing_docs)]\npub(crate) mod mutants;\n");
        }
        fs::write(tree().join(name), planted).expect("the copy can be written");
        places.insert(name.clone(), at);
    }
    fs::write(tree().join("diffi-macros/src/mutants.rs"), SWITCH).expect("the copy can be written");
    places
}
