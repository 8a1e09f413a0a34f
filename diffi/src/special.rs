//! Special functions: of the gamma, beta and normal distributions, logistic ones, Bessel functions and others.
//!
//! They are annotated, and lines of the derivative table: derivatives are special functions again, to any order unless the function
//! says otherwise. The book's page on special functions shows their errors. In annotated code, `libm::erf(x)`,
//! `statrs::function::gamma::ln_gamma(x)` and others are the same functions, if they are called by the whole path.
//!
//! ```
//! use diffi::prelude::*;
//! use diffi::special::{ln_gamma, log_sum_exp};
//!
//! /// A Student t distribution.
//! #[differentiable]
//! fn log_density(x: f64, freedom: f64) -> f64 {
//!     let half = 0.5 * (freedom + 1.0);
//!     let norm = ln_gamma(half) - ln_gamma(0.5 * freedom) - 0.5 * (freedom * std::f64::consts::PI).ln();
//!     norm - half * (x * x / freedom).ln_1p()
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let (by_x, by_freedom) = gradient(log_density::D, AutoReverse, (0.5, 3.0))?;
//! assert!((by_x + 0.6153846153846154).abs() < 1e-15);
//! assert!((by_freedom - 0.037741).abs() < 1e-6);
//! assert_eq!(gradient(log_sum_exp::D, AutoReverse, &[0.0, 0.0])?, [0.5, 0.5]);
//! # Ok(())
//! # }
//! ```

use crate::differentiable;
use diffi_runtime::number::float::Base;
use diffi_runtime::number::special as __d_values;

/// `ln |Γ(x)|`.
#[differentiable]
pub fn ln_gamma<F: Base>(x: F) -> F {
    __d_values::ln_gamma(x)
}

/// `Γ(x)`.
#[differentiable]
pub fn gamma<F: Base>(x: F) -> F {
    __d_values::gamma(x)
}

/// `Γ'(x) / Γ(x)`.
#[differentiable]
pub fn digamma<F: Base>(x: F) -> F {
    __d_values::digamma(x)
}

/// The derivative of [`digamma`].
#[differentiable]
pub fn trigamma<F: Base>(x: F) -> F {
    __d_values::trigamma(x)
}

/// The `n`-th derivative of [`digamma`].
#[differentiable]
pub fn polygamma<F: Base>(n: i32, x: F) -> F {
    __d_values::polygamma(x, n)
}

/// `ln B(a, b)`, for positive arguments.
#[differentiable]
pub fn ln_beta<F: Base>(a: F, b: F) -> F {
    __d_values::ln_beta(a, b)
}

/// `B(a, b) = Γ(a) Γ(b) / Γ(a + b)`.
#[differentiable]
pub fn beta<F: Base>(a: F, b: F) -> F {
    __d_values::beta(a, b)
}

/// The logarithm of `n` over `k`, of real arguments.
#[differentiable]
pub fn ln_binomial<F: Base>(n: F, k: F) -> F {
    __d_values::ln_binomial(n, k)
}

/// Riemann's zeta function, for `s > 0`. It has derivatives to eleventh order, and NaN beyond.
#[differentiable]
pub fn zeta<F: Base>(s: F) -> F {
    __d_values::zeta(s, 0)
}

/// The lower incomplete gamma function over `Γ(a)`: `P(a, x)`. By `a` it has derivatives to third order, and NaN beyond.
#[differentiable]
pub fn gamma_p<F: Base>(a: F, x: F) -> F {
    __d_values::gamma_p(a, x)
}

/// The upper incomplete gamma function over `Γ(a)`: `Q(a, x)`. By `a` it has derivatives to third order, and NaN beyond.
#[differentiable]
pub fn gamma_q<F: Base>(a: F, x: F) -> F {
    __d_values::gamma_q(a, x)
}

/// `x^(a - 1) e^(-x) / Γ(a)`, the derivative of [`gamma_p`] by `x`.
#[differentiable]
pub fn gamma_pdf<F: Base>(a: F, x: F) -> F {
    __d_values::gamma_pdf(a, x)
}

/// The incomplete beta function over `B(a, b)`: `I_x(a, b)`. By `a` and `b` it has derivatives to third order, and NaN beyond.
#[differentiable]
pub fn beta_inc<F: Base>(a: F, b: F, x: F) -> F {
    __d_values::beta_inc(a, b, x)
}

/// `x^(a - 1) (1 - x)^(b - 1) / B(a, b)`, the derivative of [`beta_inc`] by `x`.
#[differentiable]
pub fn beta_pdf<F: Base>(a: F, b: F, x: F) -> F {
    __d_values::beta_pdf(a, b, x)
}

/// The error function.
#[differentiable]
pub fn erf<F: Base>(x: F) -> F {
    __d_values::erf(x)
}

/// `1 - erf(x)`.
#[differentiable]
pub fn erfc<F: Base>(x: F) -> F {
    __d_values::erfc(x)
}

/// The inverse of [`erf`].
#[differentiable]
pub fn erf_inv<F: Base>(x: F) -> F {
    __d_values::erf_inv(x)
}

/// The inverse of [`erfc`].
#[differentiable]
pub fn erfc_inv<F: Base>(x: F) -> F {
    __d_values::erfc_inv(x)
}

/// The density of the standard normal distribution.
#[differentiable]
pub fn norm_pdf<F: Base>(x: F) -> F {
    __d_values::norm_pdf(x)
}

/// The distribution function of the standard normal distribution.
#[differentiable]
pub fn norm_cdf<F: Base>(x: F) -> F {
    __d_values::norm_cdf(x)
}

/// The inverse of [`norm_cdf`].
#[differentiable]
pub fn norm_quantile<F: Base>(p: F) -> F {
    __d_values::norm_quantile(p)
}

/// The logarithm of [`norm_cdf`], right in the lower tail too.
#[differentiable]
pub fn ln_norm_cdf<F: Base>(x: F) -> F {
    __d_values::ln_norm_cdf(x)
}

/// The normal density over [`norm_cdf`], the derivative of [`ln_norm_cdf`].
#[differentiable]
pub fn inverse_mills<F: Base>(x: F) -> F {
    __d_values::inverse_mills(x)
}

/// Owen's T: `1/2π ∫ exp(-h² (1 + t²) / 2) / (1 + t²)` from 0 to `a`.
#[differentiable]
pub fn owen_t<F: Base>(h: F, a: F) -> F {
    __d_values::owen_t(h, a)
}

/// The Bessel function `J_n(x)`. The order is a whole number.
#[differentiable]
pub fn bessel_j<F: Base>(n: i32, x: F) -> F {
    __d_values::bessel_j(x, n)
}

/// The Bessel function `Y_n(x)`, for positive `x`.
#[differentiable]
pub fn bessel_y<F: Base>(n: i32, x: F) -> F {
    __d_values::bessel_y(x, n)
}

/// The modified Bessel function `I_n(x)`.
#[differentiable]
pub fn bessel_i<F: Base>(n: i32, x: F) -> F {
    __d_values::bessel_i(x, n)
}

/// The modified Bessel function `K_n(x)`, for positive `x`.
#[differentiable]
pub fn bessel_k<F: Base>(n: i32, x: F) -> F {
    __d_values::bessel_k(x, n)
}

/// `ln(1 + e^x)`, the soft plus.
#[differentiable]
pub fn ln_1p_exp<F: Base>(x: F) -> F {
    __d_values::ln_1p_exp(x)
}

/// `1 / (1 + e^-x)`, the logistic function.
#[differentiable]
pub fn expit<F: Base>(x: F) -> F {
    __d_values::expit(x)
}

/// `ln(p / (1 - p))`, the inverse of [`expit`].
#[differentiable]
pub fn logit<F: Base>(p: F) -> F {
    __d_values::logit(p)
}

/// `ln(e^a + e^b)`.
#[differentiable]
pub fn ln_add_exp<F: Base>(a: F, b: F) -> F {
    __d_values::ln_add_exp(a, b)
}

/// `ln(e^a - e^b)`, for `a > b`.
#[differentiable]
pub fn ln_sub_exp<F: Base>(a: F, b: F) -> F {
    __d_values::ln_sub_exp(a, b)
}

/// The upper branch of Lambert's W, for `x >= -1/e`.
#[differentiable]
pub fn lambert_w0<F: Base>(x: F) -> F {
    __d_values::lambert_w0(x)
}

/// The lower branch of Lambert's W, for `-1/e <= x < 0`.
#[differentiable]
pub fn lambert_wm1<F: Base>(x: F) -> F {
    __d_values::lambert_wm1(x)
}

/// `ln(Σ e^x)`, shifted by the largest; -∞ of nothing.
#[differentiable]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    if largest.is_infinite() {
        return largest;
    }
    let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

/// `x - log_sum_exp(x)`.
#[differentiable]
pub fn log_softmax(x: &[f64]) -> Vec<f64> {
    let total = log_sum_exp(x);
    x.iter().map(|v| v - total).collect()
}

/// `e^x / Σ e^x`.
#[differentiable]
pub fn softmax(x: &[f64]) -> Vec<f64> {
    let total = log_sum_exp(x);
    x.iter().map(|v| (v - total).exp()).collect()
}
