//! A function of a slice in every mode, against differences of the plain function.

/// The same function, plain and by the operators.
pub struct Modes<'a> {
    pub plain: fn(&[f64]) -> f64,
    pub forward: &'a dyn Fn(&[f64]) -> (f64, Vec<f64>),
    pub reverse: &'a dyn Fn(&[f64]) -> (f64, Vec<f64>),
    pub product: &'a dyn Fn(&[f64], &[f64]) -> Vec<f64>,
}

/// `check!(f at x);`: a function `f(&[f64]) -> f64`.
macro_rules! check {
    ($f:ident at $x:expr) => {
        $crate::check::compare(
            stringify!($f),
            &$x,
            &$crate::check::Modes {
                plain: |x| $f(x),
                forward: &|x| diffi::value_and_gradient($f::D, diffi::AutoForward, x).unwrap(),
                reverse: &|x| diffi::value_and_gradient($f::D, diffi::AutoReverse, x).unwrap(),
                product: &|x, v| diffi::hvp($f::D, diffi::AutoReverse, x, v).unwrap(),
            },
        )
    };
}
pub(crate) use check;

/// `sound!(f g);`: a test of functions of three numbers.
macro_rules! sound {
    ($($f:ident)*) => {
        #[test]
        fn sound() {
            $($crate::check::check!($f at [0.7, 1.3, 0.4]);)*
        }
    };
}
pub(crate) use sound;

/// Value, gradients and one Hessian-vector product.
pub fn compare(name: &str, x: &[f64], modes: &Modes) {
    let plain = (modes.plain)(x);
    let expected: Vec<f64> =
        (0..x.len()).map(|i| central(x, &unit(x.len(), i), &|x| vec![(modes.plain)(x)])[0]).collect();
    for (mode, (value, gradient)) in [("reverse", (modes.reverse)(x)), ("forward", (modes.forward)(x))] {
        close(name, &format!("{mode} value"), &[value], &[plain], 1e-13);
        close(name, mode, &gradient, &expected, 1e-7);
    }
    let v: Vec<f64> = (0..x.len()).map(|i| 0.7 - 0.4 * i as f64).collect();
    close(name, "second order", &(modes.product)(x, &v), &central(x, &v, &|x| (modes.reverse)(x).1), 1e-6);
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|j| f64::from(u8::from(i == j))).collect()
}

/// The derivative along a direction by central differences, extrapolated.
fn central(x: &[f64], v: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let at = |h: f64| f(&x.iter().zip(v).map(|(x, v)| x + h * v).collect::<Vec<f64>>());
    let slope = |h: f64| -> Vec<f64> { at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect() };
    slope(1e-3).iter().zip(slope(5e-4)).map(|(wide, half)| (4.0 * half - wide) / 3.0).collect()
}

/// Compares numbers, with a tolerance relative to those above 1.
fn close(name: &str, what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let same = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * b.abs().max(1.0);
    let close = found.len() == expected.len() && found.iter().zip(expected).all(same);
    assert!(close, "{name}: {what} is {found:?}, but should be {expected:?}");
}
