// Methods of std that are refused, a row each: the book's page on std has their messages.
use diffi::prelude::*;
use std::collections::VecDeque;

macro_rules! rows {
    ($($name:ident $body:tt)+) => { $(#[differentiable] fn $name(x: &[f64]) -> f64 $body)+ };
}

rows! {
    slice_as_chunks { let (pairs, _): (&[[f64; 2]], &[f64]) = x.as_chunks(); pairs[0][0] }
    slice_as_rchunks { let (_, pairs): (&[f64], &[[f64; 2]]) = x.as_rchunks(); pairs[0][0] }
    slice_get_disjoint_mut { let mut v = x.to_vec(); let at = [0, 1]; let [a, b] = v.get_disjoint_mut(at).unwrap(); *a += *b; v[0] }
    Vec_extract_if { let mut v = x.to_vec(); v.extract_if(.., |a| *a > 1.0).next().unwrap_or(v[0]) }
    Vec_leak { x.to_vec().leak()[0] }
    Vec_spare_capacity_mut { let mut v = x.to_vec(); v.spare_capacity_mut()[0].write(x[0] * 2.0); v[0] }
    VecDeque_as_mut_slices { let mut q = VecDeque::from(x.to_vec()); q.as_mut_slices().0[0] *= x[1]; q[0] }
    Vec_set_len { let mut v = x.to_vec(); unsafe { v.set_len(2) }; v[0] }
    VecDeque_as_slices { let q = VecDeque::from(x.to_vec()); q.as_slices().0[0] }
    Result_err { let r: Result<f64, f64> = if x[0] > 1.0 { Ok(x[0]) } else { Err(x[1]) }; r.err().unwrap_or(0.0) * x[1] }
    f64_to_bits { x[0] * x[1].to_bits() as f64 }
    Iterator_try_for_each {
        let mut s = 0.0;
        x.iter().try_for_each(|v| { s += v; if s > 1.0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) } });
        s
    }
}

fn main() {}
