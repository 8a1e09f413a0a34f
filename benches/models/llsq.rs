//! Linear least squares.

#[path = "../gradbench/src/objectives/llsq.rs"]
pub mod objective;

/// A point's powers are kept, and its residual is subtracted in their proportions.
pub fn gradient_by_hand(x: &[f64], n: usize, powers: &mut [f64], gradient: &mut [f64]) {
    gradient.fill(0.0);
    for i in 0..n {
        let t = -1.0 + i as f64 * 2.0 / (n as f64 - 1.0);
        let mut residual = if t == 0.0 { 0.0 } else { t.signum() };
        let mut power = 1.0;
        for (kept, coefficient) in powers.iter_mut().zip(x) {
            *kept = power;
            residual -= coefficient * power;
            power *= t;
        }
        for (g, power) in gradient.iter_mut().zip(&*powers) {
            *g -= residual * power;
        }
    }
}
