use diffi::prelude::*;

struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    p.x * p.y
}

fn main() {}
