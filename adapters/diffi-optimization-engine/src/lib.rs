//! Gradients by diffi, as the closures that the solvers of `optimization_engine` take.
//!
//! ```
//! use diffi::prelude::*;
//! use diffi_adapter::ScalarFunction;
//! use diffi_optimization_engine::Cost;
//! use optimization_engine::{Problem, constraints::Ball2, panoc::{PANOCCache, PANOCOptimizer}};
//!
//! #[differentiable]
//! fn distance(u: &[f64]) -> f64 {
//!     (u[0] - 3.0).powi(2) + (u[1] - 4.0).powi(2)
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let cost = Cost::new(ScalarFunction::new(distance::D, AutoReverse, &[0.0; 2])?);
//! let ball = Ball2::new(None, 1.0);
//! let mut cache = PANOCCache::new(2, 1e-10, 5);
//! let mut u = [0.0, 0.0];
//! PANOCOptimizer::new(Problem::new(&ball, cost.gradient(), cost.value()), &mut cache).solve(&mut u).unwrap();
//! assert!((u[0] - 0.6).abs() < 1e-8 && (u[1] - 0.8).abs() < 1e-8);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

use diffi_adapter::Objective;
use optimization_engine::{FunctionCallResult, SolverError};
use std::cell::RefCell;
use std::rc::Rc;

/// A cost whose closures share its prepared gradient.
pub struct Cost<O> {
    objective: Rc<RefCell<O>>,
}

impl<O> Clone for Cost<O> {
    fn clone(&self) -> Self {
        Cost { objective: Rc::clone(&self.objective) }
    }
}

impl<O: Objective> Cost<O> {
    /// Of an objective.
    pub fn new(objective: O) -> Self {
        Cost { objective: Rc::new(RefCell::new(objective)) }
    }

    /// The cost.
    pub fn value(&self) -> impl Fn(&[f64], &mut f64) -> FunctionCallResult + use<O> {
        let objective = Rc::clone(&self.objective);
        move |u: &[f64], cost: &mut f64| {
            *cost = objective.borrow_mut().value(u);
            Ok(())
        }
    }

    /// Its gradient.
    pub fn gradient(&self) -> impl Fn(&[f64], &mut [f64]) -> FunctionCallResult + use<O> {
        let objective = Rc::clone(&self.objective);
        move |u: &[f64], gradient: &mut [f64]| {
            let found = objective.borrow_mut().value_and_gradient(u, gradient);
            found.map(|_| ()).map_err(|_| SolverError::Cost("the point has another length than the prepared one"))
        }
    }
}
