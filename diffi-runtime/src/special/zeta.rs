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

/// Stieltjes' constants `(-1)^k γ(k) / k!`.
const STIELTJES: [f64; 21] = [
    0.5772156649015329,
    7.281584548367673e-2,
    -4.84518159643616e-3,
    -3.4230573671722433e-4,
    9.689041939447084e-5,
    -6.6110318108421895e-6,
    -3.316240908752772e-7,
    1.0462094584479188e-7,
    -8.733218100273798e-9,
    9.47827778276236e-11,
    5.658421927608708e-11,
    -6.768689863513697e-12,
    3.4921159366720317e-13,
    4.4104247417577536e-15,
    -2.3997862217709992e-15,
    2.1677312200726828e-16,
    -9.544466076366965e-18,
    -7.387676660538637e-20,
    4.800850782488065e-20,
    -4.139956737713306e-21,
    1.9168201593991233e-22,
];

/// Over truncated power series in `s`.
fn series<const K: usize>(s: f64) -> Series<f64, K> {
    if s < 2.0 { around_pole(s) } else { euler_maclaurin(s) }
}

/// A series whose first terms are `s` and 1.
fn variable<const K: usize>(s: f64) -> Series<f64, K> {
    Series(std::array::from_fn(|k| if k < 2 { [s, 1.0][k] } else { 0.0 }))
}

/// Laurent's series (DLMF 25.2.4): below the pole, terms of Euler and Maclaurin's sum would cancel.
fn around_pole<const K: usize>(s: f64) -> Series<f64, K> {
    let off = variable::<K>(s - 1.0);
    let regular = STIELTJES.into_iter().rev().fold(Series::of(0.0), |sum, c| sum * off + Series::of(c));
    regular + Series::of(1.0) / off
}

/// Terms that are added before the rest is an asymptotic series.
const FAR: f64 = 16.0;

/// Euler and Maclaurin's sum (DLMF 25.2.9).
fn euler_maclaurin<const K: usize>(s: f64) -> Series<f64, K> {
    let at = variable::<K>(s);
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
