//! What operators cost beside the generated code that they call: a prepared gradient in place, of a function of ten numbers.
//!
//! `cargo bench --bench overhead`. Both are measured in batches that take turns, and the least times compared; the numbers printed
//! are nanoseconds a call. Ends with an error where a call costs more than five beside the code itself, or allocates.

#[path = "../tests/counting/mod.rs"]
mod counting;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use counting::requests;
use diffi::__private::{Both, DerivativeCode, Fresh, Off, Workspace};
use diffi::prelude::*;
use diffi::types::{Input, Ref};

#[differentiable]
fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
}

/// Needs a tape.
#[differentiable]
fn decay(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for v in x {
        y = 0.5 * y * y * v + v;
    }
    y
}

const N: usize = 10;
const ROUNDS: usize = 400;
const CALLS: u32 = 2_000;
const ALLOWED: f64 = 5.0;

/// Nanoseconds of one call in a batch.
fn batch(call: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

/// The least times of calls that take turns.
fn least(one: &mut impl FnMut(), other: &mut impl FnMut()) -> (f64, f64) {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        least = (least.0.min(batch(one)), least.1.min(batch(other)));
    }
    least
}

/// The gradient by the operator, and by a call of the generated code in memory that is already there.
fn measure<F: DerivativeCode<(Ref<[f64]>,), ReturnValue = f64>>(name: &str, f: F) -> bool
where
    AutoReverse: diffi::GradientBackend<F, (Ref<[f64]>,), (Input,)>,
{
    let x: Vec<f64> = (0..N).map(|k| 0.1 * k as f64 - 0.3).collect();
    let (mut by_operator, mut by_code) = (vec![0.0; N], vec![0.0; N]);
    let mut prepared = prepare_gradient(f, AutoReverse, &x).expect("sizes fit");
    let mut ws = Workspace::new();
    let mut operator = || prepared.gradient_into(&mut by_operator[..], black_box(&x[..])).expect("sizes fit");
    let mut code = || {
        let x = black_box(&x[..]);
        ws.run(|ws| f.pull::<f64, Fresh<(Input,)>, Both<Off>>((x,), (&mut by_code[..],), &mut 1.0, ws));
    };
    operator();
    code();
    let before = requests();
    operator();
    let allocations = requests() - before;
    let (of_operator, of_code) = least(&mut operator, &mut code);
    assert_eq!(by_operator, by_code);
    let overhead = of_operator - of_code;
    println!("{name:16} {of_operator:8.2} {of_code:8.2} {overhead:+8.2} {allocations:12}");
    overhead <= ALLOWED && allocations == 0
}

fn main() -> ExitCode {
    println!("{:16} {:>8} {:>8} {:>8} {:>12}", "", "operator", "code", "beside", "allocations");
    let within = [
        measure("sum_of_squares", sum_of_squares::D),
        measure("rosenbrock", rosenbrock::D),
        measure("decay", decay::D),
    ];
    match within.iter().all(|within| *within) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
