//! Models of matrices, by `ndarray` and `nalgebra`: `cargo bench --bench arrays --features nalgebra [-- FILTER]`.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "another bench measures the other models")]
mod models;
mod report;

use std::hint::black_box;

use diffi::prelude::*;
#[cfg(feature = "nalgebra")]
use models::gaussian_process;
use models::{attention, dense, kalman};
use ndarray::{Array1, Array2};
use report::{Report, agree};

fn main() -> Result<()> {
    let mut report = Report::new();
    for (batch, inputs, outputs) in [(32, 64, 64), (128, 256, 128)] {
        dense_layer(&mut report, batch, inputs, outputs)?;
    }
    for (tokens, width, depth) in [(32, 32, 16), (128, 128, 64)] {
        attention_head(&mut report, tokens, width, depth)?;
    }
    for (states, steps) in [(8, 100), (32, 100)] {
        kalman_filter(&mut report, states, steps)?;
    }
    #[cfg(feature = "nalgebra")]
    gaussian_process_likelihood(&mut report, 200)?;
    report.print();
    Ok(())
}

fn dense_layer(report: &mut Report, batch: usize, inputs: usize, outputs: usize) -> Result<()> {
    let layer = dense::Layer::new(batch, inputs, outputs);
    let dense::Layer { w, b, x, y } = &layer;
    let arguments = || (w, b, Constant(x), Constant(y));
    let buffers = || (Array2::zeros(w.raw_dim()), Array1::zeros(b.len()));
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut h = Array2::zeros((batch, outputs));
    let mut prepared = prepare_gradient(dense::dense::D, AutoReverse, arguments())?;
    dense::gradient_by_hand(&layer, &mut h, &mut by_hand.0, &mut by_hand.1);
    prepared.gradient_into(&mut by_diffi, arguments())?;
    agree([flat(&by_hand.0), flat(&by_hand.1)], [flat(&by_diffi.0), flat(&by_diffi.1)]);
    report.compare(
        &format!("dense {batch}x{inputs}x{outputs}"),
        || {
            black_box(black_box(&layer).value());
        },
        || dense::gradient_by_hand(black_box(&layer), &mut h, &mut by_hand.0, &mut by_hand.1),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

fn attention_head(report: &mut Report, tokens: usize, width: usize, depth: usize) -> Result<()> {
    let head = attention::Head::new(tokens, width, depth);
    let attention::Head { wq, wk, wv, x } = &head;
    let arguments = || (wq, wk, wv, Constant(x));
    let zeros = || Array2::zeros(wq.raw_dim());
    let mut by_diffi = (zeros(), zeros(), zeros());
    let mut prepared = prepare_gradient(attention::attention::D, AutoReverse, arguments())?;
    prepared.gradient_into(&mut by_diffi, arguments())?;
    let [q, k, v] = attention::gradient_by_hand(&head).map(|bar| bar.iter().copied().collect::<Vec<f64>>());
    agree([&q, &k, &v], [flat(&by_diffi.0), flat(&by_diffi.1), flat(&by_diffi.2)]);
    report.compare(
        &format!("attention {tokens}x{width}x{depth}"),
        || {
            black_box(black_box(&head).value());
        },
        || {
            black_box(attention::gradient_by_hand(black_box(&head)));
        },
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

fn kalman_filter(report: &mut Report, states: usize, steps: usize) -> Result<()> {
    let model = kalman::Model::new(states, steps);
    let kalman::Model { a, q, r, h, ys } = &model;
    let arguments = || (a, q, *r, Constant(h), Constant(ys));
    let mut by_hand = kalman::ByHand::new(&model);
    let mut by_diffi = (Array2::zeros(a.raw_dim()), Array2::zeros(a.raw_dim()), 0.0);
    let mut prepared = prepare_gradient(kalman::kalman::D, AutoReverse, arguments())?;
    by_hand.gradient(&model);
    prepared.gradient_into(&mut by_diffi, arguments())?;
    let kalman::ByHand { a_bar, q_bar, r_bar, .. } = &by_hand;
    agree([flat(a_bar), flat(q_bar), &[*r_bar]], [flat(&by_diffi.0), flat(&by_diffi.1), &[by_diffi.2]]);
    report.compare(
        &format!("kalman {states}x{steps}"),
        || {
            black_box(black_box(&model).value());
        },
        || by_hand.gradient(black_box(&model)),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

#[cfg(feature = "nalgebra")]
fn gaussian_process_likelihood(report: &mut Report, n: usize) -> Result<()> {
    let data = gaussian_process::Data::new(n);
    let gaussian_process::Data { length, signal, noise, x, y } = &data;
    let arguments = || (*length, *signal, *noise, Constant(x), Constant(y));
    let (mut lower, mut inverse) = (nalgebra::DMatrix::zeros(n, n), nalgebra::DMatrix::zeros(n, n));
    let mut by_diffi = (0.0, 0.0, 0.0);
    let mut prepared = prepare_gradient(gaussian_process::gaussian_process::D, AutoReverse, arguments())?;
    prepared.gradient_into(&mut by_diffi, arguments())?;
    let by_hand = gaussian_process::gradient_by_hand(&data, &mut lower, &mut inverse);
    agree([&by_hand], [&[by_diffi.0, by_diffi.1, by_diffi.2]]);
    report.compare(
        &format!("gaussian process {n}"),
        || {
            black_box(black_box(&data).value());
        },
        || {
            black_box(gaussian_process::gradient_by_hand(black_box(&data), &mut lower, &mut inverse));
        },
        || prepared.gradient_into(&mut by_diffi, black_box(arguments())).expect("prepared for these sizes"),
    );
    Ok(())
}

fn flat<D: ndarray::Dimension>(array: &ndarray::Array<f64, D>) -> &[f64] {
    array.as_slice().expect("in logical order")
}
