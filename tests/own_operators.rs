//! Types with operators of their own, annotated: values, both modes, second order.

use diffi::prelude::*;
use std::ops::{Add, Mul, Neg, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[differentiable]
impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self::Output {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[differentiable]
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, factor: f64) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }
}

#[differentiable]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex { re: -self.re, im: -self.im }
    }
}

/// `|z^3 - 2 z|^2`.
#[differentiable]
fn energy(z: Complex) -> f64 {
    let w: Complex = z * z * z - z * 2.0;
    let v: Complex = -w;
    v.re * v.re + v.im * v.im
}

/// `(x + i y)^3 - 2 (x + i y)` by hand: `p = x^3 - 3 x y^2 - 2 x`, `q = 3 x^2 y - y^3 - 2 y`.
fn by_hand(x: f64, y: f64) -> (f64, [f64; 2]) {
    let (p, q) = (x.powi(3) - 3.0 * x * y * y - 2.0 * x, 3.0 * x * x * y - y.powi(3) - 2.0 * y);
    let (px, py) = (3.0 * x * x - 3.0 * y * y - 2.0, -6.0 * x * y);
    let (qx, qy) = (6.0 * x * y, 3.0 * x * x - 3.0 * y * y - 2.0);
    (p * p + q * q, [2.0 * (p * px + q * qx), 2.0 * (p * py + q * qy)])
}

#[test]
fn the_annotated_operators_are_differentiated() -> Result<()> {
    let z = Complex { re: 0.7, im: -1.3 };
    let (value, [x, y]) = by_hand(z.re, z.im);
    assert!((energy(z) - value).abs() < 1e-12);
    let reverse = gradient(energy::D, AutoReverse, z)?;
    let forward = gradient(energy::D, AutoForward, z)?;
    for g in [reverse, forward] {
        assert!((g.re - x).abs() < 1e-10 && (g.im - y).abs() < 1e-10, "{g:?} is not {x}, {y}");
    }
    Ok(())
}

/// Both components as parameters: gradient and Hessian.
#[differentiable]
fn of_numbers(x: f64, y: f64) -> f64 {
    energy(Complex { re: x, im: y })
}

#[test]
fn second_order() -> Result<()> {
    let (x, y) = (0.7, -1.3);
    let hessian = hessian(of_numbers::D, AutoReverse, (x, y))?;
    let h = 1e-5;
    let slope = |a: [f64; 2], b: [f64; 2]| [(a[0] - b[0]) / (2.0 * h), (a[1] - b[1]) / (2.0 * h)];
    let columns = [slope(by_hand(x + h, y).1, by_hand(x - h, y).1), slope(by_hand(x, y + h).1, by_hand(x, y - h).1)];
    for (i, column) in columns.iter().enumerate() {
        for (j, wanted) in column.iter().enumerate() {
            assert!((hessian[[j, i]] - wanted).abs() < 1e-6, "{hessian} is not {columns:?}");
        }
    }
    Ok(())
}
