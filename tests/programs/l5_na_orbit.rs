use diffi::differentiable;
use nalgebra::Vector3;

/// Specific orbital energy and eccentricity from a state vector.
#[differentiable(constant(mu))]
pub fn na_orbit(r: &Vector3<f64>, v: &Vector3<f64>, mu: f64) -> (f64, f64) {
    let energy = 0.5 * v.norm_squared() - mu / r.norm();
    let h = r.cross(v);
    let ecc = v.cross(&h) / mu - r.normalize();
    (energy, ecc.norm())
}
