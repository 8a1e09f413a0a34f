//! A dense linear system by a library's factorisation: the derivatives come from the equation, and not from the elimination.

use diffi::prelude::*;
use nalgebra::{DMatrix, DVector};

/// The sum of squares of the solution.
#[differentiable]
pub fn system(matrix: &DMatrix<f64>, rhs: &DVector<f64>) -> f64 {
    let x = matrix.clone().lu().solve(rhs).expect("regular");
    x.norm_squared()
}

/// Solves the transposed system with the factors that are there.
pub fn gradient_by_hand(matrix: &DMatrix<f64>, rhs: &DVector<f64>, a_bar: &mut DMatrix<f64>, b_bar: &mut DVector<f64>) {
    let lu = matrix.clone().lu();
    let x = lu.solve(rhs).expect("regular");
    b_bar.copy_from(&x);
    *b_bar *= 2.0;
    let factors = lu.lu_internal();
    factors.tr_solve_upper_triangular_mut(b_bar);
    for k in (0..x.len()).rev() {
        b_bar[k] -= super::dot::<8>(&b_bar.as_slice()[k + 1..], &factors.column(k).as_slice()[k + 1..]);
    }
    lu.p().inv_permute_rows(b_bar);
    for (mut bar, x) in a_bar.column_iter_mut().zip(x.iter()) {
        bar.as_mut_slice().iter_mut().zip(b_bar.as_slice()).for_each(|(bar, g)| *bar = -g * x);
    }
}
