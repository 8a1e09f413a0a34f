//! What an `Rc` of active values holds cannot be changed or taken out of it.

use diffi::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut list = Rc::new(vec![x[0], x[1]]);
    Rc::make_mut(&mut list)[0] = 2.0 * x[1];
    list[0]
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let product = Arc::new(x[0] * x[1]);
    Arc::try_unwrap(product).unwrap()
}

fn main() {}
