use diffi::prelude::*;

/// Taylor series of sin with n terms, by the term recurrence.
#[differentiable(constant(n))]
pub fn sine_series(x: f64, n: usize) -> f64 {
    let mut term = x;
    let mut sum = term;
    for k in 1..n {
        term *= -x * x / ((2 * k) as f64 * (2 * k + 1) as f64);
        sum += term;
    }
    sum
}
