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

/// No number, and without the attribute.
fn interval(grid: &[f64], x: f64) -> usize {
    grid.iter().filter(|g| **g < x).count()
}

#[differentiable(constant(grid))]
fn piece(grid: &[f64], x: f64, i: usize) -> f64 {
    let mut sum = 1.0;
    for k in 0..=i.min(grid.len() - 1) {
        sum += x.powi(k as i32) * grid[k];
        if sum > 1e9 {
            return sum;
        }
    }
    sum * x
}

/// Integers of such functions, whose types are written.
#[differentiable]
fn intervals(x: &[f64]) -> f64 {
    let grid = [0.3, 0.5, 1.0, 1.2];
    let i: usize = 1 + interval(&grid, x[0]);
    let j: usize = (interval(&grid, x[1]) + 1).min(3);
    let (k, l): (usize, usize) = (interval(&grid, x[2]), 1 + interval(&grid, x[0] * x[1]));
    let m: usize = if x[0] > 3.0 { 0 } else { interval(&grid, x[2]) };
    piece(&grid, x[0], i)
        + piece(&grid, x[1], j) * piece(&grid, x[2], k)
        + piece(&grid, x[1], l)
        + piece(&grid, x[0], m)
}

#[derive(Clone, Debug, Differentiable)]
pub enum Node {
    Leaf(f64),
    Add(usize, usize),
    Scaled { by: f64, of: usize },
}

/// Integers of variants, which nothing but the parameters of functions shows to be integers.
#[differentiable]
fn node_value(nodes: &[Node], at: usize) -> f64 {
    match &nodes[at] {
        Node::Leaf(v) => *v,
        Node::Add(left, right) => node_value(nodes, *left) * 1.5 + node_value(nodes, *right),
        Node::Scaled { by, of } => by * node_value(nodes, *of),
    }
}

#[differentiable]
fn of_variants(x: &[f64]) -> f64 {
    let nodes =
        [Node::Leaf(x[0]), Node::Leaf(x[1]), Node::Add(0, 1), Node::Scaled { by: x[2], of: 2 }, Node::Add(3, 2)];
    node_value(&nodes, 4) * node_value(&nodes, 3)
}

crate::check::sound! { intervals updated of_a_ring of_variants }
