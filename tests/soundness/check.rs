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

/// `agrees!(handle, [point], |x| (arguments), |x| value)`: a function whose result is one number.
macro_rules! agrees {
    ($f:expr, $at:expr, |$x:ident| $arguments:expr, |$y:ident| $plain:expr) => {{
        let at: Vec<f64> = $at.to_vec();
        let plain = |$y: &[f64]| -> Vec<f64> { vec![$plain] };
        let gradients = |x: &[f64]| -> Vec<f64> {
            let $x = x;
            gradient($f, AutoReverse, $arguments).unwrap().into()
        };
        let $x = &at[..];
        let (value, reverse) = value_and_gradient($f, AutoReverse, $arguments).unwrap();
        let forward: Vec<f64> = gradient($f, AutoForward, $arguments).unwrap().into();
        let direction: Vec<f64> = (0..at.len()).map(|i| 0.3 - 0.7 * i as f64).collect();
        let product: Vec<f64> = hvp($f, AutoReverse, $arguments, &direction).unwrap().into();
        $crate::check::close("value", &[value], &plain(&at), 1e-13);
        $crate::check::close("reverse", &Vec::from(reverse), &$crate::check::rows(&at, &plain).concat(), 1e-7);
        $crate::check::close("forward", &forward, &gradients(&at), 1e-12);
        $crate::check::close("second order", &product, &$crate::check::along(&at, &direction, &gradients), 1e-6);
    }};
}
pub(crate) use agrees;

/// Value, gradients and one Hessian-vector product.
#[track_caller]
pub fn compare(name: &str, x: &[f64], modes: &Modes) {
    let plain = |x: &[f64]| vec![(modes.plain)(x)];
    let expected = rows(x, &plain).concat();
    for (mode, (value, gradient)) in [("reverse", (modes.reverse)(x)), ("forward", (modes.forward)(x))] {
        close(&format!("{name}, {mode} value"), &[value], &plain(x), 1e-13);
        close(&format!("{name}, {mode}"), &gradient, &expected, 1e-7);
    }
    let v: Vec<f64> = (0..x.len()).map(|i| 0.7 - 0.4 * i as f64).collect();
    let second = along(x, &v, &|x| (modes.reverse)(x).1);
    close(&format!("{name}, second order"), &(modes.product)(x, &v), &second, 1e-6);
}

/// `gradients!(function)`: the value and the gradient of a function of two numbers in both modes.
macro_rules! gradients {
    ($($f:ident)::+) => {{
        let at = [1.3, 0.7];
        let plain = |x: &[f64]| vec![$($f)::+(x)];
        let expected = $crate::check::rows(&at, &plain).concat();
        let modes = [
            ("reverse", diffi::value_and_gradient($($f)::+::D, diffi::AutoReverse, &at[..])),
            ("forward", diffi::value_and_gradient($($f)::+::D, diffi::AutoForward, &at[..])),
        ];
        for (mode, found) in modes {
            let (value, gradient) = found.unwrap();
            let name = format!("{}, {mode}", stringify!($($f)::+));
            $crate::check::close(&format!("{name} value"), &[value], &plain(&at), 1e-13);
            $crate::check::close(&name, &gradient, &expected, 1e-7);
        }
    }};
}
pub(crate) use gradients;

/// Compares numbers, with a tolerance relative to those above 1.
#[track_caller]
pub fn close(what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    let same = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= tolerance * b.abs().max(1.0);
    let close = got.len() == expected.len() && got.iter().zip(expected).all(same);
    assert!(close, "{what} is\n{got:?}, but should be\n{expected:?}");
}

/// The derivatives by each number, one row each.
pub fn rows(at: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let unit = |j: usize| -> Vec<f64> { (0..at.len()).map(|i| f64::from(i == j)).collect() };
    (0..at.len()).map(|j| along(at, &unit(j), f)).collect()
}

/// The derivative along a direction, by central differences that are extrapolated.
pub fn along(at: &[f64], direction: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let moved = |h: f64| f(&at.iter().zip(direction).map(|(a, d)| a + h * d).collect::<Vec<_>>());
    let central = |h: f64| moved(h).into_iter().zip(moved(-h)).map(move |(a, b)| (a - b) / (2.0 * h));
    central(5e-4).zip(central(1e-3)).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}
