//! A hundred random programs, always the same: every derivative of every one against hyper-dual numbers.

use diffi_random::batch::Workshop;
use diffi_random::generate;
use diffi_random::print::{self, Dialect};
use diffi_random::report::Report;

/// How many programs.
const PROGRAMS: u64 = 100;

/// Seeds of programs that diffi does not differentiate yet, with the reason.
const KNOWN: &[(u64, &str)] = &[
    (10, "a `&mut` passed on in a loop is borrowed twice (E0499)"),
    (15, "type annotations needed (E0282)"),
    (18, "a number behind `&mut` reaches code as the reference (E0308)"),
    (22, "type annotations needed (E0282)"),
    (30, "type annotations needed (E0282)"),
    (45, "the shadow of a slice of arrays (E0271)"),
    (48, "a loop variable is named outside of its loop (E0425)"),
    (51, "a `&mut` passed on in a loop is borrowed twice (E0499)"),
    (54, "a `Vec` of shadows where one is expected (E0308)"),
    (61, "a `&mut` parameter has no columns though its value matters"),
    (72, "a method of an integer literal (E0689)"),
    (75, "a loop variable is named outside of its loop (E0425)"),
    (80, "type annotations needed (E0282)"),
    (88, "`*` on a value that is not a float, refused"),
    (99, "a loop variable is named outside of its loop (E0425)"),
];

#[test]
fn random_programs_agree_with_hyper_dual_numbers() {
    let seeds: Vec<u64> = (0..PROGRAMS).filter(|seed| KNOWN.iter().all(|(known, _)| known != seed)).collect();
    let programs: Vec<_> = seeds.iter().map(|s| generate::program(*s)).collect();
    let mut report = Report::default();
    for ((seed, program), outcome) in seeds.iter().zip(&programs).zip(Workshop::new(2).run(&programs)) {
        report.add(*seed, program, &outcome);
    }
    println!("{report}");
    for (seed, message) in &report.failures {
        println!("// seed {seed}: {message}\n{}", print::program(&generate::program(*seed), Dialect::Plain, true));
    }
    assert!(report.failures.is_empty() && report.right > 70, "the programs are above, the report at the top");
}
