//! ADBench's bundle adjustment: where a camera should see a point, compared with where it does.

use diffi::prelude::*;

/// Rotation (3, an axis times an angle), centre (3), focal length, principal point (2), radial distortion (2).
pub const CAMERA: usize = 11;
pub const POINT: usize = 3;
/// What one observation depends on: a camera, a point and a weight.
pub const PARAMETERS: usize = CAMERA + POINT + 1;

/// The weighted error of one observation.
#[differentiable(constant(feature))]
pub fn reprojection_error(parameters: &[f64; PARAMETERS], feature: &[f64; 2]) -> [f64; 2] {
    let (camera, rest) = parameters.split_at(CAMERA);
    let (point, weight) = rest.split_at(POINT);
    error(camera, point, weight[0], feature)
}

/// The same of a camera, a point and a weight that lie apart.
#[differentiable(constant(feature))]
pub fn error(camera: &[f64], point: &[f64], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
    let center = &camera[3..6];
    let seen = rotated(&camera[..3], [point[0] - center[0], point[1] - center[1], point[2] - center[2]]);
    let (x, y) = (seen[0] / seen[2], seen[1] / seen[2]);
    let squared = x * x + y * y;
    let distortion = 1.0 + camera[9] * squared + camera[10] * squared * squared;
    let focus = camera[6] * distortion;
    [weight * (x * focus + camera[7] - feature[0]), weight * (y * focus + camera[8] - feature[1])]
}

/// Rodrigues' formula: `point` turned about `rotation` by as many radians as that is long.
#[differentiable]
fn rotated(rotation: &[f64], point: [f64; 3]) -> [f64; 3] {
    let squared = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    if squared == 0.0 {
        return [
            point[0] + rotation[1] * point[2] - rotation[2] * point[1],
            point[1] + rotation[2] * point[0] - rotation[0] * point[2],
            point[2] + rotation[0] * point[1] - rotation[1] * point[0],
        ];
    }
    let angle = squared.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
    let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - cosine);
    [
        point[0] * cosine + (axis[1] * point[2] - axis[2] * point[1]) * sine + axis[0] * along,
        point[1] * cosine + (axis[2] * point[0] - axis[0] * point[2]) * sine + axis[1] * along,
        point[2] * cosine + (axis[0] * point[1] - axis[1] * point[0]) * sine + axis[2] * along,
    ]
}
