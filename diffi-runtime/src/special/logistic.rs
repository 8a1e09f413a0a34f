//! Sums and differences of exponentials in logarithms, and the logistic function.

use super::series::sum_of;

/// `ln(1 + e^x)`, the soft plus.
pub fn ln_1p_exp(x: f64) -> f64 {
    match x {
        ..18.0 => x.exp().ln_1p(),
        ..34.0 => x + (-x).exp(),
        _ => x,
    }
}

/// `1 / (1 + e^-x)`, the logistic function.
pub fn expit(x: f64) -> f64 {
    if x < 0.0 {
        let e = x.exp();
        return e / (1.0 + e);
    }
    1.0 / (1.0 + (-x).exp())
}

/// `ln(p / (1 - p))`.
pub fn logit(p: f64) -> f64 {
    match p {
        0.25..=0.75 => 2.0 * (2.0 * p - 1.0).atanh(),
        _ => p.ln() - (-p).ln_1p(),
    }
}

/// `ln(e^a + e^b)`.
pub fn ln_add_exp(a: f64, b: f64) -> f64 {
    if a == b {
        return a + std::f64::consts::LN_2;
    }
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high + (low - high).exp().ln_1p()
}

/// `ln(e^a - e^b)`, for `a >= b`.
pub fn ln_sub_exp(a: f64, b: f64) -> f64 {
    if a == b {
        return f64::NEG_INFINITY;
    }
    let off = b - a;
    a + if off > -std::f64::consts::LN_2 { (-off.exp_m1()).ln() } else { (-off.exp()).ln_1p() }
}

/// `e^a / (e^a + e^b)`, the logistic function of a difference: the first part of `softmax(a, b)`.
pub fn softmax_of_pair(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.5;
    }
    let (off, lost) = difference(a, b);
    let e = (-off.abs()).exp();
    let (large, small) = (1.0 / (1.0 + e), e / (1.0 + e));
    if off < 0.0 { small * (1.0 + lost * large) } else { large * (1.0 + lost * small) }
}

/// `1 / (e^(a - b) - 1)`, Bose and Einstein's occupation of a state.
pub fn bose_einstein(a: f64, b: f64) -> f64 {
    let (off, lost) = difference(a, b);
    let y = 1.0 / off.exp_m1();
    // the derivative is -y (1 + y), and 1 + y cancels where `b` is the larger one
    if lost == 0.0 { y } else { y * (1.0 + lost / (-off).exp_m1()) }
}

/// `a - b`, and what it loses by rounding: below an exponential this counts as much as the difference is large.
fn difference(a: f64, b: f64) -> (f64, f64) {
    let [off, lost] = sum_of(a, -b);
    (off, if off.is_finite() { lost } else { 0.0 })
}
