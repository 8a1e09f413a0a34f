//! Methods of `nalgebra`'s vectors and matrices, in the same way, and second derivatives against differences of the first ones.
//! The rows and `matrices.txt` (the methods of `nalgebra` 0.35 that may carry a number) make the other table of the book's page on arrays:
//! `BOOK=overwrite cargo test --features nalgebra --test array_methods_of_matrices`.

mod check;
mod page;

use diffi::prelude::*;
use nalgebra::*;

// In each row, `x` is the point, `a` and `b` are vectors of its numbers, `m` is a matrix, and `v` and `d` are of dynamic sizes.
macro_rules! rows {
    ($($name:ident $squares:ident ($x:ident $a:ident $b:ident $m:ident $v:ident $d:ident) { $($row:tt)+ })+) => {
        $(
            #[differentiable]
            #[allow(warnings, clippy::all)]
            fn $name($x: &[f64]) -> Vec<f64> {
                let $a = Vector3::new($x[0], $x[1], $x[2]);
                let $b = Vector3::new($x[3], $x[4], $x[5]);
                let $m = Matrix3::new($x[0] + 3.0, $x[1], $x[2], $x[3], $x[4] + 2.0, $x[5], $x[0] * $x[1], 0.5, $x[2]);
                let $v = DVector::from_column_slice($x);
                let $d = DMatrix::from_row_slice(2, 3, $x);
                vec![$($row,)+ $a[0] + $b[0] + $m[(0, 0)] + $v[0] + $d[(0, 0)]]
            }
            #[differentiable]
            #[allow(warnings, clippy::all)]
            fn $squares(x: &[f64]) -> f64 {
                $name(x).iter().map(|v| v * v).sum()
            }
        )+
        const ROWS: &[check::Rows] = &[$(check::Rows {
            text: concat!($(stringify!($row), "\n"),+),
            plain: $name,
            forward: |x| jacobian($name::D, AutoForward, x).unwrap(),
            reverse: |x| jacobian($name::D, AutoReverse, x).unwrap(),
            second: Some(|x, v| hvp($squares::D, AutoReverse, x, v).unwrap().into()),
        }),+];
    };
}

rows! {
    parts_1 squares_of_parts_1 (x a b m v d) {
        { m.row(0).dot(&m.row(1)) + m.column(2).norm() }
        { m.transpose()[(0, 2)] * (d.transpose() * &d)[(0, 1)] + m.adjoint()[(0, 1)] * x[0] }
        { v.rows(0, 3).dot(&v.rows(3, 3)) + d.rows(1, 1).norm() + d.columns(0, 2).sum() * d.view((0, 1), (2, 2)).norm() }
        { m.fixed_view::<2, 2>(0, 1).determinant() + m.fixed_rows::<1>(1).norm() * m.fixed_columns::<2>(1).sum() }
        { let s = Vector6::from_row_slice(x); let p = s.fixed_rows::<3>(0); let q = s.fixed_rows::<3>(3); p.cross(&q).norm() + p.dot(&q) }
        { let mut t = Matrix4::identity(); t.fixed_view_mut::<3, 3>(0, 0).copy_from(&m); t.fixed_view_mut::<3, 1>(0, 3).copy_from(&a); (t * Vector4::new(x[3], x[4], x[5], 1.0)).norm() }
        { let mut t = DMatrix::zeros(4, 4); let r = d.columns(0, 2).into_owned(); for k in 0..3 { let mut part = t.view_mut((k, k), (2, 2)); part += &r; } t.norm() * t[(1, 1)] }
        { let mut t = d.clone(); t.rows_mut(0, 1).fill(x[0] * x[1]); t.columns_mut(1, 1).copy_from(&DMatrix::from_column_slice(2, 1, &x[2..4])); t.norm() * t[(0, 1)] }
        { let mut t = m; t.fixed_rows_mut::<2>(0).copy_from(&Matrix2x3::from_row_slice(x)); t.fixed_columns_mut::<1>(2).copy_from(&a); t.determinant() }
        { let mut t = m; t.row_mut(0).copy_from(&a.transpose()); t.column_mut(1).copy_from(&b); let mut r = t.row_mut(2); r *= x[0]; t.determinant() }
        { let mut t = m; t.set_row(0, &a.transpose()); t.set_column(1, &b); t.fill_row(2, x[0]); t.norm() * t[(2, 1)] }
    }
    parts_2 squares_of_parts_2 (x a b m v d) {
        { let mut t = d.clone(); t.fill_column(1, x[2]); t.swap_rows(0, 1); t.swap_columns(0, 2); t[(0, 0)] * t[(0, 0)] + t[(1, 1)] * t[(0, 2)] }
        { let mut t = Matrix3::zeros(); t.set_diagonal(&a); t[(0, 2)] = x[4]; t.determinant() + t.norm() }
        { let mut t = d.clone(); t.fill_diagonal(x[4]); t[(0, 0)] * t[(0, 1)] + t.sum() }
        { m.diagonal().dot(&a) + (&d * d.transpose()).diagonal().norm() }
        { m.lower_triangle().norm() * m.upper_triangle().determinant() }
        { let mut t = DVector::zeros(3); t.fill(x[1]); t.copy_from(&DVector::from_column_slice(&x[1..4])); t.swap((0, 0), (2, 0)); t[0] * t[0] + t[1] }
        { let u = d.row(1).clone_owned(); u.norm() * d.as_slice()[1] }
        { let mut t = d.clone(); t.as_mut_slice()[2] *= x[0]; t.norm() }
        { a.xy().norm() * a.push(x[4]).xyz().dot(&b) + a.to_homogeneous().norm() }
        { let mut t = Matrix2::repeat(0.5); for (i, mut r) in t.row_iter_mut().enumerate() { r[i] = x[0]; r *= x[1]; } t.determinant() }
    }
    loops_1 squares_of_loops_1 (x a b m v d) {
        { a.map(|v| v.sin()).sum() * a.map(f64::sin).norm() + v.map(|v| v * x[0]).norm() }
        { a.zip_map(&b, |p, q| p * q * q).sum() + d.column(0).zip_map(&d.column(1), f64::max).norm() }
        { a.zip_zip_map(&b, &a, |p, q, r| p * q - r * r).norm() + a.zip_fold(&b, 0.0, |s, p, q| s + p * q * q) }
        { d.map_with_location(|i, j, v| v * v * (i + 2 * j) as f64).sum() * m.map_with_location(|i, j, v| if i == j { v * v } else { v.sin() }).sum() }
        { let mut t = a; t.apply(|e| *e *= x[3]); t.sum() * t[0] }
        { let mut t = v.clone(); t.zip_apply(&v, |p, q| *p *= q); t.norm() }
        { a.iter().map(|v| v * v).sum::<f64>() * m.fold(0.0, |s, v| s + v * v) }
        { let mut t = d.clone(); for v in t.iter_mut() { *v *= x[3]; } for (k, v) in t.iter_mut().enumerate() { *v += k as f64 * x[0] * x[1]; } t.norm() * t[(0, 1)] }
        { d.column_iter().map(|c| c.norm()).sum::<f64>() + d.row_iter().map(|r| r.sum() * r[0]).sum::<f64>() }
        { let mut t = d.clone(); for mut r in t.row_iter_mut() { let n = r.norm(); r /= n; } t.column(0).dot(&t.column(1)) }
        { let mut t = m; for mut c in t.column_iter_mut() { c *= x[0]; } t.norm() }
        { let mut s = 0.0; for (i, r) in d.row_iter().enumerate() { s += r.norm() * (i + 1) as f64; } s }
    }
    norms_1 squares_of_norms_1 (x a b m v d) {
        { m.sum() * a.product() + d.mean() * d.variance() + a.mean() * a.variance() }
        { d.max() * d.min() + v.amax() * v.amin() + a.max() * a.min() + a.amax() }
        { m.row_sum().norm() + d.column_sum().norm() + m.row_mean().norm() * d.column_mean().norm() }
        { v.norm() * a.norm_squared() + a.magnitude() * v.magnitude_squared() }
        { a.normalize().dot(&b) + v.normalize()[1] }
        { if let Some(u) = a.try_normalize(1e-9) { u.dot(&b) } else { 0.0 } }
        { let mut t = v.clone(); let n = t.normalize_mut(); t[0] * n + t.sum() }
        { a.cap_magnitude(1.5).dot(&b) + v.cap_magnitude(100.0).norm() }
        { v.lp_norm(3) * a.metric_distance(&b) + v.metric_distance(&v.map(|v| v * v)) }
    }
    products_1 squares_of_products_1 (x a b m v d) {
        { a.dot(&b) * a.tr_dot(&b.transpose()) + a.cross(&b).norm() + a.xy().perp(&b.xy()) }
        { a.component_mul(&b).sum() * v.component_mul(&v).norm() + a.component_div(&b).norm() }
        { let mut t = v.clone(); t.component_mul_assign(&v); t.component_div_assign(&v.map(|v| v + 1.0)); t.norm() * t[0] }
        { a.add_scalar(x[0]).norm_squared() + v.scale(x[1]).norm() * v.unscale(x[2]).sum() }
        { let mut t = v.clone(); t.add_scalar_mut(x[0]); t.scale_mut(x[1]); t.unscale_mut(x[2]); t.norm() }
        { d.map(|v| v - 1.0).abs().norm() + a.inf(&b).sum() * a.sup(&b)[0] }
        { a.kronecker(&b).norm() * a.xy().kronecker(&m)[(4, 2)] + d.kronecker(&d)[(3, 4)] }
        { m.tr_mul(&a).norm() + d.tr_mul(&d).trace() * d.ad_mul(&d)[(0, 1)] }
        { let mut t = a; t.axpy(x[0], &b, 0.5); t.norm() }
        { let mut t = m; t.gemm(1.5, &m, &m, 0.5); t.determinant() * 0.01 }
        { let mut t = DVector::zeros(2); t.gemv(1.0, &d, &v.rows(3, 3), 0.0); t.axpy(-0.5, &v.rows(0, 2), 1.0); t.norm() }
        { let mut t = m; t.ger(x[0], &a, &b, 1.0); t.norm() + (&v * v.transpose()).norm() }
        { a.lerp(&b, x[0]).norm() + v.lerp(&v.map(|v| v * v), x[1]).norm() + a.angle(&b) + a.cross_matrix()[(0, 1)] }
    }
    systems_1 squares_of_systems_1 (x a b m v d) {
        { m.lu().solve(&a).unwrap().norm() + (&d * d.transpose()).lu().solve(&v.rows(0, 2).into_owned()).unwrap().norm() }
        { let c = (m * m.transpose()).cholesky().unwrap(); c.solve(&b).norm() + c.l()[(1, 0)] + c.inverse()[(0, 0)] + c.ln_determinant() }
        { m.try_inverse().unwrap().norm() + m.determinant() * m.trace() }
        { let l = m.lower_triangle(); l.solve_lower_triangular(&a).unwrap().norm() + m.solve_upper_triangular(&b).unwrap().norm() }
        { m.tr_solve_lower_triangular(&a).unwrap().norm() + m.tr_solve_upper_triangular(&b).expect("regular").sum() }
        { let k = &d * d.transpose(); let y = k.solve_lower_triangular(&v.rows(0, 2).into_owned()).unwrap(); y.norm_squared() * k.solve_upper_triangular(&y).unwrap()[0] }
    }
    construction_1 squares_of_construction_1 (x a b m v d) {
        { Matrix2::new(x[0], x[1], x[2], x[3]).determinant() + DVector::from_vec(x.to_vec()).norm() + DMatrix::from_vec(2, 3, x.to_vec())[(0, 1)] * x[0] }
        { (Matrix2x3::from_row_slice(x) * Matrix3x2::from_column_slice(x)).determinant() + Vector3::from_column_slice(&x[..3]).dot(&Vector3::from_row_slice(&x[3..])) }
        { Vector3::from_iterator(x.iter().map(|v| v * v)).norm() + DMatrix::from_iterator(2, 3, x.iter().copied())[(0, 1)] * DMatrix::from_row_iterator(2, 3, x.iter().copied())[(0, 1)] }
        { Matrix2::from_iterator(x.iter().skip(1).copied()).determinant() + DVector::from_iterator(6, x.iter().map(|v| v.sin())).norm() }
        { Matrix2::from_fn(|i, j| x[2 * i + j] * x[j]).determinant() + DMatrix::from_fn(2, 3, |i, j| x[i * 3 + j] * x[j]).norm() + DVector::from_fn(3, |i, _| x[i]).norm() }
        { SVector::<f64, 3>::from_fn(|i, _| x[i] * x[i + 3]).norm() * SMatrix::<f64, 2, 3>::from_row_slice(x).norm() }
        { DMatrix::from_element(2, 2, x[0] * x[1]).norm() * Matrix3::repeat(x[2]).sum() + DVector::repeat(4, x[3]).norm() * Vector3::from_element(x[4]).norm() }
        { (Matrix3::from_diagonal(&a) * b).norm() + DMatrix::from_diagonal(&v)[(1, 1)] * Matrix3::from_diagonal_element(x[0]).determinant() }
        { Matrix3::from_columns(&[a, b, a.cross(&b)]).determinant() + Matrix2x3::from_rows(&[a.transpose(), b.transpose()]).norm() }
        { (DMatrix::from_columns(&[v.rows(0, 3), v.rows(3, 3)]).transpose() * DVector::from_column_slice(&x[..3])).norm() + Vector3::from([x[0], x[1], x[2]]).norm() }
        { let mut t = DMatrix::zeros(3, 3); for i in 0..3 { for j in 0..3 { t[(i, j)] = x[i] * x[j + 3]; } } (t + DMatrix::identity(3, 3)).determinant() }
    }
    geometry_1 squares_of_geometry_1 (x a b m v d) {
        { (Rotation2::new(x[0]) * Point2::new(x[1], x[2])).x * x[3] + (UnitComplex::new(x[0]) * Vector2::new(x[1], x[2])).y }
        { let r = Rotation3::from_euler_angles(x[0], x[1], x[2]); (r * b).dot(&a) + (r.inverse() * b).x }
        { let q = UnitQuaternion::from_scaled_axis(a * 0.3); (q * b).x + q.angle() + q.scaled_axis().y * q.to_rotation_matrix()[(0, 1)] }
        { let q = UnitQuaternion::from_euler_angles(0.1 * x[0], x[1], 0.2); let (r, p, y) = q.euler_angles(); r * p + y * q.inverse_transform_vector(&a).x }
        { let q = UnitQuaternion::new_normalize(Quaternion::new(1.0, x[0], 0.2, x[2])); let p = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), x[1]); q.angle_to(&p) + q.slerp(&p, 0.3).i + q.nlerp(&p, 0.4).w }
        { let i = Isometry3::new(a, b * 0.2); let p = i * Point3::new(1.0, 2.0, 3.0); p.coords.norm() + i.inverse_transform_point(&p).x + i.transform_vector(&a).y }
        { let i = Isometry3::from_parts(Translation3::new(x[0], x[1], x[2]), UnitQuaternion::from_scaled_axis(b * 0.1)); let j = Isometry3::translation(x[3], x[4], x[5]); (i.inv_mul(&j) * Point3::origin()).coords.norm() }
        { let i = Isometry2::new(Vector2::new(x[0], x[1]), x[2]); (i * Point2::new(x[3], x[4])).x + i.inverse().transform_point(&Point2::new(x[5], 1.0)).y }
        { let u = Unit::new_normalize(a); let r = Rotation3::from_axis_angle(&u, x[3]); (r * b).x + u.dot(&b) }
        { let r = Rotation3::rotation_between(&a, &b).unwrap(); (r * a).normalize().x + Isometry3::face_towards(&Point3::new(x[0], x[1], -4.0), &Point3::new(0.0, 0.0, x[2]), &Vector3::y()).translation.vector.norm() }
    }
}

#[test]
fn every_row_agrees_with_differences() {
    check::agree(ROWS);
}

#[test]
fn the_book_has_the_methods() {
    page::check("nalgebra", include_str!("matrices.txt"), &[include_str!("matrices.rs")]);
}
