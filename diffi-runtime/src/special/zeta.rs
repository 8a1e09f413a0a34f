//! Riemann's zeta function, and its derivatives.

use super::series::{BERNOULLI, Ring, Series};

/// The `n`-th derivative of `ζ(s)`, for `s > 0`: to eleventh order, and NaN beyond.
pub fn zeta(s: f64, n: i32) -> f64 {
    let factorial: f64 = (1..=n).map(f64::from).product();
    match n {
        _ if !(s > 0.0) => f64::NAN,
        0 => series::<1>(s).0[0],
        1 => series::<2>(s).0[1],
        2..12 => factorial * series::<12>(s).0[n as usize],
        _ => f64::NAN,
    }
}

/// Terms that are added before the rest is an asymptotic series.
const FAR: f64 = 16.0;

/// Euler and Maclaurin's sum (DLMF 25.2.9), over truncated power series in `s`.
fn series<const K: usize>(s: f64) -> Series<f64, K> {
    let at = Series::<f64, K>(std::array::from_fn(|k| if k < 2 { [s, 1.0][k] } else { 0.0 }));
    let far = power(at, FAR);
    let tail = far * (Series::of(FAR) / (at - Series::of(1.0)) + Series::of(0.5) + corrections(at));
    (2..16).rev().map(|k| power(at, f64::from(k))).fold(tail, |sum, term| sum + term) + Series::of(1.0)
}

/// `x^(-s)`.
fn power<const K: usize>(s: Series<f64, K>, x: f64) -> Series<f64, K> {
    let logarithm = x.ln();
    (-s * Series::of(logarithm)).exp(|_| x.powf(-s.0[0]))
}

/// `Σ B(2k) / (2k)! s (s + 1) .. (s + 2k - 2) FAR^(1 - 2k)`.
fn corrections<const K: usize>(s: Series<f64, K>) -> Series<f64, K> {
    let mut sum = Series::of(0.0);
    let mut term = s / Series::of(FAR);
    for (k, b) in BERNOULLI.into_iter().enumerate() {
        sum = sum + Series::of(b) * term;
        let next = s + Series::of(2.0 * k as f64 + 1.0);
        term = term * next * (next + Series::of(1.0)) / Series::of(FAR * FAR);
    }
    sum
}
