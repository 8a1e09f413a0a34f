//! Types with the names of nalgebra's and num-complex's, whose features are off.
use diffi::prelude::*;

#[derive(Clone, Copy)]
struct Complex<T> {
    re: T,
    im: T,
}

impl std::ops::Mul for Complex<f64> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[derive(Clone, Copy)]
struct Vector3<T>([T; 3]);

impl Vector3<f64> {
    fn dot(&self, other: &Self) -> f64 {
        (0..3).map(|i| self.0[i] * other.0[i]).sum()
    }
}

#[differentiable]
fn square(z: Complex<f64>) -> f64 {
    (z * z).re
}

#[differentiable]
fn length(v: &Vector3<f64>) -> f64 {
    v.dot(v)
}

fn main() {}
