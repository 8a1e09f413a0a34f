//! Rows of methods, and their test.

use ndarray::{Array1, Array2};

/// The point at which all rows are evaluated.
pub const X: [f64; 6] = [1.3, 0.7, 2.1, 0.4, 1.9, 0.8];

/// The product of the Hessian of the sum of all squares and a vector.
type Second = fn(&[f64], &[f64]) -> Array1<f64>;

/// Functions of some rows each, so that they compile fast.
pub struct Rows {
    pub text: &'static str,
    pub plain: fn(&[f64]) -> Vec<f64>,
    pub forward: fn(&[f64]) -> Array2<f64>,
    pub reverse: fn(&[f64]) -> Array2<f64>,
    pub second: Option<Second>,
}

// In each row, `x` is the point, `a` an array of its numbers, and `m` a matrix of two rows.
#[macro_export]
macro_rules! rows {
    ($($name:ident ($x:ident $a:ident $m:ident) { $($row:tt)+ })+) => {
        $(
            #[differentiable]
            #[allow(warnings, clippy::all)]
            fn $name($x: &[f64]) -> Vec<f64> {
                let $a = arr1($x);
                let $m = Array2::from_shape_vec((2, 3), $x.to_vec()).unwrap();
                vec![$($row),+]
            }
        )+
        const ROWS: &[$crate::check::Rows] = &[$($crate::check::Rows {
            text: concat!($(stringify!($row), "\n"),+),
            plain: $name,
            forward: |x| jacobian($name::D, AutoForward, x).unwrap(),
            reverse: |x| jacobian($name::D, AutoReverse, x).unwrap(),
            second: None,
        }),+];
    };
}

/// Fourth-order central differences of every result by every number.
fn differences(f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let h = 1e-4;
    let at = |k: usize, steps: f64| {
        let mut x = X;
        x[k] += steps * h;
        f(&x)
    };
    let of = |k: usize| -> Vec<f64> {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| at(k, steps));
        (0..a.len()).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h)).collect()
    };
    (0..X.len()).map(of).collect()
}

/// Whether the second derivatives agree with differences of the first ones.
fn agree_twice(rows: &Rows, second: fn(&[f64], &[f64]) -> Array1<f64>) {
    let v = [0.7, -0.4, 1.1, 0.3, -0.9, 0.5];
    let gradient = |x: &[f64]| ((rows.reverse)(x).t().dot(&Array1::from((rows.plain)(x))) * 2.0).to_vec();
    let expected = Array1::from(v.to_vec());
    let expected = Array2::from_shape_fn((6, 6), {
        let all = differences(gradient);
        move |(i, k)| all[k][i]
    })
    .dot(&expected);
    for (found, expected) in second(&X, &v).iter().zip(&expected) {
        let text = rows.text;
        assert!((found - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "{text}: {found} for {expected}");
    }
}

/// Whether every row agrees with differences.
pub fn agree(all: &[Rows]) {
    for rows in all {
        let expected = differences(rows.plain);
        rows.second.into_iter().for_each(|second| agree_twice(rows, second));
        for (mode, found) in [("forward", (rows.forward)(&X)), ("reverse", (rows.reverse)(&X))] {
            for ((i, k), found) in found.indexed_iter() {
                let row = rows.text.lines().nth(i).unwrap_or_default();
                let expected = expected[k][i];
                assert!(
                    (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()),
                    "{mode}, {row}: {found} for {expected} by x[{k}]"
                );
            }
        }
    }
}
