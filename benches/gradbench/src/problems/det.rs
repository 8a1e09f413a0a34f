//! A determinant, by expansion along the first row of every minor.

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use serde::Deserialize;

#[differentiable]
fn determinant(a: &[f64], n: usize) -> f64 {
    // `rows[i]` is the row that follows the row `i`, `rows[n]` the first one; the same for columns.
    let mut rows: Vec<usize> = (1..=n + 1).collect();
    let mut columns: Vec<usize> = rows.clone();
    rows[n] = 0;
    columns[n] = 0;
    minor(a, n, n, &mut rows, &mut columns)
}

/// The determinant of the `m` rows and columns that are left.
#[differentiable]
fn minor(a: &[f64], n: usize, m: usize, rows: &mut [usize], columns: &mut [usize]) -> f64 {
    let row = rows[n];
    let mut column = columns[n];
    if m == 1 {
        return a[row * n + column];
    }
    let mut determinant = 0.0;
    let mut sign = 1.0;
    let mut before = n;
    rows[n] = rows[row];
    for _ in 0..m {
        columns[before] = columns[column];
        determinant += sign * a[row * n + column] * minor(a, n, m - 1, rows, columns);
        columns[before] = column;
        before = column;
        column = columns[column];
        sign = -sign;
    }
    rows[n] = row;
    determinant
}

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "A")]
    a: Vec<f64>,
    ell: usize,
}

impl Input {
    fn check(&self) -> Result<(), Failure> {
        ensure(self.ell > 0 && self.a.len() == self.ell * self.ell, "`A` is not a matrix of `ell` rows and columns")
    }
}

pub fn primal(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    input.check()?;
    Ok(clock.run(|| determinant(&input.a, input.ell)))
}

pub fn gradient(input: Input, clock: &mut Clock) -> Result<Vec<f64>, Failure> {
    input.check()?;
    let at = (&input.a, Constant(input.ell));
    let mut prepared = clock.prepare(|| prepare_gradient(determinant::D, AutoReverse::default(), at))?;
    let mut gradient = vec![0.0; input.a.len()];
    clock.run(|| prepared.gradient_into(&mut gradient, at))?;
    Ok(gradient)
}
