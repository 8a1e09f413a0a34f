//! What functions that solve equations need for their derivatives: the linear equation of the implicit function theorem.
//!
//! The dense LU factorisation with partial pivoting is `nalgebra`'s. (Christianson, Reverse accumulation and implicit functions,
//! Optimization Methods and Software 9, 1998; Griewank and Walther, Evaluating Derivatives, 2008, section 15.5.)

use crate::number::float::Base;
use ndarray::Array2;

/// The derivatives by the unknowns of what is zero at the solution: of a fixed point's step, less one on the diagonal.
pub fn slope<F: Base>(mut jacobian: Array2<F>, fixed_point: bool) -> Array2<F> {
    if fixed_point {
        jacobian.diag_mut().iter_mut().for_each(|v| *v -= F::ONE);
    }
    jacobian
}

/// The `x` with `slope x = -right`.
///
/// # Panics
///
/// If the slope is singular: the solution then has no derivative.
#[cfg(feature = "nalgebra")]
pub fn through<F: Base>(slope: Array2<F>, right: &[F]) -> Vec<F> {
    let (rows, columns) = slope.dim();
    let slope = nalgebra::DMatrix::from_fn(rows, columns, |i, j| slope[[i, j]].as_f64());
    let right = nalgebra::DVector::from_iterator(right.len(), right.iter().map(|v| -v.as_f64()));
    let x = slope.lu().solve(&right).expect("the condition's derivatives by the unknowns are singular at the solution");
    x.iter().map(|v| F::lit(*v)).collect()
}

/// The same without a library that solves linear equations.
#[cfg(not(feature = "nalgebra"))]
pub fn through<F: Solves>(_: Array2<F>, _: &[F]) -> Vec<F> {
    Vec::new()
}

/// A float for which linear equations can be solved.
#[cfg(not(feature = "nalgebra"))]
#[diagnostic::on_unimplemented(
    message = "the derivative of a solution that is a vector takes a linear equation, which `nalgebra` solves [D0608]",
    label = "switch on the feature `nalgebra` of `diffi`"
)]
pub trait Solves {}
