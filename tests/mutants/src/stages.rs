//! The tests that try to kill a mutant: for each one those that come by it, the quick ones first.

use crate::binary::{Binary, Kind, Run};
use crate::table::{self, add, numbers};
use crate::tree::tree;
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// Tests of time, of documents and of the sources' own text, and random inputs.
const LEFT_OUT: &[&str] =
    &["special_values", "growth", "fuzzing", "the_list_of_names", "the_book", "the_architecture", "expansions"];
/// The test that runs random programs.
pub const PROGRAMS: &str = "tests::interpreter::tests::derivative_code_agrees_with_the_text";
/// The test that runs the functions of the suite.
pub const CORPUS: &str = "tests::interpreter::corpus::functions_of_the_suite_agree_with_their_text";
/// The test that writes expansions.
pub const EXPANSIONS: &str = "tests::expansions::expansions_are_written_where_they_are_wanted";
/// How many random programs there are to choose from.
const SEEDS: u64 = 260;
/// How many programs that come by a mutant try to kill it, and how many files.
const TRIES: [usize; 2] = [6, 12];

/// A test, a random program, or a file of the suite, and the mutants that it comes by.
struct Case {
    run: Run,
    time: Duration,
    reached: BTreeSet<usize>,
    output: String,
}

/// Tests all mutants that have no result yet, in an order that is a sample wherever it stops.
pub fn test() {
    let binary = Binary::find();
    let cases = cases(&binary);
    let mutants: BTreeSet<usize> = numbers("mutants.tsv").difference(&numbers("results.tsv")).copied().collect();
    let mut order: Vec<usize> = mutants.into_iter().collect();
    fastrand::Rng::with_seed(1).shuffle(&mut order);
    for id in order {
        let start = Instant::now();
        let outcome = outcome(&binary, &cases, id);
        add("results.tsv", &format!("{id}\t{outcome}\t{:.1}\n", start.elapsed().as_secs_f64()));
    }
}

fn outcome(binary: &Binary, cases: &[Case], id: usize) -> String {
    let reaching = |kind| cases.iter().filter(move |case| case.reached.contains(&id) && case.run.kind() == kind);
    let tests: Vec<&str> = reaching(Kind::Test).map(|case| case.run.name()).collect();
    if !tests.is_empty() && !binary.pass(&tests, id) {
        return "tests".to_owned();
    }
    let of = |kind, tries| reaching(kind).take(tries).collect::<Vec<&Case>>();
    let (programs, files) = (of(Kind::Program, TRIES[0]), of(Kind::File, TRIES[1]));
    // what takes long is a loop
    let kills = |case: &&Case| {
        binary.output(&case.run, id, case.time * 10 + Duration::from_secs(10)) != Some(case.output.clone())
    };
    let tried = format!("{} tests, {} programs, {} files", tests.len(), programs.len(), files.len());
    if programs.iter().any(kills) {
        "programs".to_owned()
    } else if files.iter().any(kills) {
        "functions of the suite".to_owned()
    } else if tests.is_empty() && programs.is_empty() && files.is_empty() {
        "not reached".to_owned()
    } else {
        format!("survived {tried}")
    }
}

/// All tests, the programs that are compared, and the files, each run once without a mutant.
fn cases(binary: &Binary) -> Vec<Case> {
    let is_in =
        |name: &String| ![PROGRAMS, CORPUS].contains(&name.as_str()) && !LEFT_OUT.iter().any(|out| name.contains(out));
    let tests = binary.list().into_iter().filter(is_in).map(Run::Test);
    let runs = tests.chain((1..=SEEDS).map(Run::Program)).chain(files().into_iter().map(Run::File));
    let mut cases: Vec<Case> = runs.filter_map(|run| case(binary, run)).collect();
    cases.sort_by_key(|case| case.time);
    println!("{} tests and programs, {:.1?} in all", cases.len(), cases.iter().map(|case| case.time).sum::<Duration>());
    cases
}

/// A case, unless it fails without a mutant or compares nothing: programs that the interpreter does not cover do.
fn case(binary: &Binary, run: Run) -> Option<Case> {
    let name = run.file_name();
    if let Some(text) = table::read(&name) {
        return kept(run, &text);
    }
    let start = Instant::now();
    let found = binary.reached(&run);
    let words = |reached: BTreeSet<usize>| reached.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let text = found.map(|(output, reached)| format!("{}\n{}\n{output}", start.elapsed().as_millis(), words(reached)));
    table::write(&name, text.as_deref().unwrap_or_default());
    kept(run, &text?)
}

/// A case as an earlier start of this tool has found it.
fn kept(run: Run, text: &str) -> Option<Case> {
    let mut parts = text.splitn(3, '\n');
    let time = Duration::from_millis(parts.next()?.parse().ok()?);
    let reached = parts.next()?.split(' ').filter_map(|word| word.parse().ok()).collect();
    Some(Case { run, time, reached, output: parts.next()?.to_owned() })
}

/// The files of the suite whose functions are run.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["language", "found", "soundness", "composition", "structs", "programs"] {
        let entries = fs::read_dir(tree().join("tests").join(folder)).expect("a folder").flatten();
        let stems = entries.filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()));
        found.extend(stems.map(|stem| format!("{folder}/{stem}")));
    }
    found.sort();
    found
}
