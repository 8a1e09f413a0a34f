use diffi::prelude::*;

/// American put on a Cox-Ross-Rubinstein tree.
#[differentiable(constant(strike, steps))]
pub fn american_put(spot: f64, vol: f64, rate: f64, expiry: f64, strike: f64, steps: usize) -> f64 {
    let dt = expiry / steps as f64;
    let up = (vol * dt.sqrt()).exp();
    let down = 1.0 / up;
    let disc = (-rate * dt).exp();
    let p = ((rate * dt).exp() - down) / (up - down);
    let price_at = |level: usize, ups: usize| spot * up.powi(2 * ups as i32 - level as i32);

    let mut values: Vec<f64> = (0..=steps).map(|i| (strike - price_at(steps, i)).max(0.0)).collect();
    for level in (0..steps).rev() {
        for i in 0..=level {
            let hold = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
            let exercise = strike - price_at(level, i);
            values[i] = if exercise > hold { exercise } else { hold };
        }
        values.pop();
    }
    values[0]
}
