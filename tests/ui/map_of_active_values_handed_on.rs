use diffi::prelude::*;

use std::collections::HashMap;

fn look(table: &HashMap<&str, f64>) -> f64 {
    table["x"]
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut table = HashMap::new();
    table.insert("x", x);
    look(&table) * 2.0
}

fn main() {}
