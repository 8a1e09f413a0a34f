use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

fn pair(x: f64) -> Pair {
    Pair { a: x, b: x * x }
}

fn both(x: f64) -> (f64, f64) {
    (x, x * x)
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = pair(x);
    p.a * p.b
}

#[differentiable]
fn g(x: f64) -> f64 {
    let (a, b) = both(x);
    a * b
}

fn main() {}
