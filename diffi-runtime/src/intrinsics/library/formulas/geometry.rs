//! Quaternions, rotations, points and isometries.

use super::{AnyNumber, Formula, Numbers, formulas, named, pull_push1, pull_push2, pull1, pull2, push1, push2, traits};
use crate::intrinsics::library::{Binary, Memory, Tan, Unary, op};
use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use nalgebra::{
    Complex, Isometry2, Isometry3, IsometryMatrix2, IsometryMatrix3, Matrix3, Matrix4, Point, Point2, Point3,
    Quaternion, Rotation, Rotation2, Rotation3, SMatrix, SVector, Translation, Translation2, Translation3, Unit,
    UnitComplex, UnitQuaternion, UnitVector3, Vector2, Vector3,
};

formulas! {
    call [] Quaternion<S>, conjugate(q: Quaternion<S>) => Quaternion<S> { q.conjugate() }
    call [] Quaternion<S>, norm(q: Quaternion<S>) => S { q.norm() }
    call [] Quaternion<S>, norm_squared(q: Quaternion<S>) => S { q.norm_squared() }
    call [] Quaternion<S>, magnitude(q: Quaternion<S>) => S { q.magnitude() }
    call [] Quaternion<S>, magnitude_squared(q: Quaternion<S>) => S { q.magnitude_squared() }
    call [] Quaternion<S>, normalize(q: Quaternion<S>) => Quaternion<S> { q.normalize() }
    call [] Quaternion<S>, squared(q: Quaternion<S>) => Quaternion<S> { q.squared() }
    call [] Quaternion<S>, half(q: Quaternion<S>) => Quaternion<S> { q.half() }
    call [] Quaternion<S>, exp(q: Quaternion<S>) => Quaternion<S> { q.exp() }
    call [] Quaternion<S>, ln(q: Quaternion<S>) => Quaternion<S> { q.ln() }
    call [] Quaternion<S>, try_inverse(q: Quaternion<S>) => Option<Quaternion<S>> { q.try_inverse() }
    call [] Quaternion<S>, scalar(q: Quaternion<S>) => S { q.scalar() }
    call [] Quaternion<S>, vector(q: Quaternion<S>) => Vector3<S> { q.vector().into_owned() }
    call [] Quaternion<S>, imag(q: Quaternion<S>) => Vector3<S> { q.imag() }
    call [] Quaternion<S>, powf(q: Quaternion<S>, n: S) => Quaternion<S> { q.powf(n) }
    call [] Quaternion<S>, inner(q: Quaternion<S>, p: Quaternion<S>) => Quaternion<S> { q.inner(&p) }
    call [] Quaternion<S>, outer(q: Quaternion<S>, p: Quaternion<S>) => Quaternion<S> { q.outer(&p) }
    call [] Quaternion<S>, lerp(q: Quaternion<S>, p: Quaternion<S>, t: S) => Quaternion<S> { q.lerp(&p, t) }
    make [] Quaternion<S>, new_of_4(w: S, i: S, j: S, k: S) => Quaternion<S> { Quaternion::new(w, i, j, k) }
    make [] Quaternion<S>, from_parts_of_2(w: S, v: Vector3<S>) => Quaternion<S> { Quaternion::from_parts(w, v) }
    make [] Quaternion<S>, from_imag_of_1(v: Vector3<S>) => Quaternion<S> { Quaternion::from_imag(v) }
    make [] Quaternion<S>, from_real_of_1(w: S) => Quaternion<S> { Quaternion::from_real(w) }
    operator [] Quaternion<S>, Dot(q: Quaternion<S>, p: Quaternion<S>) => S { q.dot(&p) }
    operator [] Quaternion<S>, Mul(q: Quaternion<S>, p: Quaternion<S>) => Quaternion<S> { q * p }
    operator [] Quaternion<S>, Add(q: Quaternion<S>, p: Quaternion<S>) => Quaternion<S> { q + p }
    operator [] Quaternion<S>, Sub(q: Quaternion<S>, p: Quaternion<S>) => Quaternion<S> { q - p }
    operator [] Quaternion<S>, Mul(q: Quaternion<S>, t: S) => Quaternion<S> { q * t }
    operator [] Quaternion<S>, Div(q: Quaternion<S>, t: S) => Quaternion<S> { q / t }

    call [] UnitQuaternion<S>, inverse(q: UnitQuaternion<S>) => UnitQuaternion<S> { q.inverse() }
    call [] UnitQuaternion<S>, conjugate(q: UnitQuaternion<S>) => UnitQuaternion<S> { q.conjugate() }
    call [] UnitQuaternion<S>, angle(q: UnitQuaternion<S>) => S { q.angle() }
    call [] UnitQuaternion<S>, axis(q: UnitQuaternion<S>) => Option<UnitVector3<S>> { q.axis() }
    call [] UnitQuaternion<S>, axis_angle(q: UnitQuaternion<S>) => Option<(UnitVector3<S>, S)> { q.axis_angle() }
    call [] UnitQuaternion<S>, scaled_axis(q: UnitQuaternion<S>) => Vector3<S> { q.scaled_axis() }
    call [] UnitQuaternion<S>, to_rotation_matrix(q: UnitQuaternion<S>) => Rotation3<S> { q.to_rotation_matrix() }
    call [] UnitQuaternion<S>, to_homogeneous(q: UnitQuaternion<S>) => Matrix4<S> { q.to_homogeneous() }
    call [] UnitQuaternion<S>, euler_angles(q: UnitQuaternion<S>) => (S, S, S) { q.euler_angles() }
    call [] UnitQuaternion<S>, into_inner(q: UnitQuaternion<S>) => Quaternion<S> { q.into_inner() }
    call [] UnitQuaternion<S>, quaternion(q: UnitQuaternion<S>) => Quaternion<S> { q.into_inner() }
    call [] UnitQuaternion<S>, exp(q: UnitQuaternion<S>) => Quaternion<S> { q.exp() }
    call [] UnitQuaternion<S>, ln(q: UnitQuaternion<S>) => Quaternion<S> { q.ln() }
    call [] UnitQuaternion<S>, powf(q: UnitQuaternion<S>, n: S) => UnitQuaternion<S> { q.powf(n) }
    call [] UnitQuaternion<S>, angle_to(q: UnitQuaternion<S>, p: UnitQuaternion<S>) => S { q.angle_to(&p) }
    call [] UnitQuaternion<S>, rotation_to(q: UnitQuaternion<S>, p: UnitQuaternion<S>) => UnitQuaternion<S> { q.rotation_to(&p) }
    call [] UnitQuaternion<S>, lerp(q: UnitQuaternion<S>, p: UnitQuaternion<S>, t: S) => Quaternion<S> { q.lerp(&p, t) }
    call [] UnitQuaternion<S>, nlerp(q: UnitQuaternion<S>, p: UnitQuaternion<S>, t: S) => UnitQuaternion<S> { q.nlerp(&p, t) }
    call [] UnitQuaternion<S>, slerp(q: UnitQuaternion<S>, p: UnitQuaternion<S>, t: S) => UnitQuaternion<S> { q.slerp(&p, t) }
    call [] UnitQuaternion<S>, append_axisangle_linearized(q: UnitQuaternion<S>, v: Vector3<S>) => UnitQuaternion<S> {
        q.append_axisangle_linearized(&v)
    }
    call [] UnitQuaternion<S>, transform_point(q: UnitQuaternion<S>, p: Point3<S>) => Point3<S> { q.transform_point(&p) }
    call [] UnitQuaternion<S>, transform_vector(q: UnitQuaternion<S>, v: Vector3<S>) => Vector3<S> { q.transform_vector(&v) }
    call [] UnitQuaternion<S>, inverse_transform_point(q: UnitQuaternion<S>, p: Point3<S>) => Point3<S> {
        q.inverse_transform_point(&p)
    }
    call [] UnitQuaternion<S>, inverse_transform_vector(q: UnitQuaternion<S>, v: Vector3<S>) => Vector3<S> {
        q.inverse_transform_vector(&v)
    }
    make [] UnitQuaternion<S>, new_of_1(v: Vector3<S>) => UnitQuaternion<S> { UnitQuaternion::new(v) }
    make [] UnitQuaternion<S>, from_scaled_axis_of_1(v: Vector3<S>) => UnitQuaternion<S> { UnitQuaternion::from_scaled_axis(v) }
    make [] UnitQuaternion<S>, from_axis_angle_of_2(axis: UnitVector3<S>, angle: S) => UnitQuaternion<S> {
        UnitQuaternion::from_axis_angle(&axis, angle)
    }
    make [] UnitQuaternion<S>, from_euler_angles_of_3(roll: S, pitch: S, yaw: S) => UnitQuaternion<S> {
        UnitQuaternion::from_euler_angles(roll, pitch, yaw)
    }
    make [] UnitQuaternion<S>, from_quaternion_of_1(q: Quaternion<S>) => UnitQuaternion<S> { UnitQuaternion::from_quaternion(q) }
    make [] UnitQuaternion<S>, new_normalize_of_1(q: Quaternion<S>) => UnitQuaternion<S> { Unit::new_normalize(q) }
    make [] UnitQuaternion<S>, new_unchecked_of_1(q: Quaternion<S>) => UnitQuaternion<S> { Unit::new_unchecked(q) }
    make [] UnitQuaternion<S>, from_rotation_matrix_of_1(r: Rotation3<S>) => UnitQuaternion<S> {
        UnitQuaternion::from_rotation_matrix(&r)
    }
    make [] UnitQuaternion<S>, from_of_1(r: Rotation3<S>) => UnitQuaternion<S> { UnitQuaternion::from_rotation_matrix(&r) }
    make [] UnitQuaternion<S>, rotation_between_of_2(a: Vector3<S>, b: Vector3<S>) => Option<UnitQuaternion<S>> {
        UnitQuaternion::rotation_between(&a, &b)
    }
    make [] UnitQuaternion<S>, face_towards_of_2(dir: Vector3<S>, up: Vector3<S>) => UnitQuaternion<S> {
        UnitQuaternion::face_towards(&dir, &up)
    }
    make [] UnitQuaternion<S>, look_at_rh_of_2(dir: Vector3<S>, up: Vector3<S>) => UnitQuaternion<S> {
        UnitQuaternion::look_at_rh(&dir, &up)
    }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, p: UnitQuaternion<S>) => UnitQuaternion<S> { q * p }
    operator [] UnitQuaternion<S>, Div(q: UnitQuaternion<S>, p: UnitQuaternion<S>) => UnitQuaternion<S> { q / p }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, v: Vector3<S>) => Vector3<S> { q * v }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, p: Point3<S>) => Point3<S> { q * p }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, v: UnitVector3<S>) => UnitVector3<S> { q * v }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, i: Isometry3<S>) => Isometry3<S> { q * i }
    operator [] UnitQuaternion<S>, Mul(q: UnitQuaternion<S>, r: Rotation3<S>) => UnitQuaternion<S> { q * r }

    call [const D: usize] Rotation<S, D>, inverse(r: Rotation<S, D>) => Rotation<S, D> { r.inverse() }
    operator [const D: usize] Rotation<S, D>, Transpose(r: Rotation<S, D>) => Rotation<S, D> { r.transpose() }
    call [const D: usize] Rotation<S, D>, matrix(r: Rotation<S, D>) => SMatrix<S, D, D> { r.into_inner() }
    call [const D: usize] Rotation<S, D>, into_inner(r: Rotation<S, D>) => SMatrix<S, D, D> { r.into_inner() }
    call [const D: usize] Rotation<S, D>, transform_point(r: Rotation<S, D>, p: Point<S, D>) => Point<S, D> { r.transform_point(&p) }
    call [const D: usize] Rotation<S, D>, transform_vector(r: Rotation<S, D>, v: SVector<S, D>) => SVector<S, D> {
        r.transform_vector(&v)
    }
    call [const D: usize] Rotation<S, D>, inverse_transform_point(r: Rotation<S, D>, p: Point<S, D>) => Point<S, D> {
        r.inverse_transform_point(&p)
    }
    call [const D: usize] Rotation<S, D>, inverse_transform_vector(r: Rotation<S, D>, v: SVector<S, D>) => SVector<S, D> {
        r.inverse_transform_vector(&v)
    }
    make [const D: usize] Rotation<S, D>, from_matrix_unchecked_of_1(m: SMatrix<S, D, D>) => Rotation<S, D> {
        Rotation::from_matrix_unchecked(m)
    }
    operator [const D: usize] Rotation<S, D>, Mul(r: Rotation<S, D>, p: Rotation<S, D>) => Rotation<S, D> { r * p }
    operator [const D: usize] Rotation<S, D>, Div(r: Rotation<S, D>, p: Rotation<S, D>) => Rotation<S, D> { r / p }
    operator [const D: usize, const C: usize] Rotation<S, D>, Mul(r: Rotation<S, D>, m: SMatrix<S, D, C>) => SMatrix<S, D, C> { r * m }
    operator [const D: usize, const C: usize] Rotation<S, D>, Mul(m: SMatrix<S, C, D>, r: Rotation<S, D>) => SMatrix<S, C, D> { m * r }
    operator [const D: usize] Rotation<S, D>, Mul(r: Rotation<S, D>, p: Point<S, D>) => Point<S, D> { r * p }
    operator [const D: usize] Rotation<S, D>, Mul(r: Rotation<S, D>, v: Unit<SVector<S, D>>) => Unit<SVector<S, D>> { r * v }

    call [] Rotation3<S>, angle(r: Rotation3<S>) => S { r.angle() }
    call [] Rotation3<S>, axis(r: Rotation3<S>) => Option<UnitVector3<S>> { r.axis() }
    call [] Rotation3<S>, axis_angle(r: Rotation3<S>) => Option<(UnitVector3<S>, S)> { r.axis_angle() }
    call [] Rotation3<S>, scaled_axis(r: Rotation3<S>) => Vector3<S> { r.scaled_axis() }
    call [] Rotation3<S>, euler_angles(r: Rotation3<S>) => (S, S, S) { r.euler_angles() }
    call [] Rotation3<S>, to_homogeneous(r: Rotation3<S>) => Matrix4<S> { r.to_homogeneous() }
    call [] Rotation3<S>, powf(r: Rotation3<S>, n: S) => Rotation3<S> { r.powf(n) }
    call [] Rotation3<S>, angle_to(r: Rotation3<S>, p: Rotation3<S>) => S { r.angle_to(&p) }
    call [] Rotation3<S>, rotation_to(r: Rotation3<S>, p: Rotation3<S>) => Rotation3<S> { r.rotation_to(&p) }
    call [] Rotation3<S>, slerp(r: Rotation3<S>, p: Rotation3<S>, t: S) => Rotation3<S> { r.slerp(&p, t) }
    make [] Rotation3<S>, new_of_1(v: Vector3<S>) => Rotation3<S> { Rotation3::new(v) }
    make [] Rotation3<S>, from_scaled_axis_of_1(v: Vector3<S>) => Rotation3<S> { Rotation3::from_scaled_axis(v) }
    make [] Rotation3<S>, from_axis_angle_of_2(axis: UnitVector3<S>, angle: S) => Rotation3<S> {
        Rotation3::from_axis_angle(&axis, angle)
    }
    make [] Rotation3<S>, from_euler_angles_of_3(roll: S, pitch: S, yaw: S) => Rotation3<S> {
        Rotation3::from_euler_angles(roll, pitch, yaw)
    }
    make [] Rotation3<S>, from_of_1(q: UnitQuaternion<S>) => Rotation3<S> { Rotation3::from(q) }
    make [] Rotation3<S>, rotation_between_of_2(a: Vector3<S>, b: Vector3<S>) => Option<Rotation3<S>> {
        Rotation3::rotation_between(&a, &b)
    }
    make [] Rotation3<S>, face_towards_of_2(dir: Vector3<S>, up: Vector3<S>) => Rotation3<S> { Rotation3::face_towards(&dir, &up) }
    make [] Rotation3<S>, look_at_rh_of_2(dir: Vector3<S>, up: Vector3<S>) => Rotation3<S> { Rotation3::look_at_rh(&dir, &up) }

    call [] Rotation2<S>, angle(r: Rotation2<S>) => S { r.angle() }
    call [] Rotation2<S>, powf(r: Rotation2<S>, n: S) => Rotation2<S> { r.powf(n) }
    call [] Rotation2<S>, angle_to(r: Rotation2<S>, p: Rotation2<S>) => S { r.angle_to(&p) }
    call [] Rotation2<S>, rotation_to(r: Rotation2<S>, p: Rotation2<S>) => Rotation2<S> { r.rotation_to(&p) }
    call [] Rotation2<S>, slerp(r: Rotation2<S>, p: Rotation2<S>, t: S) => Rotation2<S> { r.slerp(&p, t) }
    call [] Rotation2<S>, to_homogeneous(r: Rotation2<S>) => Matrix3<S> { r.to_homogeneous() }
    make [] Rotation2<S>, new_of_1(angle: S) => Rotation2<S> { Rotation2::new(angle) }
    make [] Rotation2<S>, from_of_1(z: UnitComplex<S>) => Rotation2<S> { Rotation2::from(z) }

    call [] UnitComplex<S>, angle(z: UnitComplex<S>) => S { z.angle() }
    call [] UnitComplex<S>, cos_angle(z: UnitComplex<S>) => S { z.cos_angle() }
    call [] UnitComplex<S>, sin_angle(z: UnitComplex<S>) => S { z.sin_angle() }
    call [] UnitComplex<S>, inverse(z: UnitComplex<S>) => UnitComplex<S> { z.inverse() }
    call [] UnitComplex<S>, conjugate(z: UnitComplex<S>) => UnitComplex<S> { z.conjugate() }
    call [] UnitComplex<S>, to_rotation_matrix(z: UnitComplex<S>) => Rotation2<S> { z.to_rotation_matrix() }
    call [] UnitComplex<S>, to_homogeneous(z: UnitComplex<S>) => Matrix3<S> { z.to_homogeneous() }
    call [] UnitComplex<S>, into_inner(z: UnitComplex<S>) => Complex<S> { z.into_inner() }
    call [] UnitComplex<S>, powf(z: UnitComplex<S>, n: S) => UnitComplex<S> { z.powf(n) }
    call [] UnitComplex<S>, angle_to(z: UnitComplex<S>, p: UnitComplex<S>) => S { z.angle_to(&p) }
    call [] UnitComplex<S>, rotation_to(z: UnitComplex<S>, p: UnitComplex<S>) => UnitComplex<S> { z.rotation_to(&p) }
    call [] UnitComplex<S>, slerp(z: UnitComplex<S>, p: UnitComplex<S>, t: S) => UnitComplex<S> { z.slerp(&p, t) }
    call [] UnitComplex<S>, transform_point(z: UnitComplex<S>, p: Point2<S>) => Point2<S> { z.transform_point(&p) }
    call [] UnitComplex<S>, transform_vector(z: UnitComplex<S>, v: Vector2<S>) => Vector2<S> { z.transform_vector(&v) }
    call [] UnitComplex<S>, inverse_transform_point(z: UnitComplex<S>, p: Point2<S>) => Point2<S> { z.inverse_transform_point(&p) }
    call [] UnitComplex<S>, inverse_transform_vector(z: UnitComplex<S>, v: Vector2<S>) => Vector2<S> { z.inverse_transform_vector(&v) }
    make [] UnitComplex<S>, new_of_1(angle: S) => UnitComplex<S> { UnitComplex::new(angle) }
    make [] UnitComplex<S>, from_angle_of_1(angle: S) => UnitComplex<S> { UnitComplex::from_angle(angle) }
    make [] UnitComplex<S>, from_cos_sin_unchecked_of_2(cos: S, sin: S) => UnitComplex<S> { UnitComplex::from_cos_sin_unchecked(cos, sin) }
    operator [] UnitComplex<S>, Mul(z: UnitComplex<S>, p: UnitComplex<S>) => UnitComplex<S> { z * p }
    operator [] UnitComplex<S>, Div(z: UnitComplex<S>, p: UnitComplex<S>) => UnitComplex<S> { z / p }
    operator [] UnitComplex<S>, Mul(z: UnitComplex<S>, v: Vector2<S>) => Vector2<S> { z * v }
    operator [] UnitComplex<S>, Mul(z: UnitComplex<S>, p: Point2<S>) => Point2<S> { z * p }

    call [const D: usize] Translation<S, D>, inverse(t: Translation<S, D>) => Translation<S, D> { t.inverse() }
    call [const D: usize] Translation<S, D>, transform_point(t: Translation<S, D>, p: Point<S, D>) => Point<S, D> { t.transform_point(&p) }
    call [const D: usize] Translation<S, D>, inverse_transform_point(t: Translation<S, D>, p: Point<S, D>) => Point<S, D> {
        t.inverse_transform_point(&p)
    }
    make [const D: usize] Translation<S, D>, from_of_1(v: SVector<S, D>) => Translation<S, D> { Translation::from(v) }
    make [] Translation2<S>, new_of_2(x: S, y: S) => Translation2<S> { Translation2::new(x, y) }
    make [] Translation3<S>, new_of_3(x: S, y: S, z: S) => Translation3<S> { Translation3::new(x, y, z) }
    operator [const D: usize] Translation<S, D>, Mul(t: Translation<S, D>, u: Translation<S, D>) => Translation<S, D> { t * u }
    operator [const D: usize] Translation<S, D>, Mul(t: Translation<S, D>, p: Point<S, D>) => Point<S, D> { t * p }
    operator [] Translation3<S>, Mul(t: Translation3<S>, q: UnitQuaternion<S>) => Isometry3<S> { t * q }
    operator [] Translation3<S>, Mul(t: Translation3<S>, i: Isometry3<S>) => Isometry3<S> { t * i }
    operator [] Translation2<S>, Mul(t: Translation2<S>, z: UnitComplex<S>) => Isometry2<S> { t * z }
    operator [] Translation2<S>, Mul(t: Translation2<S>, i: Isometry2<S>) => Isometry2<S> { t * i }

    make [] Point2<S>, new_of_2(x: S, y: S) => Point2<S> { Point2::new(x, y) }
    make [] Point3<S>, new_of_3(x: S, y: S, z: S) => Point3<S> { Point3::new(x, y, z) }
    make [const D: usize] Point<S, D>, from_of_1(v: SVector<S, D>) => Point<S, D> { Point::from(v) }
    call [const D: usize] Point<S, D>, lerp(p: Point<S, D>, q: Point<S, D>, t: S) => Point<S, D> { p.lerp(&q, t) }
    call [] Point3<S>, xy(p: Point3<S>) => Point2<S> { p.xy() }
    operator [const D: usize] Point<S, D>, Sub(p: Point<S, D>, q: Point<S, D>) => SVector<S, D> { p - q }
    operator [const D: usize] Point<S, D>, Add(p: Point<S, D>, v: SVector<S, D>) => Point<S, D> { p + v }
    operator [const D: usize] Point<S, D>, Sub(p: Point<S, D>, v: SVector<S, D>) => Point<S, D> { p - v }
    operator [const D: usize] Point<S, D>, Mul(p: Point<S, D>, t: S) => Point<S, D> { p * t }
    operator [const D: usize] Point<S, D>, Div(p: Point<S, D>, t: S) => Point<S, D> { p / t }
    operator [const R: usize, const D: usize] Point<S, D>, Mul(m: SMatrix<S, R, D>, p: Point<S, D>) => Point<S, R> { m * p }
}

/// The same for isometries by the type of their rotations.
macro_rules! isometries {
    ($($module:ident: $Iso:ident, $Rot:ty, $Point:ident, $Vector:ident, $Translation:ident, $Matrix:ident;)+) => { $(
        mod $module {
            use super::*;
            formulas! {
                call [] $Iso<S>, inverse(i: $Iso<S>) => $Iso<S> { i.inverse() }
                call [] $Iso<S>, inv_mul(i: $Iso<S>, j: $Iso<S>) => $Iso<S> { i.inv_mul(&j) }
                call [] $Iso<S>, transform_point(i: $Iso<S>, p: $Point<S>) => $Point<S> { i.transform_point(&p) }
                call [] $Iso<S>, transform_vector(i: $Iso<S>, v: $Vector<S>) => $Vector<S> { i.transform_vector(&v) }
                call [] $Iso<S>, inverse_transform_point(i: $Iso<S>, p: $Point<S>) => $Point<S> { i.inverse_transform_point(&p) }
                call [] $Iso<S>, inverse_transform_vector(i: $Iso<S>, v: $Vector<S>) => $Vector<S> { i.inverse_transform_vector(&v) }
                call [] $Iso<S>, to_homogeneous(i: $Iso<S>) => $Matrix<S> { i.to_homogeneous() }
                call [] $Iso<S>, to_matrix(i: $Iso<S>) => $Matrix<S> { i.to_matrix() }
                make [] $Iso<S>, from_parts_of_2(t: $Translation<S>, r: $Rot) => $Iso<S> { $Iso::from_parts(t, r) }
                operator [] $Iso<S>, Mul(i: $Iso<S>, j: $Iso<S>) => $Iso<S> { i * j }
                operator [] $Iso<S>, Div(i: $Iso<S>, j: $Iso<S>) => $Iso<S> { i / j }
                operator [] $Iso<S>, Mul(i: $Iso<S>, p: $Point<S>) => $Point<S> { i * p }
                operator [] $Iso<S>, Mul(i: $Iso<S>, v: $Vector<S>) => $Vector<S> { i * v }
                operator [] $Iso<S>, Mul(i: $Iso<S>, r: $Rot) => $Iso<S> { i * r }
                operator [] $Iso<S>, Mul(i: $Iso<S>, t: $Translation<S>) => $Iso<S> { i * t }
            }
        }
    )+ };
}
isometries! {
    by_quaternion: Isometry3, UnitQuaternion<S>, Point3, Vector3, Translation3, Matrix4;
    by_complex: Isometry2, UnitComplex<S>, Point2, Vector2, Translation2, Matrix3;
    by_rotation3: IsometryMatrix3, Rotation3<S>, Point3, Vector3, Translation3, Matrix4;
    by_rotation2: IsometryMatrix2, Rotation2<S>, Point2, Vector2, Translation2, Matrix3;
}

mod others {
    use super::*;
    formulas! {
        make [] Isometry3<S>, new_of_2(t: Vector3<S>, r: Vector3<S>) => Isometry3<S> { Isometry3::new(t, r) }
        make [] IsometryMatrix3<S>, new_of_2(t: Vector3<S>, r: Vector3<S>) => IsometryMatrix3<S> { IsometryMatrix3::new(t, r) }
        make [] Isometry2<S>, new_of_2(t: Vector2<S>, angle: S) => Isometry2<S> { Isometry2::new(t, angle) }
        make [] IsometryMatrix2<S>, new_of_2(t: Vector2<S>, angle: S) => IsometryMatrix2<S> { IsometryMatrix2::new(t, angle) }
        make [] Isometry3<S>, translation_of_3(x: S, y: S, z: S) => Isometry3<S> { Isometry3::translation(x, y, z) }
        make [] Isometry2<S>, translation_of_2(x: S, y: S) => Isometry2<S> { Isometry2::translation(x, y) }
        make [] Isometry3<S>, rotation_of_1(v: Vector3<S>) => Isometry3<S> { Isometry3::rotation(v) }
        make [] Isometry2<S>, rotation_of_1(angle: S) => Isometry2<S> { Isometry2::rotation(angle) }
        make [] Isometry3<S>, rotation_wrt_point_of_2(r: UnitQuaternion<S>, p: Point3<S>) => Isometry3<S> {
            Isometry3::rotation_wrt_point(r, p)
        }
        call [] Isometry3<S>, lerp_slerp(i: Isometry3<S>, j: Isometry3<S>, t: S) => Isometry3<S> { i.lerp_slerp(&j, t) }
        make [] Isometry3<S>, look_at_rh_of_3(eye: Point3<S>, target: Point3<S>, up: Vector3<S>) => Isometry3<S> {
            Isometry3::look_at_rh(&eye, &target, &up)
        }
        make [] Isometry3<S>, look_at_lh_of_3(eye: Point3<S>, target: Point3<S>, up: Vector3<S>) => Isometry3<S> {
            Isometry3::look_at_lh(&eye, &target, &up)
        }
        make [] Isometry3<S>, face_towards_of_3(eye: Point3<S>, target: Point3<S>, up: Vector3<S>) => Isometry3<S> {
            Isometry3::face_towards(&eye, &target, &up)
        }
        make [] Isometry3<S>, from_of_1(t: Translation3<S>) => Isometry3<S> { Isometry3::from(t) }
        make [] Isometry2<S>, from_of_1(t: Translation2<S>) => Isometry2<S> { Isometry2::from(t) }

        make [const D: usize] Unit<SVector<S, D>>, new_normalize_of_1(v: SVector<S, D>) => Unit<SVector<S, D>> { Unit::new_normalize(v) }
        make [const D: usize] Unit<SVector<S, D>>, new_unchecked_of_1(v: SVector<S, D>) => Unit<SVector<S, D>> { Unit::new_unchecked(v) }
        call [const D: usize] Unit<SVector<S, D>>, into_inner(v: Unit<SVector<S, D>>) => SVector<S, D> { v.into_inner() }
        call [const D: usize] Unit<SVector<S, D>>, slerp(v: Unit<SVector<S, D>>, w: Unit<SVector<S, D>>, t: S) => Unit<SVector<S, D>> {
            v.slerp(&w, t)
        }
        operator [const D: usize] Unit<SVector<S, D>>, Mul(v: Unit<SVector<S, D>>, t: S) => SVector<S, D> { v.into_inner() * t }
        operator [const D: usize] Unit<SVector<S, D>>, Dot(v: Unit<SVector<S, D>>, w: SVector<S, D>) => S { v.dot(&w) }
        operator [const D: usize] Unit<SVector<S, D>>, Dot(v: Unit<SVector<S, D>>, w: Unit<SVector<S, D>>) => S { v.dot(&w) }
    }
}
