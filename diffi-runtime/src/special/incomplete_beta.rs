//! The incomplete beta function, with derivatives by its parameters.
//!
//! The continued fraction (DLMF 8.17.22) is evaluated over truncated power series in `a` and `b`, so that the derivatives of its
//! convergents converge too (Boik & Robison-Cox 1998).

use super::gamma::{LN_SQRT_2PI, beta, digamma_step, ln_beta, polygamma};
use super::series::{Ring, Series, excess, power_of_ratio, product_of, stirling, sum_of};

/// `I_x(a, b)`, over `B(a, b)`.
pub fn beta_inc(a: f64, b: f64, x: f64) -> f64 {
    derivative::<1, 1>(a, b, x)
}

/// `x^(a - 1) (1 - x)^(b - 1) / B(a, b)`: the derivative by `x`, and a density.
pub fn beta_pdf(a: f64, b: f64, x: f64) -> f64 {
    let edge = |p: f64, other: f64| match p {
        p if p < 1.0 => f64::INFINITY,
        p if p > 1.0 => 0.0,
        _ => other,
    };
    match x {
        _ if !in_domain(a, b, x) => f64::NAN,
        0.0 => edge(a, b),
        1.0 => edge(b, a),
        // the power of x may be too small where that of the density is not
        _ if x < 1e-10 => ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - ln_beta(a, b)).exp(),
        _ => value_of_power(a, b, x) / (x * (1.0 - x)),
    }
}

/// `∂I/∂a`.
pub fn beta_inc_a(a: f64, b: f64, x: f64) -> f64 {
    derivative::<2, 1>(a, b, x)
}

/// `∂I/∂b`.
pub fn beta_inc_b(a: f64, b: f64, x: f64) -> f64 {
    derivative::<1, 2>(a, b, x)
}

/// `∂²I/∂a²`.
pub fn beta_inc_aa(a: f64, b: f64, x: f64) -> f64 {
    derivative::<3, 1>(a, b, x)
}

/// `∂²I/∂a∂b`.
pub fn beta_inc_ab(a: f64, b: f64, x: f64) -> f64 {
    derivative::<2, 2>(a, b, x)
}

/// `∂²I/∂b²`.
pub fn beta_inc_bb(a: f64, b: f64, x: f64) -> f64 {
    derivative::<1, 3>(a, b, x)
}

/// `∂³I/∂a³`.
pub fn beta_inc_aaa(a: f64, b: f64, x: f64) -> f64 {
    derivative::<4, 1>(a, b, x)
}

/// `∂³I/∂a²∂b`.
pub fn beta_inc_aab(a: f64, b: f64, x: f64) -> f64 {
    derivative::<3, 2>(a, b, x)
}

/// `∂³I/∂a∂b²`.
pub fn beta_inc_abb(a: f64, b: f64, x: f64) -> f64 {
    derivative::<2, 3>(a, b, x)
}

/// `∂³I/∂b³`.
pub fn beta_inc_bbb(a: f64, b: f64, x: f64) -> f64 {
    derivative::<1, 4>(a, b, x)
}

/// A change of the parameters `a` and `b`.
type Two<const A: usize, const B: usize> = Series<Series<f64, B>, A>;

/// `∂^(A - 1)/∂a ∂^(B - 1)/∂b`. On the other side of the mean, of `1 - I_(1 - x)(b, a)`.
fn derivative<const A: usize, const B: usize>(a: f64, b: f64, x: f64) -> f64 {
    let whole = if A * B == 1 { 1.0 } else { 0.0 };
    let factorials: f64 = (1..A).chain(1..B).map(|k| k as f64).product();
    match x {
        _ if !in_domain(a, b, x) => f64::NAN,
        0.0 => 0.0,
        1.0 => whole,
        _ if x * (a + b + 2.0) <= a + 1.0 => factorials * below::<A, B>(a, b, x).0[A - 1].0[B - 1],
        _ => whole - factorials * reflected::<A, B>(a, b, x).0[A - 1].0[B - 1],
    }
}

fn in_domain(a: f64, b: f64, x: f64) -> bool {
    a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)
}

fn below<const A: usize, const B: usize>(a: f64, b: f64, x: f64) -> Two<A, B> {
    let (at, bt) = (in_a(a), in_b(b));
    power::<A, B>(a, b, x) / at * fraction(at, bt, x)
}

fn reflected<const A: usize, const B: usize>(a: f64, b: f64, x: f64) -> Two<A, B> {
    let (at, bt) = (in_a(a), in_b(b));
    power::<A, B>(a, b, x) / bt * fraction(bt, at, 1.0 - x)
}

fn in_a<const A: usize, const B: usize>(a: f64) -> Two<A, B> {
    Series(std::array::from_fn(|k| {
        Series::of(if k == 0 {
            a
        } else if k == 1 {
            1.0
        } else {
            0.0
        })
    }))
}

fn in_b<const A: usize, const B: usize>(b: f64) -> Two<A, B> {
    let mut series = Two::of(b);
    if B > 1 {
        series.0[0].0[1] = 1.0;
    }
    series
}

/// `x^a (1 - x)^b / B(a, b)`: of powers, and of their logarithms where these are too large.
fn value_of_power(a: f64, b: f64, x: f64) -> f64 {
    let (n, above) = (sum_of(a, b), sum_of(1.0, -x));
    let value = match a.min(b) < 10.0 {
        true => x.powf(a) * power_of_ratio(above, [1.0, 0.0], b) / beta(a, b),
        false => {
            let (low, high) = (product_of([x, 0.0], n), product_of(above, n));
            let powers = power_of_ratio(low, [a, 0.0], a) * power_of_ratio(high, [b, 0.0], b);
            let correction = stirling(n[0]) - stirling(a) - stirling(b);
            powers * (a / n[0] * b / std::f64::consts::TAU).sqrt() * correction.exp()
        }
    };
    if n[0] < 1e5 && (1e-280..1e280).contains(&value) { value } else { log_power(a, b, x).exp() }
}

/// `ln (x^a (1 - x)^b / B(a, b))`.
fn log_power(a: f64, b: f64, x: f64) -> f64 {
    if a.min(b) < 10.0 {
        return a * x.ln() + b * (-x).ln_1p() - ln_beta(a, b);
    }
    // around the mean a / (a + b), where nothing large cancels
    let (n, off) = (a + b, x * b - (1.0 - x) * a);
    let correction = stirling(n) - stirling(a) - stirling(b);
    let exponent = -a * excess(off / a, x * n / a) - b * excess(-off / b, (1.0 - x) * n / b);
    exponent + 0.5 * (a * (b / n)).ln() - LN_SQRT_2PI + correction
}

/// `x^a (1 - x)^b / B(a, b)`.
fn power<const A: usize, const B: usize>(a: f64, b: f64, x: f64) -> Two<A, B> {
    let mut logarithm = [Series([0.0; B]); A];
    for (i, row) in logarithm.iter_mut().enumerate() {
        for (j, entry) in row.0.iter_mut().enumerate() {
            let factorials: f64 = (1..=i).chain(1..=j).map(|k| k as f64).product();
            let both = || polygamma(a + b, (i + j) as i32 - 1);
            *entry = match (i, j) {
                (0, 0) => 0.0,
                (1, 0) => x.ln() + digamma_step(a, b),
                (0, 1) => (-x).ln_1p() + digamma_step(b, a),
                (_, 0) => both() - polygamma(a, i as i32 - 1),
                (0, _) => both() - polygamma(b, j as i32 - 1),
                _ => both(),
            } / factorials;
        }
    }
    Series(logarithm).exp(|row| row.exp(|_| value_of_power(a, b, x)))
}

/// The continued fraction, by Lentz's method.
fn fraction<R: Ring>(a: R, b: R, x: f64) -> R {
    let (one, at) = (R::of(1.0), R::of(x));
    let mut c = one;
    let mut d = one / away_from_zero(one - (a + b) * at / (a + one));
    let mut h = d;
    for m in 1..200_000 {
        let m = R::of(f64::from(m));
        let twice = a + m + m;
        let even = m * (b - m) * at / ((twice - one) * twice);
        let odd = -(a + m) * (a + b + m) * at / (twice * (twice + one));
        let mut last = one;
        for numerator in [even, odd] {
            d = one / away_from_zero(one + numerator * d);
            c = away_from_zero(one + numerator / c);
            last = c * d;
            h = h * last;
        }
        if (last - one).norm() <= f64::EPSILON {
            break;
        }
    }
    h
}

fn away_from_zero<R: Ring>(x: R) -> R {
    if x.value().abs() < 1e-300 { R::of(1e-300) } else { x }
}
