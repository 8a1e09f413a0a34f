// Calls that are told of active values, and later ones that may give what these kept.
use diffi::prelude::*;
use std::cell::Cell;
use std::sync::Mutex;

static KEPT: Mutex<f64> = Mutex::new(0.0);

fn keep(v: f64) {
    *KEPT.lock().unwrap() = v;
}

fn is_large(v: f64) -> bool {
    keep(v);
    v > 1.0
}

fn kept() -> f64 {
    *KEPT.lock().unwrap()
}

fn kept_times(k: usize) -> f64 {
    kept() * k as f64
}

struct Shown<'a>(&'a f64);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        keep(*self.0);
        write!(f, "{}", self.0)
    }
}

#[differentiable]
fn told(x: f64) -> f64 {
    keep(x * x);
    kept() * x
}

#[differentiable]
fn told_in_an_earlier_iteration(x: f64) -> f64 {
    let mut s = x;
    for k in 0..3 {
        s *= kept_times(k);
        keep(s);
    }
    s
}

#[differentiable]
fn asked(x: f64) -> f64 {
    if is_large(x * x) { kept() * x } else { x }
}

#[differentiable]
fn checked(x: f64) -> f64 {
    assert!(is_large(x * x));
    kept() * x
}

#[differentiable]
fn printed(x: f64) -> f64 {
    let y = x * x;
    println!("{}", Shown(&y));
    let v = *KEPT.lock().unwrap();
    v * x
}

#[differentiable]
fn made_in_a_cell(x: f64) -> f64 {
    let (a, b) = (Cell::new(0.0), Cell::new(x));
    a.swap(&b);
    a.get() * x
}

fn main() {}
