use diffi::prelude::*;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

#[differentiable]
fn shared(state: Rc<RefCell<f64>>, x: f64) -> f64 {
    let s = *state.borrow();
    s * x
}

#[differentiable]
fn locked(state: Arc<Mutex<Vec<f64>>>, x: f64) -> f64 {
    let s = state.lock().unwrap();
    s[0] * x
}

#[differentiable]
fn cell(state: &Cell<f64>, x: f64) -> f64 {
    state.get() * x
}

#[differentiable]
fn owned_or_not(x: Cow<'_, [f64]>) -> f64 {
    x[0] * x[1]
}

fn main() {}
