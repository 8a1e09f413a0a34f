use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Weight {
    w: f64,
}

impl Weight {
    fn cloned(&self) -> Weight {
        Weight { w: self.w * self.w }
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = Weight { w: x };
    p.cloned().w
}

fn main() {}
