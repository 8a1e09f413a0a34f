use diffi::prelude::*;

use std::ops::Add;

#[derive(Clone, Copy, Differentiable)]
struct Tropical {
    value: f64,
}

impl Add for Tropical {
    type Output = Tropical;

    fn add(self, other: Tropical) -> Tropical {
        Tropical { value: self.value.max(other.value) }
    }
}

#[differentiable]
fn f(a: Tropical, b: Tropical) -> f64 {
    let sum: Tropical = a + b;
    sum.value
}

fn main() {}
