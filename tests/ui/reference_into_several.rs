use diffi::prelude::*;

#[differentiable]
fn longer<'a, T>(a: &'a [T], b: &'a [T]) -> &'a [T] {
    if a.len() > b.len() { a } else { b }
}

fn main() {}
