use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Borrowed<'a> {
    x: &'a [f64],
}

#[derive(Clone, Differentiable)]
struct Pointer {
    x: &'static f64,
}

fn main() {}
