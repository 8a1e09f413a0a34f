//! The error function, and the normal distribution.

use super::series::horner;
use std::f64::consts::FRAC_1_SQRT_2;

/// `2/√π ∫ exp(-t²)` from 0 to `x`.
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// `1 - erf(x)`.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// `exp(x²) erfc(x)`: a product, or an asymptotic series (DLMF 7.12.1).
pub fn erfcx(x: f64) -> f64 {
    if x < 8.0 {
        let square = x * x;
        let rest = x.mul_add(x, -square);
        return square.exp() * libm::erfc(x) * (1.0 + rest);
    }
    let ratio = 0.5 / (x * x);
    let sum = (1..18).rev().fold(1.0, |sum, k| 1.0 - f64::from(2 * k - 1) * ratio * sum);
    0.5641895835477563 / x * sum
}

/// `x` for which `erf` is this.
pub fn erf_inv(y: f64) -> f64 {
    quantile(0.5 * y, 0.5 * (1.0 - y.abs())) * FRAC_1_SQRT_2
}

/// `x` for which `erfc` is this.
pub fn erfc_inv(y: f64) -> f64 {
    quantile(0.5 * (1.0 - y), 0.5 * if y < 1.0 { y } else { 2.0 - y }) * FRAC_1_SQRT_2
}

/// `exp(-x²)`. What the square loses by rounding counts as much as the square is large.
pub fn gaussian(x: f64) -> f64 {
    let square = x * x;
    if square > 750.0 {
        return 0.0;
    }
    let rest = x.mul_add(x, -square);
    (-square).exp() * (1.0 - rest)
}

/// `exp(-x²/2) / √(2π)`.
pub fn norm_pdf(x: f64) -> f64 {
    let square = x * x;
    if square > 1500.0 {
        return 0.0;
    }
    let rest = x.mul_add(x, -square);
    0.3989422804014327 * (-0.5 * square).exp() * (1.0 - 0.5 * rest)
}

/// `∫ exp(-t²/2) / √(2π)` up to `x`.
pub fn norm_cdf(x: f64) -> f64 {
    let z = -x * FRAC_1_SQRT_2;
    if !(0.5..=30.0).contains(&z) {
        return 0.5 * libm::erfc(z);
    }
    // the rounding of z counts as much as z is large
    let rest = (-x).mul_add(FRAC_1_SQRT_2, -z) + x * 4.833646656726457e-17;
    0.5 * (libm::erfc(z) - std::f64::consts::FRAC_2_SQRT_PI * gaussian(z) * rest)
}

/// The logarithm of [`norm_cdf`].
pub fn ln_norm_cdf(x: f64) -> f64 {
    match x {
        ..-1.0 => (0.5 * erfcx(-x * FRAC_1_SQRT_2)).ln() - 0.5 * x * x,
        1.0.. => (-norm_cdf(-x)).ln_1p(),
        _ => norm_cdf(x).ln(),
    }
}

/// `x` for which [`norm_cdf`] is this.
pub fn norm_quantile(p: f64) -> f64 {
    quantile(p - 0.5, if p < 0.5 { p } else { 1.0 - p })
}

/// The density at [`norm_quantile`], by the tail that is `p`: its own rounding would count as much as the quantile's square.
pub fn norm_pdf_quantile(p: f64) -> f64 {
    let tail = if p < 0.5 { p } else { 1.0 - p };
    if tail == 0.0 { 0.0 } else { tail * inverse_mills(norm_quantile(tail)) }
}

/// The density over [`norm_cdf`], the derivative of [`ln_norm_cdf`].
pub fn inverse_mills(x: f64) -> f64 {
    match x {
        ..0.0 => 0.7978845608028654 / erfcx(-x * FRAC_1_SQRT_2),
        _ => norm_pdf(x) / norm_cdf(x),
    }
}

/// `x` plus [`inverse_mills`], which all but cancel below.
pub fn inverse_mills_excess(x: f64) -> f64 {
    if x > -3.0 {
        return x + inverse_mills(x);
    }
    // Laplace's continued fraction of Mills' ratio, without its first step
    let rest = (2..90).rev().fold(0.0, |rest, k| f64::from(k) / (rest - x));
    1.0 / (rest - x)
}

/// Wichura 1988 (AS 241), by the distance to one half and the tail.
fn quantile(from_half: f64, tail: f64) -> f64 {
    if from_half.abs() <= 0.425 {
        let r = 0.180625 - from_half * from_half;
        return from_half * horner(&CENTRE.0, r) / horner(&CENTRE.1, r);
    }
    if !(tail >= 0.0) {
        return f64::NAN;
    }
    let r = (-tail.ln()).sqrt();
    let x = match r {
        ..=5.0 => horner(&NEAR.0, r - 1.6) / horner(&NEAR.1, r - 1.6),
        f64::INFINITY => f64::INFINITY,
        _ => horner(&FAR.0, r - 5.0) / horner(&FAR.1, r - 5.0),
    };
    x.copysign(from_half)
}

type Rational = ([f64; 8], [f64; 8]);

const CENTRE: Rational = (
    [
        3.387132872796366608,
        133.14166789178437745,
        1971.5909503065514427,
        13731.693765509461125,
        45921.953931549871457,
        67265.770927008700853,
        33430.575583588128105,
        2509.0809287301226727,
    ],
    [
        1.0,
        42.313330701600911252,
        687.1870074920579083,
        5394.1960214247511077,
        21213.794301586595867,
        39307.89580009271061,
        28729.085735721942674,
        5226.495278852854561,
    ],
);

const NEAR: Rational = (
    [
        1.42343711074968357734,
        4.6303378461565452959,
        5.7694972214606914055,
        3.64784832476320460504,
        1.27045825245236838258,
        0.24178072517745061177,
        0.0227238449892691845833,
        7.7454501427834140764e-4,
    ],
    [
        1.0,
        2.05319162663775882187,
        1.6763848301838038494,
        0.68976733498510000455,
        0.14810397642748007459,
        0.0151986665636164571966,
        5.475938084995344946e-4,
        1.05075007164441684324e-9,
    ],
);

const FAR: Rational = (
    [
        6.6579046435011037772,
        5.4637849111641143699,
        1.7848265399172913358,
        0.29656057182850489123,
        0.026532189526576123093,
        0.0012426609473880784386,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ],
    [
        1.0,
        0.59983220655588793769,
        0.13692988092273580531,
        0.0148753612908506148525,
        7.868691311456132591e-4,
        1.8463183175100546818e-5,
        1.4215117583164458887e-7,
        2.04426310338993978564e-15,
    ],
);
