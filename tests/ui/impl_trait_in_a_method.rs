use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Scale(f64);

#[differentiable]
impl Scale {
    fn of(&self, _f: impl Fn(f64) -> f64) -> f64 {
        self.0 * self.0
    }
}

fn main() {}
