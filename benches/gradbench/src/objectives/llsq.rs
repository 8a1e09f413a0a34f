//! Linear least squares: a polynomial with coefficients `x` is to be the sign of `t`, at `n` points from -1 to 1.

use diffi::prelude::*;

#[differentiable]
pub fn half_squared_error(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.0);
        let sign = if t == 0.0 { 0.0 } else { t.signum() };
        let (square, cube) = (t * t, t * t * t);
        // four sums side by side, so that no addition waits for the one before, and no power
        let (mut a, mut b, mut c, mut d) = (0.0, 0.0, 0.0, 0.0);
        let mut power = 1.0;
        for four in x.chunks_exact(4) {
            a += four[0] * power;
            b += four[1] * (power * t);
            c += four[2] * (power * square);
            d += four[3] * (power * cube);
            power *= square * square;
        }
        for coefficient in x.chunks_exact(4).remainder() {
            a += coefficient * power;
            power *= t;
        }
        let residual = sign - (a + b + (c + d));
        total += residual * residual;
    }
    total / 2.0
}
