//! What a float parameter leaves open: numbers that are converted into it, and lengths in structs of it.

use crate::check::{list, number};
use diffi::prelude::*;
use num_traits::Float;

/// Numbers that are converted into the float of a type, as `biquad` has it.
#[derive(Clone, Copy, Differentiable)]
struct Hertz<T: Float>(T);

#[differentiable]
impl<T: Float> Hertz<T> {
    fn from_hz(hz: impl Into<T>) -> Result<Self, String> {
        let hz = hz.into();
        if hz > T::zero() { Ok(Hertz(hz)) } else { Err("negative".to_owned()) }
    }

    fn from_period<P: Into<T>>(period: P) -> Result<Self, String> {
        let period: T = period.into();
        Hertz::from_hz(T::one() / period)
    }
}

/// Casts of `num_traits` between floats, each with another way to take the number out.
#[differentiable]
fn gain<F: Float>(decibels: F) -> Option<F> {
    let ten = F::from(10).unwrap();
    let a = F::from(ten.powf(decibels / F::from(40).unwrap())).unwrap();
    let b = F::from(decibels * a).expect("a number");
    let c = F::from(a * a - b).unwrap();
    Some(c + F::from(b).unwrap_or(a) * a)
}

#[differentiable]
fn of_conversions(x: &[f64]) -> f64 {
    let (a, b) = (Hertz::<f64>::from_hz(x[0]).unwrap(), Hertz::<f64>::from_period(x[1] * x[0]).unwrap());
    a.0 * b.0 * gain(x[2]).unwrap()
}

#[test]
fn conversions_into_a_float_parameter() {
    number!(of_conversions::D, [0.3, 0.9, -0.4], |x| x, |x| of_conversions(x));
}

/// A ring of a generic float, whose index is computed with a length that has a name, as `synfx-dsp` has it.
#[derive(Clone, Differentiable)]
struct Ring<F: Float> {
    data: Vec<F>,
    write: usize,
    rate: F,
}

#[differentiable]
impl<F: Float> Ring<F> {
    fn new(size: usize, rate: F) -> Self {
        Self { data: vec![F::zero(); size], write: 0, rate }
    }

    fn feed(&mut self, input: F) {
        self.data[self.write] = input;
        self.write = (self.write + 1) % self.data.len();
    }

    fn back(&self, count: usize) -> F {
        let len = self.data.len();
        let at = ((self.write + len) - (count + 1)) % len;
        self.data[at] * self.rate
    }

    fn between(&self, offset: F) -> F {
        let data = &self.data[..];
        let len = data.len();
        let whole = offset.floor().to_usize().unwrap_or(0) % len;
        let part = offset.fract();
        let i = (self.write + len) - (whole + 1);
        let (near, far) = (data[i % len], data[(i - 1) % len]);
        near + part * (far - near)
    }
}

#[differentiable]
fn of_a_ring(x: &[f64]) -> Vec<f64> {
    let mut ring = Ring::<f64>::new(4, x[0]);
    for v in x {
        ring.feed(*v * x[1]);
    }
    vec![ring.back(1), ring.back(2) * x[1], ring.between(x[2] * 4.0)]
}

#[test]
fn lengths_in_generic_structs() {
    list!(of_a_ring::D, [0.3, 0.9, 0.4, 1.3, -0.7], |x| x, |x| of_a_ring(x));
}
