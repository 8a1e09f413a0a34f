use diffi::prelude::*;

/// Exponential smoothing whose state is an Option.
#[differentiable]
pub fn optional_state(x: &[f64], rate: f64) -> f64 {
    let mut level: Option<f64> = None;
    let mut sse = 0.0;
    for &v in x {
        let error = level.map_or(0.0, |l| v - l);
        sse += error * error;
        level = match level {
            None => Some(v),
            Some(l) => Some(l + rate * (v - l)),
        };
    }
    sse + level.unwrap_or_default()
}
