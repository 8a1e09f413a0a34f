use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Filter {
    level: f64,
}

#[differentiable]
fn filtered(t: f64, filter: &mut Filter) -> f64 {
    filter.level += 0.5 * (t - filter.level);
    filter.level
}

#[differentiable(constant(filter))]
fn f(x: &[f64]) -> f64 {
    let mut filter = Filter { level: 0.0 };
    let mut sum = 0.0;
    for v in x {
        sum += filtered(*v, &mut filter);
    }
    sum
}

fn main() {}
