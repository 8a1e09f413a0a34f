//! Sums that several functions share, and truncated power series.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Bernoulli's numbers `B(2k) / (2k)!`, as Euler and Maclaurin's sum has them.
pub const BERNOULLI: [f64; 12] = [
    8.333333333333333e-2,
    -1.388888888888889e-3,
    3.306878306878307e-5,
    -8.267195767195768e-7,
    2.08767569878681e-8,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812524e-19,
];

/// A polynomial, the constant first.
#[inline]
pub fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// `ln Γ(x) - ((x - 1/2) ln x - x + ln √(2π))`, for `x >= 10`.
pub fn stirling(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360360.0,
        1.0 / 156.0,
        -3617.0 / 122400.0,
    ];
    horner(&TERMS, 1.0 / (x * x)) / x
}

/// A number in two parts: the rounded one, and what it lacks.
pub type Parts = [f64; 2];

/// `a + b` (Knuth).
pub fn sum_of(a: f64, b: f64) -> Parts {
    let sum = a + b;
    let part = sum - a;
    [sum, (a - (sum - part)) + (b - part)]
}

/// `a b`.
pub fn product_of(a: Parts, b: Parts) -> Parts {
    let product = a[0] * b[0];
    [product, a[0].mul_add(b[0], -product) + a[0] * b[1] + a[1] * b[0]]
}

/// `(a / b)^p`: what the quotient loses by rounding counts as much as the exponent is large.
pub fn power_of_ratio(a: Parts, b: Parts, p: f64) -> f64 {
    let ratio = a[0] / b[0];
    let rest = ((-ratio).mul_add(b[0], a[0]) + a[1] - ratio * b[1]) / a[0];
    ratio.powf(p) * (1.0 + p * rest)
}

/// `d - ln(1 + d)`, with `d = (x - a) / a`.
pub fn log_excess(x: f64, a: f64) -> f64 {
    excess((x - a) / a, x / a)
}

/// `d - ln(1 + d)`, where `1 + d` is known as well as `d`.
pub fn excess(d: f64, ratio: f64) -> f64 {
    if d.abs() > 0.4 {
        return d - ratio.ln();
    }
    // ln(1 + d) = 2 artanh(r), with r = d / (2 + d): d - 2 r = d r
    let r = d / (2.0 + d);
    let square = r * r;
    let mut sum = 0.0;
    for k in (1..20).rev() {
        sum = sum * square + 2.0 / f64::from(2 * k + 1);
    }
    r * (d - square * sum)
}

/// What a series computes with: floats, and series.
pub trait Ring:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A constant.
    fn of(value: f64) -> Self;
    /// The largest of all coefficients.
    fn norm(self) -> f64;
    /// The value alone.
    fn value(self) -> f64;
}

impl Ring for f64 {
    #[inline]
    fn of(value: f64) -> Self {
        value
    }
    #[inline]
    fn norm(self) -> f64 {
        self.abs()
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
}

/// A power series with `K` terms. Series of series have two variables.
#[derive(Clone, Copy, Debug)]
pub struct Series<R, const K: usize>(pub [R; K]);

impl<R: Ring, const K: usize> Series<R, K> {
    /// The exponential, from `y' = x' y`.
    pub fn exp(self, exp: impl Fn(R) -> R) -> Self {
        let mut y = [exp(self.0[0]); K];
        for k in 1..K {
            let terms = (1..=k).map(|j| R::of(j as f64) * self.0[j] * y[k - j]);
            y[k] = terms.fold(R::of(0.0), Add::add) / R::of(k as f64);
        }
        Series(y)
    }
}

impl<R: Ring, const K: usize> Ring for Series<R, K> {
    fn of(value: f64) -> Self {
        Series(from_fn(|k| R::of(if k == 0 { value } else { 0.0 })))
    }
    fn norm(self) -> f64 {
        self.0.into_iter().map(R::norm).fold(0.0, f64::max)
    }
    fn value(self) -> f64 {
        self.0[0].value()
    }
}

impl<R: Ring, const K: usize> Add for Series<R, K> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Series(from_fn(|k| self.0[k] + b.0[k]))
    }
}

impl<R: Ring, const K: usize> Sub for Series<R, K> {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Series(from_fn(|k| self.0[k] - b.0[k]))
    }
}

impl<R: Ring, const K: usize> Neg for Series<R, K> {
    type Output = Self;
    fn neg(self) -> Self {
        Series(self.0.map(Neg::neg))
    }
}

impl<R: Ring, const K: usize> Mul for Series<R, K> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Series(from_fn(|k| (1..=k).fold(self.0[0] * b.0[k], |sum, j| sum + self.0[j] * b.0[k - j])))
    }
}

impl<R: Ring, const K: usize> Div for Series<R, K> {
    type Output = Self;
    #[expect(clippy::suspicious_arithmetic_impl, reason = "term by term, the dividend is a sum of products")]
    fn div(self, b: Self) -> Self {
        let mut y = self.0;
        for k in 0..K {
            let rest = (1..=k).fold(self.0[k], |rest, j| rest - b.0[j] * y[k - j]);
            y[k] = rest / b.0[0];
        }
        Series(y)
    }
}
