use diffi::differentiable;
use nalgebra::{DMatrix, DVector};

/// Library factorisations: LU solve and Cholesky determinant.
#[differentiable]
pub fn na_linear_solve(a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let x = a.clone().lu().solve(b).expect("singular");
    let spd = a * a.transpose() + DMatrix::identity(b.len(), b.len());
    let chol = spd.cholesky().expect("not positive definite");
    let log_det = 2.0 * chol.l().diagonal().iter().map(|d| d.ln()).sum::<f64>();
    x.norm_squared() + log_det
}
