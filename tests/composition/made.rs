//! Functions that macros by example make: names, types, literals and expressions of the caller's, names of the macro's own that would be
//! the same, and `$crate`.

use crate::check::number;
use diffi::prelude::*;

pub fn offset(n: usize) -> f64 {
    n as f64
}

macro_rules! make {
    ($name:ident, $x:ident: $t:ty, $e:expr, $k:literal) => {
        #[differentiable]
        fn $name($x: $t, other: $t) -> $t {
            let y = $e * other;
            let x_bar = y * $crate::made::offset(3) * $k;
            let r#type = x_bar + 'a'.len_utf8() as f64;
            r#type * ($x - r#type).sin() / $x
        }
    };
}

make!(of_x, x: f64, x * x, -2.5);
make!(of_y, y: f64, y + y.sin(), 1e-1);
make!(of_x_bar, x_bar: f64, (x_bar - 1.0).exp() - x_bar, 0.5);

#[test]
fn functions_that_macros_make() {
    number!(of_x::D, [0.7, 0.4], |x| (x[0], x[1]), |x| of_x(x[0], x[1]));
    number!(of_y::D, [0.7, 0.4], |x| (x[0], x[1]), |x| of_y(x[0], x[1]));
    number!(of_x_bar::D, [0.7, 0.4], |x| (x[0], x[1]), |x| of_x_bar(x[0], x[1]));
}
