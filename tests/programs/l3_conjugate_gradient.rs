use diffi::prelude::*;

/// Conjugate gradients for an SPD row-major matrix, stopping on the residual.
#[differentiable]
pub fn conjugate_gradient(a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r: Vec<f64> = b.to_vec();
    let mut p = r.clone();
    let mut rs: f64 = r.iter().map(|v| v * v).sum();
    for _ in 0..n {
        let ap: Vec<f64> = a.chunks(n).map(|row| row.iter().zip(&p).map(|(u, v)| u * v).sum()).collect();
        let alpha = rs / p.iter().zip(&ap).map(|(u, v)| u * v).sum::<f64>();
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let rs_new = r.iter().map(|v| v * v).sum::<f64>();
        if rs_new.sqrt() < 1e-6 {
            break;
        }
        let beta = rs_new / rs;
        for (pi, ri) in p.iter_mut().zip(&r) {
            *pi = ri + beta * *pi;
        }
        rs = rs_new;
    }
    x
}
