//! A queue in a field, and what uses it: one message.

use diffi::prelude::*;
use std::collections::VecDeque;

#[derive(Clone, Differentiable)]
struct Delay {
    line: VecDeque<f64>,
    gain: f64,
}

#[differentiable]
impl Delay {
    fn new(n: usize, gain: f64) -> Self {
        Delay { line: VecDeque::from(vec![0.0; n]), gain }
    }
    fn process(&mut self, input: f64) -> f64 {
        let out = input + self.gain * self.line.pop_front().unwrap_or(0.0);
        self.line.push_back(out);
        out
    }
}

#[differentiable]
fn power(x: &[f64]) -> f64 {
    let mut delay = Delay::new(3, x[1]);
    x.iter().map(|x| delay.process(*x)).sum()
}

fn main() {
    let _ = gradient(power::D, AutoReverse, &[1.0, 0.5][..]);
}
