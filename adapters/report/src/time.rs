//! Times: of a run, and of what an adapter adds to a call.

use std::hint::black_box;
use std::time::Instant;

/// How many runs there are, beside the first.
const RUNS: u32 = 20;
/// How many calls a round has. Short rounds, so that one of them is not disturbed.
const CALLS: u32 = 100;
const ROUNDS: u32 = 4000;

/// The fastest of some runs, in microseconds, and the last result.
pub fn fastest<T>(mut run: impl FnMut() -> T) -> (T, u128) {
    let mut timed = || {
        let begin = Instant::now();
        let result = run();
        (result, begin.elapsed().as_micros())
    };
    let (mut result, mut best) = timed();
    for _ in 0..RUNS {
        let (again, time) = timed();
        (result, best) = (again, best.min(time));
    }
    (result, best)
}

/// Prints the time of a call of a prepared object, and of the same call through a solver's trait, as [`compare`] does.
pub fn overhead(solver: &str, direct: impl FnMut(f64) -> f64, adapted: impl FnMut(f64) -> f64) {
    compare("from the prepared object", direct, &format!("through {solver}'s trait"), adapted);
}

/// Prints the times of two ways to one derivative.
///
/// Both closures receive another number at each call, and return a number that needs the whole result. Points and data stand behind
/// `black_box`: where rustc sees numbers that never change, it finds what depends on them alone before the loop, for one of the closures only.
pub fn compare(one: &str, mut by_one: impl FnMut(f64) -> f64, other: &str, mut by_other: impl FnMut(f64) -> f64) {
    let (mut best_one, mut best_other) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        best_one = best_one.min(round(&mut by_one));
        best_other = best_other.min(round(&mut by_other));
    }
    println!("one derivative: {best_one:.0} ns {one}, {best_other:.0} ns {other}");
}

/// The nanoseconds of a call.
fn round(call: &mut impl FnMut(f64) -> f64) -> f64 {
    let begin = Instant::now();
    for k in 0..CALLS {
        black_box(call(black_box(1e-6 * f64::from(k))));
    }
    begin.elapsed().as_secs_f64() / f64::from(CALLS) * 1e9
}
