//! Linear least squares: a polynomial with coefficients `x` is to be the sign of `t`, at `n` points from -1 to 1.

use diffi::prelude::*;

#[differentiable]
pub fn half_squared_error(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.0);
        let sign = if t == 0.0 { 0.0 } else { t.signum() };
        let mut residual = sign;
        let mut power = 1.0;
        for coefficient in x {
            residual -= coefficient * power;
            power *= t;
        }
        total += residual * residual;
    }
    total / 2.0
}
