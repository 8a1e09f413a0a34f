//! Type parameters of structs that stand in `PhantomData` alone.

use diffi::prelude::*;
use std::marker::PhantomData;

// A trait of constants.

trait Geometry {
    const K: f64;
}
struct Flat;
struct Round;
impl Geometry for Flat {
    const K: f64 = 0.0;
}
impl Geometry for Round {
    const K: f64 = 1.0;
}
#[derive(Clone, Differentiable)]
struct Metric<G> {
    scale: f64,
    kind: PhantomData<G>,
}

#[differentiable]
impl<G: Geometry> Metric<G> {
    fn dist(&self, a: f64) -> f64 {
        self.scale * a * (1.0 - G::K * a * a / 6.0)
    }
}

#[differentiable]
fn metrics(x: &[f64]) -> f64 {
    let m = Metric::<Round> { scale: x[1], kind: PhantomData };
    let n: Metric<Flat> = Metric { scale: x[0], kind: PhantomData };
    m.dist(x[0]) * n.dist(x[1])
}

// Units.

#[derive(Clone, Copy, Debug)]
struct Metre;
#[derive(Clone, Copy, Debug)]
struct Second;
#[derive(Clone, Copy, Debug, Differentiable)]
struct Quantity<U> {
    value: f64,
    _unit: PhantomData<U>,
}

#[differentiable]
impl<U> Quantity<U> {
    fn new(value: f64) -> Self {
        Quantity { value, _unit: PhantomData }
    }
    fn plus(&self, o: &Quantity<U>) -> Quantity<U> {
        Quantity::new(self.value + o.value)
    }
}

#[differentiable]
fn speed_of(d: &Quantity<Metre>, t: &Quantity<Second>) -> f64 {
    d.value / t.value
}

#[differentiable]
fn speeds(x: &[f64]) -> f64 {
    let d = Quantity::<Metre>::new(x[0]);
    let d = d.plus(&Quantity::new(x[1]));
    let t = Quantity::<Second>::new(x[1] * x[1]);
    speed_of(&d, &t)
}

// A parameter beside a number.

#[derive(Clone, Default)]
struct Euler;
#[derive(Differentiable)]
struct Simulation<I, const N: usize> {
    state: [f64; N],
    integrator: PhantomData<I>,
}

#[differentiable]
impl<I, const N: usize> Simulation<I, N> {
    fn new(state: [f64; N]) -> Self {
        Self { state, integrator: PhantomData }
    }
    fn step(&mut self, h: f64) {
        for s in self.state.iter_mut() {
            *s += h * s.cos();
        }
    }
    fn energy(&self) -> f64 {
        self.state.iter().map(|s| s * s).sum()
    }
}

#[differentiable]
fn simulated(x: &[f64]) -> f64 {
    let mut s = Simulation::<Euler, 2>::new([x[0], x[1]]);
    s.step(0.1);
    s.step(x[1]);
    s.energy()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number metrics(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number speeds(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number simulated(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
