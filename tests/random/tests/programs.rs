//! A hundred random programs, always the same: every derivative of every one against hyper-dual numbers.

use diffi_random::batch::Workshop;
use diffi_random::generate;
use diffi_random::print::{self, Dialect};
use diffi_random::report::Report;

/// How many programs.
const PROGRAMS: usize = 100;
/// What is left out: programs that the compiler refuses, or for which it writes what rustc rejects.
const OPEN: &[u64] = &[3, 5, 6, 9, 12, 16, 22, 30, 46, 58, 72, 84, 89, 92, 102, 104, 106, 111];

#[test]
fn random_programs_agree_with_hyper_dual_numbers() {
    let seeds: Vec<u64> = (0..).filter(|seed| !OPEN.contains(seed)).take(PROGRAMS).collect();
    let programs: Vec<_> = seeds.iter().map(|seed| generate::program(*seed)).collect();
    let mut report = Report::default();
    for ((seed, program), outcome) in seeds.iter().copied().zip(&programs).zip(Workshop::new(2).run(&programs)) {
        report.add(seed, program, &outcome);
    }
    println!("{report}");
    for (seed, message) in &report.failures {
        println!("// seed {seed}: {message}\n{}", print::program(&generate::program(*seed), Dialect::Plain, true));
    }
    assert!(report.failures.is_empty() && report.right > 80, "the programs are above, the report at the top");
}
