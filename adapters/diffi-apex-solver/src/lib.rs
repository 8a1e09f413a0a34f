//! Factors by diffi for the least squares of `apex-solver`, of vectors, rotations and poses.
//!
#![doc = include_str!("../example.md")]
//!
//! A residual is a function of all its variables' numbers, one after the other, as apex-solver stores them. The solver asks for derivatives
//! by a step in the tangent space instead, from the right: diffi's Jacobian is multiplied by that of such a step at zero.
#![forbid(unsafe_code)]

mod chart;

pub use chart::Chart;

use apex_solver::core::variable::ManifoldVariable;
use apex_solver::factors::Factor;
use diffi_adapter::Residuals;
use faer::MatMut;
use ndarray::Array2;
use std::sync::{Mutex, PoisonError};

/// Residuals as a factor.
///
/// # Panics
///
/// Solving panics where diffi reports an error: variables of another length than at first.
pub struct Residual<R> {
    charts: Vec<Chart>,
    rows: usize,
    inner: Mutex<Inner<R>>,
}

struct Inner<R> {
    residuals: R,
    /// The numbers of all variables.
    x: Vec<f64>,
    /// By these numbers.
    jacobian: Array2<f64>,
}

/// Why an error ends the program.
const LENGTHS: &str = "the variables keep their lengths";

impl<R: Residuals + Send> Residual<R> {
    /// Of residuals of variables in these charts, and the number of residuals.
    pub fn new(residuals: R, charts: impl Into<Vec<Chart>>, rows: usize) -> Self {
        let charts = charts.into();
        let jacobian = Array2::zeros((rows, charts.iter().map(Chart::numbers).sum()));
        Residual { charts, rows, inner: Mutex::new(Inner { residuals, x: Vec::new(), jacobian }) }
    }

    fn freedoms(&self) -> usize {
        self.charts.iter().map(Chart::freedoms).sum()
    }
}

impl<R: Residuals + Send> Factor for Residual<R> {
    fn linearize(&self, variables: &[&[f64]], residual: &mut [f64], jacobian: Option<MatMut<'_, f64>>) {
        let Inner { residuals, x, jacobian: by_numbers } =
            &mut *self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        x.clear();
        variables.iter().for_each(|numbers| x.extend_from_slice(numbers));
        let Some(mut jacobian) = jacobian else { return residual.copy_from_slice(&residuals.value(x)) };
        residual.copy_from_slice(&residuals.value_and_jacobian_into(x, by_numbers).expect(LENGTHS));
        let (mut number, mut column) = (0, 0);
        for (chart, numbers) in self.charts.iter().zip(variables) {
            chart.each_step(numbers, |step| {
                for (row, by_numbers) in by_numbers.outer_iter().enumerate() {
                    jacobian[(row, column)] = step.iter().map(|(at, by)| by * by_numbers[number + at]).sum();
                }
                column += 1;
            });
            number += numbers.len();
        }
    }

    fn residual_dim(&self) -> usize {
        self.rows
    }

    fn jacobian_shape(&self) -> (usize, usize) {
        (self.rows, self.freedoms())
    }

    fn validate_variables(&self, variables: &[&dyn ManifoldVariable]) -> Result<(), String> {
        let fit = |chart: &Chart, variable: &dyn ManifoldVariable| {
            (chart.numbers(), chart.freedoms()) == (variable.as_param_slice().len(), variable.dof())
        };
        let all = variables.iter().zip(&self.charts).all(|(variable, chart)| fit(chart, *variable));
        if all && variables.len() == self.charts.len() {
            Ok(())
        } else {
            Err(format!("the variables are not of the charts {:?}", self.charts))
        }
    }
}
