//! Deeply nested expressions, as generators of code write them: they are expanded on a stack of their own.

use diffi::prelude::*;

/// `0.0 + 1.0 * x[0] * x[1] + ..`
macro_rules! long_sum {
    ($name:ident: $($k:literal)*) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            0.0 $(+ $k * x[0] * x[1])*
        }
    };
}

long_sum!(sum_of_eighty: 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0
    4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0
    5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0);

/// `y * (y * (.. x ..) + 1.0) + 1.0`, one level for each star.
macro_rules! nest {
    ($name:ident, $x:ident, $y:ident: [$($inner:tt)*]) => {
        #[differentiable]
        fn $name($x: f64, $y: f64) -> f64 {
            $($inner)*
        }
    };
    ($name:ident, $x:ident, $y:ident: [$($inner:tt)*] * $($rest:tt)*) => {
        nest!($name, $x, $y: [$y * ($($inner)*) + 1.0] $($rest)*);
    };
}

nest!(nest_of_forty, x, y: [x] * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * *);

#[test]
fn long_sums() {
    let x = [0.5, 0.25];
    let g = gradient(sum_of_eighty::D, AutoReverse, &x[..]).unwrap();
    assert_eq!(g, [360.0 * x[1], 360.0 * x[0]]);
    let h = hessian(sum_of_eighty::D, AutoReverse, &x[..]).unwrap();
    assert_eq!((h[[0, 0]], h[[0, 1]]), (0.0, 360.0));
}

#[test]
fn deep_nests() {
    let (x, y) = (0.7, 0.9_f64);
    let (gx, gy) = gradient(nest_of_forty::D, AutoReverse, (x, y)).unwrap();
    let slope: f64 = (1..40).map(|k| k as f64 * y.powi(k - 1)).sum::<f64>() + 40.0 * x * y.powi(39);
    assert!((gx - y.powi(40)).abs() < 1e-14, "{gx}");
    assert!((gy - slope).abs() < 1e-11, "{gy} {slope}");
}
