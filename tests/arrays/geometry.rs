//! Quaternions, rotations, points and isometries of `nalgebra`.

use diffi::prelude::*;
use nalgebra::{
    Isometry2, Isometry3, Point2, Point3, Quaternion, Rotation2, Rotation3, Translation3, Unit, UnitComplex,
    UnitQuaternion, Vector2, Vector3,
};
use ndarray::Array1;

/// The position of a robot arm's tip.
#[differentiable]
fn arm(x: &Array1<f64>) -> f64 {
    let mut frame = Isometry3::identity();
    for (i, length) in [1.0, 0.8, 0.5].iter().enumerate() {
        let joint = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), x[i]);
        frame = frame
            * Isometry3::from_parts(Translation3::new(0.1 * x[0], 0.0, 0.0), joint)
            * Translation3::new(*length, 0.0, x[1]);
    }
    let tip = frame * Point3::origin();
    tip.x * tip.x + tip.z * tip.y.exp()
}

/// What two poses and a measurement of one from the other disagree about.
#[differentiable]
fn pose_graph(x: &Array1<f64>) -> f64 {
    let a = Isometry3::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[2], x[0], x[1]));
    let b = a * Isometry3::rotation(Vector3::new(0.1, x[0], 0.2));
    let measured = Isometry3::new(Vector3::new(0.2, 0.1, 0.3), Vector3::new(0.3, 0.2, 0.1));
    let error = measured.inverse() * a.inv_mul(&b);
    error.translation.vector.norm_squared() + error.rotation.scaled_axis().norm_squared()
}

/// A camera's image of points.
#[differentiable]
fn reprojection(x: &Array1<f64>) -> f64 {
    let camera = Isometry3::face_towards(&Point3::new(x[0], x[1], -4.0), &Point3::new(0.0, 0.0, x[2]), &Vector3::y());
    let mut sum = 0.0;
    for i in 0..3 {
        let seen = camera.inverse_transform_point(&Point3::new(x[i], 0.3 * i as f64, 0.5));
        let image = Point2::new(seen.x / seen.z, seen.y / seen.z);
        sum += (image - Point2::new(0.1, 0.2)).norm_squared();
    }
    sum
}

#[differentiable]
fn attitude(x: &Array1<f64>) -> f64 {
    let mut q = UnitQuaternion::new_normalize(Quaternion::new(1.0, x[0], 0.2, x[2]));
    let rate = Vector3::new(x[0], x[1], x[2]);
    for _ in 0..3 {
        q *= UnitQuaternion::from_scaled_axis(rate * 0.1);
    }
    let other = UnitQuaternion::from_euler_angles(x[0], x[1], x[2]);
    let (roll, pitch, yaw) = q.slerp(&other, 0.3).euler_angles();
    roll * pitch + yaw + q.angle_to(&other) + other.w * q.i
}

#[differentiable]
fn matrices(x: &Array1<f64>) -> f64 {
    let axis = Unit::new_normalize(Vector3::new(x[0], x[1], 1.0));
    let turn = Rotation3::from_axis_angle(&axis, x[2]) * Rotation3::from_euler_angles(x[0], x[1], x[2]).transpose();
    let v = turn * Vector3::new(1.0, x[0], 3.0);
    let m = turn.matrix();
    v.dot(&axis) + m[(0, 1)] * m[(1, 2)] + turn.angle()
}

#[differentiable]
fn in_the_plane(x: &Array1<f64>) -> f64 {
    let a = Isometry2::new(Vector2::new(x[0], x[1]), x[2]);
    let p = a * Point2::new(x[1], 1.0);
    let v = UnitComplex::new(x[1]) * (Rotation2::new(x[0]) * Vector2::new(x[2], 1.0));
    p.coords.dot(&v) + a.inverse().rotation.angle() * v.x
}

#[derive(Differentiable, Clone, Copy)]
struct Body {
    pose: Isometry3<f64>,
    rate: Vector3<f64>,
}

#[differentiable]
fn moved(body: &Body, step: f64) -> Body {
    let turned = body.pose.rotation * UnitQuaternion::from_scaled_axis(body.rate * step);
    Body { pose: Isometry3::from_parts(body.pose.translation, turned), rate: body.rate * 0.9 }
}

#[differentiable]
fn of_a_struct(x: &Array1<f64>) -> f64 {
    let pose = Isometry3::new(Vector3::new(x[0], x[1], 0.1), Vector3::new(x[2], 0.1, 0.2));
    let mut body = Body { pose, rate: Vector3::new(x[0], 0.3, x[1]) };
    for _ in 0..4 {
        body = moved(&body, 0.1);
    }
    body.pose.transform_vector(&Vector3::new(1.0, 2.0, x[2])).norm() * body.rate.x
}

mod tests {
    crate::number!(arm(3));
    crate::number!(pose_graph(3));
    crate::number!(reprojection(3));
    crate::number!(attitude(3));
    crate::number!(matrices(3));
    crate::number!(in_the_plane(3));
    crate::number!(of_a_struct(3));
}
