//! Functions that macros by example make: names, types, literals and expressions of the caller's beside the macro's own, and `$crate`.

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
make!(of_u, u: f64, u + u.sin(), 1e-1);
make!(of_t_bar, t_bar: f64, (t_bar - 1.0).exp() - t_bar, 0.5);

/// The same without macros, for the value of the expression.
fn by_hand(x: f64, other: f64, e: f64, k: f64) -> f64 {
    let sum = e * other * 3.0 * k + 1.0;
    sum * (x - sum).sin() / x
}

#[test]
fn functions_that_macros_make() {
    number!(of_x::D, [0.7, 0.4], |x| (x[0], x[1]), |x| by_hand(x[0], x[1], x[0] * x[0], -2.5));
    number!(of_u::D, [0.7, 0.4], |x| (x[0], x[1]), |x| by_hand(x[0], x[1], x[0] + x[0].sin(), 1e-1));
    number!(of_t_bar::D, [0.7, 0.4], |x| (x[0], x[1]), |x| by_hand(x[0], x[1], (x[0] - 1.0).exp() - x[0], 0.5));
    assert_eq!(of_u(0.7, 0.4), by_hand(0.7, 0.4, 0.7 + 0.7_f64.sin(), 1e-1));
}
