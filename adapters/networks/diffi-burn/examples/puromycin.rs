//! How fast an enzyme works, treated with puromycin and not (Treloar 1974): Michaelis & Menten's kinetics as an operation within burn's graph.
//!
//! Bates & Watts, *Nonlinear Regression Analysis* (1988), fit 23 velocities; the documentation of R's `nls` has 166.604, 42.026 and 0.05797
//! and a sum of squares of 2240.89. The law is the solution of an equation: the enzyme that is bound, by Newton's method. Its derivative is
//! that of the implicit function. The picture is `puromycin.svg`.

use burn::tensor::{DType, Device, Tensor, TensorData};
use diffi::prelude::*;
use diffi_adapter::{Layer, LayerFunction};
use diffi_burn::Operation;
use report::{Axis, Plot};
use std::hint::black_box;
use std::time::Instant;

const CONCENTRATIONS: [f64; 23] = [
    0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.10, 1.10, 0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22,
    0.22, 0.56, 0.56, 1.10,
];
/// Counts per minute and minute. The first twelve were treated.
const VELOCITIES: [f64; 23] = [
    76.0, 47.0, 97.0, 107.0, 123.0, 139.0, 159.0, 152.0, 191.0, 201.0, 207.0, 200.0, 67.0, 51.0, 84.0, 86.0, 98.0,
    115.0, 131.0, 124.0, 144.0, 158.0, 160.0,
];
const TREATED: usize = 12;
/// Greatest velocity, what treatment adds to it, and the concentration of half of it; the sum of squares.
const PUBLISHED: [f64; 4] = [166.604, 42.026, 0.05797, 2240.89];
/// Parameters in units in which they are near to one.
const UNITS: [f64; 3] = [100.0, 100.0, 0.1];
const START: [f64; 3] = [1.0, 0.1, 1.0];

/// Zero where so much of the enzyme is bound as the concentration keeps bound.
#[differentiable]
fn balance(bound: f64, concentration: f64, half: f64) -> f64 {
    concentration * (1.0 - bound) - half * bound
}

/// The fraction of the enzyme that is bound, by Newton's method.
#[differentiable(root_of = balance)]
fn bound(concentration: f64, half: f64) -> f64 {
    let mut bound = 0.5;
    for _ in 0..3 {
        bound += balance(bound, concentration, half) / (concentration + half);
    }
    bound
}

/// A row is a concentration, and whether it was treated.
#[differentiable]
fn velocity(x: &[f64], w: &[f64], y: &mut [f64]) {
    y[0] = (UNITS[0] * w[0] + UNITS[1] * w[1] * x[1]) * bound(x[0], UNITS[2] * w[2]);
}

/// The same of tensors, where the equation is solved by hand.
#[expect(clippy::single_range_in_vec_init, reason = "burn takes a range for each dimension")]
fn velocity_tensors(x: Tensor<2>, w: Tensor<1>) -> Tensor<2> {
    let parameter = |k: usize| w.clone().slice([k..k + 1]).reshape([1, 1]) * UNITS[k];
    let (concentration, treated) = (x.clone().slice([0..23, 0..1]), x.slice([0..23, 1..2]));
    (treated * parameter(1) + parameter(0)) * concentration.clone() / (concentration + parameter(2))
}

fn tensor<const D: usize>(values: Vec<f64>, shape: [usize; D]) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values, shape), (&Device::flex().autodiff(), DType::F64))
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f64> {
    tensor.into_data().try_into_vec::<f64>().expect("tensors of f64")
}

fn inputs() -> Vec<f64> {
    let treated = |k: usize| f64::from(u8::from(k < TREATED));
    CONCENTRATIONS.iter().enumerate().flat_map(|(k, concentration)| [*concentration, treated(k)]).collect()
}

/// Adam with steps that shrink: parameters and sum of squares.
fn train(name: &str, velocity: impl Fn(Tensor<2>, Tensor<1>) -> Tensor<2>) -> [f64; 4] {
    let (x, observed) = (tensor(inputs(), [23, 2]), tensor(VELOCITIES.to_vec(), [23, 1]));
    let (mut w, mut m, mut v, mut last) = (START, [0.0; 3], [0.0; 3], f64::NAN);
    let (steps, begin) = (2000, Instant::now());
    for step in 1..=steps {
        let weights = tensor(w.to_vec(), [3]).require_grad();
        let off = velocity(x.clone(), weights.clone()) - observed.clone();
        let loss = (off.clone() * off).sum();
        let g = numbers(weights.grad(&loss.backward()).expect("of a tracked tensor"));
        last = numbers(loss)[0];
        let rate = 0.05 * (1.0 - f64::from(step) / f64::from(steps));
        for k in 0..3 {
            m[k] = 0.9 * m[k] + 0.1 * g[k];
            v[k] = 0.999 * v[k] + 0.001 * g[k] * g[k];
            let (mean, square) = (m[k] / (1.0 - 0.9f64.powi(step)), v[k] / (1.0 - 0.999f64.powi(step)));
            w[k] -= rate * mean / (square.sqrt() + 1e-12);
        }
    }
    let time = begin.elapsed().as_micros() / steps as u128;
    let found = [UNITS[0] * w[0], UNITS[1] * w[1], UNITS[2] * w[2], last];
    println!(
        "{name:16} {:.4} {:.4} {:.6}, sum of squares {:.4}, {steps} steps, {time} us a step",
        found[0], found[1], found[2], found[3]
    );
    found
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let first = (&[0.1, 1.0][..], &START[..]);
    let by_diffi = Operation::new(LayerFunction::new(velocity::D, AutoReverse, first, 1)?);
    let found = train("by diffi", |x, w| by_diffi.apply(x, w));
    let by_differences = Operation::new(LayerFunction::new(velocity::D, AutoFiniteDiff, first, 1)?);
    train("by differences", |x, w| by_differences.apply(x, w));
    train("tensors alone", velocity_tensors);
    println!("published        166.604 42.026 0.05797, sum of squares 2240.89");
    assert!(found.iter().zip(PUBLISHED).all(|(found, published)| (found / published - 1.0).abs() < 1e-4));
    overhead()?;
    Ok(picture(&found)?)
}

/// What the adapter adds to the prepared object's calls for all rows, which fill the same vectors: burn's graph takes them over as tensors.
fn overhead() -> diffi::Result<()> {
    let (x, dy) = (inputs(), vec![1.0; 23]);
    let mut y = [0.0];
    let mut prepared = prepare_pullback(velocity::D, AutoReverse, (&x[..2], &START, &mut y), [1.0])?;
    let mut layer = LayerFunction::new(velocity::D, AutoReverse, (&x[..2], &START), 1)?;
    let mut by_row = [0.0; 3];
    report::overhead(
        "the layer",
        |k| {
            let (x, w, dy) = (black_box(&x), black_box([1.0 + k, 0.1, 1.0]), black_box(&dy));
            let (mut dx, mut dw) = (vec![0.0; x.len()], vec![0.0; 3]);
            for ((row, dx), dy) in x.chunks_exact(2).zip(dx.chunks_exact_mut(2)).zip(dy.chunks_exact(1)) {
                let done = prepared.pullback_into((dx, &mut by_row), (row, &w, &mut y), dy);
                dw.iter_mut().zip(&by_row).for_each(|(dw, by_row)| *dw += done.as_ref().map_or(f64::NAN, |()| *by_row));
            }
            let found = black_box((dx, dw));
            found.1[0] + found.0[0]
        },
        |k| {
            let (x, w, dy) = (black_box(&x), black_box([1.0 + k, 0.1, 1.0]), black_box(&dy));
            let found = black_box(layer.pull_rows(x, &w, dy));
            found.map_or(f64::NAN, |(dx, dw)| dw[0] + dx[0])
        },
    );
    Ok(())
}

fn picture(found: &[f64; 4]) -> std::io::Result<()> {
    let (x, y) = (Axis::linear("concentration", 0.0, 1.15), Axis::linear("velocity", 0.0, 220.0));
    let mut plot = Plot::new("Puromycin, and the law of Michaelis and Menten", x, y);
    let all: Vec<(f64, f64)> = CONCENTRATIONS.into_iter().zip(VELOCITIES).collect();
    for (name, points, greatest) in
        [("treated", &all[..TREATED], found[0] + found[1]), ("not treated", &all[TREATED..], found[0])]
    {
        plot.points("", points.iter().copied());
        plot.curve(name, (0..=110).map(|k| f64::from(k) / 100.0).map(|c| (c, greatest * c / (c + found[2]))));
    }
    plot.save("puromycin")
}
