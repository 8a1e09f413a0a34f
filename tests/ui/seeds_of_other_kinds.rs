use diffi::prelude::*;

#[differentiable]
fn polar(p: [f64; 2]) -> [f64; 2] {
    [p[0] * p[1].cos(), p[0] * p[1].sin()]
}

#[differentiable]
fn plane(w: &[f64], b: f64) -> [f64; 2] {
    [w[0] * b, w[1] + b]
}

#[differentiable]
fn both(x: f64) -> (f64, f64) {
    (x.sin(), x.cos())
}

/// `y` is read, so that it is an input, too.
#[differentiable]
fn rates(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = -y[0];
}

fn main() {
    let _ = pushforward(polar::D, AutoForward, [2.0, 0.0], &[1, 0]);
    let _ = pushforward(polar::D, AutoForward, [2.0, 0.0], vec![[1.0, 0.0], [0.0, 1.0]]);
    let _ = pullback(polar::D, AutoReverse, [2.0, 0.0], &[1.0, 0.0, 0.0]);
    let _ = pushforward(plane::D, AutoForward, (&[1.0, 2.0], 3.0), &[1.0, 0.0, 0.0]);
    let _ = pullback(both::D, AutoReverse, 0.5, 1.0);
    let mut y = [0.0; 2];
    let _ = pushforward(rates::D, AutoForward, (&[1.0, 0.0], &mut y), &[1.0, 0.0]);

    let mut prepared = prepare_gradient(plane_sum::D, AutoReverse, (&[1.0], Constant(2.0))).unwrap();
    let _ = prepared.gradient((&[1.0], 2.0));
    let _ = prepared.resize(50);
    let _ = nth_derivative(cube::D, AutoReverse, 0.5, 3);
    let _ = check_rule(cube, 2.0);
}

#[differentiable]
fn plane_sum(w: &[f64], b: f64) -> f64 {
    w[0] * b
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}
