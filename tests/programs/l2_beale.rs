use diffi::prelude::*;

#[differentiable]
pub fn beale(x: &[f64]) -> f64 {
    const RHS: [f64; 3] = [1.5, 2.25, 2.625];
    let mut total = 0.0;
    for (i, c) in RHS.iter().enumerate() {
        let r = c - x[0] * (1.0 - x[1].powi(i as i32 + 1));
        total += r * r;
    }
    total
}
