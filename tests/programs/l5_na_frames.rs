use diffi::differentiable;
use nalgebra::{Matrix3, Vector3};

#[differentiable]
fn rot_z(a: f64) -> Matrix3<f64> {
    let (s, c) = a.sin_cos();
    Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

#[differentiable]
fn rot_x(a: f64) -> Matrix3<f64> {
    let (s, c) = a.sin_cos();
    Matrix3::new(1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)
}

/// Euler-angle rotation of a point followed by a translation.
#[differentiable(constant(point))]
pub fn na_frames(angles: [f64; 3], shift: Vector3<f64>, point: Vector3<f64>) -> Vector3<f64> {
    let r = rot_z(angles[0]) * rot_x(angles[1]) * rot_z(angles[2]);
    r * point + shift * 2.0 - r.transpose() * shift
}
