//! Sparse Jacobians by diffi for the implicit methods of `russell_ode`.
//!
#![doc = include_str!("../example.md")]
//!
//! The equations are the solver's arguments, which it hands to its callbacks: no cell and no lock stands between. russell scales Jacobians by
//! a factor, which it gives to the callback.
#![forbid(unsafe_code)]

use diffi_adapter::{Point, SparseSystem};
use russell_lab::Vector;
use russell_ode::StrError;
use russell_ode::prelude::System;
use russell_sparse::{CooMatrix, Sym};

/// A system at its parameters.
pub struct Equations<S> {
    parameters: Vec<f64>,
    system: S,
}

/// Why an error ends the run.
const LENGTHS: StrError = "diffi: the state has another length than at first, or the pattern of the Jacobian was left";

impl<S: SparseSystem + 'static> Equations<S> {
    /// Of a system at these parameters.
    pub fn new(system: S, parameters: impl Into<Vec<f64>>) -> Self {
        Equations { parameters: parameters.into(), system }
    }

    /// The parameters.
    pub fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }

    /// What russell solves, with these equations as arguments.
    ///
    /// # Errors
    ///
    /// Those of russell.
    pub fn system<'a>(&self) -> Result<System<'a, Self>, StrError> {
        let mut system = System::new(self.system.dimension(), Self::value);
        system.set_jacobian(Some(self.system.entries()), Sym::No, Self::jacobian)?;
        Ok(system)
    }

    /// The right-hand side, as russell's callback.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub fn value(y: &mut Vector, t: f64, x: &Vector, equations: &mut Self) -> Result<(), StrError> {
        let at = Point { x: x.as_data(), p: &equations.parameters, t };
        equations.system.value(at, y.as_mut_data());
        Ok(())
    }

    /// The Jacobian times a factor, as russell's callback.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators, in one sentence.
    #[inline]
    pub fn jacobian(
        matrix: &mut CooMatrix,
        factor: f64,
        t: f64,
        x: &Vector,
        equations: &mut Self,
    ) -> Result<(), StrError> {
        let at = Point { x: x.as_data(), p: &equations.parameters, t };
        let jacobian = equations.system.jacobian(at).map_err(|_| LENGTHS)?;
        matrix.reset();
        for (entry, (row, column)) in jacobian {
            matrix.put(row, column, factor * entry)?;
        }
        Ok(())
    }
}
