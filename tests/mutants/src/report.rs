//! What became of the mutants.

use crate::table::rows;
use crate::tree::{root, tree};
use std::collections::BTreeMap;
use std::fs;

/// The reasons of survivors: a mutant's name, a colon, and why it cannot be killed.
const SURVIVORS: &str = include_str!("../survivors.txt");

/// Counts, and the survivors that have no reason yet.
pub fn report() {
    let (mutants, mut results) = (rows("mutants.tsv"), rows("results.tsv"));
    for (id, row) in rows("compiled.tsv").into_iter().filter(|(_, row)| row[0].starts_with("killed")) {
        println!("{id}\t{}", row[0]);
        results.insert(id, vec!["tests of the suite".to_owned()]);
    }
    let mut counts = BTreeMap::<String, usize>::new();
    for (id, result) in &results {
        let mutant = &mutants[id];
        let survives = result[0].starts_with("survived") || result[0] == "not reached";
        let reason = SURVIVORS.lines().find_map(|line| line.strip_prefix(&name(mutant))?.strip_prefix(": "));
        let outcome = match reason {
            Some(reason) if survives => format!("explained: {}", reason.split([',', ';']).next().unwrap_or_default()),
            _ => result[0].clone(),
        };
        if survives && reason.is_none() {
            println!("{id}\t{}:{}\t{}\t{}\t{}", mutant[0], mutant[1], mutant[2], mutant[3], result[0]);
        }
        *counts.entry(outcome).or_default() += 1;
    }
    println!("{} of {} mutants: {counts:#?}", results.len(), mutants.len());
}

fn name(mutant: &[String]) -> String {
    format!("{} {} {}", mutant[0], mutant[2], mutant[3])
}

/// The line of a mutant, as it is and as it is planted.
pub fn show(id: usize) {
    let mutant = &rows("mutants.tsv")[&id];
    let (file, line) = (&mutant[0], mutant[1].parse::<usize>().expect("a line"));
    let text = fs::read_to_string(root().join(file)).expect("the file is there");
    println!("{}\n{file}:{line}", name(mutant));
    text.lines().enumerate().skip(line.saturating_sub(4)).take(8).for_each(|(k, l)| println!("{:5} {l}", k + 1));
    let planted = fs::read_to_string(tree().join(file)).expect("the copy is there");
    let switch = format!("mutant({id})");
    planted.lines().filter(|l| l.contains(&switch)).for_each(|l| println!("    > {}", l.trim()));
}
