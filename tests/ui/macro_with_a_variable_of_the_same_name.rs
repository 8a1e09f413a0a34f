use diffi::prelude::*;

macro_rules! scaled {
    ($name:ident, $x:ident: $t:ty, $e:expr) => {
        #[differentiable]
        fn $name($x: $t, other: $t) -> $t {
            let y = $e * other;
            y * $x
        }
    };
}

scaled!(of_x, x: f64, x + x.sin());
scaled!(of_y, y: f64, y + y.sin());

fn main() {}
