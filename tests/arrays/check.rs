//! The checks.

use ndarray::{Array1, Array2};

/// A point without symmetries.
pub fn point(n: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |i| 0.3 + 0.9 * ((i as f64 + 1.0) * 1.7).sin())
}

/// Central differences of a function with several results, one row for each.
pub fn differences(f: impl Fn(&Array1<f64>) -> Array1<f64>, x: &Array1<f64>) -> Array2<f64> {
    let columns: Vec<Array1<f64>> = (0..x.len())
        .map(|i| {
            let h = 1e-5;
            let at = |by: f64| {
                let mut x = x.clone();
                x[i] += by;
                f(&x)
            };
            (at(h) - at(-h)) / (2.0 * h)
        })
        .collect();
    Array2::from_shape_fn((columns[0].len(), x.len()), |(row, column)| columns[column][row])
}

/// Whether two arrays agree.
#[track_caller]
pub fn close(what: &str, got: &Array2<f64>, wanted: &Array2<f64>) {
    assert_eq!(got.shape(), wanted.shape(), "{what}");
    for ((at, a), b) in got.indexed_iter().zip(wanted) {
        assert!((a - b).abs() <= 2e-7 * (1.0 + b.abs()), "{what} at {at:?}: {a} is not {b}\n{got}\n{wanted}");
    }
}

/// A function of one vector with one result: all its derivatives.
#[macro_export]
macro_rules! number {
    ($f:ident($n:expr)) => {
        #[test]
        fn $f() -> diffi::Result<()> {
            use diffi::prelude::*;
            use ndarray::{Array1, Axis, arr1};
            use $crate::check::{close, differences, point};
            let x = point($n);
            let value = super::$f(&x);
            let wanted = differences(|x| arr1(&[super::$f(x)]), &x);
            let gradient_of = |x: &Array1<f64>| value_and_gradient(super::$f::D, AutoReverse, x).expect("it fits").1;
            let (again, reverse) = value_and_gradient(super::$f::D, AutoReverse, &x)?;
            assert!((value - again).abs() <= 1e-12 * (1.0 + value.abs()), "{value} is not {again}");
            close("reverse", &reverse.insert_axis(Axis(0)), &wanted);
            close("forward", &gradient(super::$f::D, AutoForward, &x)?.insert_axis(Axis(0)), &wanted);
            close("hessian", &hessian(super::$f::D, AutoReverse, &x)?, &differences(gradient_of, &x));
            Ok(())
        }
    };
}

/// A function of one vector with an array for a result.
#[macro_export]
macro_rules! array {
    ($f:ident($n:expr)) => {
        #[test]
        fn $f() -> diffi::Result<()> {
            use diffi::prelude::*;
            use ndarray::Array1;
            use $crate::check::{close, differences, point};
            let x = point($n);
            let flat = |x: &Array1<f64>| super::$f(x).iter().copied().collect::<Array1<f64>>();
            let wanted = differences(flat, &x);
            close("reverse", &jacobian(super::$f::D, AutoReverse, &x)?, &wanted);
            close("forward", &jacobian(super::$f::D, AutoForward, &x)?, &wanted);
            Ok(())
        }
    };
}
