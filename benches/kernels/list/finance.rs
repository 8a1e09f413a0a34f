//! Prices and risks.

use diffi::prelude::*;

/// The discount factor of a time, by a curve of zero rates.
#[differentiable]
fn discount(times: &Vec<f64>, zero: &[f64], t: f64) -> f64 {
    let k = times.iter().take_while(|s| **s < t).count().clamp(1, times.len() - 1);
    let w = (t - times[k - 1]) / (times[k] - times[k - 1]);
    (-t * (zero[k - 1] * (1.0 - w) + zero[k] * w)).exp()
}

pub struct Bond {
    pub coupon: f64,
    pub dates: Vec<f64>,
    pub price: f64,
}

pub struct Market {
    pub times: Vec<f64>,
    pub bonds: Vec<Bond>,
}

/// How far bonds are from their prices under a curve.
#[differentiable(constant(market))]
pub fn curve(zero: &[f64], market: &Market) -> f64 {
    let mut error = 0.0;
    for bond in &market.bonds {
        let mut value = 0.0;
        for &t in &bond.dates {
            value += bond.coupon * discount(&market.times, zero, t);
        }
        error += (value - bond.price).powi(2);
    }
    error
}

/// The same after the curve is bent in place, in a loop over scenarios.
#[differentiable(constant(market))]
pub fn scenarios(rates: &[f64], market: &Market) -> f64 {
    let mut zero = rates.to_vec();
    let mut total = 0.0;
    for s in 0..4 {
        for (k, z) in zero.iter_mut().enumerate() {
            *z += 0.001 * (s as f64 - 1.5) * *z * k as f64;
        }
        for bond in &market.bonds {
            for &t in &bond.dates {
                total += bond.coupon * discount(&market.times, &zero, t);
            }
        }
    }
    total
}

/// Heston's model: a mean over paths with given noise.
#[differentiable(constant(noise))]
pub fn heston(x: &[f64], noise: &Vec<Vec<(f64, f64)>>) -> f64 {
    let (kappa, theta, sigma, rho) = (x[0], x[1], x[2], x[3]);
    let mut sum = 0.0;
    for path in noise {
        let mut spot = 1.0;
        let mut variance = x[4];
        for (a, b) in path {
            let root = variance.max(1e-6).sqrt();
            spot *= ((0.02 - 0.5 * variance) * 0.05 + root * 0.22 * a).exp();
            let other = rho * a + (1.0 - rho * rho).sqrt() * b;
            variance += kappa * (theta - variance) * 0.05 + sigma * root * 0.22 * other;
        }
        sum += (spot - 1.0).max(0.0);
    }
    sum / noise.len() as f64
}

/// An American put on a binomial tree, the values rolled back in place.
#[differentiable(constant(steps))]
pub fn american_put(x: &[f64], steps: &usize) -> f64 {
    let n = *steps;
    let (spot, strike, sigma, rate) = (x[0], x[1], x[2], x[3]);
    let dt = 1.0 / n as f64;
    let up = (sigma * dt.sqrt()).exp();
    let growth = (rate * dt).exp();
    let p = (growth - 1.0 / up) / (up - 1.0 / up);
    let mut value: Vec<f64> = (0..=n).map(|i| (strike - spot * up.powi(2 * i as i32 - n as i32)).max(0.0)).collect();
    for level in (0..n).rev() {
        for i in 0..=level {
            let hold = (p * value[i + 1] + (1.0 - p) * value[i]) / growth;
            let exercise = strike - spot * up.powi(2 * i as i32 - level as i32);
            value[i] = hold.max(exercise);
        }
    }
    value[0]
}

/// The variance of a portfolio and its entropy, with weights from a softmax.
#[differentiable(constant(covariance))]
pub fn portfolio(x: &[f64], covariance: &Vec<Vec<f64>>) -> f64 {
    let largest = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let e: Vec<f64> = x.iter().map(|v| (v - largest).exp()).collect();
    let total: f64 = e.iter().sum();
    let w: Vec<f64> = e.iter().map(|v| v / total).collect();
    let mut variance = 0.0;
    for (wi, row) in w.iter().zip(covariance) {
        variance += wi * row.iter().zip(&w).map(|(c, wj)| c * wj).sum::<f64>();
    }
    let entropy: f64 = w.iter().map(|w| -w * w.ln()).sum();
    variance.sqrt() - 0.1 * entropy
}

pub fn portfolio_by_hand(x: &[f64], covariance: &Vec<Vec<f64>>, gradient: &mut [f64], kept: &mut Vec<Vec<f64>>) -> f64 {
    let n = x.len();
    kept.resize(2, vec![]);
    kept.iter_mut().for_each(|k| k.resize(n, 0.0));
    let (w, product) = kept.split_at_mut(1);
    let (w, product) = (&mut w[0][..n], &mut product[0][..n]);
    let largest = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (w, x) in w.iter_mut().zip(x) {
        *w = (x - largest).exp();
        total += *w;
    }
    w.iter_mut().for_each(|w| *w /= total);
    product.fill(0.0);
    let mut variance = 0.0;
    for (i, row) in covariance.iter().enumerate() {
        let mut sum = 0.0;
        for j in 0..n {
            sum += row[j] * w[j];
            product[j] += row[j] * w[i];
        }
        product[i] += sum;
        variance += w[i] * sum;
    }
    let (mut entropy, mut mean) = (0.0, 0.0);
    for i in 0..n {
        let log = w[i].ln();
        entropy -= w[i] * log;
        gradient[i] = 0.5 / variance.sqrt() * product[i] + 0.1 * (log + 1.0);
        mean += w[i] * gradient[i];
    }
    for i in 0..n {
        gradient[i] = w[i] * (gradient[i] - mean);
    }
    variance.sqrt() - 0.1 * entropy
}
