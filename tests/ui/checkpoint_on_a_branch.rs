use diffi::prelude::*;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    if n > 3 {
        y = y * x;
    }
    #[checkpoint(every = 2)]
    let z = y * y;
    z
}

fn main() {}
