//! A field that is declared constant takes no active value: not in a literal, by an assignment, or through a call.

use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Controller {
    gain: f64,
    #[differentiable(constant)]
    last: Option<f64>,
    #[differentiable(constant)]
    rate: f64,
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut controller = Controller { gain: x[0], last: None, rate: 1.0 };
    controller.last = Some(x[1]);
    controller.gain * controller.last.unwrap_or(controller.rate)
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let controller = Controller { gain: x[0], last: None, rate: x[1] };
    controller.gain * controller.rate
}

#[differentiable]
fn set(to: &mut f64, value: f64) {
    *to = value;
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut controller = Controller { gain: x[0], last: None, rate: 1.0 };
    controller.gain += 1.0;
    set(&mut controller.rate, x[1]);
    controller.gain * controller.rate
}

fn main() {}
