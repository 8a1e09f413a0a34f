use diffi::prelude::*;

mod shapes {
    #[macro_export]
    macro_rules! square_plus {
        ($a:expr, $b:expr) => {
            'all: {
                break 'all $a * $a + $b;
            }
        };
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    square_plus!(x, 1.0) * x
}

fn main() {}
