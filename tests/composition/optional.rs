//! Parameters that may be there, `Option<&T>` and `Option<&mut T>`; what is converted into a number; and many parameters.

use crate::check::number;
use diffi::prelude::*;

/// Weights that may be missing, and a gradient that may be asked for.
#[differentiable]
fn model(x: &[f64], weights: Option<&[f64]>, mut gradient: Option<&mut [f64]>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let w = weights.map_or(1.0, |w| w[i]);
        sum += w * x[i].sin();
        if let Some(g) = gradient.as_deref_mut() {
            g[i] += w * x[i].cos();
        }
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct Log {
    total: f64,
    entries: usize,
}

#[differentiable]
impl Log {
    fn note(&mut self, value: f64) {
        self.total += value * value;
        self.entries += 1;
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Drag {
    factor: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: f64,
    speed: f64,
}

#[differentiable]
impl Body {
    fn new(at: impl Into<f64>, speed: impl Into<f64>) -> Self {
        Body { at: at.into(), speed: speed.into() }
    }

    fn step(&mut self, h: f64, drag: Option<&Drag>, log: Option<&mut Log>) {
        let Some(drag) = drag else {
            self.at += h * self.speed;
            return;
        };
        self.speed -= h * (self.at + drag.factor * self.speed * self.speed.abs());
        self.at += h * self.speed;
        if let Some(log) = log {
            log.note(self.at * self.speed);
        }
    }
}

/// It hands on what it is given.
#[differentiable]
fn run(body: &mut Body, h: f64, drag: Option<&Drag>, log: Option<&mut Log>) {
    body.step(h, drag, log);
    body.step(0.5 * h, drag, None);
}

#[differentiable]
fn optional(x: &[f64]) -> f64 {
    let mut body = Body::new(x[0], x[1]);
    let (drag, mut log) = (Drag { factor: x[2] }, Log { total: 0.0, entries: 0 });
    for k in 0..4 {
        let chosen = if k % 2 == 0 { Some(&drag) } else { None };
        match k {
            2 => run(&mut body, 0.1, chosen, None),
            _ => run(&mut body, 0.1 * x[0], chosen, Some(&mut log)),
        }
    }
    run(&mut body, 0.2, Some(&drag), Some(&mut log));
    let (mut g, mut h) = (vec![0.0; 3], [1.0; 3]);
    let a = model(x, Some(x), Some(&mut g));
    let b = model(&g, Some(&[1.0, 2.0, 3.0]), Some(&mut h[..]));
    let c = model(x, None, None);
    (body.at + log.total * log.entries as f64) * a * b + c * g[0] * h[1] * h[2]
}

#[differentiable]
fn area<W, H>(width: W, height: H) -> f64
where
    W: Into<f64> + Copy,
    H: Into<f64>,
{
    let height: f64 = height.into();
    width.into() * height + width.into()
}

/// More parameters than operators pass.
#[differentiable]
#[allow(clippy::too_many_arguments)]
fn many(
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    n: usize,
    x: &[f64],
    last: &mut f64,
) -> f64 {
    *last += a * x[n];
    a * b + c * d + e * f + g * h + i * j * k
}

#[differentiable]
fn converted(x: &[f64]) -> f64 {
    let (p, q, r) = (x[0], x[1], x[2]);
    let state = &mut Log { total: 0.0, entries: 0 };
    state.total += area(p, q) + area(2, r) * area(1.5f32, p * q);
    let mut last = p;
    let y = many(p, q, r, p, q, r, p, q, r, p, q, 2, x, &mut last);
    y * last * state.total
}

#[test]
fn parameters_that_may_be_there() {
    number!(optional::D, [1.3, 0.7, 2.1], |x| x, |x| optional(x));
}

#[test]
fn parameters_that_are_converted_and_many() {
    number!(converted::D, [1.3, 0.7, 2.1], |x| x, |x| converted(x));
}
