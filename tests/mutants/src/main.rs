//! Mutation testing by schemata (Untch, Offutt & Harrold 1993): one build has all mutants, and the environment chooses one of them.
//!
//! ```text
//! cargo run --release -p diffi-mutants -- plant 700 1       700 mutants, seed 1, in a copy of the project; builds the tests of this copy
//! cargo run --release -p diffi-mutants -- test              runs the tests once for each mutant; goes on where it was stopped
//! cargo run --release -p diffi-mutants -- compile           runs the tests of the suite where expansions differ, for those that are left
//! cargo run --release -p diffi-mutants -- show 17           the line of mutant 17, before and after
//! cargo run --release -p diffi-mutants -- report            what became of them, without those of `survivors.txt`
//! ```
//!
//! Everything lies in `target/mutants`: the copy in `tree`, its build in `build`, the list of mutants in `mutants.tsv`, what became of each
//! in `results.tsv`, and in `cases` which mutants a test comes by. `DIFFI_MUTANT=17` in the environment chooses a mutant of the copy, also
//! where rustc runs the macro.
//!
//! A mutant meets the unit tests that come by it, then random programs and files of the suite that do, one by one: their functions are run
//! as text and as every body of their derivative code. The first difference kills it, and so does a loop. What is left meets rustc: where
//! the expansion of a file of the suite differs, its tests are compiled and run. Survivors are read: `survivors.txt` has the reasons of
//! those that stay.

mod binary;
mod build;
mod compiled;
mod edits;
mod mutant;
mod plant;
mod report;
mod sites;
mod stages;
mod suite;
mod table;
mod tree;

use std::env;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().expect("a number");
    match words[..] {
        ["plant", count, seed] => plant::plant(number(count), number(seed) as u64),
        ["test"] => stages::test(),
        ["compile"] => compiled::compile(),
        ["show", id] => report::show(number(id)),
        ["report"] => report::report(),
        _ => println!(
            "plant COUNT SEED, test, compile, show ID, or report: the head of `tests/mutants/src/main.rs` explains them"
        ),
    }
}
