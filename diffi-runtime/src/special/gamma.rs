//! The gamma function, its logarithm and the derivatives of that.

use super::series::{BERNOULLI, horner, power_of_ratio, stirling, sum_of};
use std::f64::consts::TAU;

/// `ln |Γ(x)|`.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `Γ(x)`.
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// Where the digamma function is zero, in two parts.
const ROOT: [f64; 2] = [1.4616321449683622, 9.549995429965697e-17];

/// `digamma(x) / (x - ROOT)` on 1 to 2, by powers of `2 x - 3`: a Chebyshev interpolation, found with 60 digits.
const BETWEEN: [f64; 24] = [
    0.9510558760318328,
    -0.21181371064073024,
    0.06013562106019684,
    -0.018550615381739702,
    0.005936795278301875,
    -0.0019350666647392832,
    0.0006368880303847901,
    -0.00021074841284590126,
    6.99501882655044e-05,
    -2.325823275895313e-05,
    7.741234441368395e-06,
    -2.578133701610713e-06,
    8.589062683365892e-07,
    -2.8621216825577647e-07,
    9.543261570760428e-08,
    -3.1807298477301726e-08,
    1.0528133851878114e-08,
    -3.509235492410718e-09,
    1.2466690231864029e-09,
    -4.1555064115551965e-10,
    8.748420037436287e-11,
    -2.9161179626023815e-11,
    2.916093601085364e-11,
    -9.720300404202244e-12,
];

/// `Γ'(x) / Γ(x)`: recurrence, an interpolation between 1 and 2, and the asymptotic series.
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        return if x == x.floor() { f64::NAN } else { digamma(1.0 - x) - std::f64::consts::PI / tan_pi(x) };
    }
    if x < 1.0 {
        return digamma(x + 1.0) - 1.0 / x;
    }
    if x >= 12.0 {
        return digamma_far(x);
    }
    let (mut at, mut sum) = (x, 0.0);
    while at > 2.0 {
        at -= 1.0;
        sum += 1.0 / at;
    }
    sum + (at - ROOT[0] - ROOT[1]) * horner(&BETWEEN, 2.0 * at - 3.0)
}

/// Abramowitz & Stegun 6.3.18.
fn digamma_far(x: f64) -> f64 {
    let square = 1.0 / (x * x);
    x.ln() - (0.5 / x + square * horner(&FAR, square))
}

const FAR: [f64; 8] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0, -3617.0 / 8160.0];

/// `tan(π x)`, of the part after the point.
fn tan_pi(x: f64) -> f64 {
    let part = x - x.round();
    if part.abs() == 0.5 { f64::INFINITY } else { (std::f64::consts::PI * part).tan() }
}

/// The derivative of [`digamma`].
pub fn trigamma(x: f64) -> f64 {
    polygamma(x, 1)
}

/// The `n`-th derivative of [`digamma`], for `n >= 0`: `(-1)^(n+1) n! ζ(n+1, x)`.
pub fn polygamma(x: f64, n: i32) -> f64 {
    match n {
        ..0 => f64::NAN,
        0 => digamma(x),
        _ => {
            let factorial = if n <= 170 { (1..=n).map(f64::from).product() } else { f64::INFINITY };
            let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
            sign * factorial * hurwitz(n + 1, x)
        }
    }
}

/// The zeta function of Hurwitz, for whole `s >= 2`.
fn hurwitz(s: i32, x: f64) -> f64 {
    if x > 0.0 {
        return hurwitz_positive(s, x);
    }
    if x == x.floor() {
        return if s % 2 == 0 { f64::INFINITY } else { f64::NAN };
    }
    let whole = -x.floor();
    let part = x + whole;
    let sign = if s % 2 == 0 { 1.0 } else { -1.0 };
    let below = hurwitz_positive(s, 1.0 - part) - hurwitz_positive(s, whole + 1.0 - part);
    sign * below + hurwitz_positive(s, part)
}

/// Euler and Maclaurin's sum: terms until the rest is an asymptotic series.
fn hurwitz_positive(s: i32, x: f64) -> f64 {
    let order = f64::from(s);
    let far = 12.0 + 0.5 * order;
    let (mut at, mut sum) = (x, 0.0);
    while at < far {
        sum += at.powi(-s);
        at += 1.0;
    }
    let mut tail = at.powi(1 - s) / (order - 1.0) + 0.5 * at.powi(-s);
    let mut power = order * at.powi(-s - 1);
    for (k, b) in BERNOULLI.into_iter().enumerate() {
        tail += b * power;
        let next = order + 2.0 * k as f64 + 1.0;
        power *= next * (next + 1.0) / (at * at);
    }
    sum + tail
}

/// `digamma(a + b) - digamma(a)`, for positive arguments: the terms of recurrence and series are subtracted each by itself.
pub fn digamma_step(a: f64, b: f64) -> f64 {
    if !(a > 0.0) || !(a + b > 0.0) || b > a {
        return digamma(a + b) - digamma(a);
    }
    let (mut low, mut sum) = (a, 0.0);
    while low < 12.0 {
        sum += b / (low * (low + b));
        low += 1.0;
    }
    let high = low + b;
    let (below, above) = (1.0 / low, 1.0 / high);
    let square = b * below * above * (below + above);
    sum + (b / low).ln_1p() + 0.5 * (b / (low * high)) + square * slope_of_far(below * below, above * above)
}

/// `(f(p) - f(q)) / (p - q)` of the series of [`digamma_far`], `f(p) = p / 12 - p² / 120 + ..`.
fn slope_of_far(p: f64, q: f64) -> f64 {
    let (mut sum, mut power, mut chord) = (0.0, 1.0, 1.0);
    for term in FAR {
        sum += term * chord;
        power *= q;
        chord = chord * p + power;
    }
    sum
}

/// `ln B(a, b)`, without the cancellation of three logarithms where an argument is large (Didonato & Morris 1992).
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let (p, q) = (a.min(b), a.max(b));
    if p.is_nan() || p <= 0.0 || q < 10.0 {
        return ln_gamma(p) + ln_gamma(q) - ln_gamma(p + q);
    }
    let ratio = p / (p + q);
    if p >= 10.0 {
        let correction = stirling(p) + (stirling(q) - stirling(p + q));
        return -0.5 * q.ln() + LN_SQRT_2PI + correction + (p - 0.5) * ratio.ln() + q * (-ratio).ln_1p();
    }
    let correction = stirling(q) - stirling(p + q);
    ln_gamma(p) + correction + p - p * (p + q).ln() + (q - 0.5) * (-ratio).ln_1p()
}

/// `ln √(2π)`.
pub const LN_SQRT_2PI: f64 = 0.9189385332046728;

/// `B(a, b)`, by Stirling's formula where an argument is large.
pub fn beta(a: f64, b: f64) -> f64 {
    let (p, q) = (a.min(b), a.max(b));
    if q < 10.0 {
        return gamma(p) / gamma(p + q) * gamma(q);
    }
    if !(q < 1e5) {
        return ln_beta(a, b).exp();
    }
    let n = sum_of(p, q);
    let correction = stirling(q) - stirling(n[0]);
    if p < 10.0 {
        let ratio = power_of_ratio([q, 0.0], n, q - 0.5) * power_of_ratio([1.0, 0.0], n, p);
        return gamma(p) * ratio * p.exp() * correction.exp();
    }
    let ratio = power_of_ratio([p, 0.0], n, p) * power_of_ratio([q, 0.0], n, q);
    ratio * (TAU * n[0] / (p * q)).sqrt() * (stirling(p) + correction).exp()
}

/// `ln (n over k)`.
pub fn ln_binomial(n: f64, k: f64) -> f64 {
    -n.ln_1p() - ln_beta(n - k + 1.0, k + 1.0)
}
