//! Derivatives by the operators, forward, reverse and of second order, against differences of the plain function.

/// `number!(handle, [point], |x| (arguments), |x| value)`: a function whose result is one number.
macro_rules! number {
    ($f:expr, $at:expr, |$x:ident| $arguments:expr, |$y:ident| $plain:expr $(, $unwrapped:ident)?) => {{
        let at: Vec<f64> = $at.to_vec();
        let plain = |$y: &[f64]| -> Vec<f64> { vec![($plain).into()] };
        let expected = $crate::check::differences(&at, &plain).concat();
        let gradients = |x: &[f64]| {
            let $x = x;
            $crate::check::flatten(gradient($f, AutoReverse, $arguments).unwrap())
        };
        let $x = &at[..];
        let (y, g) = value_and_gradient($f, AutoReverse, $arguments).unwrap();
        $crate::check::close("value", &[$crate::check::value!(y $($unwrapped)?)], &plain(&at), 1e-13);
        $crate::check::close("reverse", &$crate::check::flatten(g), &expected, 1e-7);
        let forward = $crate::check::flatten(gradient($f, AutoForward, $arguments).unwrap());
        $crate::check::close("forward", &forward, &gradients(&at), 1e-12);
        let second = hessian($f, AutoReverse, $arguments).unwrap();
        let second: Vec<f64> = $crate::check::Rows::to_rows(&second).concat();
        $crate::check::close("second order", &second, &$crate::check::differences(&at, &gradients).concat(), 1e-6);
    }};
}
pub(crate) use number;

/// A number, or one that is there.
macro_rules! value {
    ($y:ident) => {
        $y.into()
    };
    ($y:ident unwrapped) => {
        $y.unwrap()
    };
}
pub(crate) use value;

/// The same for a function whose result is another owned value.
macro_rules! list {
    ($f:expr, $at:expr, |$x:ident| $arguments:expr, |$y:ident| $plain:expr) => {{
        let at: Vec<f64> = $at.to_vec();
        let plain = |$y: &[f64]| -> Vec<f64> { $crate::check::flatten($plain) };
        let expected = $crate::check::differences(&at, &plain).concat();
        let $x = &at[..];
        let reverse: Vec<f64> = $crate::check::Rows::to_rows(&jacobian($f, AutoReverse, $arguments).unwrap()).concat();
        let forward: Vec<f64> = $crate::check::Rows::to_rows(&jacobian($f, AutoForward, $arguments).unwrap()).concat();
        $crate::check::close("reverse", &reverse, &expected, 1e-7);
        $crate::check::close("forward", &forward, &reverse, 1e-12);
    }};
}
pub(crate) use list;

pub use crate::numbers::{Rows, flatten};

/// Compares numbers, with a tolerance relative to those above 1.
#[track_caller]
pub fn close(what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    let same = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * b.abs().max(1.0);
    let close = got.len() == expected.len() && got.iter().zip(expected).all(same);
    assert!(close, "{what} is\n{got:?}, but should be\n{expected:?}");
}

/// The Jacobian by central differences, extrapolated.
pub fn differences(x: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (0..x.len()).map(|j| column(x, j, f)).collect();
    (0..f(x).len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

fn column(x: &[f64], j: usize, f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        let mut moved = x.to_vec();
        moved[j] = x[j] + h;
        let above = f(&moved);
        moved[j] = x[j] - h;
        let below = f(&moved);
        above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (wide, half) = (central(1e-3), central(5e-4));
    wide.iter().zip(&half).map(|(a, b)| (4.0 * b - a) / 3.0).collect()
}
