use diffi::prelude::*;

const EARTH_RADIUS_KM: f64 = 6371.0088;

/// Great-circle distance; angles in degrees.
#[differentiable]
pub fn haversine(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64 {
    let (phi1, phi2) = (lat1.to_radians(), lat2.to_radians());
    let dphi = phi2 - phi1;
    let dlam = (lon2 - lon1).to_radians();
    let s1 = (dphi / 2.0).sin().powi(2);
    let s2 = (dlam / 2.0).sin().powi(2);
    let h = (phi1.cos() * phi2.cos()).mul_add(s2, s1);
    2.0 * EARTH_RADIUS_KM * h.sqrt().asin()
}
