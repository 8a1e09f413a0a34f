//! The suite against mutants that the interpreter does not kill: where the expansion of a file differs, rustc compiles it and its tests run.

use crate::binary::{Binary, Run};
use crate::build::suite_of_copy;
use crate::suite::{Suite, suites};
use crate::table::{add, numbers, rows};
use std::collections::BTreeSet;
use std::fs::File;
use std::time::Duration;

/// What the expansion of a file may take without being a loop, and what the tests may.
const LIMIT: Duration = Duration::from_secs(60);
/// How many files with another expansion have their tests run.
const FILES: usize = 2;
/// How many files that come by a mutant are expanded.
const TRIES: usize = 24;

/// A file of the suite, its expansions, and the mutants that these come by.
struct Expanded<'s> {
    suite: &'s Suite,
    run: Run,
    code: String,
    reached: BTreeSet<usize>,
}

/// Tests all mutants that are not killed and have no result of the suite yet.
pub fn compile() {
    let (binary, suites) = (Binary::find(), suites());
    let files = suites.iter().flat_map(|suite| suite.files.iter().map(move |file| (suite, file)));
    let expanded: Vec<Expanded<'_>> = files.filter_map(|(suite, file)| expanded(&binary, suite, file)).collect();
    println!("{} files with expansions", expanded.len());
    let alive =
        rows("results.tsv").into_iter().filter(|(_, row)| row[0].starts_with("survived") || row[0] == "not reached");
    let done = numbers("compiled.tsv");
    for (id, _) in alive.filter(|(id, _)| !done.contains(id)) {
        add("compiled.tsv", &format!("{id}\t{}\n", outcome(&binary, &expanded, id)));
    }
}

fn expanded<'s>(binary: &Binary, suite: &'s Suite, file: &str) -> Option<Expanded<'s>> {
    let run = Run::Expansion(file.to_owned());
    let (code, reached) = binary.reached(&run)?;
    (!reached.is_empty()).then_some(Expanded { suite, run, code, reached })
}

fn outcome(binary: &Binary, files: &[Expanded<'_>], id: usize) -> String {
    let mut reaching: Vec<&Expanded<'_>> = files.iter().filter(|file| file.reached.contains(&id)).collect();
    reaching.sort_by_key(|file| file.code.len());
    let differs = |file: &&&Expanded<'_>| binary.output(&file.run, id, LIMIT).as_ref() != Some(&file.code);
    let other: Vec<&&Expanded<'_>> = reaching.iter().take(TRIES).filter(differs).take(FILES).collect();
    let tried = format!("{} of {} files differ", other.len(), reaching.len());
    match other.iter().find(|file| !passes(file.suite, id)) {
        Some(file) => format!("killed by {} {}", file.suite.name, file.run.name()),
        None if reaching.is_empty() => "not reached".to_owned(),
        None => format!("survived, {tried}"),
    }
}

/// Whether a test binary compiles and passes with a mutant.
fn passes(suite: &Suite, mutant: usize) -> bool {
    let touched =
        File::options().append(true).open(&suite.root).and_then(|file| file.set_modified(std::time::SystemTime::now()));
    touched.expect("the file is there");
    suite_of_copy(&suite.arguments, mutant).status().expect("cargo runs").success()
}
