use diffi::prelude::*;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[differentiable]
fn inserted(x: &[f64]) -> f64 {
    let mut table: BTreeMap<usize, f64> = BTreeMap::new();
    for i in 0..x.len() {
        table.insert(i, x[i].sin());
    }
    table.split_off(&1)[&1]
}

#[differentiable]
fn of_pairs(x: f64) -> f64 {
    let mut table: HashMap<usize, (f64, f64)> = HashMap::with_capacity(1);
    table.insert(0, (x, x));
    table.clone()[&0].0
}

#[differentiable]
fn multiplied(x: f64) -> f64 {
    let span: Duration = Duration::from_secs(2).mul_f64(x);
    span.as_secs_f64()
}

fn main() {}
