use diffi::prelude::*;

#[derive(Differentiable)]
struct Weight {
    w: f64,
}

#[differentiable]
impl Clone for Weight {
    fn clone(&self) -> Weight {
        Weight { w: self.w * self.w }
    }
}

#[derive(Clone, Differentiable)]
struct Length {
    l: f64,
}

impl Length {
    fn clone(&self) -> Length {
        Length { l: self.l * self.l }
    }
}

fn main() {}
