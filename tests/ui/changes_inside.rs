use diffi::prelude::*;

#[differentiable]
fn by_a_key(x: &[f64]) -> f64 {
    let mut y = x[1];
    let mut order = vec![1usize, 2];
    order.sort_by_key(|k| {
        y *= x[0];
        5 - *k
    });
    y * x[order[0]]
}

#[differentiable]
fn by_comparison(x: &[f64]) -> f64 {
    let mut seen = x.to_vec();
    let mut order = vec![1usize, 2];
    order.sort_by(|a, b| {
        seen.push(x[*a]);
        b.cmp(a)
    });
    seen[3] * x[order[0]]
}

fn main() {}
