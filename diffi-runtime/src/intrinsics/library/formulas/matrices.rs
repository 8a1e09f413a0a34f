//! Vectors and matrices of a fixed size.

use super::{AnyNumber, Formula, Numbers, formulas, named, pull_push1, pull_push2, pull1, pull2, push1, push2, traits};
use crate::intrinsics::library::{Binary, Memory, Tan, Unary};
use crate::number::active::Place;
use crate::number::linear_space::LinearSpace;
use nalgebra::{Matrix3, Matrix4, SMatrix, SVector, Vector2, Vector3, Vector4};

formulas! {
    call [const R: usize, const C: usize] SMatrix<S, R, C>, norm(m: SMatrix<S, R, C>) => S { m.norm() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, norm_squared(m: SMatrix<S, R, C>) => S { m.norm_squared() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, magnitude(m: SMatrix<S, R, C>) => S { m.magnitude() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, magnitude_squared(m: SMatrix<S, R, C>) => S { m.magnitude_squared() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, normalize(m: SMatrix<S, R, C>) => SMatrix<S, R, C> { m.normalize() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, dot(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => S { m.dot(&n) }
    call [] Vector3<S>, cross(v: Vector3<S>, w: Vector3<S>) => Vector3<S> { v.cross(&w) }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, transpose(m: SMatrix<S, R, C>) => SMatrix<S, C, R> { m.transpose() }
    call [const D: usize] SMatrix<S, D, D>, trace(m: SMatrix<S, D, D>) => S { m.trace() }
    call [const D: usize] SMatrix<S, D, D>, try_inverse(m: SMatrix<S, D, D>) => Option<SMatrix<S, D, D>> { m.try_inverse() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, sum(m: SMatrix<S, R, C>) => S { m.sum() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, component_mul(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => SMatrix<S, R, C> {
        m.component_mul(&n)
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, component_div(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => SMatrix<S, R, C> {
        m.component_div(&n)
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, metric_distance(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => S {
        m.metric_distance(&n)
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, add_scalar(m: SMatrix<S, R, C>, t: S) => SMatrix<S, R, C> { m.add_scalar(t) }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, scale(m: SMatrix<S, R, C>, t: S) => SMatrix<S, R, C> { m.scale(t) }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, unscale(m: SMatrix<S, R, C>, t: S) => SMatrix<S, R, C> { m.unscale(t) }
    also [const R: usize, const C: usize, const D: usize] SMatrix<S, R, C>, tr_mul(m: SMatrix<S, R, C>, n: SMatrix<S, R, D>) => SMatrix<S, C, D> {
        m.tr_mul(&n)
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, inf(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => SMatrix<S, R, C> {
        m.zip_map(&n, |a, b| if b < a { b } else { a })
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, sup(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => SMatrix<S, R, C> {
        m.zip_map(&n, |a, b| if b > a { b } else { a })
    }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, abs(m: SMatrix<S, R, C>) => SMatrix<S, R, C> { m.map(|v| v.abs()) }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, max(m: SMatrix<S, R, C>) => S { m.max() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, min(m: SMatrix<S, R, C>) => S { m.min() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, amax(m: SMatrix<S, R, C>) => S { m.amax() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, mean(m: SMatrix<S, R, C>) => S { m.mean() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, variance(m: SMatrix<S, R, C>) => S { m.variance() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, product(m: SMatrix<S, R, C>) => S { m.product() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, row_sum(m: SMatrix<S, R, C>) => SMatrix<S, 1, C> { m.row_sum() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, column_sum(m: SMatrix<S, R, C>) => SVector<S, R> { m.column_sum() }
    call [const R: usize, const C: usize] SMatrix<S, R, C>, angle_with(m: SMatrix<S, R, C>, n: SMatrix<S, R, C>) => S { m.angle(&n) }
    call [const D: usize] SVector<S, D>, lerp(v: SVector<S, D>, w: SVector<S, D>, t: S) => SVector<S, D> { v.lerp(&w, t) }
    call [] Vector3<S>, cross_matrix(v: Vector3<S>) => Matrix3<S> { v.cross_matrix() }
    call [] Vector2<S>, push(v: Vector2<S>, t: S) => Vector3<S> { v.push(t) }
    call [] Vector3<S>, push(v: Vector3<S>, t: S) => Vector4<S> { v.push(t) }
    call [] Vector3<S>, xy(v: Vector3<S>) => Vector2<S> { v.xy() }
    call [] Vector3<S>, xz(v: Vector3<S>) => Vector2<S> { v.xz() }
    call [] Vector3<S>, yz(v: Vector3<S>) => Vector2<S> { v.yz() }
    call [] Vector4<S>, xyz(v: Vector4<S>) => Vector3<S> { v.xyz() }
    call [] Vector2<S>, to_homogeneous(v: Vector2<S>) => Vector3<S> { v.to_homogeneous() }
    call [] Vector3<S>, to_homogeneous(v: Vector3<S>) => Vector4<S> { v.to_homogeneous() }
    call [] Matrix3<S>, to_homogeneous(m: Matrix3<S>) => Matrix4<S> { m.to_homogeneous() }
}

impl<const R: usize, const C: usize> traits::tr_mul for SMatrix<f32, R, C> {}
impl<const R: usize, const C: usize> traits::tr_mul for SMatrix<f64, R, C> {}
