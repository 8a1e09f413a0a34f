use diffi::prelude::*;

use std::cell::Cell;

#[differentiable]
fn f(x: f64) -> f64 {
    let cell = Cell::new(0.0);
    cell.set(x);
    cell.get() * x
}

fn main() {}
