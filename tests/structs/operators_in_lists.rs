//! Operators of a user's type whose results stand in lists, folds and blocks of closures: of none of them the text says that it is no number.

use diffi::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable]
impl Sub for V {
    type Output = V;
    fn sub(self, o: V) -> V {
        V { x: self.x - o.x, y: self.y - o.y }
    }
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, s: f64) -> V {
        V { x: self.x * s, y: self.y * s }
    }
}

#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V { x: -self.x, y: -self.y }
    }
}

#[differentiable]
impl V {
    fn dot(self, o: V) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable]
fn points(x: &[f64]) -> Vec<V> {
    vec![V { x: x[0], y: x[1] }, V { x: x[1], y: x[2] }, V { x: 1.0, y: x[0] }]
}

/// A curve of Bézier's by repeated interpolation.
#[differentiable]
fn bezier(x: &[f64]) -> f64 {
    let mut work = points(x);
    while work.len() > 1 {
        work = work.windows(2).map(|w| w[0] * (1.0 - x[2]) + w[1] * x[2]).collect();
    }
    work[0].x * work[0].y
}

#[differentiable]
fn scaled(points: &[V], t: f64) -> Vec<V> {
    points.iter().map(|p| *p * t).collect()
}

#[differentiable]
fn of_a_parameter(x: &[f64]) -> f64 {
    let all: Vec<_> = scaled(&points(x), x[2]).iter().zip(&points(x)).map(|(a, b)| *a - *b * 0.5).collect();
    all.iter().map(|v| v.dot(all[1])).sum()
}

/// An accumulator that is constant at first, in the block of a closure.
#[differentiable]
fn forces(points: &[V]) -> Vec<V> {
    points
        .iter()
        .map(|a| {
            let mut force = V { x: 0.0, y: 0.0 };
            for b in points {
                let d = *b - *a;
                force = force + d * (a.x / (d.dot(d) + 0.1));
            }
            force
        })
        .collect()
}

#[differentiable]
fn by_forces(x: &[f64]) -> f64 {
    forces(&points(x)).iter().fold(0.0, |sum, f| sum * 0.5 + f.x * f.y)
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    let points = points(x);
    let sum = points.iter().fold(V { x: 0.0, y: 0.0 }, |sum, p| sum + *p * x[1]);
    let last = points.iter().copied().reduce(|a, b| a - b).unwrap();
    sum.dot(-last)
}

/// In pairs, arrays and what is pushed.
#[differentiable]
fn in_other_places(x: &[f64]) -> f64 {
    let points = points(x);
    let pairs: Vec<(V, f64)> = points.iter().map(|p| (*p * 0.5, p.x)).collect();
    let array = [points[0] * x[2], points[1] - points[0]];
    let mut pushed = Vec::new();
    for w in points.windows(2) {
        pushed.push(w[1] * x[0] - w[0]);
    }
    pushed.extend(array.iter().map(|v| *v * 2.0));
    pairs.iter().map(|(v, s)| v.y * s).sum::<f64>() + pushed.iter().map(|v| v.x * v.x - v.y).sum::<f64>()
}

/// Numbers of unknown origin stay numbers, where their use says so.
#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| 2.0 * v).collect()
}

#[differentiable]
fn of_numbers(x: &[f64]) -> f64 {
    let twice = doubled(x);
    let squares: Vec<_> = twice.iter().map(|v| v * *v).collect();
    let roots: Vec<f64> = squares.iter().zip(&twice).map(|(s, t)| s + t).collect();
    roots.iter().product::<f64>() + squares[1].sqrt()
}

#[test]
fn agree_with_differences() {
    let x = [0.5, 0.3, 0.9];
    macro_rules! rows {
        ($($f:ident)+) => { $(
            let expected = gradient(|x: &[f64]| $f(x), AutoFiniteDifferences::default(), &x[..]).unwrap();
            let reverse = gradient($f::D, AutoReverse, &x).unwrap();
            crate::check::close(stringify!($f), &reverse, &expected, 1e-8);
            crate::check::close(stringify!($f), &gradient($f::D, AutoForward, &x).unwrap(), &reverse, 1e-12);
            let curved = hvp($f::D, AutoReverse, &x, &[1.0, -1.0, 0.5]).unwrap();
            let differences = hvp($f::D, SecondOrder(AutoFiniteDiff, AutoReverse), &x, &[1.0, -1.0, 0.5]).unwrap();
            crate::check::close(stringify!($f), &curved, &differences, 1e-5);
        )+ };
    }
    rows! { bezier of_a_parameter by_forces folded in_other_places of_numbers }
}
