use diffi::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::MaybeUninit;

unsafe extern "C" {
    fn cbrt(x: f64) -> f64;
    safe fn exp2(x: f64) -> f64;
}

static mut CALLS: usize = 0;

#[differentiable]
fn later(x: f64) -> f64 {
    let later = async { x * x };
    drop(later);
    x
}

#[differentiable]
fn threads(x: &[f64]) -> f64 {
    let (left, right) = x.split_at(x.len() / 2);
    std::thread::scope(|s| {
        let a = s.spawn(|| left.iter().map(|v| v * v).sum::<f64>());
        let b: f64 = right.iter().map(|v| v * v).sum();
        a.join().unwrap() + b
    })
}

#[differentiable]
fn foreign(x: f64) -> f64 {
    unsafe { cbrt(x) * x }
}

#[differentiable]
fn safe_and_foreign(x: f64) -> f64 {
    exp2(x) * x
}

#[differentiable]
fn counted(x: f64) -> f64 {
    unsafe {
        CALLS += 1;
    }
    x * x
}

#[differentiable]
fn bits(x: f64) -> f64 {
    let i = 0x5fe6eb50c7b537a9 - (x.to_bits() >> 1);
    f64::from_bits(i) * x
}

#[differentiable]
fn hashed(x: f64) -> f64 {
    let mut hasher = DefaultHasher::new();
    x.to_bits().hash(&mut hasher);
    x * (hasher.finish() % 2) as f64
}

#[differentiable]
fn rounded(x: f64) -> f64 {
    let text = format!("{x:.2}");
    let y: f64 = text.parse().unwrap();
    y * x
}

#[differentiable]
fn uninitialised(x: f64) -> f64 {
    let mut v = MaybeUninit::<f64>::uninit();
    v.write(x * x);
    let y = unsafe { v.assume_init() };
    y * x
}

#[differentiable]
fn prepared(x: &[f64]) -> f64 {
    let mut prepared = prepare_gradient(energy::D, AutoReverse, x).unwrap();
    let g = prepared.gradient(x).unwrap();
    g[0] + g[1]
}

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    x[0] * x[0] * x[1]
}

fn main() {}
