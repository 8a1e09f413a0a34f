//! Methods of std on numbers: a row each, with its value and its derivatives in both modes against differences of the plain function.
//! The rows, `methods.txt` (the stable methods of Rust 1.88) and the messages of `tests/ui/std_refused.rs` make the tables of the
//! book's page on std: `BOOK=overwrite cargo test --test std_methods`.

mod check;
mod page;

use diffi::prelude::*;
use std::collections::VecDeque;
use std::iter;

rows! {
    f64_1 of "f64" (x) {
        { x[0] * x[2].floor() }
        { x[0] * x[2].ceil() }
        { x[0] * x[2].round() }
        { x[0] * x[2].round_ties_even() }
        { x[0] * x[2].trunc() }
        { x[0] * x[2].fract() }
        { (x[0] - 2.0).abs() * x[1] }
        { (x[0] - 2.0).signum() * x[1] }
        { x[0].copysign(x[1] - 1.0) * x[2] }
        { x[0].mul_add(x[1], x[2]) }
    }
    f64_2 of "f64" (x) {
        { (x[2] * 3.1).div_euclid(x[1]) * x[0] }
        { (-x[2] * 3.1).rem_euclid(x[1]) * x[0] }
        { x[0].powi(3) + x[1].powi(-2) }
        { x[0].powf(x[1]) }
        { x[0].exp() + x[1].exp2() }
        { x[0].ln() + x[1].log2() + x[2].log10() }
        { x[0].log(x[2]) }
        { x[0].cbrt() }
        { x[0].hypot(x[1]) }
        { x[0].sin() * x[1].cos() + x[3].tan() }
    }
    f64_3 of "f64" (x) {
        { x[3].asin() * x[1].acos() + x[0].atan() }
        { x[0].atan2(x[1]) }
        { x[0].sin_cos().0 * x[1].sin_cos().1 }
        { x[0].exp_m1() + x[1].ln_1p() }
        { x[0].sinh() * x[1].cosh() + x[2].tanh() }
        { x[0].asinh() * x[2].acosh() + x[3].atanh() }
        { if x[0].is_nan() || x[1].is_infinite() || !x[2].is_finite() { x[0] } else { x[1] * x[2] } }
        { if x[0].is_sign_positive() && !x[0].is_sign_negative() { x[0] * x[1] } else { x[1] } }
        { if x[0].classify() == std::num::FpCategory::Normal && x[0].is_normal() && !x[0].is_subnormal() { x[0] * x[1] } else { x[1] } }
        { x[0].next_up() * x[1].next_down() }
    }
    f64_4 of "f64" (x) {
        { x[0].to_degrees() + x[1].to_radians() }
        { x[0].max(x[1]) * x[2].min(x[1]) }
        { x[0].midpoint(x[1]) * x[1] }
        { x[0].clamp(0.5, 1.0) * x[1].clamp(0.1, x[2]) }
        { x[0] * f64::EPSILON.sqrt() + std::f64::consts::E * x[1] + f64::MAX.recip() }
        { use std::ops::*; let mut a = x[0]; a.mul_assign(x[1]); a += x[2]; a }
        { std::cmp::max_by(x[0], x[1], f64::total_cmp) * x[2] }
    }
    slice_1 of "slice" (x) {
        { x.first().unwrap() * x.last().unwrap() }
        { let (a, r) = x.split_first().unwrap(); a * r.iter().sum::<f64>() }
        { if let Some((a, r)) = x.split_last() { a * r.iter().sum::<f64>() } else { 0.0 } }
        { let [a, b] = x.first_chunk::<2>().unwrap(); a * b }
        { let (h, t) = x.split_first_chunk::<2>().unwrap(); h[0] * h[1] * t[0] }
        { let (h, t) = x.split_last_chunk::<2>().unwrap(); h[0] * t[1] * t[0] }
        { x.get(1..3).map_or(0.0, |s| s[0] * s[1]) }
        { let mut v = x.to_vec(); v.swap(0, 2); v[0] * v[0] }
        { let mut v = x.to_vec(); v.reverse(); v[0] * v[0] + v[1] }
        { let mut v = x.to_vec(); for a in v.iter_mut() { *a *= *a; } v.iter().sum() }
    }
    slice_2 of "slice" (x) {
        { x.windows(2).map(|w| w[0] * w[1]).sum() }
        { x.chunks(4).map(|w| w.iter().product::<f64>()).sum() }
        { let c = x.chunks_exact(4); let r = c.remainder(); r[0] * c.map(|w| w[0] * w[3]).sum::<f64>() }
        { let mut v = x.to_vec(); for c in v.chunks_mut(4) { let s: f64 = c.iter().sum(); c[0] *= s; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); for c in v.chunks_exact_mut(2) { c[0] *= c[1]; } v.iter().map(|v| v * v).sum() }
        { x.rchunks(4).map(|w| w.iter().product::<f64>()).sum() }
        { x.rchunks_exact(4).map(|w| w.iter().product::<f64>()).sum() }
        { let mut v = x.to_vec(); for c in v.rchunks_mut(4) { let s: f64 = c.iter().sum(); c[0] *= s; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); for c in v.rchunks_exact_mut(4) { let s: f64 = c.iter().sum(); c[0] *= s; } v.iter().map(|v| v * v).sum() }
        { x.chunk_by(|a, b| a > b).map(|c| c.iter().product::<f64>()).sum() }
    }
    slice_3 of "slice" (x) {
        { let mut v = x.to_vec(); for c in v.chunk_by_mut(|a, b| a > b) { c[0] *= c[0]; } v.iter().sum::<f64>() }
        { let (a, b) = x.split_at(2); a[0] * b[0] }
        { let (a, b) = x.split_at_checked(2).unwrap(); a[0] * b[0] }
        { let mut v = x.to_vec(); let (a, b) = v.split_at_mut(3); a[0] *= b[0]; b[1] += a[0]; v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); if let Some((a, b)) = v.split_at_mut_checked(3) { a[0] *= b[0]; b[1] += a[0]; } v.iter().sum::<f64>() }
        { x.split(|v| *v < 0.5).map(|c| c.iter().product::<f64>()).sum() }
        { let mut v = x.to_vec(); for c in v.split_mut(|v| *v < 0.5) { c[0] *= c[1]; } v.iter().sum::<f64>() }
        { x.split_inclusive(|v| *v < 0.5).map(|c| c.iter().product::<f64>()).sum() }
        { x.rsplit(|v| *v < 0.5).map(|c| c.iter().product::<f64>()).enumerate().map(|(i, v)| i as f64 * v).sum() }
        { x.splitn(2, |v| *v < 1.0).map(|c| c.iter().product::<f64>()).sum() }
    }
    slice_4 of "slice" (x) {
        { x.rsplitn(2, |v| *v < 1.0).map(|c| c.iter().product::<f64>()).sum() }
        { if x.contains(&0.75) { x[0] * x[1] } else { x[1] } }
        { if x.starts_with(&[1.5]) || !x.ends_with(&[0.75]) { x[0] * x[1] } else { x[1] } }
        { let k = x.binary_search_by(|v| v.partial_cmp(&0.7).unwrap()).unwrap_or_else(|k| k); x[k % 6] * x[1] }
        { let k = x.partition_point(|v| *v > 1.0); x[k] * x[1] }
        { let mut v = x.to_vec(); v.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap()); v[0] * v[1] }
        { let mut v = x.to_vec(); v.sort_by(f64::total_cmp); v[0] * v[1] }
        { let mut v = x.to_vec(); v.sort_by_key(|a| (a * 100.0) as i64); v[0] * v[1] }
        { let mut v = x.to_vec(); v.sort_by_cached_key(|a| (a * 100.0) as i64); v[0] * v[1] }
        { let mut v = x.to_vec(); let at = 2; let (lo, m, hi) = v.select_nth_unstable_by(at, f64::total_cmp); *m * lo.iter().sum::<f64>() + hi.iter().product::<f64>() }
    }
    slice_5 of "slice" (x) {
        { let mut v = x.to_vec(); v.rotate_left(2); v[0] * v[0] }
        { let mut v = x.to_vec(); v.rotate_right(1); v[0] * v[0] }
        { let mut v = vec![0.0; 4]; v.fill(x[0]); v[0] * v[1] }
        { let mut a = x[0]; let mut v = vec![0.0; 4]; v.fill_with(|| { a *= x[1]; a }); v[0] * v[3] }
        { let mut v = vec![0.0; 6]; v.clone_from_slice(x); v[0] * v[1] }
        { let mut v = vec![0.0; 3]; v[1..].copy_from_slice(&x[..2]); v[1] * v[2] }
        { let mut v = x.to_vec(); v.copy_within(0..3, 2); v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); let mut w = vec![x[0] * x[1]; 6]; v.swap_with_slice(&mut w); w[2] * v[2] }
        { let (all, part) = (2, x.to_vec()); let v = part.repeat(all); v[7] * v[0] }
        { let v = [&x[..2], &x[3..]].concat(); v[0] * v[2] }
    }
    slice_6 of "slice" (x) {
        { let v = [vec![x[0]], vec![x[1], x[2]]].join(&[x[3], x[4]][..]); v.iter().enumerate().map(|(i, v)| v * v * i as f64).sum() }
        { if x.is_sorted_by(|a, b| a <= b) { x[0] } else { x[0] * x[1] } }
        { if x.is_sorted_by_key(|a| -a) { x[0] } else { x[0] * x[1] } }
        { x.len() as f64 * x[0] }
        { let mut v = x.to_vec(); if let Some(a) = v.first_mut() { *a *= x[1]; } *v.last_mut().unwrap() *= x[0]; v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); if let Some(a) = v.get_mut(1) { *a *= x[1]; } v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); if let Some((a, r)) = v.split_first_mut() { *a *= r[0]; r[1] *= *a; } v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); let (a, r) = v.split_last_mut().unwrap(); *a *= r[0]; r[1] *= *a; v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); for c in v.rsplit_mut(|v| *v < 0.5) { c[0] *= c[1]; } v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); for c in v.split_inclusive_mut(|v| *v < 0.5) { c[0] *= c[1]; } v.iter().sum::<f64>() }
    }
    slice_7 of "slice" (x) {
        { let (head, tail) = x.split_at(6); if tail.is_empty() && !head.is_empty() { x[0] * x[1] } else { tail[0] } }
        { let mut v = x.to_vec(); if let Some([a, b]) = v.first_chunk_mut::<2>() { *a *= *b; *b *= x[2]; } v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); let (h, t) = v.split_first_chunk_mut::<2>().unwrap(); h[0] *= t[1]; t[0] *= h[1]; v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); if let Some((h, t)) = v.split_last_chunk_mut::<2>() { h[0] *= t[1]; t[0] *= h[1]; } v.iter().map(|v| v * v).sum() }
        { let [a, b, c] = x.last_chunk::<3>().unwrap(); a * b - c * c }
        { let mut v = x.to_vec(); let c = v.last_chunk_mut::<2>().unwrap(); c[0] *= c[1]; c[1] = c[0] * x[0]; v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); for c in v.splitn_mut(2, |v| *v < 1.0) { let s: f64 = c.iter().sum(); c[0] *= s; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); for c in v.rsplitn_mut(2, |v| *v < 0.75) { let n = c.len() as f64; c[0] *= c[0] * n; } v.iter().sum::<f64>() }
        { let knots = [0usize, 2, 5]; let k = knots.binary_search(&(x.len() - 4)).unwrap_or_else(|k| k); x[knots[k]] * x[0] }
        { let table = [(0, 1.5), (3, 2.5), (4, 0.5)]; let k = table.binary_search_by_key(&3, |t| t.0).unwrap(); x[table[k].0] * table[k].1 * x[1] }
    }
    slice_8 of "slice" (x) {
        { let mut order = [4usize, 1, 3]; order.sort(); x[order[0]] * x[order[1]] - x[order[2]] * x[0] }
        { let mut order = vec![4usize, 1, 3]; order.sort_unstable(); order.iter().enumerate().map(|(i, k)| x[*k] * x[i]).sum::<f64>() }
        { let mut v = x.to_vec(); v.sort_unstable_by_key(|a| (a * 100.0) as i64); v[0] * v[1] + v[5] * v[2] }
        { let mut order = [4usize, 1, 3, 0]; let m = *order.select_nth_unstable(2).1; x[m] * x[0] }
        { let mut v = x.to_vec(); let (lo, m, _) = v.select_nth_unstable_by_key(3, |a| (a * 100.0) as i64); *m * lo.iter().sum::<f64>() }
        { let order = [4usize, 1, 3]; if order.is_sorted() { x[0] } else { x[order[0]] * x[order[2]] } }
        { let b: Box<[f64]> = x[..3].to_vec().into_boxed_slice(); let v = b.into_vec(); v[0] * v[2] }
        { let (pairs, rest) = x[..5].as_chunks::<2>(); pairs.iter().map(|[a, b]| a * b).sum::<f64>() * rest[0] }
        { let (pairs, _) = x.as_chunks::<2>(); let mut s = 0.0; for [a, b] in pairs { s += a / b; } s * pairs[1][0] * pairs.len() as f64 }
        { let (first, triples) = x[..5].as_rchunks::<3>(); first[0] * first[1] + triples.iter().map(|t| t[0] * t[2]).sum::<f64>() }
    }
    slice_9 of "slice" (x) {
        { let mut v = x.to_vec(); let (pairs, _) = v.as_chunks_mut::<2>(); for [a, b] in pairs.iter_mut() { *a *= *b; *b += *a; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); let (rest, triples) = v[1..].as_rchunks_mut::<3>(); rest[0] *= x[0]; for t in triples { t[0] *= t[1]; } v.iter().map(|v| v * v).sum() }
        { let m = [[x[0], x[1]], [x[2], x[3]]]; let flat = m.as_flattened(); flat[0] * flat[3] - flat.iter().product::<f64>() }
        { let mut m = [[x[0], x[1]], [x[2], x[3]]]; for v in m.as_flattened_mut() { *v *= *v; } m[0][1] * m[1][0] }
        { let mut v = x.to_vec(); let (i, j) = (0, 3); let [a, b] = v.get_disjoint_mut([i, j]).unwrap(); *a *= *b; *b += *a; v[0] * v[3] + v[1] }
        { let mut v = x.to_vec(); if let Ok([p, q]) = v.get_disjoint_mut([0..2, 3..5]) { p[0] *= q[1]; q[0] = p[0] * p[1]; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); if v.get_disjoint_mut([1, 1]).is_err() { v[0] *= v[1]; } v[0] * x[2] }
        { let keys = &x[..2]; x.strip_prefix(keys).map_or(0.0, |rest| rest[0] * rest[1]) }
        { if let Some(rest) = x.strip_suffix(&[9.0]) { rest[0] } else { x.strip_suffix(&x[4..]).unwrap().iter().product::<f64>() } }
    }
    slice_10 of "slice" (x) {
        { let mut left = x; let mut s = 1.0; while let Some(v) = left.split_off_first() { s = s * v + 0.1 * left.len() as f64; } s }
        { let mut left = x; let (a, b) = (left.split_off_first().unwrap(), left.split_off_last().unwrap()); a * b * left.iter().sum::<f64>() }
        { let mut left = &x[1..]; let head = left.split_off(..2).unwrap(); let tail = left.split_off(2..).unwrap(); head[0] * head[1] + tail[0] * left[1] }
        { let mut v = x.to_vec(); let mut left = &mut v[..]; while let Some(a) = left.split_off_first_mut() { *a *= *a + left.len() as f64; } v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); let mut left = v.as_mut_slice(); if let Some(a) = left.split_off_last_mut() { *a *= left[0]; } let head = left.split_off_mut(..2).unwrap(); head[0] *= head[1]; v.iter().map(|v| v * v).sum() }
    }
    array_1 of "array" (x) {
        { let a = [x[0], x[1]].map(|v| v * v); a[0] * a[1] }
        { let a = [x[0], x[1]]; a.as_slice().iter().product() }
        { let mut a = [x[0], x[1], x[2]]; a.as_mut_slice()[1] *= x[0]; for v in a.as_mut_slice() { *v *= *v; } a.iter().sum::<f64>() }
        { let a = [x[0], x[1] * x[2]]; let [p, q] = a.each_ref(); p * q }
        { let a = [x[0], x[1], x[2]]; let squares = a.each_ref().map(|v| *v * *v); squares[0] * squares[2] + a[1] }
        { let mut a = [x[0], x[1], x[2]]; let [p, q, _] = a.each_mut(); *p *= *q; *q += *p; a[0] * a[1] }
        { let mut a = [x[0], x[1], x[2]]; for v in a.each_mut() { *v = v.sin(); } a.iter().product() }
    }
    vec_1 of "Vec" (x) {
        { let mut v = Vec::new(); v.push(x[0]); v.push(x[1] * x[0]); v[0] * v[1] }
        { let mut v = Vec::with_capacity(4); v.push(x[0]); v.reserve(3); v.shrink_to_fit(); v[0] * v[0] }
        { let mut v = x.to_vec(); v.reserve_exact(3); v.shrink_to(2); v[0] * v[0] }
        { let mut v = x.to_vec(); v.truncate(2); v.iter().product() }
        { let mut v = x.to_vec(); v.as_mut_slice()[0] *= x[1]; v.as_slice().iter().sum() }
        { let mut v = x.to_vec(); let a = v.swap_remove(1); a * v[1] }
        { let mut v = x.to_vec(); v.insert(1, x[0] * x[1]); v[1] * v[2] }
        { let mut v = x.to_vec(); let a = v.remove(1); a * v[1] }
        { let mut v = x.to_vec(); v.retain(|a| *a > 1.0); v.iter().product() }
        { let mut v = x.to_vec(); let (kept, at) = (x[0], 1.0); v.retain_mut(|a| { *a *= kept; *a > at }); v.iter().product() }
    }
    vec_2 of "Vec" (x) {
        { let mut v = vec![x[0], x[0], x[1], x[1], x[0]]; v.dedup(); v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); v.dedup_by(|a, b| (*a - *b).abs() < 0.7); v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); v.dedup_by_key(|a| *a as i32); v.iter().map(|v| v * v).sum() }
        { let mut v = x.to_vec(); let a = v.pop().unwrap(); a * v[0] }
        { let mut v = x.to_vec(); let last = 1.0; let a = v.pop_if(|a| *a < last); a.unwrap_or(0.0) * v[0] * v.len() as f64 }
        { let mut v = x.to_vec(); let mut w = vec![x[0] * x[1]]; v.append(&mut w); v[6] * v[0] * (w.len() + 1) as f64 }
        { let mut v = x.to_vec(); let w: Vec<f64> = v.drain(..).collect(); w[0] * w[1] + v.len() as f64 }
        { let mut v = x.to_vec(); v.clear(); v.push(x[0]); v[0] * v[0] }
        { let mut v = x.to_vec(); let w = v.split_off(2); w[0] * v[0] }
        { let mut v = x.to_vec(); v.resize(8, x[0]); v[7] * v[1] }
    }
    vec_3 of "Vec" (x) {
        { let mut v = x.to_vec(); let (mut made, length) = (x[0], 8); v.resize_with(length, || { made *= x[1]; made }); v[7] * v[6] }
        { let mut v = x.to_vec(); v.extend_from_slice(&x[1..3]); v[7] * v[1] }
        { let mut v = x.to_vec(); v.extend_from_within(1..3); v[7] * v[1] }
        { let mut v = x.to_vec(); v.splice(1..3, [x[0] * x[0], x[1], x[2]]); v[1] * v[3] * v[4] }
        { let v = x.to_vec().into_boxed_slice(); v[0] * v[1] }
        { let v: Vec<f64> = vec![]; if v.is_empty() { x[0] * x[0] } else { 0.0 } }
        { let mut v = Vec::from([x[0], x[1], x[2]]); let a = v.remove(0); a * v.remove(0) }
        { let mut v = x.to_vec(); let mut w = vec![1.5, 2.5]; v.append(&mut w); v[0] * v[7] * (w.len() + 1) as f64 }
    }
    vec_4 of "Vec" (x) {
        { let v = vec![[x[0], x[1]], [x[2] * x[0], x[3]]].into_flattened(); v[0] * v[3] + v[1] * v[2] }
        { let mut v = x.to_vec(); let old: Vec<f64> = v.splice(1..3, [x[0] * x[0], x[1], x[2]]).collect(); old[0] * v[1] + old[1] * v[4] * v.len() as f64 }
        { let mut v = x.to_vec(); let s: f64 = v.splice(..2, x[3..].iter().map(|v| v * v)).sum(); s * v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); let big: Vec<f64> = v.extract_if(.., |a| *a > 1.0).collect(); big[0] * big[1] * v[0] * v.len() as f64 }
        { let mut v = x.to_vec(); let mut s = 0.0; for a in v.extract_if(1..5, |a| { *a *= x[0]; *a < 1.0 }) { s += a * a; } s * v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); v.try_reserve(4).unwrap(); v.push(x[0] * x[1]); v[6] * v[1] }
        { let mut v = x.to_vec(); if v.try_reserve_exact(4).is_err() { panic!("no room"); } v.push(x[0] * x[1]); v[6] * v[1] }
    }
    vecdeque_1 of "VecDeque" (x) {
        { let mut q = VecDeque::new(); q.push_back(x[0]); q.push_front(x[1] * x[0]); q[0] * q[1] }
        { let mut q: VecDeque<f64> = x.iter().copied().collect(); let a = q.pop_front().unwrap(); let b = q.pop_back().unwrap(); a * b + q[0] }
        { let mut q = VecDeque::from(x.to_vec()); *q.front_mut().unwrap() *= x[1]; q.front().unwrap() * q.back().unwrap() }
        { let mut q = VecDeque::from(vec![x[0], x[1]]); if let Some(a) = q.get_mut(0) { *a *= x[3]; } q.get(0).unwrap() * q.get(1).unwrap() }
        { let mut q = VecDeque::from([x[0], x[1]]); for a in q.iter_mut() { *a *= x[2]; } q.iter().product() }
        { let mut q = VecDeque::from([x[0], x[1], x[2]]); q.rotate_left(1); q[0] * q[0] }
        { let mut q = VecDeque::with_capacity(3); let mut s = 0.0; for &v in x { if q.len() == 3 { q.pop_front(); } q.push_back(v); s += q.iter().product::<f64>(); } s }
        { let mut q = VecDeque::from([x[0], x[1], x[2]]); q.swap(0, 1); q[0] * q[0] }
        { let mut q = VecDeque::from([x[0], x[1], x[2]]); q.insert(1, x[3]); q.remove(0); q[0] * q[0] }
        { let mut q = VecDeque::from(x.to_vec()); q.truncate(2); q.iter().product() }
    }
    vecdeque_2 of "VecDeque" (x) {
        { let mut q = VecDeque::from(x.to_vec()); q.retain(|v| *v > 1.0); q.iter().product() }
        { let mut q = VecDeque::from(x.to_vec()); q.make_contiguous()[0] *= x[1]; q[0] * q[0] }
        { let mut q = VecDeque::from(x.to_vec()); q.clear(); q.push_back(x[0]); q[0] * q[0] }
        { let q = VecDeque::from(x.to_vec()); if q.contains(&0.75) && !q.is_empty() { q[0] * q[1] } else { 0.0 } }
        { let mut q = VecDeque::from(x.to_vec()); q.drain(..2).sum() }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let mut s = 0.0; for v in q.drain(1..=2) { s += v * v; } s * q[1] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let r = q.split_off(2); r[0] * q[1] * r[2] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); q.resize(8, x[0]); q[0] * q[7] * q[4] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let mut made = x[0]; q.resize_with(8, || { made *= x[1]; made }); q[7] * q[5] * q[4] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let mut r = q.clone(); q.append(&mut r); q[0] * q[9] * (r.len() + 1) as f64 }
    }
    vecdeque_3 of "VecDeque" (x) {
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let a = q.swap_remove_back(1).unwrap(); a * q[0] * q[1] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); if let Some(a) = q.swap_remove_front(7) { a } else { q.swap_remove_front(2).unwrap() * q[1] } }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); let up = x[0]; q.retain_mut(|v| { *v *= up; *v > 1.0 }); q.iter().product() }
        { let mut q = VecDeque::from(x.to_vec()); q.reserve(3); q.reserve_exact(3); q.shrink_to(1); q.shrink_to_fit(); *q.back_mut().unwrap() *= x[0]; q[0] * q[5] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); for v in q.range_mut(1..3) { *v *= x[0]; } q.range(..=2).rev().enumerate().map(|(i, v)| v * v * i as f64).sum() }
        { let mut q = VecDeque::from(x.to_vec()); q.rotate_right(2); q.make_contiguous().sort_by(f64::total_cmp); let at = q.partition_point(|v| *v < 1.0) + q.binary_search_by(|v| v.total_cmp(&0.5)).unwrap_or(1); q[at % 6] * q[0] }
        { let mut q = VecDeque::from(x.to_vec()); let mut s = 0.0; for k in 0..3 { let mut r = q.split_off(2); r.append(&mut q); s += r[0] * r[0] * k as f64; q = r; } s }
    }
    vecdeque_4 of "VecDeque" (x) {
        { let mut q = VecDeque::from(x.to_vec()); q.try_reserve(4).unwrap(); q.push_front(x[0] * x[1]); q[0] * q[1] }
        { let mut q = VecDeque::from(x.to_vec()); q.pop_front(); if q.try_reserve_exact(4).is_ok() { q.push_back(x[0] * x[1]); } q[5] * q[0] }
        { let ages: VecDeque<usize> = [1, 3, 4].into(); let k = ages.binary_search(&3).unwrap(); x[k] * x[ages[2]] }
        { let ages: VecDeque<(usize, usize)> = [(1, 2), (3, 0)].into(); let k = ages.binary_search_by_key(&3, |a| a.0).unwrap(); x[ages[k].1] * x[k] }
    }
    option_1 of "Option" (x) {
        { Some(x[0] * x[1]).expect("there") }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.unwrap_or_else(|| x[1] * x[2]) }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.unwrap_or_default() + x[1] }
        { let mut n = 0.0; let o = Some(x[0]).inspect(|v| n += *v * *v); n * o.unwrap() }
        { let o = if x[0] > 1.0 { Some(x[0]) } else { None }; o.map_or(x[1], |v| v * v) }
        { let o = if x[0] > 1.0 { Some(x[0]) } else { None }; o.map_or_else(|| x[1], |v| v * v) }
        { let o = if x[0] > 1.0 { Some(x[0]) } else { None }; match o.ok_or("bad") { Ok(v) => v * v, Err(_) => x[1] } }
        { let o = if x[0] > 1.0 { Some(x[0]) } else { None }; o.ok_or_else(|| "bad".to_string()).unwrap() * x[1] }
        { let o = Some(x[0]); o.and(Some(x[1] * x[2])).unwrap() }
        { let o = Some(x[0]); o.and_then(|v| if v > 1.0 { Some(v * v) } else { None }).unwrap_or(0.0) }
    }
    option_2 of "Option" (x) {
        { let o = Some(x[0] * x[1]); o.filter(|v| *v > 9.0).unwrap_or(x[2] * x[0]) }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.or(Some(x[1] * x[1])).unwrap() }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.or_else(|| Some(x[1] * x[1])).unwrap() }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.xor(Some(x[1] * x[1])).unwrap_or(0.0) + Some(x[0]).xor(Some(x[2])).unwrap_or(x[3]) }
        { let mut o = None; let a = o.insert(x[0] * x[1]); *a *= x[2]; o.unwrap() }
        { let mut o = None; let a = *o.get_or_insert(x[0] * x[1]); a * o.unwrap() }
        { let mut o = None; for v in x { let a = o.get_or_insert_with(|| v * v); *a *= v; } o.unwrap() }
        { let mut o = Some(x[0] * x[1]); let a = o.take().unwrap(); if o.is_none() { a } else { 0.0 } }
        { let mut o = Some(x[0] * x[1]); let a = o.take_if(|v| *v > 0.1); a.unwrap() + o.unwrap_or(x[3]) }
        { Some(x[0]).zip(Some(x[1])).map(|(a, b)| a * b).unwrap() }
    }
    option_3 of "Option" (x) {
        { let (a, b) = Some((x[0], x[1] * x[0])).unzip(); a.unwrap() * b.unwrap() }
        { x.first().copied().unwrap() * x.last().cloned().unwrap() }
        { let o = Some(if x[0] > 1.0 { Some(x[0] * x[1]) } else { None }); o.flatten().unwrap_or(0.0) }
        { let o = Some(x[0]); if o.is_some_and(|v| v > 1.0) { x[0] * x[1] } else { 0.0 } }
        { let o = Some(x[0] * x[1]); o.as_ref().map(|v| v * x[2]).unwrap() + o.unwrap() }
        { let mut o = Some(x[0] * x[1]); o.as_mut().map(|v| *v *= x[2]); o.unwrap() }
        { let mut o = Some(x[0] * x[1]); for v in o.iter_mut() { *v *= x[2]; } o.unwrap() }
        { let mut best: Option<(usize, f64)> = None; for (i, &v) in x.iter().enumerate() { if best.is_none_or(|(_, b)| v > b) { best = Some((i, v)); } } let (i, v) = best.unwrap(); v * v * i as f64 }
        { let mut prev = None; let mut s = 0.0; for &v in x { if let Some(p) = prev.replace(v) { s += p * v; } } s }
    }
    option_4 of "Option" (x) {
        { let o = if x[0] > 1.0 { Some(x[0] * x[1]) } else { None }; if o.is_some() { o.unwrap() * x[2] } else { x[1] } }
        { let mut o = Some(x[0] * x[1]); for v in o.as_mut_slice() { *v *= x[2]; } o.as_slice().iter().map(|v| v * x[0]).sum::<f64>() }
        { let o = if x[0] > 9.0 { Some(x[0]) } else { None }; o.as_slice().first().copied().unwrap_or(x[1] * x[2]) }
        { let o: Option<Vec<f64>> = Some(vec![x[0], x[1] * x[2]]); let s = o.as_deref().unwrap_or(&[]); s.iter().product::<f64>() }
        { let mut o: Option<Vec<f64>> = Some(vec![x[0], x[1] * x[2]]); if let Some(s) = o.as_deref_mut() { s[0] *= s[1]; } o.unwrap()[0] * x[1] }
        { let mut o: Option<f64> = None; for v in x { *o.get_or_insert_default() += v * v; } o.unwrap() * x[0] }
        { let o = Some(x[0]).map(|v| if v > 1.0 { Ok(v * v) } else { Err("small") }); match o.transpose() { Ok(Some(v)) => v * x[1], Ok(None) => x[2], Err(_) => x[0] } }
        { let o: Option<Result<f64, usize>> = if x[0] > 9.0 { Some(Ok(x[0])) } else { None }; let r = o.transpose(); if let Ok(v) = r { v.unwrap_or(x[1] * x[2]) } else { x[0] } }
    }
    result_1 of "Result" (x) {
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0] * x[1]) } else { Err(2) }; r.err().map_or(0.0, |k| x[k] * x[0]) }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0] * x[1]) } else { Err(2) }; if r.is_ok() { x[0] } else if r.is_err() { x[0] * x[1] } else { x[2] } }
        { let r: Result<f64, usize> = Ok(x[0]); if r.is_ok_and(|v| v > 1.0) { x[0] * x[1] } else { x[2] } }
        { let r: Result<f64, usize> = Ok(x[0]); if r.is_err_and(|v| v > 1) { x[0] * x[1] } else { x[2] * x[0] } }
        { let r: Result<f64, usize> = Ok(x[0]); r.map(|v| v * v).unwrap_or(0.0) }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; r.map_or_else(|k| x[k] * x[1], |v| v * v) }
        { let r: Result<f64, usize> = Ok(x[0]); r.and_then(|v| if v > 2.0 { Err(1) } else { Ok(v * v) }).unwrap_or(0.0) }
        { let r: Result<f64, usize> = Ok(x[0]); r.and(Ok::<f64, usize>(x[1] * x[2])).unwrap() }
        { let r: Result<f64, usize> = Err(1); r.or(Ok::<f64, usize>(x[1] * x[2])).unwrap() }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; r.unwrap_or_else(|k| x[k] * x[0]) }
    }
    result_2 of "Result" (x) {
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; r.unwrap_or_default() + x[0] }
        { let r: Result<f64, usize> = Ok(x[0] * x[1]); r.iter().map(|v| v * x[2]).sum::<f64>() }
        { let mut n = 0.0; let r: Result<f64, usize> = Ok(x[0] * x[1]); r.inspect(|v| n += *v).unwrap() * n }
        { let mut n = 0; let r: Result<f64, usize> = Ok(x[0] * x[1]); r.inspect_err(|k| n += *k).unwrap() * x[n] }
        { let r: Result<f64, usize> = Ok(x[0] * x[1]); *r.as_ref().unwrap() * x[1] }
        { let mut r: Result<f64, usize> = Ok(x[0] * x[1]); if let Ok(v) = r.as_mut() { *v *= x[2]; } r.unwrap() }
        { let a = x[0] * x[1]; let r: Result<&f64, usize> = Ok(&a); r.copied().unwrap() * x[2] }
    }
    result_3 of "Result" (x) {
        { let r: Result<f64, usize> = if x[0] > 1.0 { Ok(x[0] * x[1]) } else { Err(1) }; r.ok().map_or(x[2], |v| v * v) }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; match r.map_err(|k| k + 1) { Ok(v) => v, Err(k) => x[k] * x[0] } }
        { let r: Result<Vec<f64>, usize> = Ok(vec![x[0], x[1] * x[2]]); match r.as_deref() { Ok(s) => s[0] * s[1], Err(_) => x[0] } }
        { let mut r: Result<Vec<f64>, usize> = Ok(vec![x[0], x[1] * x[2]]); if let Ok(s) = r.as_deref_mut() { s[0] *= s[1]; } r.unwrap()[0] * x[1] }
        { let mut r: Result<f64, usize> = Ok(x[0] * x[1]); for v in r.iter_mut() { *v *= x[2]; } r.unwrap() * x[0] }
        { let r: Result<f64, usize> = Ok(x[0] * x[1]); r.expect("there") * x[2] }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; x[r.expect_err("small")] * x[0] }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; x[r.unwrap_err()] * x[1] }
        { let r: Result<f64, usize> = if x[0] > 9.0 { Ok(x[0]) } else { Err(2) }; r.or_else(|k| if k > 1 { Ok::<f64, usize>(x[k] * x[0]) } else { Err(k) }).unwrap() }
        { let a = x[0] * x[1]; let r: Result<&f64, usize> = Ok(&a); r.cloned().unwrap() * x[2] }
    }
    result_4 of "Result" (x) {
        { let r: Result<Option<f64>, usize> = if x[0] > 1.0 { Ok(Some(x[0] * x[1])) } else { Err(2) }; match r.transpose() { Some(Ok(v)) => v * x[2], Some(Err(k)) => x[k], None => x[0] } }
        { let r: Result<Option<f64>, usize> = if x[0] > 9.0 { Ok(None) } else { Err(2) }; match r.transpose() { Some(Ok(v)) => v, Some(Err(k)) => x[k] * x[0], None => x[1] } }
    }
    iterator_1 of "Iterator" (x) {
        { x.iter().find_map(|v| if *v > 1.5 { Some(v * v) } else { None }).unwrap_or(x[0]) }
        { x.iter().filter(|v| **v < 2.0).max_by(|a, b| a.total_cmp(b)).unwrap() * x[0] }
        { x.chunks(2).flat_map(|c| c.iter().map(|v| v * c[0])).min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap() }
        { let mut s = 0.0; let r: Result<(), usize> = x.iter().enumerate().try_for_each(|(i, v)| { if *v > 2.0 { return Err(i); } s += v * v; Ok(()) }); s * x[0] + r.err().unwrap_or(0) as f64 }
        { x.iter().map(|v| v * v).reduce(f64::max).unwrap() * x[1] }
        { x.iter().scan(1.0, |s, v| { *s *= v; Some(*s) }).sum::<f64>() }
        { x.iter().map_while(|v| (*v < 2.0).then(|| v.sin())).product::<f64>() }
        { x.iter().step_by(2).map(|v| v * v).sum() }
        { let (a, b): (Vec<&f64>, Vec<&f64>) = x.iter().partition(|v| **v > 1.0); a.iter().map(|v| **v * **v).sum::<f64>() - *b[0] }
        { let (i, v): (Vec<usize>, Vec<f64>) = x.iter().enumerate().map(|(i, v)| (i, v * v)).unzip(); v[2] * i[3] as f64 + v[0] }
    }
    iterator_2 of "Iterator" (x) {
        { x.iter().flat_map(|v| if *v > 1.0 { Some(v * v) } else { None }).sum::<f64>() }
        { x.iter().map(|v| (*v > 1.0).then_some(v * v)).flatten().sum::<f64>() }
        { let mut it = x.iter().peekable(); let mut s = 0.0; while let Some(v) = it.next() { s += v * v; while let Some(w) = it.next_if(|w| **w < 1.0) { s += w * v; } } s }
        { x[..2].iter().cycle().zip(x).map(|(a, b)| a * b).sum::<f64>() }
        { *x.iter().nth(2).unwrap() * x[0] }
        { let mut it = x.iter(); let mut s = 0.0; while let (Some(a), Some(b)) = (it.next(), it.next_back()) { s += a * b; } s }
        { let mut it = x.iter().map(|v| v * v); let mut s = 1.0; while let Some(v) = it.next_back() { s = s * 0.5 + v; } s }
        { let mut it = x.iter(); let a: f64 = it.by_ref().take_while(|v| **v < 2.0).sum(); a * it.next().unwrap() }
        { let mut it = x.iter(); let a = it.by_ref().skip(1).next().unwrap(); a * it.map(|v| v * v).sum::<f64>() }
        { let mut it = x.iter(); let r = it.try_fold(0.0, |a, v| if a > 1.5 { None } else { Some(a + v) }); it.map(|v| v * v).sum::<f64>() + r.unwrap_or(x[0]) }
    }
    iterator_3 of "Iterator" (x) {
        { let k = x.iter().rposition(|v| *v > 2.0).unwrap(); x[k] * x[0] }
        { x.iter().position(|v| *v < 0.5).map_or(0.0, |k| x[k] * x[k + 1]) }
        { if x.is_sorted() { x[0] } else { x[1] * x[2] } }
        { if x.iter().partial_cmp(x.iter().rev()) == Some(std::cmp::Ordering::Less) { x[0] } else { x[1] * x[2] } }
        { if x.iter().eq(x.iter().rev()) { x[0] } else { x[1] * x[2] } }
        { if x[..2].iter().lt(x[2..].iter()) { x[0] * x[1] } else { x[1] * x[2] } }
        { x.iter().map(|v| if *v > 0.0 { Some(v.ln()) } else { None }).sum::<Option<f64>>().unwrap_or(0.0) }
        { let s: Result<f64, usize> = x.iter().enumerate().map(|(i, v)| if *v < 1.5 { Ok(v * v) } else { Err(i) }).sum(); match s { Ok(v) => v, Err(i) => x[i] * x[0] } }
        { let v: Option<Vec<f64>> = x.iter().map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).collect(); v.unwrap().iter().map(|v| v * v * v).sum() }
        { let v: Result<Vec<f64>, String> = x.iter().map(|v| if *v > 0.0 { Ok(v.sqrt()) } else { Err(format!("{v}")) }).collect(); match v { Ok(v) => v.iter().product(), Err(_) => 0.0 } }
    }
    iterator_4 of "Iterator" (x) {
        { use std::iter::Sum; f64::sum(x.iter().map(|v| v * v)) }
        { Iterator::sum::<f64>(x.iter().map(|v| v * v)) }
        { let o = Some(x[0] * x[1]); let mut s = 1.0; for v in o.iter() { s += v * v; } for v in &o { s *= v; } s }
        { let mut v = x.to_vec(); v.extend((x[0] > 1.0).then_some(x[1] * x[2])); v.iter().map(|v| v * v).sum() }
        { iter::successors(Some((x[0], x[1])), |(a, b)| Some((*b, a + b))).take(6).map(|(a, _)| a * a).sum::<f64>() }
        { let mut a = x[0]; iter::from_fn(|| { a *= x[1]; if a > 0.1 { Some(a) } else { None } }).sum::<f64>() }
        { let mut k = 0; let mut s = 0.0; for v in iter::from_fn(|| { k += 1; (k < 5).then(|| x[k] * x[0]) }) { s += v * v; } s }
        { let mut a = x[0]; iter::repeat_with(|| { a *= x[1]; a }).take(4).sum::<f64>() }
        { iter::once(x[0]).chain(x[1..3].iter().map(|v| v * v)).chain(iter::once(x[5] * x[4])).enumerate().map(|(i, v)| v * (i + 1) as f64).sum() }
        { x.iter().zip(x.iter().filter(|v| **v > 1.0)).map(|(a, b)| a * b).sum::<f64>() }
    }
    iterator_5 of "Iterator" (x) {
        { x.iter().filter(|v| **v < 2.0).zip(x.iter().filter(|v| **v > 0.5)).map(|(a, b)| a * b).sum::<f64>() }
        { x[..3].iter().chain(&x[4..]).rev().enumerate().map(|(i, a)| a * a * i as f64).sum::<f64>() }
        { x.iter().filter(|v| **v > 1.0).rev().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum::<f64>() }
        { x.chunks(2).flat_map(|c| c.iter().map(|v| v * v)).rev().enumerate().map(|(i, v)| v * (i + 1) as f64).sum::<f64>() }
        { let mut s = 0.0; let t: f64 = x.iter().inspect(|v| s += **v * **v).sum(); s * t }
        { let mut n = 0.0; let s: f64 = x.iter().map(|v| { n += v; v * n }).skip(2).sum(); s * n }
        { let mut n = 0.0; let c = x.iter().map(|v| { n += v * v; n * v }).last().unwrap(); n * c }
        { let mut n = 0.0; let c = x.iter().map(|v| { n += v * v; n * v }).find(|v| *v > 2.0).unwrap(); n * c }
        { let mut n = 1.0; let c = x.iter().all(|v| { n *= v; n < 1.5 }); if c { n } else { n * 2.0 } }
        { let mut n = 0.0; let s: f64 = x.iter().take_while(|v| { n += **v; n < 4.0 }).map(|v| v * v).sum(); s * n }
    }
    iterator_6 of "Iterator" (x) {
        { x.iter().fuse().map(|v| v * v).sum::<f64>() }
        { let mut s = 1.0; x.iter().rev().for_each(|v| s = s * v + 0.1); s }
        { x.iter().filter(|v| **v > 1.0).count() as f64 * x[0] }
        { x.iter().copied().fold(f64::INFINITY, f64::min) * x[0] }
        { let ((a, b), c): ((Vec<f64>, Vec<f64>), Vec<f64>) = x.iter().map(|v| ((v * v, v.sin()), v.exp())).unzip(); a[0] * b[1] * c[2] }
        { let n = x.iter().size_hint().0; x[0] * n as f64 }
        { let mut n = 0.0; let s: f64 = x.iter().filter(|v| **v > 0.5).map(|v| { n += v; v * n }).take(2).sum(); s * n }
        { let mut n = 0.0; let s: f64 = x.iter().filter(|v| **v > 0.5).map(|v| { n += v; v * n }).zip(&x[..2]).map(|(a, b)| a * b).sum(); s * n }
        { let mut it = x.iter(); let a: f64 = x[..2].iter().zip(&mut it).map(|(a, b)| a * b).sum(); a * it.next().unwrap() }
        { let mut it = x.iter(); let k = 0; let a: f64 = it.by_ref().take(k).sum(); a + it.next().unwrap() * x[1] }
    }
    iterator_8 of "Iterator" (x) {
        { x.iter().cloned().map(|v| v * v).sum::<f64>() * x[0] }
        { if x.iter().ne(x.iter().rev()) { x[0] * x[1] } else { x[2] } }
        { if x[..2].iter().le(x[1..3].iter()) { x[0] } else { x[0] * x[2] } }
        { if x[..2].iter().gt(x[1..3].iter()) { x[0] * x[3] } else { x[2] } }
        { if x[..2].iter().map(|v| v * 2.0).ge(x[1..3].iter().copied()) { x[1] * x[3] } else { x[2] } }
        { if x.iter().is_sorted_by(|a, b| a >= b) { x[0] } else { x[0] * x[4] } }
        { if x[..2].iter().is_sorted_by_key(|v| -v) { x[5] * x[4] } else { x[0] } }
    }
    iterator_7 of "Iterator" (x) {
        { x.windows(2).filter(|w| w[0] > 0.5).find(|w| w[0] < w[1]).map_or(0.0, |w| w[0] * w[1]) }
        { let mut v = x.to_vec(); if let Some(a) = v.iter_mut().filter(|a| **a > 0.5).find(|a| **a < 1.0) { *a *= x[0]; } v.iter().sum() }
        { let mut v = x.to_vec(); if let Some(a) = v.iter_mut().max_by(|a, b| a.total_cmp(b)) { *a *= x[0]; } v.iter().sum() }
        { let (i, v) = x.iter().enumerate().filter(|(_, v)| **v > 1.0).last().unwrap(); v * v * i as f64 }
        { let (i, v) = x.iter().enumerate().filter(|(i, _)| i % 2 == 0).max_by(|a, b| a.1.total_cmp(b.1)).unwrap(); v * v * i as f64 }
        { let k = [1, 2, 2, 1, 2, 0]; let v = x.iter().zip(k).filter(|(v, _)| **v > 0.0).max_by_key(|p| p.1).unwrap().0; let w = x.iter().zip(k).filter(|(v, _)| **v > 0.0).min_by_key(|p| -p.1).unwrap().0; v * w * w }
        { let mut s = 0.0; for i in 0..3 { s += x.iter().skip(i).filter(|v| **v < 2.0).find(|v| **v > 0.6).unwrap() * x[i]; } s }
        { let mut s = 0.0; let b = x.chunks(2).flat_map(|c| c.iter()).any(|v| { s += v * v; s > 2.0 }); if b { s } else { 0.0 } }
        { let mut s = 0.0; for v in x.iter().filter_map(|v| Some(v * v)).skip(1) { s += v; } s }
        { let mut n = 0.0; let s: f64 = x.iter().skip_while(|v| { n += **v; n < 4.0 }).map(|v| v * v).sum(); s * n }
    }
}

#[test]
fn every_row_agrees_with_differences() {
    check::agree(ROWS);
}

#[test]
fn second_derivatives_agree_with_differences() {
    check::second_agree(ROWS);
}

#[test]
fn the_book_has_the_methods() {
    page::check(&ROWS.iter().map(|rows| (rows.of, rows.text)).collect::<Vec<_>>());
}
