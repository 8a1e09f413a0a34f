use diffi::prelude::*;
use std::iter::Sum;
use std::ops::Add;

#[derive(Clone, Copy, Debug, Differentiable)]
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

#[differentiable]
impl Sum for Point {
    fn sum<I: Iterator<Item = Point>>(points: I) -> Point {
        points.reduce(|sum, point| sum + point).unwrap()
    }
}

fn main() {}
