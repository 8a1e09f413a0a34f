// Methods of std that are refused, a row each: the book's page on std has their messages.
use diffi::prelude::*;
use std::collections::VecDeque;

macro_rules! rows {
    ($($name:ident $body:tt)+) => { $(#[differentiable] fn $name(x: &[f64]) -> f64 $body)+ };
}

rows! {
    slice_as_chunks { x.as_chunks::<2>().0[0][0] }
    slice_as_rchunks { x.as_rchunks::<2>().1[0][0] }
    slice_as_flattened { let a = [[x[0], x[1]]]; a.as_flattened()[0] }
    slice_get_disjoint_mut { let mut v = x.to_vec(); let [a, b] = v.get_disjoint_mut([0, 1]).unwrap(); *a += *b; v[0] }
    slice_strip_prefix { x.strip_prefix(&[1.0]).map_or(0.0, |rest| rest[0]) }
    slice_strip_suffix { x.strip_suffix(&[1.0]).map_or(0.0, |rest| rest[0]) }
    slice_split_off_first { let mut s = x; *s.split_off_first().unwrap() }
    slice_split_off_last { let mut s = x; *s.split_off_last().unwrap() }
    array_each_ref { let a = [x[0], x[1]]; let [p, q] = a.each_ref(); p * q }
    array_each_mut { let mut a = [x[0], x[1]]; let [p, q] = a.each_mut(); *p *= *q; a[0] }
    Vec_extract_if { let mut v = x.to_vec(); v.extract_if(.., |a| *a > 1.0).sum::<f64>() }
    Vec_leak { x.to_vec().leak()[0] }
    Vec_splice { let mut v = x.to_vec(); v.splice(1..2, [x[0]]).sum::<f64>() }
    VecDeque_as_slices { let q = VecDeque::from(x.to_vec()); q.as_slices().0[0] }
    Option_transpose { let o: Option<Result<f64, usize>> = Some(Ok(x[0])); o.transpose().unwrap().unwrap() }
    Option_as_slice { let o = Some(x[0] * x[1]); o.as_slice()[0] }
    Result_transpose { let r: Result<Option<f64>, usize> = Ok(Some(x[0])); r.transpose().unwrap().unwrap() }
    Result_err { let r: Result<f64, f64> = if x[0] > 1.0 { Ok(x[0]) } else { Err(x[1]) }; r.err().unwrap_or(0.0) * x[1] }
    f64_to_bits { x[0] * x[1].to_bits() as f64 }
    Iterator_try_for_each {
        let mut s = 0.0;
        x.iter().try_for_each(|v| { s += v; if s > 1.0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) } });
        s
    }
}

fn main() {}
