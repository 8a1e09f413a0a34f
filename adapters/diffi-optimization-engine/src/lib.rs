//! Gradients by diffi, as the closures that the solvers of `optimization_engine` take.
//!
#![doc = include_str!("../example.md")]
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
