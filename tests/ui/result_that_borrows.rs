use diffi::prelude::*;

#[differentiable]
fn head(x: &[f64]) -> &[f64] {
    &x[..2]
}

#[differentiable]
fn largest<'a>(x: &'a [f64], _y: &[f64]) -> Option<&'a f64> {
    x.first()
}

#[differentiable]
fn halves<T: num_traits::Float>(x: &[T]) -> (&[T], &[T]) {
    x.split_at(1)
}

#[derive(Clone, Differentiable)]
struct Builder {
    a: f64,
}

#[differentiable]
impl Builder {
    fn set(&mut self, a: f64) -> &mut Self {
        self.a = a;
        self
    }
}

fn main() {}
