//! Methods of a trait of numbers that diffi cannot read, and a default of one with the attribute.

use diffi::differentiable;
use std::ops::{Add, Mul};

trait Scalar: Copy + Add<Output = Self> + Mul<Output = Self> {
    fn sqrt(self) -> Self;
    fn summed(self) -> Self;
}
impl Scalar for f64 {
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    fn summed(self) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            sum += self * f64::from(k);
        }
        sum
    }
}
impl Scalar for f32 {
    fn sqrt(self) -> f32 {
        f32::sqrt(self) + 1.0
    }
    fn summed(self) -> f32 {
        3.0 * self
    }
}

#[differentiable]
fn other_for_the_other_float<T: Scalar>(x: T) -> T {
    x.sqrt() * x
}

#[differentiable]
fn with_a_loop<T: Scalar>(x: T) -> T {
    T::summed(x) * x
}

#[differentiable]
trait Number: Copy + Mul<Output = Self> {
    fn root(self) -> Self;
    fn cube(self) -> Self {
        self * self * self
    }
}
#[differentiable]
impl Number for f64 {
    fn root(self) -> f64 {
        self.sqrt()
    }
}

fn main() {}
