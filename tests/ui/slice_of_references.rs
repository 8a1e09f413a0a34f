use diffi::prelude::*;

#[differentiable]
fn total(rows: &[&[f64]]) -> f64 {
    rows.iter().map(|row| row.iter().sum::<f64>()).product()
}

fn main() {}
