//! What `AutoThreads` buys: `cargo bench --bench threads --features rayon`. Times of Jacobians and Hessians with two threads over times with
//! the backend alone. What is compared takes turns, and least times count.

#[allow(dead_code, reason = "other benches print other tables")]
mod report;

use diffi::prelude::*;
use report::{batch, calls_per_batch};
use std::hint::black_box;

const ROUNDS: usize = 15;
const FITS: &str = "prepared for these sizes";

/// All outputs depend on all inputs.
#[differentiable]
fn mixed(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (0..n).map(|j| (x[i] * x[j]).sin()).sum()).collect()
}

/// Only neighbours meet.
#[differentiable]
fn springs(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (x[i] * x[(i + 1) % n]).exp() + x[(i + 7) % n].sin() * x[(i + 31) % n].cos()).collect()
}

/// All inputs meet.
#[differentiable]
fn energy(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..i {
            let d = x[i] - x[j];
            total += 1.0 / (1.0 + d * d);
        }
    }
    total
}

fn main() -> Result<()> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    macro_rules! row {
        ($what:literal, $n:expr, $prepare:ident, $op:ident, $f:ident, $alone:expr, $spread:expr) => {{
            let x: Vec<f64> = (0..$n).map(|i| (0.7 * i as f64).sin()).collect();
            let (mut alone, mut spread) = ($prepare($f::D, $alone, &x)?, $prepare($f::D, $spread, &x)?);
            assert_eq!(alone.$op(&x)?, threads.install(|| spread.$op(&x))?, "bit for bit");
            let mut first = || {
                black_box(alone.$op(black_box(&x)).expect(FITS));
            };
            let mut second = || {
                threads.install(|| black_box(spread.$op(black_box(&x)).expect(FITS)));
            };
            let calls = [calls_per_batch(&mut first), calls_per_batch(&mut second)];
            let mut least = [f64::INFINITY; 2];
            for _ in 0..ROUNDS {
                least[0] = least[0].min(batch(&mut first, calls[0]));
                least[1] = least[1].min(batch(&mut second, calls[1]));
            }
            let [a, b] = least.map(|s| s * 1e6);
            println!("{:<44} {a:>10.1} us alone {b:>10.1} us on two threads {:>6.2}", $what, b / a);
        }};
    }
    row!(
        "Jacobian by columns, 100 x 100",
        100,
        prepare_jacobian,
        jacobian,
        mixed,
        AutoForward,
        AutoThreads(AutoForward)
    );
    row!("Jacobian by rows, 100 x 100", 100, prepare_jacobian, jacobian, mixed, AutoReverse, AutoThreads(AutoReverse));
    row!("Hessian, 100 x 100", 100, prepare_hessian, hessian, energy, AutoReverse, AutoThreads(AutoReverse));
    let (alone, spread) = (AutoForward.batch_size(2), AutoThreads(AutoForward.batch_size(2)));
    let (alone, spread) = (AutoSparse::new(alone), AutoSparse::new(spread));
    row!("sparse Jacobian, 100 000 rows", 100_000, prepare_jacobian, jacobian, springs, alone, spread);
    Ok(())
}
