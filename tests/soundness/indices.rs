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

/// An index that changes between two uses, with a loop over the same array beside them.
#[differentiable]
fn changing(x: &[f64]) -> f64 {
    let w: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    let order = [2, 0, 1, 1, 0];
    let mut s = 1.0;
    let mut k = order[0];
    for o in order {
        s += w[k] * x[1];
        k = o;
        s *= w[k];
        for i in 0..2 {
            s += w[i] * w[k];
        }
        s += w[k];
    }
    s.ln()
}

crate::check::sound! { hidden changing }
