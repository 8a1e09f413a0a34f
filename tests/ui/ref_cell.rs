use diffi::prelude::*;

use std::cell::RefCell;

#[differentiable]
fn f(x: f64) -> f64 {
    let cell = RefCell::new(x);
    *cell.borrow_mut() *= 2.0;
    cell.into_inner()
}

fn main() {}
