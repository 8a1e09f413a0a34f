//! The objective: the logarithm of a Gaussian mixture's posterior probability (section 4.1 of the ADBench paper).
//!
//! A component has an unnormalised log weight `alpha`, a mean, and the factor `Q` of its precision matrix `QᵀQ`. `Q` is
//! lower triangular; `icf` holds the logarithms of its diagonal, then what is below the diagonal, column by column.
//! The prior is a Wishart distribution over the precision matrices. (ADBench's own programs subtract the prior's
//! logarithm from the likelihood's; here it is added, as the posterior wants, and as GradBench corrected it.)

use diffi::prelude::*;

/// The log posterior of all parameters, given `points` in `d` dimensions, row by row.
#[differentiable(constant(points, d, gamma, m))]
pub fn log_posterior(
    alphas: &[f64],
    means: &[f64],
    icf: &[f64],
    points: &[f64],
    d: usize,
    gamma: f64,
    m: usize,
) -> f64 {
    log_likelihood(alphas, means, icf, points, d) + log_prior(icf, d, gamma, m)
}

#[differentiable(constant(points, d))]
pub fn log_likelihood(alphas: &[f64], means: &[f64], icf: &[f64], points: &[f64], d: usize) -> f64 {
    let k = alphas.len();
    let n = points.len() / d;
    let size = d * (d + 1) / 2;

    let mut diagonals = vec![0.0; k * d];
    let mut log_weights = alphas.to_vec();
    for c in 0..k {
        for i in 0..d {
            let log_diagonal = icf[c * size + i];
            diagonals[c * d + i] = log_diagonal.exp();
            log_weights[c] += log_diagonal;
        }
    }

    let mut centered = vec![0.0; d];
    let mut scaled = vec![0.0; d];
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        for c in 0..k {
            let mean = &means[c * d..(c + 1) * d];
            let diagonal = &diagonals[c * d..(c + 1) * d];
            let below = &icf[c * size + d..(c + 1) * size];
            for i in 0..d {
                centered[i] = point[i] - mean[i];
                scaled[i] = diagonal[i] * centered[i];
            }
            let mut start = 0;
            for i in 0..d {
                let column = &below[start..start + d - 1 - i];
                for (s, l) in scaled[i + 1..].iter_mut().zip(column) {
                    *s += l * centered[i];
                }
                start += d - 1 - i;
            }
            let distance: f64 = scaled.iter().map(|s| s * s).sum();
            terms[c] = log_weights[c] - 0.5 * distance;
        }
        total += log_sum_exp(&terms);
    }
    total - n as f64 * (log_sum_exp(alphas) + 0.5 * d as f64 * (2.0 * std::f64::consts::PI).ln())
}

/// Wishart prior with `d + m + 1` degrees of freedom and scale `1 / gamma²`, for every component.
#[differentiable(constant(d, gamma, m))]
pub fn log_prior(icf: &[f64], d: usize, gamma: f64, m: usize) -> f64 {
    let freedom = d + m + 1;
    let normalizer = (freedom * d) as f64 * (gamma.ln() - 0.5 * 2f64.ln()) - ln_gamma_multivariate(freedom, d);
    let mut total = 0.0;
    for factor in icf.chunks_exact(d * (d + 1) / 2) {
        let (log_diagonal, below) = factor.split_at(d);
        let mut norm: f64 = below.iter().map(|l| l * l).sum();
        let mut log_determinant = 0.0;
        for q in log_diagonal {
            norm += (2.0 * q).exp();
            log_determinant += q;
        }
        total += normalizer + m as f64 * log_determinant - 0.5 * gamma * gamma * norm;
    }
    total
}

#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

/// The logarithm of the `d`-dimensional gamma function at `twice / 2`.
fn ln_gamma_multivariate(twice: usize, d: usize) -> f64 {
    let pi = std::f64::consts::PI;
    (d * (d - 1)) as f64 / 4.0 * pi.ln() + (0..d).map(|j| ln_gamma_half(twice - j)).sum::<f64>()
}

/// The logarithm of the gamma function at `twice / 2`, from Γ(x + 1) = x Γ(x).
fn ln_gamma_half(twice: usize) -> f64 {
    let (first, start) = if twice.is_multiple_of(2) { (2, 0.0) } else { (1, 0.5 * std::f64::consts::PI.ln()) };
    (first..twice).step_by(2).fold(start, |sum, t| sum + (t as f64 / 2.0).ln())
}
