use diffi::prelude::*;

/// Negative log-likelihood of logistic regression; `features` is row-major.
#[differentiable(constant(features, labels))]
pub fn logistic_nll(w: &[f64], features: &[f64], labels: &[f64]) -> f64 {
    let mut nll = 0.0;
    for (row, &label) in features.chunks(w.len()).zip(labels.iter()) {
        let z: f64 = row.iter().zip(w).map(|(a, b)| a * b).sum();
        // log(1 + e^z) - label * z, stable on both sides
        let log1pexp = if z > 0.0 { z + (-z).exp().ln_1p() } else { z.exp().ln_1p() };
        nll += log1pexp - label * z;
    }
    nll / labels.len() as f64
}
