//! Operators between numbers that carry a derivative and values of a user's type that carry none, against differences.

use diffi::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl V3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        V3 { x, y, z }
    }

    fn dot(self, other: V3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[differentiable]
impl Add for V3 {
    type Output = V3;
    fn add(self, other: V3) -> V3 {
        V3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[differentiable]
impl Sub for V3 {
    type Output = V3;
    fn sub(self, other: V3) -> V3 {
        V3::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

#[differentiable]
impl Mul<f64> for V3 {
    type Output = V3;
    fn mul(self, k: f64) -> V3 {
        V3::new(self.x * k, self.y * k, self.z * k)
    }
}

#[differentiable]
impl Mul<V3> for f64 {
    type Output = V3;
    fn mul(self, v: V3) -> V3 {
        v * self
    }
}

#[differentiable]
fn march(x: f64) -> f64 {
    let origin = V3::new(0.0, 0.2, -3.0);
    let along = V3 { x: 0.0, y: 0.6, z: 0.8 };
    let mut t = 0.0;
    for _ in 0..4 {
        let p = origin + along * t;
        t += p.length() - x;
    }
    t * (x * along).dot(along)
}

#[differentiable]
fn shade(x: f64) -> f64 {
    let lights = [V3::new(1.0, 0.5, 0.0), V3::new(0.0, 1.0, 0.5)];
    let normal = V3::new(x, 1.0, 0.2);
    let mut color = V3::new(0.0, 0.0, 0.0);
    for l in lights.iter() {
        color = color + *l * l.dot(normal).max(0.0);
    }
    for i in 0..lights.len() {
        color = color + x * lights[i];
    }
    lights.iter().map(|l| (*l * x).length()).sum::<f64>() + color.length()
}

/// Operands that are written where they stand.
#[differentiable]
fn written(x: f64) -> f64 {
    let a = V3::new(x, 1.0, 0.0);
    let b = a + V3 { x: 1.0, y: 0.5, z: 0.25 } * x;
    let c = V3::new(0.5, 0.25, 1.0) * (x * x) + x * V3 { x: 2.0, y: 0.0, z: 1.0 };
    let d = V3 { x: 0.0, y: 0.0, z: 1.0 } - a;
    b.length() + c.dot(d) + (V3 { x: 3.0, y: 0.0, z: 0.0 } * x.sin()).x
}

/// A rate that a type gives is a number.
#[differentiable]
fn rated(x: f64) -> f64 {
    struct Rates;
    impl Rates {
        fn from_table() -> f64 {
            1.5
        }
    }
    let k = Rates::from_table();
    let y = k * x;
    y * (k * y).sin()
}

#[differentiable(constant(axis))]
fn along(axis: V3, x: f64) -> f64 {
    (axis * x + axis - V3::new(x, 0.0, 1.0)).length()
}

#[test]
fn constants_of_own_types_are_scaled() {
    let x = 0.7;
    let close = |f: fn(f64) -> f64, found: f64| {
        let expected = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;
        assert!((found - expected).abs() < 1e-8, "{found}, expected {expected}");
    };
    macro_rules! rows {
        ($($f:ident)+) => { $(
            close($f, derivative($f::D, AutoForward, x).unwrap());
            close($f, derivative($f::D, AutoReverse, x).unwrap());
        )+ };
    }
    rows! { march shade written rated }
    let axis = V3 { x: 1.0, y: 2.0, z: 2.0 };
    let g = gradient(along::D, AutoReverse, (Constant(axis), x)).unwrap();
    let at = |x: f64| along(axis, x);
    assert!((g - (at(x + 1e-6) - at(x - 1e-6)) / 2e-6).abs() < 1e-8);
}
