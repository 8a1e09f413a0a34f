//! `impl` blocks: methods and associated functions.

use crate::check::{list, number};
use diffi::prelude::*;

/// Carries no derivative: a table.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    weights: Vec<f64>,
    offset: f64,
}

#[differentiable(constant(self))]
impl Table {
    /// Left alone: nothing flows through it.
    fn new(n: usize) -> Self {
        Table { weights: (0..n).map(|i| 0.5 + i as f64).collect(), offset: Self::OFFSET }
    }

    const OFFSET: f64 = 0.25;

    /// Left alone: an integer.
    fn len(&self) -> usize {
        self.weights.len()
    }

    fn at(&self, x: f64) -> f64 {
        let mut sum = Self::OFFSET * x + self.offset;
        for i in 0..self.len() {
            sum += self.weights[i] * Self::power(x, i as i32);
        }
        sum
    }

    fn power(x: f64, n: i32) -> f64 {
        x.powi(n).sin()
    }

    pub fn mixed(self, x: f64, y: f64) -> f64 {
        self.at(x) * self.at(y) + self.weights[0] * x
    }

    fn every(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| self.at(*v)).collect()
    }

    fn fill(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = self.at(x[i]) * x[0];
        }
    }

    #[differentiable(constant(n))]
    fn polynomial(x: f64, n: f64) -> f64 {
        n * x * x + Self::power(x, 3)
    }

    #[differentiable(handle = own_name)]
    fn named(x: f64) -> f64 {
        x * x * x
    }
}

/// A square matrix in a const generic type.
#[derive(Clone, Debug, PartialEq)]
struct Grid<const N: usize>;

#[differentiable(constant(self))]
impl<const N: usize> Grid<N> {
    fn mean(&self, x: &[f64; N]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += v * v;
        }
        sum / N as f64
    }

    fn norm(x: [f64; N]) -> f64 {
        (Self.mean(&x) * N as f64).sqrt()
    }
}

#[differentiable(constant(t))]
fn through(t: &Table, x: f64, y: f64) -> f64 {
    let a = t.at(x) * y;
    let b = Table::power(a, 2) + Table::at(t, y);
    t.clone().mixed(a, b) + b
}

#[differentiable(constant(t))]
fn by_calls(t: &Table, x: &[f64]) -> f64 {
    let all = t.every(x);
    let mut out = vec![0.0; x.len()];
    t.fill(x, &mut out);
    let mut sum = 0.0;
    for i in 0..t.len().min(x.len()) {
        sum += all[i] * out[i];
    }
    sum
}

#[test]
fn methods_are_differentiated() {
    let t = Table::new(3);
    number!(Table::at_d, [0.7], |x| (Constant(&t), x[0]), |x| t.at(x[0]));
    number!(Table::mixed_d, [0.7, 1.2], |x| (Constant(t.clone()), x[0], x[1]), |x| t.clone().mixed(x[0], x[1]));
    list!(Table::every_d, [0.7, 1.2, -0.3], |x| (Constant(&t), x), |x| t.every(x));
    list!(Table::fill_d, [0.7, 1.2, -0.3], |x| (Constant(&t), x, &mut vec![0.0; 3]), |x| {
        let mut y = vec![0.0; 3];
        t.fill(x, &mut y);
        y
    });
}

#[test]
fn associated_functions_are_differentiated() {
    number!(Table::power_d, [0.7], |x| (x[0], Constant(2)), |x| Table::power(x[0], 2));
    number!(Table::polynomial_d, [0.7], |x| (x[0], Constant(2.5)), |x| Table::polynomial(x[0], 2.5));
    number!(Table::own_name, [0.7], |x| x[0], |x| Table::named(x[0]));
}

#[test]
fn functions_call_methods() {
    let t = Table::new(3);
    number!(through::D, [0.2, 0.3], |x| (Constant(&t), x[0], x[1]), |x| through(&t, x[0], x[1]));
    number!(by_calls::D, [0.4, 0.9, -0.2], |x| (Constant(&t), x), |x| by_calls(&t, x));
}

#[test]
fn generic_types_have_methods() {
    let pair = |x: &[f64]| [x[0], x[1]];
    number!(Grid::<2>::mean_d, [0.4, 0.9], |x| (Constant(&Grid::<2>), &pair(x)), |x| Grid::<2>.mean(&pair(x)));
    number!(Grid::<2>::norm_d, [0.4, 0.9], |x| pair(x), |x| Grid::<2>::norm(pair(x)));
}
