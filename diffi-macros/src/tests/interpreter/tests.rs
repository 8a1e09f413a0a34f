//! Random programs and partners of them, each run as it is written and as every body of its derivative code.
//!
//! `DIFFI_PROGRAMS=1000000 DIFFI_VERIFY=0 cargo test --profile interpreter -p diffi-macros --lib interpreter -- --nocapture` tries more
//! of them, and tells on the way how it goes. `DIFFI_SEED=7` is where the seeds begin: several runs are shards of one.
//! `DIFFI_STATEMENTS=5` bounds the programs. A failure prints the program, and `DIFFI_SHOW=1` the derivative code of what failed.
//! `DIFFI_PASSES=1` counts, too, which passes change something in the programs that are right.

use crate::tests::interpreter::checks::{Case, Right, Verdict, verdict};
use crate::tests::interpreter::report::Report;
use crate::tests::interpreter::value::Value;
use diffi_random::print::{self, Dialect};
use diffi_random::{generate, partners, program};
use std::env;
use std::time::{Duration, Instant};

/// How many programs are tried, if nobody says otherwise and the time is enough.
const PROGRAMS: u64 = 200;
/// The time for them, unless somebody says how many.
const TIME: Duration = Duration::from_secs(20);

#[test]
fn derivative_code_agrees_with_the_text() {
    let read = |name: &str, otherwise| env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (programs, seed) = (read("DIFFI_PROGRAMS", PROGRAMS), read("DIFFI_SEED", 1));
    let (start, asked) = (Instant::now(), env::var("DIFFI_PROGRAMS").is_ok());
    let seeds = (0..programs).map(move |k| seed + k).take_while(move |_| asked || start.elapsed() < TIME);
    let all = move || tried(seeds);
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(all).expect("a thread");
    let report = thread.join().expect("no panic outside of a program");
    println!("{}", report.text());
    let of = |kind: &str| report.counts.get(kind).copied().unwrap_or_default();
    assert!(of("right") > 0 && of("not covered") * 20 <= of("right"), "too few programs were compared");
    assert!(report.wrong.is_empty(), "{} programs are wrong:\n{}", report.wrong.len(), report.wrong.join("\n"));
}

fn tried(seeds: impl Iterator<Item = u64>) -> Report {
    let mut report = Report::default();
    let most = env::var("DIFFI_STATEMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(9);
    for (k, seed) in seeds.enumerate() {
        if k % 50 == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        let program = generate::of_size(seed, most);
        let original = case_of(&program, print::program(&program, Dialect::Plain, true));
        let verdict = run(&original, seed);
        let right = if let Verdict::Right(right) = &verdict { Some(right.clone()) } else { None };
        report.add(seed, &original.text, verdict);
        if let Some(right) = right {
            report.count(&program, &original.text);
            partnered(&program, &right, seed, &mut report);
        }
    }
    report
}

/// The same of a partner of a program.
fn partnered(program: &program::Program, original: &Right, seed: u64, report: &mut Report) {
    let Some((name, text)) = partners::of(program) else { return };
    let case = case_of(program, text);
    let verdict = match run(&case, seed) {
        Verdict::Right(own) if !original.is_same(&own) => Verdict::Wrong("another value than its partner".to_owned()),
        Verdict::Wrong(message) => Verdict::Wrong(format!("{}: {message}", name)),
        Verdict::Invalid(message) => Verdict::Invalid(format!("{}: {message}", name)),
        Verdict::Refused(message) => Verdict::Refused(format!("{}: {message}", name)),
        verdict => verdict,
    };
    if let Verdict::Right(..) = verdict {
        *report.partners.entry(name).or_default() += 1;
    }
    report.add(seed, &case.text, verdict);
}

fn case_of(program: &program::Program, text: String) -> Case {
    let main = program.main();
    let args = main.params.iter().map(|p| value_of(&p.value)).collect();
    Case { text, name: main.name.clone(), args }
}

fn run(case: &Case, seed: u64) -> Verdict {
    let verdict = std::panic::catch_unwind(|| verdict(case));
    let verdict = verdict.unwrap_or_else(|_| Verdict::Wrong("the compiler panics".to_owned()));
    if env::var("DIFFI_SHOW").is_ok() {
        println!("// {seed}: {verdict:?}\n{}", case.text);
    }
    verdict
}

/// The generator's values as the machine's.
fn value_of(value: &program::Value) -> Value {
    let list = |all: &[program::Value]| all.iter().map(value_of).collect::<Vec<Value>>();
    match value {
        program::Value::F(v) => Value::float(*v),
        program::Value::I(n) => Value::Int(*n as i128),
        program::Value::B(b) => Value::Bool(*b),
        program::Value::Array(all) | program::Value::Vec(all) => Value::Seq(list(all)),
        program::Value::Nd(all, None) => Value::Nd([all.len()].into(), list(all)),
        program::Value::Nd(all, Some(columns)) => Value::Nd([all.len() / columns, *columns].into(), list(all)),
        program::Value::Tuple(all) => Value::Tuple(list(all)),
        program::Value::Made(path, fields) => {
            let name = path.rsplit("::").next().unwrap_or_default();
            let names = fields.iter().map(|(name, _)| name.as_str().into()).collect();
            Value::Data(name.into(), names, fields.iter().map(|(_, v)| value_of(v)).collect())
        }
    }
}
