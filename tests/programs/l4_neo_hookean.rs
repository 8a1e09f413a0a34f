use diffi::prelude::*;

type Mat3 = [[f64; 3]; 3];

#[differentiable]
fn det3(m: &Mat3) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

/// Compressible neo-Hookean energy density of a deformation gradient.
#[differentiable(constant(mu, lambda))]
pub fn neo_hookean(f: &[[f64; 3]; 3], mu: f64, lambda: f64) -> f64 {
    let i1: f64 = f.iter().flatten().map(|v| v * v).sum();
    let j = det3(f);
    let ln_j = j.ln();
    0.5 * mu * (i1 - 3.0) - mu * ln_j + 0.5 * lambda * ln_j * ln_j
}
