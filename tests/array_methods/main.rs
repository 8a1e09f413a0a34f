//! Methods of `ndarray`'s arrays: a row each, with its value and its derivatives in both modes against differences of the plain function.
//! The rows, those of `loops.rs` and `methods.txt` (the methods of `ndarray` 0.17 that may carry a number) make the table of the book's
//! page on arrays: `BOOK=overwrite cargo test --test array_methods`.

mod check;
mod page;

use diffi::prelude::*;
use ndarray::*;

rows! {
    rows_1 (x a m) {
        { m.t()[[2, 1]] * m.t()[[0, 1]] }
        { m.t().dot(&m)[[0, 2]] }
        { m.clone().reversed_axes()[[2, 0]] * m[[1, 1]] }
        { m.view().reversed_axes().dot(&m).sum() }
        { let mut b = m.clone(); b.swap_axes(0, 1); b[[2, 1]] * b[[1, 0]] }
        { let b = m.clone().permuted_axes([1, 0]); b[[2, 1]] * b[[1, 0]] }
        { m.row(1).dot(&m.row(0)) }
        { m.column(1).dot(&m.column(2)) }
        { m.index_axis(Axis(0), 1).mapv(|v| v * v).sum() }
        { m.clone().index_axis_move(Axis(1), 2).product() }
        { let mut b = m.clone(); b.index_axis_mut(Axis(0), 1).mapv_inplace(|v| v * v); b.sum() }
        { a.slice(s![1..4]).mapv(|v| v * v).sum() }
    }
    rows_2 (x a m) {
        { a.slice(s![..;2]).mapv(|v| v * v).sum() }
        { a.slice(s![..;-1])[0] * a.slice(s![1..;-2])[1] }
        { a.slice(s![-3..])[0] * a[1] }
        { a.slice(s![-3..-1]).product() }
        { m.slice(s![1, ..]).mapv(|v| v * v).sum() }
        { m.slice(s![.., 1..3]).mapv(|v| v * v).sum() }
        { m.slice(s![.., ..;-1]).row(0)[0] * m[[1, 1]] }
        { m.slice(s![.., NewAxis, ..]).sum() * x[0] }
        { m.slice(s![0..1, 1..=2]).product() }
        { let mut b = a.clone(); b.slice_mut(s![1..3]).mapv_inplace(|v| v * v); b.sum() }
        { let mut b = a.clone(); b.slice_mut(s![..;2]).assign(&a.slice(s![1..;2])); b.dot(&a) }
        { let mut b = a.clone(); b.slice_mut(s![1..3]).fill(x[0] * x[1]); b.dot(&a) }
    }
    rows_3 (x a m) {
        { let mut b = a.clone(); b.slice_mut(s![1..3]).assign(&a.slice(s![3..5])); b.dot(&a) }
        { let mut b = a.clone(); let mut part = b.slice_mut(s![1..3]); part += &a.slice(s![3..5]); b.dot(&a) }
        { let mut b = a.clone(); b.slice_mut(s![1..3])[0] = x[2] * x[3]; b.dot(&a) }
        { a.clone().slice_move(s![1..4]).product() }
        { m.slice_axis(Axis(1), Slice::from(1..3)).product() }
        { let mut b = m.clone(); b.slice_axis_mut(Axis(1), Slice::from(1..3)).fill(x[0]); (&b * &b).sum() }
        { let mut b = a.clone(); b.slice_axis_inplace(Axis(0), Slice::from(1..3)); b.product() }
        { let (p, q) = m.view().split_at(Axis(1), 1); p.sum() * q.sum() }
        { let (p, q) = a.view().split_at(Axis(0), 2); p.product() * q.sum() }
        { a.view().insert_axis(Axis(1)).dot(&a.view().insert_axis(Axis(0))).sum() }
        { a.clone().insert_axis(Axis(0))[[0, 2]] * x[0] }
        { m.slice(s![0..1, ..]).remove_axis(Axis(0)).product() }
    }
    rows_4 (x a m) {
        { let mut b = m.clone(); b.invert_axis(Axis(1)); b[[0, 0]] * b[[1, 1]] }
        { let mut b = m.clone(); b.collapse_axis(Axis(0), 1); b.product() }
        { m.diag().product() }
        { m.slice(s![.., 0..2]).diag().sum() * x[0] }
        { let mut b = m.clone(); b.diag_mut().fill(x[0] * x[1]); (&b * &m).sum() }
        { let mut b = m.clone(); b.diag_mut().mapv_inplace(|v| v * v); b.sum() }
        { let mut b = m.clone(); for d in b.diag_mut() { *d += x[2] * x[2]; } b.sum() }
        { m.clone().into_diag().product() }
        { a.clone().into_shape_with_order((2, 3)).unwrap().row(1).product() }
        { a.clone().into_shape_with_order((3, 2)).unwrap().dot(&m).sum() }
        { a.view().into_shape_with_order((2, 3)).unwrap().column(1).product() }
        { a.to_shape((2, 3)).unwrap().row(1).product() }
    }
    rows_5 (x a m) {
        { m.to_shape(6).unwrap().mapv(|v| v * v).sum() }
        { m.clone().into_shape_clone(6).unwrap().mapv(|v| v * v).sum() }
        { m.flatten().dot(&a) }
        { m.clone().into_flat().dot(&a) }
        { m.t().flatten().dot(&a) }
        { a.slice(s![..3]).broadcast((2, 3)).unwrap().dot(&m.t()).sum() }
        { (&a.broadcast((2, 6)).unwrap() * x[0]).sum() }
        { m.broadcast((4, 2, 3)).unwrap().sum() * x[0] }
        { m.select(Axis(0), &[1, 0, 1]).dot(&m.t()).sum() }
        { m.select(Axis(1), &[2, 0]).product() }
        { a.select(Axis(0), &[1, 1, 4]).product() }
        { m.clone().into_dyn()[[1, 2]] * m.clone().into_dyn().sum() }
    }
    rows_6 (x a m) {
        { m.clone().into_dyn().into_dimensionality::<Ix2>().unwrap()[[1, 2]] * x[0] }
        { m.as_standard_layout().sum() * x[1] }
        { m.t().as_standard_layout().row(1).product() }
        { m.to_owned().sum() * x[0] }
        { m.view().to_owned().sum() * x[0] }
        { m.view().into_owned().sum() * x[0] }
        { m.clone().into_owned().sum() * x[0] }
        { a.to_vec().iter().map(|v| v * v).sum::<f64>() }
        { let v = a.to_vec(); v[0] * v[5] }
        { a.as_slice().unwrap().iter().map(|v| v * v).sum::<f64>() }
        { a.as_slice().unwrap()[1] * a.as_slice().unwrap()[2] }
        { let s = a.as_slice().unwrap(); s[0] * s[s.len() - 1] }
    }
    rows_7 (x a m) {
        { let mut b = a.clone(); b.as_slice_mut().unwrap()[1] *= x[0]; b.sum() }
        { let mut b = a.clone(); for v in b.as_slice_mut().unwrap() { *v *= *v; } b.sum() }
        { a.as_slice_memory_order().unwrap().iter().product::<f64>() }
        { m.as_slice().unwrap()[4] * x[0] }
        { a.len() as f64 * a[0] * m.nrows() as f64 * m.ncols() as f64 * a.ndim() as f64 }
        { m.dim().0 as f64 * m.shape()[1] as f64 * m[[0, 0]] * m.len_of(Axis(0)) as f64 }
        { if a.is_empty() { 0.0 } else { a[0] * a[1] } }
        { if m.is_square() { 0.0 } else { m[[0, 0]] * m[[1, 1]] } }
        { m.raw_dim()[1] as f64 * m[[1, 1]] * m[[0, 0]] }
        { a[0] * a[1] + m[[0, 1]] * m[(1, 2)] }
        { *a.get(2).unwrap_or(&0.0) * x[0] }
        { if let Some(v) = a.get(1) { v * v } else { 0.0 } }
    }
    rows_8 (x a m) {
        { let mut b = a.clone(); *b.get_mut(1).unwrap() = x[0] * x[2]; b.dot(&a) }
        { let mut b = a.clone(); if let Some(v) = b.get_mut(1) { *v *= x[0]; } b.sum() }
        { *a.first().unwrap() * *a.last().unwrap() }
        { let mut b = a.clone(); *b.first_mut().unwrap() *= x[1]; *b.last_mut().unwrap() *= x[0]; b.sum() }
        { let mut b = a.clone(); b.swap(0, 3); b[0] * b[0] }
        { let mut b = m.clone(); b.swap([0, 1], [1, 2]); b[[0, 1]] * b[[0, 1]] }
        { let mut b = m.clone(); b[[1, 2]] *= x[0]; b[(0, 0)] += x[1] * x[2]; b.sum() * b[[0, 0]] }
        { let mut b = Array1::zeros(3); b[0] = x[0] * x[1]; b[1] = x[2]; b.dot(&b) }
        { let mut b = Array2::<f64>::zeros((2, 2)); for i in 0..2 { for j in 0..2 { b[[i, j]] = x[i] * x[j + 2]; } } b.sum() * b[[1, 1]] }
        { a.map(|v| v * v).sum() }
        { a.map(|&v| v.sin()).product() }
        { a.mapv(|v| v.exp()).sum() }
    }
    rows_9 (x a m) {
        { a.mapv(f64::sin).sum() }
        { a.mapv(f64::sqrt).dot(&a) }
        { a.clone().mapv_into(|v| v * v).sum() }
        { a.mapv(|v| v * x[0]).sum() }
        { m.map(|v| v.ln()).sum_axis(Axis(0)).product() }
        { let mut b = a.clone(); b.mapv_inplace(|v| v * v); b.sum() }
        { let mut b = a.clone(); b.mapv_inplace(f64::exp); b.sum() }
        { let mut b = a.clone(); b.map_inplace(|v| *v = *v * *v); b.sum() }
        { let mut b = a.clone(); b.map_inplace(|v| *v *= x[0]); b.product() }
        { a.fold(0.0, |s, v| s + v * v) }
        { a.fold(1.0, |s, &v| s * v) }
        { a.fold(f64::NEG_INFINITY, |s, &v| s.max(v)) * x[1] }
    }
    rows_10 (x a m) {
        { m.fold_axis(Axis(0), 0.0, |s, v| s + v * v).product() }
        { m.fold_axis(Axis(1), 1.0, |&s, &v| s * v).sum() }
        { m.map_axis(Axis(0), |c| c[0] * c[1]).sum() }
        { m.map_axis(Axis(1), |r| r.sum()).product() }
        { m.map_axis(Axis(1), |r| r.iter().copied().fold(f64::NEG_INFINITY, f64::max)).product() }
        { a.iter().map(|v| v * v).sum::<f64>() }
        { a.iter().zip(a.iter().skip(1)).map(|(u, v)| u * v).sum::<f64>() }
        { a.clone().into_iter().map(|v| v * v).sum::<f64>() }
        { let mut s = 0.0; for v in &a { s += v * v; } s }
        { let mut s = 0.0; for v in a.iter() { s += v * v; } s }
        { let mut s = 0.0; for v in a.clone() { s += v * v; } s }
    }
    rows_11 (x a m) {
        { let mut s = 0.0; for &v in m.iter() { s += v * v; } s }
        { let mut b = a.clone(); for v in b.iter_mut() { *v = v.sin(); } b.sum() }
        { let mut b = a.clone(); for v in &mut b { *v *= *v; } b.sum() }
        { let mut b = a.clone(); b.iter_mut().for_each(|v| *v *= x[0]); b.product() }
        { let mut b = a.clone(); b.iter_mut().zip(&a).for_each(|(u, v)| *u *= v); b.sum() }
        { let mut b = a.clone(); b.iter_mut().enumerate().for_each(|(i, v)| *v *= i as f64 * x[0]); b.sum() }
        { a.indexed_iter().map(|(i, v)| i as f64 * v * v).sum::<f64>() }
        { m.indexed_iter().map(|((i, j), v)| (i + 2 * j) as f64 * v * v).sum::<f64>() }
        { let mut b = m.clone(); for ((i, j), v) in b.indexed_iter_mut() { *v *= (i + j) as f64 * x[0]; } b.sum() }
        { let mut s = 0.0; for ((i, j), v) in m.indexed_iter() { s += (i * 3 + j) as f64 * v * v; } s }
        { m.outer_iter().map(|r| r.product()).sum::<f64>() }
        { let mut b = m.clone(); for mut r in b.outer_iter_mut() { r[0] *= r[1]; } b.sum() }
    }
    rows_12 (x a m) {
        { m.axis_iter(Axis(1)).map(|c| c.product()).sum::<f64>() }
        { let mut b = m.clone(); for mut c in b.axis_iter_mut(Axis(1)) { c *= x[0]; } (&b * &b).sum() }
        { m.axis_chunks_iter(Axis(1), 2).map(|c| c.sum() * c[[0, 0]]).sum::<f64>() }
        { a.axis_chunks_iter(Axis(0), 4).map(|c| c.product()).sum::<f64>() }
        { let mut b = a.clone(); for mut c in b.axis_chunks_iter_mut(Axis(0), 4) { c[0] *= c[1]; } b.sum() }
        { m.rows().into_iter().map(|r| r.product()).sum::<f64>() }
        { m.columns().into_iter().map(|c| c.product()).sum::<f64>() }
        { let mut s = 0.0; for r in m.rows() { s += r[0] * r[2]; } s }
        { let mut s = 0.0; for c in m.columns() { s += c.dot(&c); } s }
        { let mut b = m.clone(); for mut r in b.rows_mut() { let s = r.sum(); r /= s; } (&b * &b).sum() }
        { let mut b = m.clone(); for mut c in b.columns_mut() { c.assign(&m.column(0)); } (&b * &m).sum() }
        { m.lanes(Axis(0)).into_iter().map(|c| c.product()).sum::<f64>() }
    }
    rows_13 (x a m) {
        { let mut b = m.clone(); for mut c in b.lanes_mut(Axis(0)) { c *= x[0]; } (&b * &b).sum() }
        { a.windows(2).into_iter().map(|w| w[0] * w[1]).sum::<f64>() }
        { let mut s = 0.0; for w in m.windows((2, 2)) { s += w[[0, 0]] * w[[1, 1]]; } s }
        { a.windows_with_stride(2, 2).into_iter().map(|w| w[0] * w[1]).sum::<f64>() }
        { m.axis_windows(Axis(1), 2).into_iter().map(|w| w.product()).sum::<f64>() }
        { a.exact_chunks(2).into_iter().map(|w| w[0] * w[1]).sum::<f64>() }
        { m.exact_chunks((2, 1)).into_iter().map(|w| w[[0, 0]] * w[[1, 0]]).sum::<f64>() }
        { let mut b = a.clone(); for mut c in b.exact_chunks_mut(2) { c[0] *= c[1]; } b.sum() }
        { let mut b = m.clone(); b.accumulate_axis_inplace(Axis(1), |&p, c| *c += p * x[0]); b.product() }
        { let mut b = a.clone(); b.accumulate_axis_inplace(Axis(0), |&p, c| *c *= p); b.sum() }
        { let mut b = a.clone(); b.zip_mut_with(&a, |u, v| *u *= v); b.sum() }
        { Zip::from(&a).and(&a).fold(0.0, |s, u, v| s + u * v) }
    }
    rows_14 (x a m) {
        { Zip::from(&a).map_collect(|v| v * v).sum() }
        { Zip::from(&a).and(&a.mapv(f64::sin)).map_collect(|u, v| u * v).sum() }
        { Zip::from(m.rows()).map_collect(|r| r.product()).sum() }
        { Zip::from(m.rows()).and(m.column(0)).map_collect(|r, v| r.sum() * v).sum() }
        { let mut b = a.clone(); Zip::from(&mut b).and(&a).for_each(|u, &v| *u *= v); b.sum() }
        { let mut b = a.clone(); Zip::from(&mut b).for_each(|u| *u = u.sin()); b.sum() }
        { let mut b = m.clone(); Zip::from(b.rows_mut()).and(m.rows()).for_each(|mut r, s| r[0] = s.product()); b.sum() }
        { let mut b = m.clone(); Zip::indexed(&mut b).for_each(|(i, j), v| *v *= (i + j) as f64 * x[0]); b.sum() }
        { let mut b = m.clone(); Zip::from(&mut b).and_broadcast(&m.row(0)).for_each(|u, &v| *u *= v); b.sum() }
        { let mut b = a.clone(); Zip::from(&a).map_assign_into(&mut b, |v| v * v); b.sum() }
        { let mut s = 0.0; Zip::from(&a).and(&a).for_each(|u, v| s += u * v); s }
        { if Zip::from(&a).all(|v| *v > 0.0) { x[0] * x[1] } else { x[0] } }
    }
    rows_15 (x a m) {
        { if Zip::from(&a).any(|v| *v > 3.0) { x[0] * x[1] } else { x[0] } }
        { let mut b = a.clone(); azip!((u in &mut b, &v in &a) *u *= v); b.sum() }
        { let mut b = m.clone(); azip!((index (i, j), u in &mut b, &v in &m) *u *= v * (i + j) as f64); b.sum() }
        { let mut s = 0.0; a.for_each(|v| s += v * v); s }
        { a.iter().cloned().fold(0.0, |s, v| s + v * v) }
        { a.iter().copied().reduce(|p, q| p * q).unwrap() }
        { a.iter().rev().enumerate().map(|(i, v)| v * i as f64).sum::<f64>() * a.iter().last().unwrap() }
        { a.iter().max_by(|p, q| p.total_cmp(q)).unwrap() * x[1] }
        { a.sum() * a.product() }
        { m.sum() * m.mean().unwrap() }
        { a.mean().unwrap() * a.var(0.0) * a.std(1.0) }
        { m.var(1.0) + m.std(0.0) }
    }
    rows_16 (x a m) {
        { m.sum_axis(Axis(0)).product() }
        { m.sum_axis(Axis(1)).dot(&m.column(0)) }
        { m.mean_axis(Axis(0)).unwrap().product() }
        { m.var_axis(Axis(1), 1.0).sum() + m.std_axis(Axis(0), 0.0).sum() }
        { m.product_axis(Axis(0)).sum() }
        { m.product_axis(Axis(1)).sum() }
        { a.cumprod(Axis(0)).sum() }
        { a.diff(1, Axis(0)).mapv(|v| v * v).sum() }
        { a.pow2().sum() }
        { a.powi(3).sum() + a.powf(1.5).sum() }
        { a.abs().sum() + a.sqrt().sum() + a.exp().sum() + a.ln().sum() }
        { a.sin().dot(&a.cos()) + a.tan().sum() + a.tanh().sum() }
    }
}

#[test]
fn every_row_agrees_with_differences() {
    check::agree(ROWS);
}

#[test]
fn the_book_has_the_methods() {
    page::check("ndarray", include_str!("methods.txt"), &[include_str!("main.rs"), include_str!("loops.rs")]);
}
