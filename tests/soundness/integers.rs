//! Integers in values that carry derivatives.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Sample {
    kind: usize,
    value: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    weight: f64,
    sample: Sample,
}

/// A field that `..rest` does not give, of a parameter of which only its name is seen.
#[differentiable]
fn of_kind_two(sample: &Sample) -> f64 {
    let changed = Sample { kind: 2, ..sample.clone() };
    changed.value * (changed.kind + 1) as f64
}

#[differentiable]
fn exchanged(pair: &mut Pair, sample: &Sample) {
    let old = std::mem::replace(&mut pair.sample, Sample { kind: 2, ..sample.clone() });
    pair.weight *= match pair.sample.kind {
        0 => sample.value,
        1 | 2 => old.value * old.value,
        _ => 1.0,
    };
}

#[differentiable]
fn updated(x: &[f64]) -> f64 {
    let mut pair = Pair { weight: x[2], sample: Sample { kind: 1, value: x[1] } };
    let sample = Sample { kind: 0, value: x[0] };
    exchanged(&mut pair, &sample);
    of_kind_two(&sample) * pair.weight * pair.sample.kind as f64
}

macro_rules! noted {
    () => {};
}

#[derive(Clone, Differentiable)]
struct Ring<const N: usize> {
    at: [f64; N],
}

/// A macro may declare a constant; that of the block around the function is none of the module's.
#[differentiable]
impl<const N: usize> Ring<N> {
    fn total(&self) -> f64 {
        noted!();
        (0..N).map(|k| self.at[k] * self.at[(k + 1) % N]).sum()
    }
}

#[differentiable]
fn of_a_ring(x: &[f64]) -> f64 {
    let ring = Ring::<3> { at: [x[0], x[1], x[2] * x[2]] };
    ring.total()
}

crate::check::sound! { updated of_a_ring }
