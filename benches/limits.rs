//! Figures with a bar each: `cargo bench --bench limits`. `benches/limits.sh` runs it for the default target and for the processor at
//! hand, and compares the adjoints of stencils.
//!
//! What is compared takes turns, and least times count.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "other benches measure the other models")]
mod models;
#[allow(dead_code, reason = "other benches print other tables")]
mod report;

use diffi::prelude::*;
use models::{gmm, lstm, random, rosenbrock, squared_steps, sum_of_squares};
use report::aligned::Aligned;
use report::{batch, calls_per_batch};
use std::hint::black_box;

#[global_allocator]
static ALIGNED: Aligned = Aligned;

const ROUNDS: usize = 41;
const FITS: &str = "prepared for these sizes";

fn main() -> Result<()> {
    small_gradients()?;
    small_products()?;
    batches()?;
    several_products()?;
    stencils()
}

/// Least seconds of a call of both.
fn both(mut first: impl FnMut(), mut second: impl FnMut()) -> [f64; 2] {
    both_into(&mut (), |()| first(), |()| second())
}

/// The same for calls that write to the same memory: where pages lie is chance, and worth some nanoseconds.
fn both_into<T>(target: &mut T, mut first: impl FnMut(&mut T), mut second: impl FnMut(&mut T)) -> [f64; 2] {
    let calls = [calls_per_batch(&mut || first(target)), calls_per_batch(&mut || second(target))];
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        least[0] = least[0].min(batch(&mut || first(target), calls[0]));
        least[1] = least[1].min(batch(&mut || second(target), calls[1]));
    }
    least
}

/// A line: what, the figure, and what it should at most be.
fn line(what: &str, figure: f64, unit: &str, bar: f64) {
    let verdict = if figure <= bar { "" } else { "  MISSED" };
    println!("{what:<64} {figure:>8.2} {unit:<9} bar {bar}{verdict}");
}

fn numbers(n: usize) -> Vec<f64> {
    let mut random = random(1);
    (0..n).map(|_| 2.0 * random() - 0.5).collect()
}

fn small_gradients() -> Result<()> {
    for n in [10, 100, 1000, 10_000] {
        let x = numbers(n);
        let mut g = vec![0.0; n];
        let mut prepared = prepare_gradient(sum_of_squares::sum_of_squares::D, AutoReverse, &x)?;
        let [hand, diffi] = both_into(
            &mut g,
            |g| {
                sum_of_squares::gradient_by_hand(black_box(&x), g);
                black_box(g);
            },
            |g| {
                prepared.gradient_into(&mut *g, black_box(&x)).expect(FITS);
                black_box(g);
            },
        );
        line(&format!("gradient of the squared norm, n = {n}, more than by hand"), (diffi - hand) * 1e9, "ns", 5.0);
    }
    let x = numbers(1000);
    let mut g = vec![0.0; 1000];
    let mut prepared = prepare_gradient(rosenbrock::rosenbrock::D, AutoReverse, &x)?;
    let [function, diffi] = both(
        || {
            black_box(rosenbrock::rosenbrock(black_box(&x)));
        },
        || {
            black_box(prepared.value_and_gradient_into(&mut g, black_box(&x)).expect(FITS));
        },
    );
    line("Rosenbrock, n = 1000, value and gradient", diffi / function, "functions", 1.7);
    Ok(())
}

fn small_products() -> Result<()> {
    let x = numbers(1000);
    let (v, mut product) = (numbers(1000), vec![0.0; 1000]);
    let mut prepared = prepare_hvp(squared_steps::squared_steps::D, SecondOrder(AutoForward, AutoReverse), &x, &v)?;
    let [function, diffi] = both(
        || {
            black_box(squared_steps::squared_steps(black_box(&x)));
        },
        || {
            prepared.hvp_into(&mut product, black_box(&x), &v).expect(FITS);
            black_box(&product);
        },
    );
    line("sum of squared differences, n = 1000, product with the Hessian", diffi / function, "functions", 1.3);
    Ok(())
}

/// Eight tangents at once.
fn batches() -> Result<()> {
    let x = numbers(1000);
    let tangents: [Vec<f64>; 8] = std::array::from_fn(|k| numbers(1000 + k)[k..].to_vec());
    let tangents: [&Vec<f64>; 8] = std::array::from_fn(|k| &tangents[k]);
    let mut prepared = prepare_pushforward(rosenbrock::rosenbrock::D, AutoForward, &x, tangents)?;
    let [function, diffi] = both(
        || {
            black_box(rosenbrock::rosenbrock(black_box(&x)));
        },
        || {
            black_box(prepared.pushforward(black_box(&x), tangents).expect(FITS));
        },
    );
    line("Rosenbrock, n = 1000, each of eight tangents", diffi / function / 8.0, "functions", 1.2);

    for (d, k) in [(2, 5), (10, 5)] {
        let mixture = gmm::Mixture::new(d, k, 1000);
        let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = &mixture;
        let at = || (alphas, means, icf, Constant(&points[..]), Constant(d), Constant(*gamma), Constant(*m));
        let one = (numbers(alphas.len()), numbers(means.len()), numbers(icf.len()));
        let tangents = [(); 8].map(|()| (&one.0, &one.1, &one.2));
        let mut prepared = prepare_pushforward(gmm::log_posterior::D, AutoForward, at(), tangents)?;
        let [function, diffi] = both(
            || {
                black_box(black_box(&mixture).value());
            },
            || {
                black_box(prepared.pushforward(black_box(at()), tangents).expect(FITS));
            },
        );
        line(&format!("gmm, d = {d}, k = {k}, each of eight tangents"), diffi / function / 8.0, "functions", 1.2);
    }
    Ok(())
}

/// Four products with the Hessian at once.
fn several_products() -> Result<()> {
    let network = lstm::Network::new(2, 1024, 14);
    let lstm::Network { width, main, extra, state, sequence } = &network;
    let at = || (main, extra, Constant(&state[..]), Constant(&sequence[..]), Constant(*width));
    let one = (numbers(main.len()), numbers(extra.len()));
    let tangents = [(); 4].map(|()| (&one.0, &one.1));
    let buffer = || (vec![0.0; main.len()], vec![0.0; extra.len()]);
    let mut products = [(); 4].map(|()| buffer());
    let mut gradients = prepare_gradient(lstm::loss::D, AutoReverse, at())?;
    let mut prepared = prepare_hvp(lstm::loss::D, SecondOrder(AutoForward, AutoReverse), at(), tangents)?;
    let mut g = buffer();
    let [gradient, four] = both(
        || gradients.gradient_into(&mut g, black_box(at())).expect(FITS),
        || prepared.hvp_into(&mut products, black_box(at()), tangents).expect(FITS),
    );
    line("lstm, l = 2, c = 1024, four products with the Hessian", four / gradient, "gradients", 3.0);

    for (d, k) in [(2, 5), (10, 5)] {
        let mixture = gmm::Mixture::new(d, k, 1000);
        let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = &mixture;
        let at = || (alphas, means, icf, Constant(&points[..]), Constant(d), Constant(*gamma), Constant(*m));
        let one = (numbers(alphas.len()), numbers(means.len()), numbers(icf.len()));
        let tangents = [(); 4].map(|()| (&one.0, &one.1, &one.2));
        let buffer = || (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
        let mut products = [(); 4].map(|()| buffer());
        let mut gradients = prepare_gradient(gmm::log_posterior::D, AutoReverse, at())?;
        let mut prepared = prepare_hvp(gmm::log_posterior::D, SecondOrder(AutoForward, AutoReverse), at(), tangents)?;
        let mut g = buffer();
        let [gradient, four] = both(
            || gradients.gradient_into(&mut g, black_box(at())).expect(FITS),
            || prepared.hvp_into(&mut products, black_box(at()), tangents).expect(FITS),
        );
        line(&format!("gmm, d = {d}, k = {k}, four products with the Hessian"), four / gradient, "gradients", 3.0);
    }
    Ok(())
}

/// One stencil in six spellings.
mod spellings {
    use diffi::prelude::*;

    #[differentiable]
    pub fn indices(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 1..x.len() - 1 {
            let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
            total += bend * bend;
        }
        total
    }

    #[differentiable]
    pub fn indices_ahead(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() - 2 {
            let bend = x[i] - 2.0 * x[i + 1] + x[i + 2];
            total += bend * bend;
        }
        total
    }

    #[differentiable]
    pub fn windows(x: &[f64]) -> f64 {
        x.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).powi(2)).sum()
    }

    #[differentiable]
    pub fn zipped(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for ((a, b), c) in x.iter().zip(&x[1..]).zip(&x[2..]) {
            let bend = a - 2.0 * b + c;
            total += bend * bend;
        }
        total
    }

    #[differentiable]
    pub fn counted(x: &[f64]) -> f64 {
        let mut total = 0.0;
        let mut i = 1;
        while i + 1 < x.len() {
            let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
            total += bend * bend;
            i += 1;
        }
        total
    }

    #[differentiable]
    pub fn in_two_steps(x: &[f64]) -> f64 {
        let n = x.len();
        let mut bends = vec![0.0; n];
        for i in 1..n - 1 {
            bends[i] = x[i - 1] - 2.0 * x[i] + x[i + 1];
        }
        bends.iter().map(|b| b * b).sum()
    }
}

fn stencils() -> Result<()> {
    macro_rules! each {
        ($($name:ident)+) => { $(
            let x = numbers(1000);
            let mut g = vec![0.0; 1000];
            let mut prepared = prepare_gradient(spellings::$name::D, AutoReverse, &x)?;
            let [function, diffi] = both(
                || { black_box(spellings::$name(black_box(&x))); },
                || { prepared.gradient_into(&mut g, black_box(&x)).expect(FITS); black_box(&g); },
            );
            println!("stencil {:<56} {:>8.1} ns        {:.2} functions", stringify!($name), diffi * 1e9, diffi / function);
        )+ };
    }
    each!(indices indices_ahead windows zipped counted in_two_steps);
    Ok(())
}
