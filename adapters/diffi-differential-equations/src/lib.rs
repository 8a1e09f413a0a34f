//! Jacobians by diffi for the implicit methods of `differential-equations`, by the state and by the parameters.
//!
#![doc = include_str!("../example.md")]
//!
//! States are a `Vec<f64>` or a `[f64; N]`.
#![forbid(unsafe_code)]

use differential_equations::linalg::Matrix;
use differential_equations::ode::ODE;
use differential_equations::ode::sensitivity::ParametrizedODE;
use differential_equations::traits::State;
use diffi_adapter::{Point, System};
use ndarray::Array2;
use std::cell::RefCell;

/// A system with its parameters, as an `ODE` and a `ParametrizedODE`.
///
/// # Panics
///
/// Solving panics where diffi reports an error: a state of another length than at first.
pub struct Equations<S> {
    parameters: Vec<f64>,
    inner: RefCell<Inner<S>>,
}

struct Inner<S> {
    system: S,
    jacobian: Array2<f64>,
    /// A unit vector of parameters, and the column of the parameters' Jacobian that it gives.
    unit: Vec<f64>,
    column: Vec<f64>,
}

impl<S: System> Equations<S> {
    /// Of a system at these parameters.
    pub fn new(system: S, parameters: impl Into<Vec<f64>>) -> Self {
        let parameters = parameters.into();
        let unit = vec![0.0; parameters.len()];
        let inner = Inner { system, jacobian: Array2::zeros((0, 0)), unit, column: Vec::new() };
        Equations { parameters, inner: RefCell::new(inner) }
    }

    /// The parameters.
    pub fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }
}

/// Why an error ends the program.
const LENGTHS: &str = "the state keeps its length";

impl<S: System, Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>> ODE<f64, Y> for Equations<S> {
    #[inline]
    fn diff(&self, t: f64, x: &Y, y: &mut Y) {
        let at = Point { x: x.as_ref(), p: &self.parameters, t };
        self.inner.borrow_mut().system.value(at, y.as_mut());
    }

    #[inline]
    fn jacobian(&self, t: f64, x: &Y, matrix: &mut Matrix<f64>) {
        let at = Point { x: x.as_ref(), p: &self.parameters, t };
        let Inner { system, jacobian, .. } = &mut *self.inner.borrow_mut();
        let n = at.x.len();
        if jacobian.dim() != (n, n) {
            *jacobian = Array2::zeros((n, n));
        }
        system.jacobian(at, jacobian).expect(LENGTHS);
        jacobian.indexed_iter().for_each(|(place, entry)| matrix[place] = *entry);
    }
}

impl<S, Y, P> ParametrizedODE<f64, Y, P> for Equations<S>
where
    S: System,
    Y: State<f64> + AsRef<[f64]> + AsMut<[f64]>,
    P: State<f64> + for<'a> TryFrom<&'a [f64]>,
{
    /// # Panics
    ///
    /// If the type of the parameters has another length.
    fn parameters(&self) -> P {
        P::try_from(&self.parameters).ok().expect("the parameters' type has their length")
    }

    fn jacobian_p(&self, t: f64, x: &Y, matrix: &mut Matrix<f64>) {
        let at = Point { x: x.as_ref(), p: &self.parameters, t };
        let Inner { system, unit, column, .. } = &mut *self.inner.borrow_mut();
        column.resize(at.x.len(), 0.0);
        for parameter in 0..unit.len() {
            unit[parameter] = 1.0;
            system.parameter_jvp(at, unit, column).expect(LENGTHS);
            unit[parameter] = 0.0;
            column.iter().enumerate().for_each(|(row, entry)| matrix[(row, parameter)] = *entry);
        }
    }
}
