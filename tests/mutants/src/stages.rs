//! The tests that try to kill a mutant: for each one those that come by it, the quick ones first.

use crate::binary::{Binary, LIMIT};
use crate::table::{add, numbers};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Tests of time, of documents and of the sources' own text, and random inputs.
const LEFT_OUT: &[&str] = &["growth", "fuzzing", "the_list_of_names", "the_book", "the_architecture", "expansions"];
/// The test that runs random programs.
const PROGRAMS: &str = "tests::interpreter::tests::derivative_code_agrees_with_the_text";
/// How many random programs there are to choose from.
const SEEDS: u64 = 260;
/// How many programs that come by a mutant try to kill it.
const TRIES: usize = 24;

/// A test, or a random program, and the mutants that it comes by.
struct Case {
    name: String,
    seed: Option<u64>,
    time: Duration,
    reached: BTreeSet<usize>,
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
    let reaching: Vec<&Case> = cases.iter().filter(|case| case.reached.contains(&id)).collect();
    if reaching.is_empty() {
        return "not reached".to_owned();
    }
    let tests: Vec<&str> = reaching.iter().filter(|c| c.seed.is_none()).map(|c| c.name.as_str()).collect();
    if !tests.is_empty() && !binary.passes(&tests, None, Some(id), LIMIT) {
        return "tests".to_owned();
    }
    let programs = reaching.iter().filter(|case| case.seed.is_some()).take(TRIES);
    let killer = programs.clone().find(|case| {
        // a program that takes long is a loop
        !binary.passes(&[PROGRAMS], case.seed, Some(id), case.time * 10 + Duration::from_secs(10))
    });
    killer.map_or_else(
        || format!("survived {} tests and {} programs", tests.len(), programs.count()),
        |_| "programs".to_owned(),
    )
}

/// All tests and the programs that are compared, each run once without a mutant.
fn cases(binary: &Binary) -> Vec<Case> {
    let is_in = |name: &String| name != PROGRAMS && !LEFT_OUT.iter().any(|out| name.contains(out));
    let tests = binary.list().into_iter().filter(is_in).map(|name| (name, None));
    let programs = (1..=SEEDS).map(|seed| (PROGRAMS.to_owned(), Some(seed)));
    let mut cases: Vec<Case> = tests.chain(programs).filter_map(|(name, seed)| case(binary, name, seed)).collect();
    cases.sort_by_key(|case| case.time);
    println!("{} tests and programs, {:.1?} in all", cases.len(), cases.iter().map(|case| case.time).sum::<Duration>());
    cases
}

/// A case, unless it fails without a mutant: programs that the interpreter does not cover do.
fn case(binary: &Binary, name: String, seed: Option<u64>) -> Option<Case> {
    let start = Instant::now();
    let reached = binary.reached(&name, seed)?;
    Some(Case { name, seed, time: start.elapsed(), reached })
}
