use diffi::prelude::*;

use std::collections::HashMap;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut table = HashMap::new();
    table.insert("x", x);
    table["x"] * 2.0
}

fn main() {}
