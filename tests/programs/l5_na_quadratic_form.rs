use diffi::differentiable;
use nalgebra::{DMatrix, DVector};

#[differentiable]
pub fn na_quadratic_form(x: &DVector<f64>, a: &DMatrix<f64>, b: &DVector<f64>) -> f64 {
    let ax = a * x;
    let quad = 0.5 * x.dot(&ax);
    let sym = (a + a.transpose()).trace();
    quad - b.dot(x) + 0.1 * sym + (x - b).norm()
}
