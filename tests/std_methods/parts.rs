//! The methods that give references to parts, by other ways to what they are called on: fields, closures, functions, and loops.

mod check;

use diffi::prelude::*;

#[derive(Differentiable, Clone)]
struct Held {
    list: Vec<f64>,
    pair: [f64; 2],
    rows: Vec<[f64; 2]>,
}

#[differentiable]
fn held(x: &[f64]) -> Held {
    Held {
        list: x.iter().map(|v| v * v).collect(),
        pair: [x[0] * x[1], x[2]],
        rows: vec![[x[0], x[3]], [x[1] * x[4], x[5]]],
    }
}

#[differentiable]
fn weighted(part: &[f64], by: f64) -> f64 {
    part.iter().enumerate().map(|(i, v)| v * v * by * (i + 1) as f64).sum()
}

#[differentiable]
fn scale(part: &mut [f64], by: f64) {
    for v in part.iter_mut() {
        *v *= by;
    }
}

#[differentiable]
fn asked(v: Option<f64>, by: f64) -> Result<f64, String> {
    let v = v.map(|v| if v > 0.5 { Ok(v * v) } else { Err(format!("{v} is small")) }).transpose()?;
    Ok(v.unwrap_or(by) * by)
}

rows! {
    chunks of "slice" (x) {
        { let h = held(x); let (pairs, _) = h.list.as_chunks::<2>(); pairs.iter().enumerate().map(|(i, p)| p[0] * p[1] * i as f64).sum::<f64>() }
        { let h = held(x); h.list[1..].as_chunks::<2>().0.iter().map(|&[a, b]| a / b).sum::<f64>() * h.list[0] }
        { x.as_chunks::<2>().0.iter().zip(x.as_rchunks::<2>().1).map(|(a, b)| a[0] * b[1]).sum::<f64>() }
        { let f = |v: &[f64]| { let (pairs, rest) = v.as_chunks::<2>(); pairs[0][0] * pairs[0][1] + rest.iter().sum::<f64>() }; f(&x[..3]) * f(&x[1..]) }
        { let mut h = held(x); for p in h.list.as_chunks_mut::<3>().0 { scale(p, x[0]); } h.list.iter().map(|v| v * x[1]).sum::<f64>() }
        { let (pairs, _) = x.as_chunks::<2>(); let mut s = 0.0; for i in 0..pairs.len() { for j in 0..2 { s += pairs[i][j] * pairs[pairs.len() - 1 - i][1 - j]; } } s }
        { let (pairs, _) = x.as_chunks::<2>(); pairs.windows(2).map(|w| w[0][0] * w[1][1]).sum::<f64>() }
        { let (pairs, _) = x.as_chunks::<2>(); pairs.first().unwrap()[0] * pairs.last().unwrap()[1] * pairs.get(1).map_or(0.0, |p| p[0]) }
        { let (pairs, _) = x.as_chunks::<2>(); pairs.iter().map(|p| weighted(p, x[0])).sum::<f64>() }
        { let (pairs, _) = x.as_chunks::<2>(); pairs.iter().map(|p| p.iter().product::<f64>()).fold(1.0, |a, b| a * b + x[0]) }
    }
    chunks_by_value of "slice" (x) {
        { let mut v = x.to_vec(); let (pairs, _) = v.as_chunks_mut::<2>(); let old = pairs[0]; pairs[0][0] *= x[3]; pairs[1][1] = old[0] * old[1]; v.iter().map(|v| v * v).sum::<f64>() }
        { let mut v = x.to_vec(); let (pairs, _) = v.as_chunks_mut::<2>(); if let [p, q, ..] = pairs { p[0] *= q[1]; q[0] += p[0] * p[1]; } v.iter().map(|v| v * v).sum::<f64>() }
        { let mut m = [[x[0], x[1]], [x[2], x[3]]]; if let [a, .., b] = m.as_flattened_mut() { *a *= *b; *b += *a; } m[0][0] * m[1][1] }
        { let mut v = x.to_vec(); let (pairs, _) = v.as_chunks_mut::<3>(); let (p, q) = pairs.split_at_mut(1); p[0][0] *= q[0][2]; q[0][1] = p[0][0] * p[0][1]; v.iter().map(|v| v * v).sum::<f64>() }
        { let (pairs, _) = x.as_chunks::<2>(); let [a, b] = pairs[1]; let c = pairs[0]; a * c[0] + b * c[1] * c[1] }
    }
    rear_chunks of "slice" (x) {
        { let (rest, pairs) = x[..5].as_rchunks::<2>(); rest[0] * pairs[1][1] + pairs[0][0] * pairs.len() as f64 }
        { let mut v = x.to_vec(); let (rest, pairs) = v[..5].as_rchunks_mut::<2>(); pairs[0][1] *= rest[0]; pairs[1][0] += pairs[0][1] * rest[0]; v.iter().map(|v| v * v).sum::<f64>() }
        { let mut v = x.to_vec(); let (pairs, _) = v.as_chunks_mut::<2>(); pairs[1][0] *= x[0]; let first = pairs[0][0]; pairs[2][1] -= first * first; v.iter().map(|v| v * v).sum::<f64>() }
        { let mut s = 0.0; for n in 2..6 { let (_, pairs) = x[..n].as_rchunks::<2>(); for p in pairs { s += p[0] * p[1] * n as f64; } } s }
    }
    flattened of "slice" (x) {
        { let h = held(x); let flat = h.rows.as_flattened(); flat.iter().enumerate().map(|(i, v)| v * v * i as f64).sum::<f64>() }
        { let mut h = held(x); scale(&mut h.list, x[0]); for (i, v) in h.rows.as_flattened_mut().iter_mut().enumerate() { *v *= h.list[i]; } h.rows[0][1] * h.rows[1][0] }
        { let h = held(x); let copy = h.rows.as_flattened().to_vec(); copy[0] * copy[3] * weighted(&copy, x[1]) }
        { let m = [[x[0], x[1], x[2]], [x[3], x[4], x[5]]]; m.as_flattened().windows(2).map(|w| w[0] * w[1]).sum::<f64>() }
        { let m = [[x[0], x[1]], [x[2], x[3]]]; m[..1].as_flattened().iter().chain(m[1..].as_flattened()).zip(x).map(|(a, b)| a * b * b).sum::<f64>() }
        { let mut m = vec![[x[0], x[1]], [x[2], x[3]]]; let flat = m.as_flattened_mut(); flat[2] *= flat[0]; flat[1] = flat[2] * x[4]; m[0][1] * m[1][0] }
    }
    each of "array" (x) {
        { let h = held(x); let [p, q] = h.pair.each_ref(); p * q * q }
        { let mut h = held(x); let [p, q] = h.pair.each_mut(); *p *= x[3]; std::mem::swap(p, q); h.pair[0] * h.pair[1] * h.pair[1] }
        { let a = [x[0], x[1], x[2]]; a.each_ref().iter().map(|v| **v * **v).sum::<f64>() }
        { let a = [x[0], x[1], x[2]]; let b = a.each_ref().map(|v| v.sin()); let c = b.map(|v| v * v); a[0] * c[0] + c[2] }
        { let mut a = [x[0], x[1], x[2]]; let old = a.each_mut().map(|v| { let old = *v; *v *= x[0]; old }); a[0] * old[1] + a[2] * old[0] }
        { let a = [[x[0], x[1]], [x[2], x[3]]]; let [p, q] = a.each_ref(); p[0] * q[1] - p[1] * q[0] }
        { let a = [x[0], x[1], x[2]]; a.each_ref().into_iter().zip(x).map(|(a, b)| a * b).sum::<f64>() }
    }
    disjoint of "slice" (x) {
        { let mut h = held(x); let [p, q] = h.list.get_disjoint_mut([1, 4]).unwrap(); std::mem::swap(p, q); *p *= x[0]; h.list[1] * h.list[4] * h.list[4] }
        { let mut v = x.to_vec(); for k in 1..v.len() { let [a, b] = v.get_disjoint_mut([k - 1, k]).expect("two"); *b += *a * 0.5; *a *= *b; } v.iter().sum::<f64>() }
        { let mut v = x.to_vec(); let Ok([a, b, c]) = v.get_disjoint_mut([0, 2, 4]) else { panic!("none") }; let t = *a * *b; *c *= t; *a = t - *c; v.iter().map(|v| v * v).sum::<f64>() }
        { let mut v = x.to_vec(); let [p, q] = v.get_disjoint_mut([0..3, 3..6]).unwrap(); for (a, b) in p.iter_mut().zip(q.iter()) { *a *= *b; } scale(p, x[0]); v.iter().sum::<f64>() }
        { let mut m = vec![vec![x[0], x[1]], vec![x[2], x[3]]]; let [p, q] = m.get_disjoint_mut([0, 1]).unwrap(); p[0] *= q[1]; q[0] += p[0] * p[1]; m[0][0] * m[1][0] }
        { let mut v = x.to_vec(); match v.get_disjoint_mut([1, 9]) { Ok([a, b]) => { *a *= *b; } Err(_) => { v[0] *= v[1]; } } v[0] * v[0] + v[1] }
    }
    prefixes of "slice" (x) {
        { let h = held(x); let head = [h.list[0], h.list[1]]; h.list.strip_prefix(&head).unwrap().iter().product::<f64>() * head[0] }
        { let f = |v: &[f64]| v.strip_suffix(&v[2..]).map_or(0.0, |v| weighted(v, v[0])); f(x) + f(&x[1..]) + x[0] }
        { x.strip_prefix(&x[..1]).and_then(|v| v.strip_suffix(&x[4..])).map(|v| v.iter().map(|v| v * v).product::<f64>()).unwrap_or(0.0) }
        { let Some(rest) = x.strip_prefix(&x[..2]) else { panic!("none") }; let mut s = 1.0; for v in rest { s = s * v + x[0]; } s }
        { match x.strip_suffix(&x[3..]) { Some([a, b, c]) => a * b - c * c, _ => 0.0 } }
    }
    cut_off of "slice" (x) {
        { let mut rest = x; let mut s = 0.0; while let Some(head) = rest.split_off(..2) { s += head[0] * head[1] * (rest.len() + 1) as f64; } s }
        { let mut rest = x; let mut s = 0.0; while let (Some(a), Some(b)) = (rest.split_off_first(), rest.split_off_last()) { s += a * b * b; } s }
        { let list: Vec<f64> = x.iter().map(|v| v * v).collect(); let mut rest = &list[..]; let Some(first) = rest.split_off_first() else { panic!("none") }; rest.iter().map(|v| v * first).sum::<f64>() }
        { let mut rest = &x[..]; let mut s = 0.0; loop { let Some(v) = rest.split_off_last() else { break }; if *v < 0.75 { continue; } s = s * 0.5 + v * v; } s }
        { let mut v = x.to_vec(); let mut rest = &mut v[1..]; let head = rest.split_off_mut(..=1).unwrap(); scale(head, x[0]); let tail = rest.split_off_mut(1..).unwrap(); tail[0] *= rest[0]; v.iter().map(|v| v * v).sum::<f64>() }
        { let mut rest = x; let n = rest.split_off(9..).map_or(0, |p| p.len()); let all = rest.split_off(n..).unwrap(); all.iter().product::<f64>() + rest.len() as f64 }
    }
    transposed of "Option" (x) {
        { let root = |v: f64| if v > 0.0 { Ok(v.sqrt()) } else { Err("negative") }; let o = x.first().map(|v| root(*v * x[1])).transpose(); o.unwrap().map_or(0.0, |v| v * x[2]) }
        { asked(Some(x[0]), x[1]).unwrap() + asked(None, x[2]).unwrap() + asked(Some(x[3]), x[1]).unwrap_or(x[4]) }
        { let o = if x[0] > 1.0 { Some(x[0] * x[2]) } else { None }; let r: Result<Option<f64>, usize> = Ok(o); let mut s = 0.0; if let Some(v) = r.transpose() { s += v.unwrap() * x[0]; } s }
        { let r: Result<Option<f64>, usize> = if x[0] > 9.0 { Err(1) } else { Ok(None) }; if r.transpose().is_none() { x[0] * x[1] } else { 0.0 } }
        { let o = if x[0] > 1.0 { Some(x[0] * x[2]) } else { None }; let s = o.as_slice(); s.iter().chain(&x[..2]).map(|v| v * v).sum::<f64>() * s.len() as f64 }
        { let mut o = if x[0] > 1.0 { Some(x[0] * x[2]) } else { None }; if let [v] = o.as_mut_slice() { *v *= x[3]; } o.unwrap() * x[0] }
        { let o = if x[0] > 1.0 { Some(x[0] * x[2]) } else { None }; o.as_slice().iter().map(|v| weighted(&[*v], x[1])).sum::<f64>() }
    }
    extracted of "Vec" (x) {
        { let mut h = held(x); let s: f64 = h.list.extract_if(..3, |a| *a > 1.0).map(|a| a.sqrt() * x[1]).sum(); s * h.list[0] + h.list[1] * h.list.len() as f64 }
        { let mut v = x.to_vec(); let low = v.extract_if(2.., |a| *a < x[0]).fold(1.0, |p, a| p * a); low * v.iter().product::<f64>() }
        { let mut v = x.to_vec(); let f = |v: &mut Vec<f64>, at: f64| v.extract_if(.., |a| *a > at).count() as f64; let n = f(&mut v, 1.5); n * v[0] * v[1] }
    }
    drained of "Vec" (x) {
        { let mut v = x.to_vec(); let biggest = v.drain(1..4).fold(f64::MIN, f64::max); biggest * v[1] * v.len() as f64 }
        { let mut v = x.to_vec(); let least = v.drain(2..).min_by(|a, b| a.total_cmp(b)).unwrap(); least * v[0] * v.len() as f64 }
        { let mut v = x.to_vec(); let at = v.drain(..).position(|a| a < 0.5).unwrap(); x[at] * x[0] + v.len() as f64 }
        { let mut v = x.to_vec(); let first = v.drain(..5).find(|a| *a < 1.0).unwrap(); first * first * v[0] }
    }
    spliced of "Vec" (x) {
        { let mut h = held(x); let at = 1; let gone: Vec<f64> = h.list.splice(at..at + 2, [x[0] * x[1]]).collect(); weighted(&gone, x[2]) * h.list[1] * h.list.len() as f64 }
        { let mut v = x.to_vec(); let mut s = 0.0; for (i, a) in v.splice(2.., [x[1], x[1] * x[0], x[4]]).enumerate() { s += a * a * i as f64; } s * v[3] }
        { let mut v = x.to_vec(); let biggest = v.splice(..=2, []).fold(f64::MIN, f64::max); biggest * v[0] * v.len() as f64 }
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
