//! Fields that carry no derivative: those that their struct declares constant, and enums of names.

use diffi::prelude::*;

#[derive(Clone, Default, Differentiable)]
struct Controller {
    gain: f64,
    integral: f64,
    last: Option<f64>,
    #[differentiable(constant)]
    limit: Option<f64>,
    #[differentiable(constant)]
    steps: usize,
}
#[differentiable]
impl Controller {
    fn update(&mut self, error: f64) -> f64 {
        self.integral += 0.1 * error;
        self.steps += 1;
        let slope = match self.last {
            Some(last) => error - last,
            None => 0.0,
        };
        self.last = Some(error);
        let u = self.gain * error + 0.3 * self.integral + 0.2 * slope;
        if let Some(limit) = self.limit { u.clamp(-limit, limit) } else { u }
    }
}
#[differentiable]
fn limits(x: &[f64]) -> f64 {
    let mut controller = Controller { gain: x[0], limit: Some(10.0), ..Default::default() };
    let mut at = x[1];
    for _ in 0..5 {
        at += 0.1 * controller.update(1.0 - at);
    }
    at * controller.steps as f64
}

#[derive(Clone, Differentiable)]
struct Bounds {
    #[differentiable(constant)]
    least: Option<f64>,
    most: f64,
}
#[derive(Clone, Differentiable)]
struct Bounded {
    slope: f64,
    bounds: Bounds,
    #[differentiable(constant)]
    weights: Option<Vec<f64>>,
    #[differentiable(constant)]
    count: Option<usize>,
}
#[differentiable]
impl Bounded {
    fn at(&self, t: f64) -> f64 {
        let y = (self.slope * t).max(self.bounds.least.unwrap_or(-1.0)).min(self.bounds.most);
        let total = match &self.weights {
            Some(weights) => weights.iter().map(|w| w * y).sum(),
            None => y,
        };
        let Some(count) = self.count else { return total };
        total * count as f64 + self.bounds.least.map_or(0.0, |least| least * t)
    }
}
#[differentiable]
fn bounds(x: &[f64]) -> f64 {
    let bounds = Bounds { least: Some(0.1), most: 4.0 * x[1] };
    let mut one = Bounded { slope: x[0], bounds, weights: Some(vec![1.0, 0.5]), count: None };
    let first = one.at(x[1]);
    one.count = Some(3);
    if x[1] > 0.5 {
        one.weights = None;
    }
    let other = one.clone();
    first * one.at(x[0]) + other.bounds.least.unwrap_or(2.0) * other.slope
}

#[differentiable]
fn count(n: &mut usize, v: f64) -> f64 {
    *n += 1;
    v * *n as f64
}
#[differentiable]
impl Controller {
    fn counted(&mut self, v: f64) -> f64 {
        count(&mut self.steps, v) * self.gain
    }
}
/// A count that is declared constant is changed by calls.
#[differentiable]
fn counts(x: &[f64]) -> f64 {
    let mut controller = Controller { gain: x[0], steps: 1, ..Default::default() };
    controller.counted(x[1]) + count(&mut controller.steps, x[0]) * controller.steps as f64
}

#[derive(Clone, Copy, PartialEq)]
enum Activation {
    Tanh,
    Relu,
}
#[differentiable]
impl Activation {
    fn apply(&self, z: f64) -> f64 {
        match self {
            Activation::Tanh => z.tanh(),
            Activation::Relu => z.max(0.0),
        }
    }
}
#[derive(Clone, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    activation: Activation,
}
#[derive(Clone, Differentiable)]
struct Network {
    layers: Vec<Layer>,
    last: Layer,
}
#[differentiable]
fn activated(activation: Activation, z: f64) -> f64 {
    activation.apply(z)
}
#[differentiable]
impl Layer {
    fn run(&self, z: f64) -> f64 {
        let sum: f64 = self.weights.iter().map(|w| w * z).sum();
        self.activation.apply(sum) + if self.activation == Activation::Relu { z } else { 0.0 }
    }
}
#[differentiable]
impl Network {
    fn run(&self, z: f64) -> f64 {
        let mut h = z;
        for layer in &self.layers {
            h = layer.run(h);
            h += activated(layer.activation, h);
        }
        self.last.activation.apply(self.last.run(h))
    }
}
#[differentiable]
fn activations(x: &[f64]) -> f64 {
    let first = Layer { weights: vec![x[0], 0.2], activation: Activation::Tanh };
    let second = Layer { weights: vec![x[1], 0.3], activation: Activation::Relu };
    let network = Network { layers: vec![first.clone(), second], last: first };
    network.run(x[0])
}

#[derive(Clone, Copy, Differentiable)]
struct Particle {
    mass: f64,
    at: [f64; 2],
    #[differentiable(constant)]
    charge: f64,
    id: usize,
}
#[differentiable]
fn drift(all: &mut [Particle], dt: f64) {
    for p in all.iter_mut() {
        p.at[0] += dt * p.charge;
        p.at[1] *= p.mass;
        p.id += 1;
    }
}
#[differentiable]
fn energy(all: &[Particle]) -> f64 {
    let mut sum = 0.0;
    for i in 0..all.len() {
        for j in 0..i {
            let d = (all[i].at[0] - all[j].at[0]).hypot(all[i].at[1] - all[j].at[1]);
            sum += all[i].charge * all[j].charge / d + all[i].mass * all[i].id as f64;
        }
    }
    sum
}
#[differentiable]
fn charges(x: &[f64]) -> f64 {
    let one = Particle { mass: x[0], at: [x[0], 0.5], charge: 2.0, id: 0 };
    let mut all = vec![one, Particle { mass: x[1], at: [0.1, x[1]], charge: -1.0, id: 1 }];
    drift(&mut all, x[0]);
    energy(&all)
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number limits(at x: Vec<f64>): [vec![1.3, 0.7]];
        number bounds(at x: Vec<f64>): [vec![1.3, 0.7]] [vec![0.9, 0.4]];
        number counts(at x: Vec<f64>): [vec![1.3, 0.7]];
        number activations(at x: Vec<f64>): [vec![1.3, 0.7]];
        number charges(at x: Vec<f64>): [vec![1.3, 0.7]];
    }
}
