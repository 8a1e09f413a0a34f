use diffi::prelude::*;

/// Michaelis-Menten chain with inhibition, results through an output slice.
#[differentiable]
pub fn reaction_rates(conc: &[f64], k: &[f64], rates: &mut [f64]) {
    let v1 = k[0] * conc[0] / (k[1] + conc[0]);
    let v2 = k[2] * conc[1] / (k[3] * (1.0 + conc[2] / k[4]) + conc[1]);
    rates[0] = -v1;
    rates[1] = v1 - v2;
    rates[2] = v2;
}
