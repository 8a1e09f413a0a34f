//! The incomplete gamma function, with derivatives by its parameter.
//!
//! The power series (DLMF 8.11.4) and the continued fraction (8.9.2) are evaluated over truncated power series in `a`. So their own
//! derivatives are summed until these have converged: the method of Moore (1982, AS 187), to any order.

use super::gamma::{LN_SQRT_2PI, digamma, gamma, ln_gamma, polygamma};
use super::series::{Ring, Series, log_excess, power_of_ratio, stirling, sum_of};

/// `P(a, x)`, the lower one over `Γ(a)`.
pub fn gamma_p(a: f64, x: f64) -> f64 {
    match () {
        () if !in_domain(a, x) => f64::NAN,
        () if x == 0.0 => 0.0,
        () if x == f64::INFINITY => 1.0,
        () if x < a + 1.0 => lower::<1>(a, x).value(),
        () => 1.0 - upper::<1>(a, x).value(),
    }
}

/// `Q(a, x) = 1 - P(a, x)`.
pub fn gamma_q(a: f64, x: f64) -> f64 {
    match () {
        () if !in_domain(a, x) => f64::NAN,
        () if x == 0.0 => 1.0,
        () if x == f64::INFINITY => 0.0,
        () if x < a + 1.0 => 1.0 - lower::<1>(a, x).value(),
        () => upper::<1>(a, x).value(),
    }
}

/// `x^(a - 1) e^(-x) / Γ(a)`: the derivative of `P` by `x`, and a density.
pub fn gamma_pdf(a: f64, x: f64) -> f64 {
    match () {
        () if !in_domain(a, x) => f64::NAN,
        () if x == 0.0 && a == 1.0 => 1.0,
        () if x == 0.0 => {
            if a < 1.0 {
                f64::INFINITY
            } else {
                0.0
            }
        }
        () if x == f64::INFINITY => 0.0,
        // the power of x may be too small where that of the density is not
        () if x < 1e-10 && a < 10.0 => x.powf(a - 1.0) * (-x).exp() / gamma(a),
        () => value_of_prefactor(a, x) * a / x,
    }
}

/// The `K - 1`-th derivative of `P` by `a`.
fn by_parameter<const K: usize>(a: f64, x: f64) -> f64 {
    let factorial: f64 = (1..K).map(|k| k as f64).product();
    match () {
        () if !in_domain(a, x) => f64::NAN,
        () if x == 0.0 || x == f64::INFINITY => 0.0,
        () if x < a + 1.0 => factorial * lower::<K>(a, x).0[K - 1],
        () => -factorial * upper::<K>(a, x).0[K - 1],
    }
}

/// `∂P/∂a`.
pub fn gamma_p_a(a: f64, x: f64) -> f64 {
    by_parameter::<2>(a, x)
}

/// `∂²P/∂a²`.
pub fn gamma_p_aa(a: f64, x: f64) -> f64 {
    by_parameter::<3>(a, x)
}

/// `∂³P/∂a³`.
pub fn gamma_p_aaa(a: f64, x: f64) -> f64 {
    by_parameter::<4>(a, x)
}

fn in_domain(a: f64, x: f64) -> bool {
    a > 0.0 && x >= 0.0
}

/// `x^a e^(-x) / Γ(a + 1)`: of powers, and of their logarithms where these are too large.
fn value_of_prefactor(a: f64, x: f64) -> f64 {
    if a < 10.0 && x < 700.0 {
        return x.powf(a) * (-x).exp() / gamma(a + 1.0);
    }
    let off = sum_of(a, -x);
    if a < 10.0 || off[0].abs() > 600.0 || a > 1e5 {
        return log_prefactor(a, x).exp();
    }
    let powers = power_of_ratio([x, 0.0], [a, 0.0], a) * off[0].exp() * (1.0 + off[1]);
    powers / (std::f64::consts::TAU * a).sqrt() * (-stirling(a)).exp()
}

/// `ln (x^a e^(-x) / Γ(a + 1))`.
fn log_prefactor(a: f64, x: f64) -> f64 {
    match a < 10.0 {
        true => a * x.ln() - x - ln_gamma(a) - a.ln(),
        false => -a * log_excess(x, a) - 0.5 * a.ln() - LN_SQRT_2PI - stirling(a),
    }
}

/// `x^a e^(-x) / Γ(a + 1)` by powers of a change of `a`.
fn prefactor<const K: usize>(a: f64, x: f64) -> Series<f64, K> {
    let factorial = |k: usize| (1..=k).map(|k| k as f64).product::<f64>();
    let logarithm = Series(std::array::from_fn(|k| match k {
        0 => 0.0,
        1 => x.ln() - digamma(a + 1.0),
        _ => -polygamma(a + 1.0, k as i32 - 1) / factorial(k),
    }));
    logarithm.exp(|_| value_of_prefactor(a, x))
}

fn variable<const K: usize>(value: f64) -> Series<f64, K> {
    Series(std::array::from_fn(|k| match k {
        0 => value,
        1 => 1.0,
        _ => 0.0,
    }))
}

/// `P`, by its power series.
fn lower<const K: usize>(a: f64, x: f64) -> Series<f64, K> {
    let (mut term, mut sum) = (Series::of(1.0), Series::of(1.0));
    for k in 1..1_000_000 {
        term = term * Series::of(x) / variable(a + f64::from(k));
        sum = sum + term;
        if term.norm() <= 0.1 * f64::EPSILON * sum.0[0] {
            break;
        }
    }
    prefactor(a, x) * sum
}

/// `Q`, by its continued fraction (Lentz).
fn upper<const K: usize>(a: f64, x: f64) -> Series<f64, K> {
    let at = variable::<K>(a);
    let mut b = Series::of(x + 1.0) - at;
    let mut c = Series::of(1.0 / TINY);
    let mut d = Series::of(1.0) / b;
    let mut h = d;
    for k in 1..1_000_000 {
        let numerator = Series::of(f64::from(k)) * (at - Series::of(f64::from(k)));
        b = b + Series::of(2.0);
        d = Series::of(1.0) / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        let change = c * d;
        h = h * change;
        if (change - Series::of(1.0)).norm() <= f64::EPSILON {
            break;
        }
    }
    prefactor(a, x) * at * h
}

const TINY: f64 = 1e-300;

fn away_from_zero<const K: usize>(x: Series<f64, K>) -> Series<f64, K> {
    if x.0[0].abs() < TINY { Series::of(TINY) } else { x }
}
