use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}

#[derive(Clone, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn product(p: &Point) -> f64 {
    p.x * p.y
}

fn main() {
    let x = [1.0, 2.0];
    let _ = pushforward(norm::D, AutoForward, &x, &[1.0f32, 0.0]);
    let _ = pullback(squares::D, AutoReverse, &x, &[1, 0]);
    let mut g = vec![0.0f32; 2];
    let _ = gradient_into(norm::D, AutoReverse, &mut g, &x);
    let p = Point { x: 1.0, y: 2.0 };
    let _ = pushforward(product::D, AutoForward, &p, &p);
}
