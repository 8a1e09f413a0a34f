use diffi::prelude::*;

#[differentiable]
const SQUARE: f64 = 2.0;

fn main() {}
