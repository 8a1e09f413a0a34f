use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    left: f64,
    right: f64,
}

#[differentiable]
fn product(p: &Pair) -> f64 {
    p.left * p.right
}

#[differentiable]
fn both(p: &Pair) -> Vec<f64> {
    vec![p.left, p.left * p.right]
}

fn main() {
    let p = Pair { left: 2.0, right: 3.0 };
    let _ = hessian(product::D, AutoSparse::new(AutoReverse), &p);
    let _ = jacobian(both::D, AutoSparse::new(AutoForward), &p);
}
