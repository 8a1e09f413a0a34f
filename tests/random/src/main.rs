//! Random programs against diffi: `cargo run --release -p diffi-random -- --programs 2000 --seed 7`.
//!
//! `--partners` runs each of them written in another way, too.

use diffi_random::batch::Workshop;
use diffi_random::print::{self, Dialect};
use diffi_random::report::Report;
use diffi_random::{generate, shrink};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|k| args.get(k + 1)).map_or(default, |v| v.parse().expect("a number"))
    };
    let (count, seed, batch) = (number("--programs", 100), number("--seed", 1), number("--batch", 60));
    if args.iter().any(|a| a == "--show") {
        print!("{}", print::program(&generate::program(seed), Dialect::Plain, true));
        return;
    }
    let workshop = Workshop::new(number("--crates", 2) as usize);
    let of_partners = Workshop::new(number("--crates", 2) as usize).of_partners();
    let (mut report, mut partners) = (Report::default(), Report::default());
    let mut failed = Vec::new();
    let seeds: Vec<u64> = match args.iter().position(|a| a == "--only") {
        Some(at) => args[at + 1..].iter().map_while(|s| s.parse().ok()).collect(),
        None => (0..count).map(|k| seed * 1_000_000 + k).collect(),
    };
    for seeds in seeds.chunks(batch as usize) {
        let programs: Vec<_> = seeds.iter().map(|s| generate::program(*s)).collect();
        for ((seed, program), outcome) in seeds.iter().zip(&programs).zip(workshop.run(&programs)) {
            if let diffi_random::batch::Outcome::Invalid(message) = &outcome {
                println!("invalid {seed}: {message}");
            }
            report.add(*seed, program, &outcome);
            if outcome.failure().is_some() {
                failed.push((*seed, program.clone(), outcome));
            }
        }
        println!("{report}");
        if args.iter().any(|a| a == "--partners") {
            for ((seed, program), outcome) in seeds.iter().zip(&programs).zip(of_partners.run(&programs)) {
                partners.add(*seed, program, &outcome);
            }
            println!("partners: {partners}");
        }
    }
    if args.iter().any(|a| a == "--shrink") {
        for (seed, program, outcome) in &failed {
            let small = shrink::shrink(&workshop, program, outcome);
            println!("// seed {seed}\n{}", print::program(&small, Dialect::Plain, true));
            let values: Vec<String> = small.main().params.iter().map(|p| print::value(&p.value)).collect();
            println!("// at {}\n", values.join(", "));
        }
    }
    std::process::exit(if report.failures.is_empty() && partners.failures.is_empty() { 0 } else { 1 });
}
