use diffi::prelude::*;

#[differentiable]
fn squares(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    let n: usize = y.iter_mut().zip(x).map(|(y, x)| { *y = x * x; 1 }).sum();
    y[0] * n as f64
}

fn main() {}
