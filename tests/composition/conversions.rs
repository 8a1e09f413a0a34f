//! Conversions between types: `From` and `TryFrom`, by name and by `into`.

use crate::check::{list, number};
use diffi::prelude::*;
use std::ops::{Add, AddAssign, Mul, Neg};

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
struct Metres(f64);

#[differentiable]
impl Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

#[differentiable]
impl Mul<f64> for Metres {
    type Output = Metres;
    fn mul(self, by: f64) -> Metres {
        Metres(self.0 * by)
    }
}

#[differentiable]
impl Neg for Metres {
    type Output = Metres;
    fn neg(self) -> Metres {
        Metres(-self.0)
    }
}

#[differentiable]
impl AddAssign for Metres {
    fn add_assign(&mut self, other: Metres) {
        self.0 += other.0;
    }
}

/// Of a number of feet.
#[differentiable]
impl From<f64> for Metres {
    fn from(feet: f64) -> Self {
        Metres(feet * 0.3048)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Polynomial {
    coefficients: Vec<f64>,
}

#[differentiable]
impl TryFrom<&[f64]> for Polynomial {
    type Error = String;
    fn try_from(coefficients: &[f64]) -> Result<Self, Self::Error> {
        if coefficients.is_empty() {
            return Err("no coefficients".into());
        }
        Ok(Polynomial { coefficients: coefficients.to_vec() })
    }
}

#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let mut total = Metres(0.0);
    for v in x {
        total += -(Metres::from(*v) * 2.0) + Metres(1.0);
    }
    let long = if total > Metres(0.0) { total } else { -total };
    long.0.sqrt()
}

#[differentiable]
fn every_length(x: &[f64]) -> Vec<f64> {
    let all: Vec<Metres> = x.iter().copied().map(Metres::from).collect();
    all.iter().map(|m| m.0 * m.0).collect()
}

#[differentiable]
fn points(x: &[f64]) -> f64 {
    let p = Point::from([x[0], x[1]]);
    let q: Point = [x[1], x[2]].into();
    p.x * q.y + p.y * q.x
}

#[differentiable]
fn polynomial(x: &[f64]) -> f64 {
    match Polynomial::try_from(x) {
        Ok(p) => p.coefficients.iter().rev().fold(0.0, |sum, c| sum * 0.7 + c * c),
        Err(_) => 0.0,
    }
}

#[differentiable]
fn of_floats(x: &[f64]) -> f64 {
    let k: f64 = 3u8.into();
    x[0] * f64::from(2u32) + f64::from(x[1]) * k + x.iter().copied().map(f64::from).map(|v| v * v).sum::<f64>()
}

#[test]
fn conversions_are_followed() {
    number!(lengths::D, [0.9, 1.2, 0.4], |x| x, |x| lengths(x));
    list!(every_length::D, [0.9, 1.2], |x| x, |x| every_length(x));
    number!(points::D, [0.9, 1.2, 0.4], |x| x, |x| points(x));
    number!(polynomial::D, [0.9, 1.2, 0.4], |x| x, |x| polynomial(x));
    number!(of_floats::D, [0.9, 1.2], |x| x, |x| of_floats(x));
}

#[test]
fn conversions_have_handles() {
    let (y, dy) = value_and_derivative(Metres::from_d, AutoForward, 2.0).unwrap();
    assert_eq!((y, dy.0), (Metres(0.6096), 0.3048));
}
