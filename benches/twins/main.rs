//! Value and gradient of kernels beside their twins in C++ with CoDiPack and in JAX: `benches/twins.sh [NAME]`, which starts it with
//! `TWIN_INPUTS`, a folder, and the commands `TWIN_CODIPACK` and `TWIN_JAX` in the environment.
//!
//! No time is taken before the answers agree. Then all take turns, and the least times count.
#![allow(clippy::all)] // the kernels are written as all kinds of people write them
#![allow(dead_code, reason = "not every kernel has a twin")]

mod inputs;
#[path = "../kernels/list/mod.rs"]
mod list;
mod tool;

use diffi::prelude::*;
use list::each_kernel;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use tool::Tool;

const ROUNDS: usize = 7;
const BATCH: f64 = 2e-3;

/// Least seconds of the function, and of its value and gradient.
type Times = [f64; 2];

struct Row {
    kernel: &'static str,
    unknowns: usize,
    diffi: Times,
    tools: Vec<Times>,
}

fn main() -> Result<()> {
    let setting =
        |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run benches/twins.sh"));
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let folder = PathBuf::from(setting("TWIN_INPUTS"));
    let mut tools =
        [Tool::start("CoDiPack", &setting("TWIN_CODIPACK"), 2), Tool::start("JAX", &setting("TWIN_JAX"), 1)];
    for scale in [4, 16] {
        let mut table = Vec::new();
        macro_rules! twin {
            ($function:ident, $x:expr, $constants:expr) => {
                if stringify!($function).contains(&only) {
                    let (x, constants): (Vec<f64>, _) = ($x, $constants);
                    inputs::write(&folder, stringify!($function), &x, &constants);
                    let mut answer = vec![0.0; 1 + x.len()];
                    let mut prepared = prepare_gradient($function::D, AutoReverse, (&x, Constant(&constants)))?;
                    answer[0] = prepared.value_and_gradient_into(&mut answer[1..], (&x, Constant(&constants)))?;
                    tools.iter_mut().for_each(|tool| tool.load(stringify!($function), &answer));
                    let mut function = || _ = black_box($function(black_box(&x), black_box(&constants)));
                    let mut gradient = vec![0.0; x.len()];
                    let mut both = || {
                        let at = (black_box(&x), Constant(&constants));
                        _ = black_box(prepared.value_and_gradient_into(&mut gradient, at)).unwrap();
                    };
                    let (diffi, tools) = least(&mut function, &mut both, &mut tools);
                    table.push(Row { kernel: stringify!($function), unknowns: x.len(), diffi, tools });
                }
            };
        }
        macro_rules! row {
            (conjugate_gradients, $($rest:tt)*) => { twin!(conjugate_gradients, $($rest)*) };
            (marginal_likelihood, $($rest:tt)*) => { twin!(marginal_likelihood, $($rest)*) };
            (cholesky, $($rest:tt)*) => { twin!(cholesky, $($rest)*) };
            (heat, $x:expr, $n:expr, $hand:ident) => { twin!(heat, $x, $n) };
            (gray_scott, $($rest:tt)*) => { twin!(gray_scott, $($rest)*) };
            (burgers, $($rest:tt)*) => { twin!(burgers, $($rest)*) };
            (waves, $($rest:tt)*) => { twin!(waves, $($rest)*) };
            (fisher, $x:expr, $start:expr) => { twin!(fisher, $x, $start) };
            (lennard_jones, $x:expr, $near:expr, $hand:ident) => { twin!(lennard_jones, $x, $near) };
            (finite_elements, $($rest:tt)*) => { twin!(finite_elements, $($rest)*) };
            (stars, $($rest:tt)*) => { twin!(stars, $($rest)*) };
            (robot_arm, $($rest:tt)*) => { twin!(robot_arm, $($rest)*) };
            (heston, $($rest:tt)*) => { twin!(heston, $($rest)*) };
            (american_put, $($rest:tt)*) => { twin!(american_put, $($rest)*) };
            (portfolio, $x:expr, $covariance:expr, $hand:ident) => { twin!(portfolio, $x, $covariance) };
            (logistic, $w:expr, $data:expr, $hand:ident) => { twin!(logistic, $w, $data) };
            (factorization, $($rest:tt)*) => { twin!(factorization, $($rest)*) };
            (time_warping, $($rest:tt)*) => { twin!(time_warping, $($rest)*) };
            (layers, $($rest:tt)*) => { twin!(layers, $($rest)*) };
            (epidemic, $($rest:tt)*) => { twin!(epidemic, $($rest)*) };
            ($without_a_twin:ident, $($rest:tt)*) => {};
        }
        each_kernel!(row, scale);
        print(scale, &table);
    }
    Ok(())
}

/// Least times of diffi and of the tools, which take turns.
fn least(function: &mut dyn FnMut(), gradient: &mut dyn FnMut(), tools: &mut [Tool]) -> (Times, Vec<Times>) {
    let mut diffi = [f64::INFINITY; 2];
    let mut others = vec![diffi; tools.len()];
    let take = |least: &mut f64, seconds: f64| *least = least.min(seconds);
    for _ in 0..ROUNDS {
        take(&mut diffi[0], seconds(function));
        take(&mut diffi[1], seconds(gradient));
        for (tool, times) in tools.iter_mut().zip(&mut others) {
            take(&mut times[0], tool.seconds("function"));
            take(&mut times[1], tool.seconds("gradient"));
        }
    }
    (diffi, others)
}

/// Seconds of a call, the mean of some milliseconds.
fn seconds(call: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let calls = (BATCH / start.elapsed().as_secs_f64()).clamp(1.0, 1e6) as u32;
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_secs_f64() / f64::from(calls)
}

fn print(scale: usize, table: &[Row]) {
    println!("\n## Sizes of scale {scale}\n");
    println!(
        "| kernel | unknowns | diffi, µs | CoDiPack, µs | JAX, µs | diffi / CoDiPack | functions | diffi / JAX | functions |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for Row { kernel, unknowns, diffi, tools } in table {
        print!("| {kernel} | {unknowns} ");
        for [function, gradient] in [diffi].into_iter().chain(tools) {
            print!("| {:.2}, {:.2} ", 1e6 * function, 1e6 * gradient);
        }
        for [function, gradient] in tools {
            print!("| {:.2} | {:.2} ", diffi[1] / gradient, diffi[0] / function);
        }
        println!("|");
    }
    let most = |tool: usize| table.iter().map(|row| row.diffi[1] / row.tools[tool][1]).fold(0.0, f64::max);
    println!("\n{} kernels: at most {:.2} of CoDiPack's time, and {:.2} of JAX's.", table.len(), most(0), most(1));
}
