//! Objective, gradient by hand and gradient by diffi, side by side: `cargo bench --bench gradients [-- FILTER]`.
//!
//! Criterion measures each alone. The table at the end comes from batches that take turns, so that a machine which is
//! slow for a while is slow for all three; its ratios are medians over the rounds.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

mod models;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use diffi::prelude::*;
use models::{gmm, log_sum_exp, lstm, perceptron, random, rosenbrock, squared_steps, sum_of_squares};

const ROUNDS: usize = 31;
const BATCH: Duration = Duration::from_millis(4);

fn main() -> Result<()> {
    let mut report = Report::new();
    for n in [10, 100, 1000, 10000] {
        vector_model!(report, n, sum_of_squares);
    }
    for n in [1000, 10000] {
        vector_model!(report, n, rosenbrock);
        vector_model!(report, n, squared_steps);
        vector_model!(report, n, log_sum_exp);
    }
    for (d, k) in [(2, 5), (10, 25), (32, 25), (20, 50)] {
        mixture(&mut report, d, k)?;
    }
    for layers in [2, 4] {
        recurrent(&mut report, layers)?;
    }
    feed_forward(&mut report)?;
    report.print();
    Ok(())
}

/// A function of one slice.
macro_rules! vector_model {
    ($report:expr, $n:expr, $model:ident) => {{
        use $model::{gradient_by_hand, $model as function};
        let mut random = random(1);
        let x: Vec<f64> = (0..$n).map(|_| 2.0 * random() - 0.5).collect();
        let (mut by_hand, mut by_diffi) = (vec![0.0; $n], vec![0.0; $n]);
        let mut prepared = prepare_gradient(function::D, AutoReverse, &x)?;
        gradient_by_hand(&x, &mut by_hand);
        prepared.gradient_into(&mut by_diffi, &x)?;
        agree([&by_hand], [&by_diffi]);
        $report.compare(
            &format!("{} n={}", stringify!($model), $n),
            || {
                black_box(function(black_box(&x)));
            },
            || {
                gradient_by_hand(black_box(&x), &mut by_hand);
                black_box(&by_hand);
            },
            || {
                prepared.gradient_into(&mut by_diffi, black_box(&x)).expect("prepared for this size");
                black_box(&by_diffi);
            },
        );
    }};
}
use vector_model;

fn mixture(report: &mut Report, d: usize, k: usize) -> Result<()> {
    let mixture = gmm::Mixture::new(d, k, 1000);
    let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = &mixture;
    let arguments = || (alphas, means, icf, Constant(&points[..]), Constant(d), Constant(*gamma), Constant(*m));
    let buffers = || (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut work = gmm::Workspace::new(&mixture);
    let mut prepared = prepare_gradient(gmm::log_posterior::D, AutoReverse, arguments())?;
    gmm::gradient_by_hand(&mixture, &mut work, &mut by_hand.0, &mut by_hand.1, &mut by_hand.2);
    prepared.gradient_into(&mut by_diffi, arguments())?;
    agree([&by_hand.0, &by_hand.1, &by_hand.2], [&by_diffi.0, &by_diffi.1, &by_diffi.2]);
    report.compare(
        &format!("gmm d={d} k={k}"),
        || {
            black_box(black_box(&mixture).value());
        },
        || gmm::gradient_by_hand(black_box(&mixture), &mut work, &mut by_hand.0, &mut by_hand.1, &mut by_hand.2),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

fn recurrent(report: &mut Report, layers: usize) -> Result<()> {
    let network = lstm::Network::new(layers, 1024, 14);
    let lstm::Network { width, main, extra, state, sequence } = &network;
    let arguments = || (main, extra, Constant(&state[..]), Constant(&sequence[..]), Constant(*width));
    let buffers = || (vec![0.0; main.len()], vec![0.0; extra.len()]);
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut work = lstm::Workspace::new(&network);
    let mut prepared = prepare_gradient(lstm::loss::D, AutoReverse, arguments())?;
    lstm::gradient_by_hand(&network, &mut work, &mut by_hand.0, &mut by_hand.1);
    prepared.gradient_into(&mut by_diffi, arguments())?;
    agree([&by_hand.0, &by_hand.1], [&by_diffi.0, &by_diffi.1]);
    report.compare(
        &format!("lstm l={layers} c=1024"),
        || {
            black_box(black_box(&network).value());
        },
        || lstm::gradient_by_hand(black_box(&network), &mut work, &mut by_hand.0, &mut by_hand.1),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

/// The output is a vector, so this is a pullback.
fn feed_forward(report: &mut Report) -> Result<()> {
    let network = perceptron::Network::new(64, 128, 16);
    let perceptron::Network { x, w1, b1, w2, b2 } = &network;
    let y_bar: Vec<f64> = (0..16).map(|i| 1.0 - 0.1 * i as f64).collect();
    let (mut y, mut y_of_diffi, mut hidden) = (vec![0.0; 16], vec![0.0; 16], vec![0.0; 128]);
    let mut by_hand = perceptron::Bars::new(&network);
    let mut by_diffi = (vec![0.0; w1.len()], vec![0.0; b1.len()], vec![0.0; w2.len()], vec![0.0; b2.len()]);
    let mut prepared = prepare_pullback(
        perceptron::perceptron::D,
        AutoReverse,
        (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi),
        &y_bar,
    )?;
    perceptron::pullback_by_hand(&network, &y_bar, &mut hidden, &mut by_hand);
    prepared.pullback_into(&mut by_diffi, (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi), &y_bar)?;
    agree([&by_hand.w1, &by_hand.b1, &by_hand.w2, &by_hand.b2], [&by_diffi.0, &by_diffi.1, &by_diffi.2, &by_diffi.3]);
    report.compare(
        "perceptron 64-128-16",
        || {
            black_box(&network).value(&mut y);
            black_box(&y);
        },
        || perceptron::pullback_by_hand(black_box(&network), &y_bar, &mut hidden, &mut by_hand),
        || {
            let arguments = (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi);
            prepared.pullback_into(&mut by_diffi, black_box(arguments), &y_bar).expect("prepared for these sizes");
        },
    );
    Ok(())
}

/// No time is worth reading for a wrong gradient.
fn agree<const N: usize>(by_hand: [&[f64]; N], by_diffi: [&[f64]; N]) {
    for (by_hand, by_diffi) in by_hand.iter().zip(by_diffi) {
        assert_eq!(by_hand.len(), by_diffi.len());
        for (h, d) in by_hand.iter().zip(by_diffi) {
            assert!((h - d).abs() <= 1e-9 * h.abs().max(1.0), "by hand {h}, by diffi {d}");
        }
    }
}

/// Collects a row for each model.
struct Report {
    criterion: Criterion,
    filter: Option<String>,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    /// Median seconds of one call: objective, by hand, by diffi.
    times: [f64; 3],
    /// Medians of diffi / objective, hand / objective, diffi / hand.
    ratios: [f64; 3],
}

impl Report {
    fn new() -> Report {
        let criterion = Criterion::default()
            .sample_size(20)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .without_plots()
            .configure_from_args();
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        Report { criterion, filter, rows: Vec::new() }
    }

    fn compare(
        &mut self,
        name: &str,
        mut objective: impl FnMut(),
        mut by_hand: impl FnMut(),
        mut by_diffi: impl FnMut(),
    ) {
        if self.filter.as_ref().is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let mut group = self.criterion.benchmark_group(name);
        group.bench_function("objective", |b| b.iter(&mut objective));
        group.bench_function("by hand", |b| b.iter(&mut by_hand));
        group.bench_function("by diffi", |b| b.iter(&mut by_diffi));
        group.finish();

        let calls = [calls_per_batch(&mut objective), calls_per_batch(&mut by_hand), calls_per_batch(&mut by_diffi)];
        let rounds: Vec<[f64; 3]> = (0..ROUNDS)
            .map(|_| [batch(&mut objective, calls[0]), batch(&mut by_hand, calls[1]), batch(&mut by_diffi, calls[2])])
            .collect();
        let over_rounds = |of: fn(&[f64; 3]) -> f64| median(rounds.iter().map(of).collect());
        self.rows.push(Row {
            name: name.into(),
            times: [over_rounds(|t| t[0]), over_rounds(|t| t[1]), over_rounds(|t| t[2])],
            ratios: [over_rounds(|t| t[2] / t[0]), over_rounds(|t| t[1] / t[0]), over_rounds(|t| t[2] / t[1])],
        });
    }

    fn print(&self) {
        println!("\n{:24} {:>36}   {:>32}", "", "µs per call", "ratio");
        println!(
            "{:24} {:>12}{:>12}{:>12}   {:>10}{:>11}{:>11}",
            "", "objective", "by hand", "by diffi", "diffi/obj", "hand/obj", "diffi/hand"
        );
        for Row { name, times: [f, h, d], ratios: [df, hf, dh] } in &self.rows {
            println!("{name:24} {:12.3}{:12.3}{:12.3}   {df:10.2}{hf:11.2}{dh:11.2}", f * 1e6, h * 1e6, d * 1e6);
        }
    }
}

fn calls_per_batch(run: &mut impl FnMut()) -> u32 {
    let mut calls = 1;
    while batch(run, calls) * f64::from(calls) < BATCH.as_secs_f64() {
        calls *= 2;
    }
    calls
}

/// Seconds of one call, from so many.
fn batch(run: &mut impl FnMut(), calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
