//! Special functions: by their paths, by imports, in closures and chains, in conditions, and those of other packages.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

use diffi::prelude::*;
use diffi::special::{self, *};
use special::ln_gamma as log_of_gamma;

#[differentiable]
fn gammas(x: f64, y: f64) -> f64 {
    diffi::special::ln_gamma(x * y) * digamma(y)
        + special::trigamma(x) / log_of_gamma(y + 2.0)
        + diffi::special::polygamma(2, x) * polygamma(1, y)
        - ln_beta(x, y) * diffi::special::beta(y, x)
        + ln_binomial(x + 5.0, y)
}

#[differentiable]
fn normal(x: f64, y: f64) -> f64 {
    let p = norm_cdf(x);
    diffi::special::norm_quantile(p * 0.5) + ln_norm_cdf(x - 4.0 * y) * erf(y) + diffi::special::erfc(x * y)
        - erf_inv(p - 0.5)
        + owen_t(x, y)
}

#[differentiable]
fn incomplete(a: f64, b: f64, x: f64) -> f64 {
    diffi::special::gamma_p(a, x * 4.0) * gamma_q(b, a) + diffi::special::beta_inc(a, b, x) - beta_inc(b, x, 0.25 * a)
}

#[differentiable]
fn bessels(x: f64) -> f64 {
    bessel_j(0, x) * diffi::special::bessel_y(1, x) + special::bessel_i(2, x) * bessel_k(0, x * x)
}

#[differentiable]
fn logistic(x: f64, y: f64) -> f64 {
    let low = |v: f64| diffi::special::expit(v) * ln_1p_exp(-v);
    low(x)
        + low(x * y)
        + logit(0.3 + 0.1 * y)
        + diffi::special::ln_add_exp(x, y) * ln_sub_exp(x + 2.0, y)
        + lambert_w0(x) * lambert_wm1(-0.1 * x)
}

#[differentiable]
fn in_chains(x: &[f64]) -> f64 {
    let all: f64 = x.iter().map(|v| diffi::special::ln_gamma(*v)).sum();
    let named: f64 = x.iter().copied().map(diffi::special::erf).map(expit).sum();
    all * named + softmax(x)[0] * diffi::special::log_sum_exp(x) - log_softmax(&x[1..])[0]
}

#[differentiable]
fn in_conditions(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        if diffi::special::ln_gamma(x + k as f64) > 0.0 {
            sum += libm::erf(y * k as f64);
        } else {
            sum -= digamma(x) * y;
        }
    }
    sum
}

#[differentiable]
fn of_libm(x: f64, y: f64) -> f64 {
    libm::lgamma(x * y) + ::libm::tgamma(x) * libm::erfc(y) + libm::j0(x) * libm::jn(3, y) - libm::y1(x)
}

#[differentiable]
fn single_precision(x: f32, y: f32) -> f32 {
    ln_gamma(x) * diffi::special::expit(y) + libm::erff(x * y)
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number gammas(by x: f64, by y: f64): [1.7, 0.6] [0.4, 2.3];
        number normal(by x: f64, by y: f64): [0.7, 0.6] [-0.4, 0.3];
        number incomplete(by a: f64, by b: f64, by x: f64): [1.7, 0.6, 0.3] [0.8, 2.5, 0.7];
        number bessels(by x: f64): [1.7];
        number logistic(by x: f64, by y: f64): [1.7, 0.6] [0.3, -0.4];
        number in_chains(at x: Vec<f64>): [vec![0.7, 1.9, 2.6]];
        number in_conditions(by x: f64, by y: f64): [1.7, 0.6];
        number of_libm(by x: f64, by y: f64): [1.7, 0.6];
        number single_precision(by x: f32, by y: f32): [1.7, 0.6];
    }
}
