use diffi::prelude::*;

#[differentiable]
trait Potential {
    fn energy(&self, r: f64) -> f64;
}

#[differentiable]
fn f(p: &dyn Potential, r: f64) -> f64 {
    p.energy(r) * r
}

fn main() {}
