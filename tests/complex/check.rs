//! Every derivative of a function of numbers against differences; its value against the same function written in reals.

fn assert_close(what: &str, got: f64, expected: f64, tolerance: f64) {
    let allowed = tolerance * (1.0 + got.abs().max(expected.abs()));
    assert!((got - expected).abs() <= allowed, "{what}: {got} should be {expected}");
}

/// The derivative of `f` at 0, by central differences of two widths.
pub fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * central(5e-4) - central(1e-3)) / 3.0
}

fn moved(x: &[f64], k: usize, by: f64) -> Vec<f64> {
    let mut x = x.to_vec();
    x[k] += by;
    x
}

/// One function at one point. `gradients` are those by several ways; `hessian` gives an entry, and whether the tracer's pattern has it.
pub fn check(
    name: &str,
    x: &[f64],
    in_reals: &dyn Fn(&[f64]) -> f64,
    values: &[f64],
    gradients: &[Vec<f64>],
    gradient: &dyn Fn(&[f64]) -> Vec<f64>,
    hessian: &dyn Fn(usize, usize) -> (f64, bool),
) {
    for value in values {
        assert_close(&format!("{name}: the value"), *value, in_reals(x), 1e-13);
    }
    for (way, found) in gradients.iter().enumerate() {
        assert_eq!(found.len(), x.len(), "{name}: by way {way}");
        for (k, found) in found.iter().enumerate() {
            let expected = slope(|h| in_reals(&moved(x, k, h)));
            assert_close(&format!("{name}: ∂{k} by way {way}"), *found, expected, 1e-8);
        }
    }
    for i in 0..x.len() {
        for j in 0..x.len() {
            let expected = slope(|h| gradient(&moved(x, i, h))[j]);
            let (found, is_in_pattern) = hessian(i, j);
            assert_close(&format!("{name}: ∂{i}∂{j}"), found, expected, 1e-7);
            assert!(found == 0.0 || is_in_pattern, "{name}: ∂{i}∂{j} is missing in the pattern");
        }
    }
}

/// `name: function, the same in reals, at a point`.
macro_rules! rows {
    ($($name:ident: $f:ident, $in_reals:expr, $x:expr;)+) => { $(
        #[test]
        fn $name() -> diffi::Result<()> {
            use diffi::prelude::*;
            let (x, far) = (&$x[..], $x.map(|v: f64| 1.01 * v + 0.003));
            let (value, reverse) = value_and_gradient($f::D, AutoReverse, x)?;
            let forward = gradient($f::D, AutoForward, x)?;
            let mut elsewhere = prepare_gradient($f::D, AutoReverse, &far[..])?;
            elsewhere.gradient(&far[..])?;
            let prepared = elsewhere.gradient(x)?;
            let hessian = hessian($f::D, AutoReverse, x)?;
            let pattern = hessian_sparsity($f::D, TracerLocalSparsityDetector, x)?;
            let pattern: std::collections::BTreeSet<_> = pattern.iter().collect();
            $crate::check::check(
                stringify!($f),
                x,
                &$in_reals,
                &[value, $f(x)],
                &[reverse, forward, prepared],
                &|x| gradient($f::D, AutoReverse, x).expect("it is found"),
                &|i, j| (hessian[[i, j]], pattern.contains(&(i, j))),
            );
            Ok(())
        }
    )+ };
}
pub(crate) use rows;
