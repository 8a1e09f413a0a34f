use diffi::prelude::*;

/// Optional regularisation weight.
#[differentiable(constant(reg, cols))]
pub fn tikhonov(x: &[f64], a: &[f64], b: &[f64], cols: usize, reg: Option<f64>) -> f64 {
    let mut f = 0.0;
    for (row, bi) in a.chunks(cols).zip(b.iter()) {
        let mut r = -bi;
        for (aij, xj) in row.iter().zip(x.iter()) {
            r = aij.mul_add(*xj, r);
        }
        f += 0.5 * r.powi(2);
    }
    if let Some(lambda) = reg {
        f += 0.5 * lambda * x.iter().map(|v| v * v).sum::<f64>();
    }
    f
}
