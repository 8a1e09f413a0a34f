//! A hundred random programs, always the same: every derivative of every one against hyper-dual numbers.

use diffi_random::batch::Workshop;
use diffi_random::generate;
use diffi_random::print::{self, Dialect};
use diffi_random::report::Report;

/// How many programs.
const PROGRAMS: u64 = 100;

#[test]
fn random_programs_agree_with_hyper_dual_numbers() {
    let programs: Vec<_> = (0..PROGRAMS).map(generate::program).collect();
    let mut report = Report::default();
    for ((seed, program), outcome) in (0..).zip(&programs).zip(Workshop::new(3).run(&programs)) {
        report.add(seed, program, &outcome);
    }
    println!("{report}");
    for (seed, message) in &report.failures {
        println!("// seed {seed}: {message}\n{}", print::program(&generate::program(*seed), Dialect::Plain, true));
    }
    assert!(report.failures.is_empty() && report.right > 80, "the programs are above, the report at the top");
}
