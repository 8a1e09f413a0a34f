use diffi::prelude::*;

#[differentiable]
pub fn dew_point(temp_c: f64, rel_humidity: f64) -> f64 {
    let (b, c) = (17.625, 243.04);
    let gamma = (rel_humidity / 100.0).ln() + b * temp_c / (c + temp_c);
    c * gamma / (b - gamma)
}
