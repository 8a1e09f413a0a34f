//! Operators between open types: `T: Mul<U, Output = V>`, of numbers and of users' types.

use crate::check::number;
use diffi::prelude::*;
use num_traits::Float;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Differentiable)]
struct Vec2 {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, other: Vec2) -> Vec2 {
        Vec2 { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable]
impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2 { x: self.x - other.x, y: self.y - other.y }
    }
}

#[differentiable]
impl Neg for Vec2 {
    type Output = Vec2;
    fn neg(self) -> Vec2 {
        Vec2 { x: -self.x, y: -self.y }
    }
}

#[differentiable]
impl Mul<f64> for Vec2 {
    type Output = Vec2;
    fn mul(self, by: f64) -> Vec2 {
        Vec2 { x: self.x * by, y: self.y * by * by }
    }
}

#[differentiable]
impl Mul<Vec2> for Vec2 {
    type Output = f64;
    fn mul(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

#[differentiable]
impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Vec2) {
        *self = *self + other;
    }
}

/// A product of two types that gives a third one, as `hsluv` has it.
#[differentiable]
fn dot3<T, U, V>(lhs: (T, T, T), rhs: (U, U, U)) -> V
where
    T: Mul<U, Output = V>,
    V: Add<Output = V>,
{
    lhs.0 * rhs.0 + lhs.1 * rhs.1 + lhs.2 * rhs.2
}

static ROWS: [(f64, f64, f64); 2] = [(0.3, -0.7, 1.1), (2.0, 0.4, -0.6)];

#[differentiable]
fn of_products(x: &[f64]) -> f64 {
    let v = (x[0], x[1], x[2] * x[0]);
    let (a, b) = (Vec2 { x: x[0], y: x[1] }, Vec2 { x: x[2], y: x[0] });
    let scaled: Vec2 = dot3((a, b, a), v);
    let product: f64 = dot3((a, b, b), (b, scaled, a));
    let (first, second): (f64, f64) = (dot3(ROWS[0], v), dot3(v, ROWS[1]));
    first * second + scaled.x * scaled.y + product
}

/// A type that numbers scale, as `noise` has it.
#[differentiable]
fn linear<T>(a: T, b: T, alpha: f64) -> T
where
    T: Mul<f64, Output = T> + Add<Output = T>,
{
    b * alpha + a * (1.0 - alpha)
}

/// The same for any float.
#[differentiable]
fn lerp<F: Float, T>(a: T, b: T, t: F) -> T
where
    T: Copy + Mul<F, Output = T> + Add<Output = T> + Sub<Output = T> + Neg<Output = T>,
{
    -(a + (b - a) * t)
}

#[differentiable]
fn of_scales(x: &[f64]) -> f64 {
    let (a, b) = (Vec2 { x: x[0], y: x[1] }, Vec2 { x: x[2], y: x[0] });
    let (c, d) = (linear(a, b, x[1]), lerp(a, b, x[2]));
    linear(x[0], x[1], x[2]) * lerp(x[1], x[2], x[0]) + c.x * c.y + d.x * d.y
}

/// Operators on elements, in a loop.
#[differentiable]
fn weighted<T, W>(values: &[T], weights: &[W]) -> T
where
    T: Copy + Mul<W, Output = T> + Add<Output = T>,
    W: Copy,
{
    let mut sum = values[0] * weights[0];
    for (value, weight) in values.iter().zip(weights).skip(1) {
        sum = sum + *value * *weight;
    }
    sum
}

#[differentiable]
fn accumulated<T: Copy + AddAssign + Mul<f64, Output = T>>(values: &[T]) -> T {
    let mut sum = values[0];
    for value in &values[1..] {
        sum += *value * 2.0;
    }
    sum
}

#[differentiable]
fn of_sums(x: &[f64]) -> f64 {
    let values = [Vec2 { x: x[0], y: x[1] }, Vec2 { x: x[2], y: x[0] }, Vec2 { x: x[1], y: x[1] }];
    let (a, b) = (weighted(&values, x), accumulated(&values));
    weighted(x, x) * accumulated(x) + a.x * a.y + b.x * b.y
}

/// Operators in the block of a generic type.
#[derive(Clone, Copy, Differentiable)]
struct Stage<A, B> {
    gain: A,
    state: B,
}

#[differentiable]
impl<A, B> Stage<A, B>
where
    A: Copy + Mul<B, Output = B>,
    B: Copy + Add<Output = B>,
{
    fn run(&mut self, input: B) -> B {
        self.state = self.gain * self.state + input;
        self.state
    }
}

#[differentiable]
fn of_stages(x: &[f64]) -> f64 {
    let mut stage = Stage { gain: x[0], state: x[1] };
    x.iter().map(|v| stage.run(*v)).sum::<f64>() + stage.state * stage.gain
}

#[test]
fn operators_between_open_types() {
    number!(of_products::D, [0.3, 0.9, -0.4], |x| x, |x| of_products(x));
    number!(of_scales::D, [0.3, 0.9, -0.4], |x| x, |x| of_scales(x));
    number!(of_sums::D, [0.3, 0.9, -0.4], |x| x, |x| of_sums(x));
    number!(of_stages::D, [0.3, 0.9, -0.4], |x| x, |x| of_stages(x));
}
