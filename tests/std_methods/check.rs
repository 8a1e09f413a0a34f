//! Rows of methods, and their tests.

use ndarray::Array2;

/// The point at which all rows are evaluated.
pub const X: [f64; 6] = [1.3, 0.7, 2.1, 0.4, 1.9, 0.8];

/// The rows of a type: functions of some rows each, so that they compile fast.
pub struct Rows {
    pub of: &'static str,
    pub text: &'static [&'static str],
    pub plain: fn(&[f64]) -> Vec<f64>,
    pub forward: fn(&[f64]) -> Array2<f64>,
    pub reverse: fn(&[f64]) -> Array2<f64>,
    /// The gradient of a sum of all rows, and how it changes along a vector.
    pub gradient: fn(&[f64]) -> Vec<f64>,
    pub hvp: fn(&[f64], &[f64]) -> Vec<f64>,
}

#[macro_export]
macro_rules! rows {
    ($($name:ident of $of:literal ($x:ident) { $($row:tt)+ })+) => {
        $(
            #[allow(warnings, clippy::all)]
            mod $name {
                use super::*;

                #[differentiable]
                pub fn all($x: &[f64]) -> Vec<f64> {
                    vec![$($row),+]
                }

                #[differentiable]
                pub fn total(x: &[f64]) -> f64 {
                    all(x).iter().enumerate().map(|(i, v)| v * (1.0 + 0.3 * i as f64)).sum()
                }
            }
        )+
        const ROWS: &[$crate::check::Rows] = &[$($crate::check::Rows {
            of: $of,
            text: &[$(stringify!($row)),+],
            plain: $name::all,
            forward: |x| jacobian($name::all::D, AutoForward, x).unwrap(),
            reverse: |x| jacobian($name::all::D, AutoReverse, x).unwrap(),
            gradient: |x| gradient($name::total::D, AutoReverse, x).unwrap(),
            hvp: |x, v| hvp($name::total::D, AutoReverse, x, v).unwrap(),
        }),+];
    };
}

/// Fourth-order central differences of every result along a vector.
fn differences(f: fn(&[f64]) -> Vec<f64>, along: &[f64]) -> Vec<f64> {
    let h = 1e-4;
    let at = |steps: f64| {
        let moved: Vec<f64> = X.iter().zip(along).map(|(x, v)| x + steps * h * v).collect();
        f(&moved)
    };
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
    (0..a.len()).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h)).collect()
}

fn unit(k: usize) -> Vec<f64> {
    (0..X.len()).map(|i| if i == k { 1.0 } else { 0.0 }).collect()
}

/// Whether every row agrees with differences, in both modes.
pub fn agree(all: &[Rows]) {
    let mut wrong = String::new();
    for rows in all {
        let expected: Vec<Vec<f64>> = (0..X.len()).map(|k| differences(rows.plain, &unit(k))).collect();
        for (mode, found) in [("forward", (rows.forward)(&X)), ("reverse", (rows.reverse)(&X))] {
            for ((i, k), found) in found.indexed_iter() {
                let expected = expected[k][i];
                if (found - expected).abs() > 1e-6 * (1.0 + expected.abs()) || found.is_nan() {
                    wrong += &format!("{}, {mode}, {}: {found} for {expected} by x[{k}]\n", rows.of, rows.text[i]);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether the change of the rows' gradients agrees with differences.
pub fn second_agree(all: &[Rows]) {
    let along = [0.7, -0.4, 1.1, 0.3, -0.9, 0.5];
    for rows in all {
        let expected = differences(rows.gradient, &along);
        for (k, (found, expected)) in (rows.hvp)(&X, &along).iter().zip(&expected).enumerate() {
            let close = (found - expected).abs() <= 1e-5 * (1.0 + expected.abs());
            assert!(close, "{:#?}: {found} for {expected} of x[{k}]", rows.text);
        }
    }
}
