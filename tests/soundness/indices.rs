//! Integers that have the names of parameters that carry derivatives.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Sample {
    kind: usize,
    value: f64,
}

#[differentiable]
fn by_a_loop(sample: Sample, x: &[f64]) -> f64 {
    let mut sum = sample.value;
    for sample in 1..3 {
        sum *= x[sample];
    }
    sum + sample.value
}

#[differentiable]
fn by_a_block(sample: Sample, x: &[f64]) -> f64 {
    let mut sum = sample.value;
    {
        let sample = 1;
        sum *= x[sample];
    }
    sum + sample.value
}

#[differentiable]
fn by_a_closure(sample: Sample, x: &[f64]) -> f64 {
    (1..3).map(|sample| x[sample]).sum::<f64>() * sample.value
}

#[differentiable]
fn by_a_pattern(sample: Sample, x: &[f64]) -> f64 {
    let found = match x.iter().position(|v| *v > 1.0) {
        Some(sample) => x[sample],
        None => 1.0,
    };
    found * sample.value
}

#[differentiable]
fn by_an_end(sample: Sample, x: &[f64]) -> f64 {
    let sum: f64 = [1, 2].iter().map(|&sample| x[sample..].iter().sum::<f64>()).sum();
    sum * sample.value
}

#[differentiable]
fn hidden(x: &[f64]) -> f64 {
    let sample = |v: f64| Sample { kind: 1, value: v };
    by_a_loop(sample(x[0] * x[1]), x) * by_a_block(sample(x[2]), x)
        + by_a_closure(sample(x[0]), x) * by_a_pattern(sample(x[1]), x)
        + by_an_end(sample(x[2]), x)
}

crate::check::sound! { hidden }
