//! Generic code as published crates write it: floats of the result alone, operators as bounds, traits of numbers, types of `f32`.

use crate::check::number;
use diffi::prelude::*;
use num_traits::{Float, FloatConst, Num, One};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A literal of any float.
#[differentiable]
fn literal<F: Float>(x: f64) -> F {
    F::from(x).unwrap()
}

#[differentiable]
trait Easing<F: Float> {
    fn ease(t: F, d: F) -> F;
    fn both(t: F, d: F) -> F {
        Self::ease(t, d) * Self::ease(d, t)
    }
}

struct Back;

#[differentiable]
impl<F: Float> Easing<F> for Back {
    fn ease(t: F, d: F) -> F {
        let (s, t): (F, F) = (literal(1.70158), t / d);
        if t < literal(0.01) { t } else { t * t * ((s + literal(1.0)) * t - s) }
    }
}

#[derive(Clone, Differentiable)]
struct Line<F> {
    slope: F,
    rest: F,
}

#[differentiable]
impl<F: Float> Line<F> {
    fn at(&self, t: f64) -> F {
        self.slope * Self::lift(t) + self.rest
    }
    fn lift(t: f64) -> F {
        F::from(t).unwrap()
    }
    fn decay(&mut self, rate: f64, weights: &[f64]) {
        self.slope = self.slope * Self::lift(rate * weights[0]);
    }
}

#[differentiable]
fn floats_of_results(x: &[f64]) -> f64 {
    let mut line = Line { slope: x[0], rest: x[1] };
    let start = line.at(0.3);
    line.decay(0.5, &[1.5, 2.0]);
    <Back as Easing<f64>>::both(x[0], x[1]) + start * line.at(1.5)
}

#[differentiable]
fn lerp<T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Copy>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}

#[derive(Clone, Copy, Differentiable)]
struct Point<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T> Point<T> {
    fn new(x: T, y: T) -> Self {
        Point { x, y }
    }
    fn swapped(self) -> Self {
        Point { x: self.y, y: self.x }
    }
}

#[differentiable]
impl<T> Point<T>
where
    T: Clone + Mul<T, Output = T> + Add<T, Output = T>,
{
    fn dot(&self, other: &Point<T>) -> T {
        self.x.clone() * other.x.clone() + self.y.clone() * other.y.clone()
    }
}

#[differentiable]
impl<T: Copy + Mul<Output = T> + Sub<Output = T> + Add<Output = T>> Mul for Point<T> {
    type Output = Point<T>;
    fn mul(self, other: Point<T>) -> Point<T> {
        Point { x: self.x * other.x - self.y * other.y, y: self.x * other.y + self.y * other.x }
    }
}

#[differentiable]
impl<F: Float> Neg for Point<F> {
    type Output = Point<F>;
    fn neg(self) -> Point<F> {
        Point { x: -self.x, y: self.y }
    }
}

#[differentiable]
impl<F: Float> AddAssign for Point<F> {
    fn add_assign(&mut self, other: Point<F>) {
        self.x = self.x + other.x;
        self.y = self.y + other.y * other.y;
    }
}

#[differentiable]
fn horner<T: Num + Copy>(c: &[T], x: T) -> T {
    let mut sum = T::zero();
    for k in (0..c.len()).rev() {
        sum = sum * x + c[k];
    }
    sum
}

#[differentiable]
fn inverse<T>(a: T) -> T
where
    T: One + Copy + Div<Output = T>,
{
    T::one() / a
}

#[differentiable]
fn circle<T: Float + FloatConst>(r: T) -> T {
    T::PI() * r * r
}

#[differentiable]
fn operators_as_bounds(x: &[f64]) -> f64 {
    let p = Point::new(x[0], x[1]);
    let mut q = -(p * p.swapped());
    q += p;
    lerp(p.dot(&q), x[2], x[0]) + horner(&[x[0], x[1], 2.0], x[2]) * circle(x[1]) + inverse(q.x)
}

/// A trait of numbers, of the user's own.
#[differentiable]
trait Number: Copy + Add<Output = Self> + Mul<Output = Self> {
    fn root(self) -> Self;
    fn half() -> Self;
}

#[differentiable]
impl Number for f32 {
    fn root(self) -> Self {
        self.sqrt()
    }
    fn half() -> Self {
        0.5
    }
}

#[differentiable]
impl Number for f64 {
    fn root(self) -> Self {
        self.sqrt()
    }
    fn half() -> Self {
        0.5
    }
}

#[differentiable]
fn hypotenuse<T: Number>(a: T, b: T) -> T {
    (a * a + b * b).root() * T::half()
}

/// Waves made of waves.
#[differentiable]
trait Wave {
    fn at(&self, t: f64) -> f64;
    fn faster(&self) -> Self;
}

#[derive(Clone, Copy, Differentiable)]
struct Sine {
    speed: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Sum<A, B> {
    left: A,
    right: B,
}

#[differentiable]
impl Wave for Sine {
    fn at(&self, t: f64) -> f64 {
        (self.speed * t).sin()
    }
    fn faster(&self) -> Self {
        let same = *self;
        Sine { speed: same.speed * same.speed }
    }
}

#[differentiable]
impl<A: Wave, B: Wave + Copy> Wave for Sum<A, B> {
    fn at(&self, t: f64) -> f64 {
        self.left.at(t) + 2.0 * self.right.at(t)
    }
    fn faster(&self) -> Self {
        Sum { left: self.left.faster(), right: self.right }
    }
}

#[differentiable]
fn later<W: Wave>(wave: W, t: f64) -> W {
    if t > 0.0 { wave.faster() } else { wave }
}

#[differentiable]
fn traits_of_users(x: &[f64]) -> f64 {
    let sum = Sum { left: Sine { speed: x[0] }, right: Sine { speed: x[1] } };
    later(sum, x[2]).at(x[2]) + hypotenuse(x[0], x[1])
}

/// A color of `f32`, whose methods do not name the float.
#[derive(Clone, Copy, Differentiable)]
struct Color {
    red: f32,
    green: f32,
}

#[differentiable]
trait Blend {
    fn enlarged(&self) -> Self;
    fn same(color: &Self) -> Self;
}

#[differentiable]
impl Blend for f32 {
    fn enlarged(&self) -> Self {
        let x = self.clamp(-9.0, 9.0);
        x * x * 2.0
    }
    fn same(color: &Self) -> Self {
        *color
    }
}

#[differentiable]
impl Blend for Color {
    fn enlarged(&self) -> Self {
        Color { red: self.red.enlarged(), ..*self }
    }
    fn same(color: &Self) -> Self {
        *color
    }
}

#[differentiable]
impl Color {
    fn mixed(self, other: Self) -> Self {
        Color { red: self.red * other.red, green: self.green + other.green }
    }
    fn sum(&self) -> f32 {
        self.red + 3.0 * self.green
    }
}

#[differentiable]
fn single_precision(x: &[f32]) -> f32 {
    let color = Color { red: x[0], green: x[1] };
    Color::same(&color).mixed(color.enlarged()).sum()
}

#[test]
fn generic_functions() {
    let at = [1.3, 0.7, 1.1];
    number!(floats_of_results::D, at, |x| x, |x| floats_of_results(x));
    number!(operators_as_bounds::D, at, |x| x, |x| operators_as_bounds(x));
    number!(traits_of_users::D, at, |x| x, |x| traits_of_users(x));
}

/// red · 2 red² + 3 (green + green)
#[test]
fn types_of_another_float() {
    let x = [1.5f32, 0.5];
    for gradient in
        [gradient(single_precision::D, AutoReverse, &x[..]), gradient(single_precision::D, AutoForward, &x[..])]
    {
        assert_eq!(gradient.unwrap(), [6.0 * 1.5 * 1.5, 6.0]);
    }
}
