//! Models of matrices, by `ndarray`: `cargo bench --bench arrays [-- FILTER]`.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "another bench measures the other models")]
mod models;
mod report;

use std::hint::black_box;

use diffi::prelude::*;
use models::{attention, dense};
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

fn flat<D: ndarray::Dimension>(array: &ndarray::Array<f64, D>) -> &[f64] {
    array.as_slice().expect("in logical order")
}
