//! Slices in boxes as fields, `Box<[f64]>`, against closed forms.

#![allow(clippy::borrowed_box, reason = "boxes are what is tested")]

use diffi::prelude::*;

/// A moving average in a ring of a fixed length.
#[derive(Clone, Debug, Differentiable)]
struct Average {
    at: usize,
    count: usize,
    sum: f64,
    ring: Box<[f64]>,
}

#[differentiable]
impl Average {
    fn new(length: usize) -> Option<Self> {
        let ring = || vec![0.0; length].into_boxed_slice();
        match length {
            0 => None,
            _ => Some(Self { at: 0, count: 0, sum: 0.0, ring: ring() }),
        }
    }

    fn next(&mut self, input: f64) -> f64 {
        let old = self.ring[self.at];
        self.ring[self.at] = input;
        self.at = if self.at + 1 < self.ring.len() { self.at + 1 } else { 0 };
        self.count = self.ring.len().min(self.count + 1);
        self.sum = self.sum - old + input;
        self.sum / self.count as f64
    }

    fn energy(&self) -> f64 {
        self.ring.iter().map(|v| v * v).sum()
    }
}

/// `x₀² + x₁ (x₀ + x₁) / 2 + x₂ (x₁ + x₂) / 2 + x₁² + x₂²`
#[differentiable]
fn averaged(x: &[f64]) -> f64 {
    let mut average = Average::new(2).unwrap();
    let mut total = 0.0;
    for &v in x {
        total += average.next(v) * v;
    }
    total + average.energy()
}

/// Delays of several channels.
#[derive(Clone, Differentiable)]
struct Delays {
    gain: f64,
    state: Box<[[f64; 2]]>,
}

#[differentiable]
impl Delays {
    fn tick(&mut self, channel: usize, input: f64) -> f64 {
        let state = &mut self.state[channel];
        let output = state[1];
        state[1] = state[0];
        state[0] = input * self.gain;
        output
    }
}

/// `x₀² x₂`
#[differentiable]
fn delayed(x: &[f64]) -> f64 {
    let mut delays = Delays { gain: x[0], state: vec![[0.0; 2]; 2].into_boxed_slice() };
    delays.tick(0, x[0]);
    delays.tick(1, x[1]);
    delays.tick(0, x[1]);
    delays.tick(0, x[2]) * x[2]
}

/// `w₀ w₁ + w₁`
#[differentiable]
fn looked_at(w: &Box<[f64]>) -> f64 {
    w[0] * w[1] + w[1]
}

#[test]
fn slices_in_boxes_are_lists() {
    let x = [0.7, 1.3, -0.4];
    let expected = [2.0 * x[0] + x[1] / 2.0, x[0] / 2.0 + 3.0 * x[1] + x[2] / 2.0, x[1] / 2.0 + 3.0 * x[2]];
    for g in [gradient(averaged::D, AutoForward, &x[..]).unwrap(), gradient(averaged::D, AutoReverse, &x[..]).unwrap()]
    {
        crate::check::close("averaged", &g, &expected, 1e-13);
    }
    let expected = [2.0 * x[0] * x[2], 0.0, x[0] * x[0]];
    for g in [gradient(delayed::D, AutoForward, &x[..]).unwrap(), gradient(delayed::D, AutoReverse, &x[..]).unwrap()] {
        crate::check::close("delayed", &g, &expected, 1e-13);
    }
    let w: Box<[f64]> = vec![2.0, 3.0].into_boxed_slice();
    assert_eq!(gradient(looked_at::D, AutoReverse, &w).unwrap(), [3.0, 3.0]);
    assert_eq!(gradient(looked_at::D, AutoForward, &w).unwrap(), [3.0, 3.0]);
    let h = hvp(averaged::D, AutoReverse, &x[..], &[1.0, 0.0, 0.0][..]).unwrap();
    crate::check::close("averaged twice", &h, &[2.0, 0.5, 0.0], 1e-13);
}
