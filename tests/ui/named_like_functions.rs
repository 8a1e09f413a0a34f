use diffi::prelude::*;

fn identity(x: f64) -> f64 {
    x * x
}

mod mem {
    pub fn swap(a: &mut f64, b: &mut f64) {
        *a *= *b;
    }
}

mod iter {
    pub fn repeat(x: f64) -> impl Iterator<Item = f64> {
        std::iter::repeat(x * x)
    }
}

#[differentiable]
fn alone(x: f64) -> f64 {
    identity(x) * x
}

#[differentiable]
fn in_a_module(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    mem::swap(&mut a, &mut b);
    a * b
}

#[differentiable]
fn iterator(x: f64) -> f64 {
    iter::repeat(x).take(3).sum()
}

#[differentiable]
fn handed(x: &[f64]) -> f64 {
    x.iter().copied().map(identity).sum()
}

fn main() {}
