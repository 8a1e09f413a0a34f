//! What cannot be evaluated before a macro, a method or a guard that keeps its tokens.
use diffi::prelude::*;

#[differentiable]
fn told(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert_eq!(v.len(), x.len(), "{:?} is left", v.pop());
    v[0] * v[1]
}

#[differentiable]
fn written(x: f64, mut lines: Vec<String>) -> f64 {
    use std::fmt::Write;
    let mut s = x;
    let _ = write!(
        lines[{
            s *= x;
            0
        }],
        "a line"
    );
    s * s
}

#[differentiable]
fn sorted(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 1.0;
    v.sort_by(|a, b| {
        s *= x[0];
        a.total_cmp(b)
    });
    v[0] * s
}

#[differentiable]
fn failing(x: f64) -> f64 {
    let mut s = x;
    let value = Some(x).ok_or_else(|| {
        s *= 2.0;
        "none"
    });
    value.unwrap_or(x) * s
}

#[differentiable]
fn guarded(x: f64, n: usize) -> f64 {
    let mut s = x;
    match (n, 1) {
        (2, _)
            if {
                s *= x;
                true
            } =>
        {
            s * s
        }
        (_, k) => s * k as f64,
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Amount(f64);

#[differentiable]
impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.0 += other.0;
    }
}

#[differentiable]
fn added(x: f64) -> f64 {
    let mut all = [Amount(x), Amount(2.0 * x)];
    let mut s = Amount(x);
    all[{
        s.0 *= x;
        1
    }] += s;
    all[1].0
}

fn main() {}
