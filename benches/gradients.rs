//! Objective, gradient by hand and gradient by diffi, side by side: `cargo bench --bench gradients [-- FILTER]`.
//!
//! Criterion measures each alone. The table at the end comes from batches that take turns, so that a machine which is
//! slow for a while is slow for all three; its ratios are medians over the rounds.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "another bench measures the other models")]
mod models;
mod report;

use std::hint::black_box;

use diffi::prelude::*;
use models::{gmm, log_sum_exp, lstm, perceptron, random, rosenbrock, squared_steps, sum_of_squares};
use report::{Report, agree, aligned::Aligned};

#[global_allocator]
static ALIGNED: Aligned = Aligned;

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
    feed_forward!(report, "perceptron 64-128-16", perceptron, pullback_by_hand);
    feed_forward!(report, "perceptron reassociated", reassociated, pullback_reassociated);
    report.print();
    Ok(())
}

/// A function of one slice. Nobody knows the lengths of the buffers when the bench is compiled.
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
                gradient_by_hand(black_box(&x), black_box(&mut by_hand));
                black_box(&by_hand);
            },
            || {
                prepared.gradient_into(black_box(&mut by_diffi), black_box(&x)).expect("prepared for this size");
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

/// The output is a vector, so this is a pullback. What may add in another order than the function is compared with what does.
macro_rules! feed_forward {
    ($report:expr, $name:literal, $function:ident, $by_hand:ident) => {{
        let network = perceptron::Network::new(64, 128, 16);
        let perceptron::Network { x, w1, b1, w2, b2 } = &network;
        let y_bar: Vec<f64> = (0..16).map(|i| 1.0 - 0.1 * i as f64).collect();
        let (mut y, mut y_of_diffi, mut hidden) = (vec![0.0; 16], vec![0.0; 16], vec![0.0; 128]);
        let mut by_hand = perceptron::Bars::new(&network);
        let mut by_diffi = (vec![0.0; w1.len()], vec![0.0; b1.len()], vec![0.0; w2.len()], vec![0.0; b2.len()]);
        let arguments = (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi);
        let mut prepared = prepare_pullback(perceptron::$function::D, AutoReverse, arguments, &y_bar)?;
        perceptron::$by_hand(&network, &y_bar, &mut hidden, &mut by_hand);
        prepared.pullback_into(&mut by_diffi, (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi), &y_bar)?;
        let found = [&by_diffi.0[..], &by_diffi.1, &by_diffi.2, &by_diffi.3];
        agree([&by_hand.w1, &by_hand.b1, &by_hand.w2, &by_hand.b2], found);
        $report.compare(
            $name,
            || {
                black_box(&network).value(&mut y);
                black_box(&y);
            },
            || perceptron::$by_hand(black_box(&network), &y_bar, &mut hidden, &mut by_hand),
            || {
                let arguments = (Constant(&x[..]), w1, b1, w2, b2, &mut y_of_diffi);
                prepared.pullback_into(&mut by_diffi, black_box(arguments), &y_bar).expect("prepared for these sizes");
            },
        );
    }};
}
use feed_forward;
