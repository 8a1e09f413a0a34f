use diffi::prelude::*;

/// Forward Euler for logistic growth; the state variable is overwritten in a loop.
#[differentiable(constant(steps))]
pub fn euler_logistic(y0: f64, rate: f64, capacity: f64, steps: usize) -> f64 {
    let dt = 1.0 / steps as f64;
    let mut y = y0;
    for _ in 0..steps {
        y += dt * rate * y * (1.0 - y / capacity);
    }
    y
}
