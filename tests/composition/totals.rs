//! Sums and products of users' types: `impl Sum` and `impl Product` with the attribute.

use crate::check::number;
use diffi::prelude::*;
use std::iter::{Product, Sum};
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

/// As complex numbers.
#[differentiable]
impl Mul for Point {
    type Output = Point;
    fn mul(self, other: Point) -> Point {
        Point { x: self.x * other.x - self.y * other.y, y: self.x * other.y + self.y * other.x }
    }
}

#[differentiable]
impl Sum for Point {
    fn sum<I: Iterator<Item = Point>>(points: I) -> Point {
        points.fold(Point { x: 0.0, y: 0.0 }, |sum, point| sum + point)
    }
}

/// Another start, so that it shows which of both is meant.
#[differentiable]
impl<'a> Sum<&'a Point> for Point {
    fn sum<I: Iterator<Item = &'a Point>>(points: I) -> Point {
        points.fold(Point { x: 0.0, y: 0.5 }, |sum, point| sum + *point)
    }
}

#[differentiable]
impl Product for Point {
    fn product<I: Iterator<Item = Point>>(points: I) -> Point {
        points.fold(Point { x: 1.0, y: 0.0 }, Mul::mul)
    }
}

#[differentiable]
fn points(x: &[f64]) -> Vec<Point> {
    x.windows(2).map(|w| Point { x: w[0], y: w[1] * w[0] }).collect()
}

#[differentiable]
fn of_the_result(x: &[Point]) -> Point {
    x.iter().filter(|p| p.x > 0.0).copied().sum()
}

#[differentiable]
fn totals(x: &[f64]) -> f64 {
    let all = points(x);
    let a = all.iter().copied().sum::<Point>();
    let b: Point = all.iter().sum();
    let c: Point = x.iter().map(|v| Point { x: v * v, y: v.sin() }).sum();
    let d: Point = all.iter().copied().product();
    a.x * a.y + b.x * b.y + c.x * c.y + d.x * d.y + of_the_result(&all).y
}

type Real = f64;

/// A number under another name.
#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let sum: Real = x.iter().map(|v| v * v).sum();
    let product: Real = x.iter().product();
    sum * product
}

#[test]
fn totals_of_a_type() {
    number!(totals::D, [0.3, 0.7, -0.4, 1.2], |x| x, |x| totals(x));
    number!(of_numbers::D, [0.3, 0.7, -0.4, 1.2], |x| x, |x| of_numbers(x));
}
