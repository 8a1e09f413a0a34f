use diffi::prelude::*;

macro_rules! square_plus {
    ($a:expr, $b:expr) => {
        $a * $a + $b
    };
}

#[differentiable]
fn f(x: f64) -> f64 {
    square_plus!(x, 1.0) * x
}

fn main() {}
