use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Speed(f64);

#[differentiable]
impl Speed {
    fn pow(self, n: i32) -> f64 {
        self.0.powi(n)
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Params<const N: usize> {
    speed: Speed,
}

#[differentiable]
fn f(p: &Params<2>, x: f64) -> f64 {
    p.speed.pow(2) * x
}

fn main() {}
