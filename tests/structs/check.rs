//! A function of one struct, in every mode, against differences of the plain function.

/// The gradient by central differences of all numbers of `p`.
pub fn differences<P: Clone>(
    p: &P,
    set: impl Fn(&mut P, &[f64]),
    x: &[f64],
    f: impl Fn(&P) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let column = |i: usize| {
        let at = |h: f64| {
            let (mut p, mut x) = (p.clone(), x.to_vec());
            x[i] += h;
            set(&mut p, &x);
            f(&p)
        };
        let h = 1e-5;
        at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = (0..x.len()).map(column).collect();
    (0..columns.first().map_or(0, Vec::len)).map(|r| columns.iter().map(|c| c[r]).collect()).collect()
}

pub fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {found:?}, expected {expected:?}");
    }
}

/// `agree!(f g);`: functions of two numbers, in every mode and twice, against differences of the plain function.
macro_rules! agree {
    ($($f:ident)+) => { $( for x in [(0.7, 1.3), (1.9, 0.4), (-0.6, 0.8)] {
        use crate::check::close;
        let slope = |g: &dyn Fn(f64, f64) -> f64| {
            let h = 1e-6;
            [(g(x.0 + h, x.1) - g(x.0 - h, x.1)) / (2.0 * h), (g(x.0, x.1 + h) - g(x.0, x.1 - h)) / (2.0 * h)]
        };
        let gradient_at = |a: f64, b: f64| gradient($f::D, AutoReverse, (a, b)).unwrap();
        let (value, reverse) = value_and_gradient($f::D, AutoReverse, x).unwrap();
        close(stringify!($f), &[value], &[$f(x.0, x.1)], 1e-15);
        close(stringify!($f), &[reverse.0, reverse.1], &slope(&$f), 1e-7);
        let forward = gradient($f::D, AutoForward, x).unwrap();
        close(stringify!($f), &[forward.0, forward.1], &[reverse.0, reverse.1], 1e-12);
        let curved = hvp($f::D, AutoReverse, x, (0.3, -0.7)).unwrap();
        let along = |a, b| { let g = gradient_at(a, b); 0.3 * g.0 - 0.7 * g.1 };
        close(stringify!($f), &[curved.0, curved.1], &slope(&along), 1e-6);
    } )+ };
}
pub(crate) use agree;

/// `number!(f: P, value);`: a function `f(&P) -> f64`.
macro_rules! number {
    ($f:ident: $P:ty, $value:expr) => {
        #[test]
        fn $f() {
            use crate::check::{close, differences};
            use diffi::prelude::*;

            /// Iterations whose sweeps lie apart.
            #[differentiable]
            fn outer(p: &$P, weights: &[f64]) -> f64 {
                let mut sum = 0.0;
                for w in weights {
                    let y = super::functions::$f(p);
                    sum += w * y * y;
                }
                sum
            }

            let p: $P = $value;
            let x = p.to_flat();
            let set = |p: &mut $P, x: &[f64]| p.set_flat(x).unwrap();
            let expected = differences(&p, set, &x, |p| vec![super::functions::$f(p)]).remove(0);
            let (y, g) = value_and_gradient(super::functions::$f::D, AutoReverse, &p).unwrap();
            close("value", &[y], &[super::functions::$f(&p)], 1e-14);
            close("reverse", &g.to_flat(), &expected, 1e-7);
            let forward = gradient(super::functions::$f::D, AutoForward, &p).unwrap();
            close("forward", &forward.to_flat(), &g.to_flat(), 1e-12);

            let weights = [1.0, -2.0, 0.5];
            let outside = gradient(outer::D, AutoReverse, (&p, Constant(&weights))).unwrap();
            let scaled: Vec<f64> = g.to_flat().iter().map(|v| 2.0 * -0.5 * y * v).collect();
            close("through a call", &outside.to_flat(), &scaled, 1e-12);

            let gradients = |p: &$P| gradient(super::functions::$f::D, AutoReverse, p).unwrap().to_flat();
            let expected = differences(&p, set, &x, gradients).concat();
            let h = hessian(super::functions::$f::D, AutoReverse, &p).unwrap();
            close("hessian", &h.iter().copied().collect::<Vec<f64>>(), &expected, 2e-6);
            let gradients = |p: &$P| gradient(outer::D, AutoReverse, (p, Constant(&weights))).unwrap().to_flat();
            let expected = differences(&p, set, &x, gradients).concat();
            let h = hessian(outer::D, AutoReverse, (&p, Constant(&weights))).unwrap();
            close("hessian through a call", &h.iter().copied().collect::<Vec<f64>>(), &expected, 2e-6);
        }
    };
}
pub(crate) use number;

/// `list!(f: P, value);`: a function `f(&P) -> R` of a type that has `to_flat`.
macro_rules! list {
    ($f:ident: $P:ty, $value:expr) => {
        #[test]
        fn $f() {
            use crate::check::{close, differences};
            use diffi::prelude::*;
            let p: $P = $value;
            let x = p.to_flat();
            let set = |p: &mut $P, x: &[f64]| p.set_flat(x).unwrap();
            let expected = differences(&p, set, &x, |p| super::functions::$f(p).to_flat()).concat();
            let flat = |j: ndarray::Array2<f64>| j.iter().copied().collect::<Vec<f64>>();
            let forward = flat(jacobian(super::functions::$f::D, AutoForward, &p).unwrap());
            close("forward", &forward, &expected, 1e-7);
            close("reverse", &flat(jacobian(super::functions::$f::D, AutoReverse, &p).unwrap()), &forward, 1e-12);
            let mut dx = p.zero_tangent();
            dx.set_flat(&(0..x.len()).map(|k| 0.3 + k as f64).collect::<Vec<f64>>()).unwrap();
            let dy = pushforward(super::functions::$f::D, AutoForward, &p, &dx).unwrap();
            let along: Vec<f64> = forward
                .chunks(x.len())
                .map(|row| row.iter().enumerate().map(|(k, v)| v * (0.3 + k as f64)).sum())
                .collect();
            close("pushforward", &dy.to_flat(), &along, 1e-12);
            let back = pullback(super::functions::$f::D, AutoReverse, &p, &dy).unwrap().to_flat();
            let expected: Vec<f64> = (0..x.len())
                .map(|c| along.iter().enumerate().map(|(r, v)| v * forward[r * x.len() + c]).sum())
                .collect();
            close("pullback", &back, &expected, 1e-12);
        }
    };
}
pub(crate) use list;
