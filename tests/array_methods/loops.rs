//! The other rows of `main.rs`, so that rustc takes less memory for each.

mod check;

use diffi::prelude::*;
use ndarray::*;

rows! {
    rows_17 (x a m) {
        { a.clamp(0.5, 1.5).dot(&a) }
        { let mut b = Array2::zeros((2, 3)); let mut r = b.row_mut(1); r += &a.slice(s![..3]); r *= x[0]; b.dot(&m.t()).sum() }
        { a.recip().dot(&a.exp_m1()) + a.ln_1p().sum() + a.cbrt().sum() }
        { (&a - 1.0).signum().dot(&a) + a.floor().dot(&a) }
        { a.abs_sub(x[0]).sum() }
        { a.dot(&a) }
        { m.dot(&m.t())[[0, 1]] }
        { m.dot(&m.row(0)).product() }
        { m.column(0).dot(&m).product() }
        { m.t().dot(&m.column(1)).sum() * x[0] }
        { m.dot(&a.slice(s![0..3])).sum() * x[1] }
        { let mut c = Array2::zeros((2, 2)); linalg::general_mat_mul(1.5, &m, &m.t(), 0.0, &mut c); c.sum() * c[[0, 1]] }
        { let mut c = Array1::zeros(2); linalg::general_mat_vec_mul(1.5, &m, &a.slice(s![..3]), 0.0, &mut c); c.product() }
    }
    rows_18 (x a m) {
        { let mut c = m.dot(&m.t()); linalg::general_mat_mul(x[0], &m, &m.t(), x[1], &mut c); c.sum() }
        { m.tril(0).dot(&m.t()).sum() }
        { m.triu(1).dot(&m.t()).sum() }
        { (&a + &a * &a - &a / (&a + 1.0)).sum() }
        { (a.clone() + a.clone() * a.clone()).sum() }
        { (&a * 2.0 + 1.0 - &a / 3.0).product() }
        { (2.0 * &a + 1.0 / &a - (3.0 - &a)).product() }
        { (&a * x[0] + x[1] - &a / x[2]).product() }
        { (x[0] * &a + x[1] / &a).sum() }
        { (-&a).mapv(|v| v * v).sum() + (-a.clone())[0] }
        { (&a.view() * &a.view()).sum() }
        { (&a.slice(s![1..]) - &a.slice(s![..-1])).mapv(|v| v * v).sum() }
    }
    rows_19 (x a m) {
        { (&m * &m.row(0)).sum() }
        { (&m + &m.column(0).insert_axis(Axis(1))).product() }
        { (&m / &m.sum_axis(Axis(0))).row(0).product() }
        { (&m.row(0) * &m).sum() }
        { (a.slice(s![..3]).to_owned() * &m).sum() }
        { let mut b = a.clone(); b += &a; b -= 1.0; b *= &a; b /= 2.0; b.sum() }
        { let mut b = a.clone(); b += x[0]; b -= x[1]; b *= x[2]; b /= x[3]; b.product() }
        { let mut b = a.clone(); b += &(&a * &a); b.product() }
        { let mut b = m.clone(); b += &m.row(0); b *= &m.row(1); b.sum() }
        { let mut b = m.clone(); b.row_mut(0).assign(&m.row(1)); b.dot(&m.t()).sum() }
        { let mut b = m.clone(); b.column_mut(0).fill(x[0]); b.dot(&m.t()).sum() }
        { let mut b = m.clone(); let mut r = b.row_mut(0); r *= x[1]; r += &m.row(1); b.product() }
    }
    rows_20 (x a m) {
        { let mut b = m.clone(); b.row_mut(0)[1] = x[0] * x[1]; b.product() }
        { let mut b = m.clone(); b.row_mut(0).scaled_add(x[0], &m.row(1)); b.product() }
        { let mut b = a.clone(); b.scaled_add(2.0, &a); b.product() }
        { let mut b = a.clone(); b.scaled_add(x[0] * x[1], &a); b.product() }
        { let mut b = a.clone(); b.fill(x[0]); b.product() }
        { let mut b = a.clone(); b.fill(1.0); b[2] = x[1]; b.product() * x[0] }
        { let mut b = Array1::zeros(6); b.assign(&a); b.dot(&a) }
        { let mut b = Array1::<f64>::zeros(6); a.assign_to(&mut b); b.dot(&a) }
        { let mut b = m.clone(); b.assign(&m.row(0)); b.sum() * x[0] }
        { let mut b = a.clone(); let c = std::mem::take(&mut b); c.dot(&a) }
        { let mut b = a.clone(); let mut c = &a * 2.0; std::mem::swap(&mut b, &mut c); b.dot(&a) + c.sum() }
        { let c = std::iter::repeat(&a).take(2).fold(Array1::zeros(6), |s: Array1<f64>, v| s + v); c.dot(&a) }
    }
    rows_21 (x a m) {
        { array![x[0], x[1] * x[2]].product() }
        { array![[x[0], x[1]], [x[2], x[3]]].dot(&array![x[4], x[5]]).product() }
        { array![[[x[0], x[1]], [x[2], x[3]]]].sum() * x[0] }
        { arr1(&[x[0], x[1]]).dot(&aview1(&x[2..4])) }
        { arr2(&[[x[0], x[1]], [x[2], x[3]]]).dot(&arr1(&[x[4], x[5]])).sum() }
        { aview1(x).dot(&a) }
        { Array1::from_vec(x.to_vec()).dot(&a) }
        { Array1::from(x.to_vec()).dot(&a) }
        { Array1::from(vec![x[0], x[1]]).product() }
        { Array::from_vec(vec![x[0], x[1]]).product() }
        { Array::from(vec![x[0] * x[1], x[1]]).product() }
        { ArrayView1::from(x).dot(&a) }
    }
    rows_22 (x a m) {
        { ArrayView::from(&x[1..3]).product() }
        { ArrayView1::from(&x[..3]).dot(&m.row(0)) }
        { Array2::from_shape_vec((3, 2), x.to_vec()).unwrap().row(1).product() }
        { Array::from_shape_vec((3, 2), x.iter().map(|v| v * v).collect()).unwrap().row(1).product() }
        { Array2::from_shape_fn((2, 2), |(i, j)| x[i] * x[j + 1]).sum() }
        { Array1::from_shape_fn(4, |i| x[i] * x[i + 1]).sum() }
        { Array::from_shape_fn((2, 2), |(i, j)| x[i + j] * x[0]).product() }
        { Array3::from_shape_fn((2, 2, 2), |(i, j, k)| x[i + j + k] * x[i]).sum() }
        { Array1::from_iter(x.iter().map(|v| v * v)).sum() }
        { Array::from_iter(x.iter().copied()).dot(&a) }
        { x.iter().map(|v| v * v).collect::<Array1<f64>>().sum() }
        { let b: Array1<f64> = x.iter().map(|v| v * v).collect(); b.dot(&a) }
    }
    rows_23 (x a m) {
        { Array1::from_elem(4, x[0] * x[1]).product() }
        { Array::from_elem((2, 2), x[0]).dot(&m).sum() }
        { Array2::from_elem((2, 3), x[1]).dot(&m.t()).sum() }
        { Array1::from_shape_simple_fn(3, || x[0] * x[1]).product() }
        { (Array1::<f64>::zeros(6) + &a).product() }
        { (&a * Array1::ones(6)).product() }
        { (Array2::eye(2).dot(&m) * &m).sum() }
        { (Array2::<f64>::eye(3) * x[0]).dot(&m.t()).sum() }
        { Array2::from_diag(&a.slice(s![..3]).to_owned()).dot(&m.t()).sum() }
        { Array2::from_diag(&array![x[0], x[1]]).dot(&m).sum() }
        { Array2::from_diag_elem(2, x[0] * x[1]).dot(&m).sum() }
        { (Array1::linspace(0.0, 1.0, 6) * &a).product() + Array::linspace(0.0, 1.0, 6).dot(&a) }
    }
    rows_24 (x a m) {
        { Array1::linspace(x[0], x[1], 5).product() }
        { Array1::linspace(x[0], x[1] * 4.0, 3).mapv(|v| v * v).sum() }
        { (Array1::range(0.0, 6.0, 1.0) * &a).sum() * x[0] }
        { (&a * &Array1::from_iter((0..6).map(|i| i as f64))).sum() * x[1] }
        { Array1::<f64>::default(6).dot(&a) + x[0] * x[0] }
        { concatenate![Axis(0), a, a].product() }
        { concatenate![Axis(0), m, m].dot(&m.t()).sum() }
        { concatenate![Axis(1), m.view(), m.view()].row(1).product() }
        { concatenate(Axis(0), &[a.view(), a.view()]).unwrap().product() }
        { stack![Axis(0), a, a].column(1).product() }
        { stack![Axis(1), a.view(), a.view()].column(1).product() }
        { stack(Axis(0), &[a.view(), a.view()]).unwrap().row(1).product() }
    }
    rows_25 (x a m) {
        { let mut b = Array2::zeros((0, 6)); b.push_row(a.view()).unwrap(); b.push_row((&a * 2.0).view()).unwrap(); b.product() }
        { let mut b = m.clone(); b.push_column(m.column(0)).unwrap(); b.product() }
        { let mut b = m.clone(); b.append(Axis(0), m.view()).unwrap(); b.product() }
        { let mut b = a.clone(); b.push(Axis(0), arr0(x[0]).view()).unwrap(); b.product() }
        { let c = Array3::from_shape_vec((1, 2, 3), x.to_vec()).unwrap(); c.sum_axis(Axis(0)).dot(&m.t()).sum() }
        { let c = Array3::from_shape_vec((1, 2, 3), x.to_vec()).unwrap(); c.slice(s![0, .., 1]).product() }
        { let c = Array3::from_shape_vec((3, 2, 1), x.to_vec()).unwrap(); c[[1, 1, 0]] * c[(0, 1, 0)] }
        { let c = Array3::from_shape_vec((3, 2, 1), x.to_vec()).unwrap(); c.outer_iter().map(|p| p.product()).sum::<f64>() }
        { let c = Array3::from_shape_vec((3, 2, 1), x.to_vec()).unwrap(); c.permuted_axes([1, 0, 2]).index_axis(Axis(0), 1).product() }
        { let c = ArrayD::from_shape_vec(IxDyn(&[2, 3]), x.to_vec()).unwrap(); c[[1, 2]] * c.sum() }
        { let c = ArrayD::<f64>::zeros(IxDyn(&[2, 3])) + &m; c.mapv(|v| v * v).sum() }
        { let c = m.clone().into_dyn(); c.sum_axis(Axis(0)).product() }
    }
    rows_26 (x a m) {
        { let p = (a.clone(), m.clone()); p.0[1] * p.1[[1, 1]] }
        { let v = vec![a.clone(), &a * 2.0]; v[0].dot(&v[1]) }
        { let v: Vec<Array1<f64>> = m.outer_iter().map(|r| r.to_owned()).collect(); v[0].dot(&v[1]) }
        { let mut s = Array1::zeros(3); for r in m.rows() { s += &r; } s.product() }
        { let mut s = Array1::<f64>::zeros(3); for r in m.rows() { s = s + &r * x[0]; } s.product() }
        { let mut s = a.clone(); for _ in 0..3 { s = &s * 0.5 + s.mapv(f64::sin); } s.sum() }
        { let f = |v: &Array1<f64>| v.dot(v); f(&a) * f(&(&a * 2.0)) }
        { let f = |v: ArrayView1<f64>| v.sum(); f(a.view()) * f(m.row(1)) }
        { if a.iter().any(|v| *v > 2.0) { a.product() } else { a.sum() } }
        { if a.iter().all(|v| v.is_finite()) { a.dot(&a) } else { 0.0 } }
        { (0..m.nrows()).map(|i| m.row(i).dot(&m.row(0))).sum::<f64>() }
        { (0..3).map(|j| m.column(j).iter().product::<f64>()).sum::<f64>() }
    }
    rows_27 (x a m) {
        { let n = a.dot(&a).sqrt(); (&a / n).product() }
        { let mx = a.fold(f64::NEG_INFINITY, |p, &q| p.max(q)); let e = (&a - mx).mapv(f64::exp); (&e / e.sum()).dot(&a) }
        { let c = &a - a.mean().unwrap(); c.mapv(|v| v.powi(2)).mean().unwrap().sqrt() }
        { let mut b = m.clone(); b.reverse_axes(); b[[2, 0]] * b[[0, 1]] }
        { let mut b = m.clone(); b.permute_axes([1, 0]); b[[2, 1]] * b.row(0).sum() }
        { let mut b = m.clone(); b.slice_collapse(s![.., 1..]); b.product() }
        { m.flatten_with_order(ndarray::Order::RowMajor).dot(&a) + m.flatten_with_order(ndarray::Order::ColumnMajor).dot(&a) }
        { arr0(x[0] * x[1]).into_scalar() * x[2] }
        { m.row(0).sum_axis(Axis(0)).into_scalar() * x[0] }
        { a.hypot(x[0]).sum() }
        { linalg::kron(&m, &m.t()).row(1).product() }
        { let k = linalg::kron(&m, &Array2::<f64>::eye(2)); k.dot(&a.slice(s![..6])).sum() * k[[1, 1]] }
    }
    rows_28 (x a m) {
        { let mut b = a.clone(); let mut v = b.view_mut(); v[0] *= x[1]; v += &a; b.dot(&a) }
        { let mut b = m.clone(); { let mut v = b.view_mut(); for mut r in v.rows_mut() { r *= x[0]; } v[[0, 1]] = x[1] * x[2]; } (&b * &b).sum() }
        { let mut b = a.clone(); let c = b.map_mut(|v| { let old = *v; *v *= x[0]; old * old }); b.dot(&c) }
        { let mut b = m.clone(); let c = b.map_axis_mut(Axis(1), |mut r| { r *= x[0]; r.sum() }); c.product() * b[[0, 1]] }
        { let mut b = a.clone(); let (mut p, mut q) = b.multi_slice_mut((s![..2], s![3..])); p[0] *= q[1]; q[0] += p[0] * p[1]; b.dot(&a) }
        { let mut b = m.clone(); let (mut p, mut q, r) = b.multi_slice_mut((s![.., 0], s![.., 1], s![.., 2])); p *= &r; q += &p; (&b * &b).sum() }
        { let mut b = a.clone(); let (mut p, q) = b.view_mut().split_at(Axis(0), 3); p *= &q; b.dot(&a) }
        { let mut b = m.clone(); let k = 1; let (mut p, mut q) = b.view_mut().split_at(Axis(1), k); q.column_mut(0).assign(&p.column(0)); p *= x[0]; (&b * &b).sum() }
        { let mut b = a.clone(); let mut part = b.slice_mut(s![1..5]); for i in 0..4 { if part[i] > 2.0 { break; } part[i] *= x[0]; } b.dot(&a) }
        { let mut b = m.clone(); let mut r = b.row_mut(0); let s = r.iter().map(|v| { if *v > 1.0 { return v * v; } *v }).sum::<f64>(); r /= s; (&b * &b).sum() }
    }
    rows_29 (x a m) {
        { Array1::logspace(x[0] + 2.0, 0.0, x[1], 4).product() }
        { (Array1::logspace(10.0, 0.0, 1.0, 6) * &a).product() }
        { Array1::geomspace(x[0], x[1] * 8.0, 4).unwrap().sum() }
        { Array::geomspace(1.0, 8.0, 6).unwrap().dot(&a) * x[0] }
        { ArrayView2::from_shape((3, 2), x).unwrap().row(1).product() }
        { let v = ArrayView::from_shape((2, 3), x).unwrap(); v.dot(&m.t()).sum() }
        { let mut b = a.clone(); let mut part = b.slice_mut(s![..3]); let mut k = 0; while k < 3 { if k == 1 { k += 1; continue; } part[k] *= x[k + 1]; k += 1; } b.product() }
        { let mut b = m.clone(); let (mut p, mut q) = b.multi_slice_mut((s![0, ..], s![1, ..])); for i in 0..p.len() { let t = p[i]; p[i] = q[i] * x[0]; q[i] = t; } b.row(0).dot(&m.row(1)) * b[[1, 2]] }
    }
}

#[test]
fn every_row_agrees_with_differences() {
    check::agree(ROWS);
}
