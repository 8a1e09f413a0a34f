//! Prepared in-place operators allocate nothing.

mod counting;
#[path = "allocations/lists_of_tuples.rs"]
mod lists_of_tuples;
#[path = "allocations/many_rows.rs"]
mod many_rows;
#[path = "allocations/natural.rs"]
mod natural;

use counting::requests;
use diffi::prelude::*;
use diffi::sparse::{Decompressor, Storage, Triangle};
use ndarray::Array2;

/// Runs twice, so that buffers can find their size, then counts.
fn none(what: &str, mut run: impl FnMut() -> Result<()>) {
    run().unwrap();
    run().unwrap();
    let before = requests();
    run().unwrap();
    assert_eq!(requests() - before, 0, "allocations of {what}");
}

#[test]
fn the_counter_counts() {
    let before = requests();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert_eq!(requests() - before, 1);
}

/// One number, with a loop whose reverse sweep needs what it overwrites.
#[differentiable]
fn logistic(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..20 {
        y = 3.5 * y * (1.0 - y);
    }
    y.exp()
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
}

/// Calls, branches and a tape.
#[differentiable]
fn branches(x: &[f64], scale: f64) -> f64 {
    let mut total = 0.0;
    for v in x {
        let y = if *v > 0.5 { logistic(*v) } else { v.sin() };
        total = (total + scale * y).tanh();
    }
    total
}

#[differentiable(output(y))]
fn diffuse(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i] * x[i] - 0.5 * x[(i + 1) % n];
    }
}

#[differentiable(cache(scratch))]
fn with_scratch(x: &[f64], scratch: &mut [f64]) -> f64 {
    for (s, v) in scratch.iter_mut().zip(x) {
        *s = v * v;
    }
    scratch.iter().map(|s| s.sqrt() * s).sum()
}

#[differentiable(output(y))]
fn energy(x: &[f64], y: &mut f64) {
    *y = 0.0;
    for v in x {
        *y += v * v * v;
    }
}

#[differentiable]
fn squared(x: &mut f64) {
    *x *= *x;
}

const X: [f64; 6] = [0.1, 0.7, 0.3, 0.9, 0.5, 0.2];

macro_rules! backends {
    ($($name:ident: $backend:expr;)+) => { $(
        mod $name {
            use super::*;

            #[test]
            fn gradients() -> Result<()> {
                let mut g = vec![0.0; 6];
                let mut prepared = prepare_gradient(rosenbrock::D, $backend, &X)?;
                none("gradient", || prepared.gradient_into(&mut g, &X));
                none("value_and_gradient", || prepared.value_and_gradient_into(&mut g, &X).map(drop));

                let mut both = (vec![0.0; 6], 0.0);
                let mut prepared = prepare_gradient(branches::D, $backend, (&X, 2.0))?;
                none("gradient of two arguments", || prepared.gradient_into(&mut both, (&X, 2.0)));
                let mut prepared = prepare_gradient(branches::D, $backend, (&X, Constant(2.0)))?;
                none("gradient beside a constant", || prepared.gradient_into(&mut g, (&X, Constant(2.0))));

                let mut scratch = vec![0.0; 6];
                let mut prepared = prepare_gradient(with_scratch::D, $backend, (&X, Cache(&mut scratch)))?;
                none("gradient with a cache", || prepared.gradient_into(&mut g, (&X, Cache(&mut scratch))));
                Ok(())
            }

            #[test]
            fn derivatives() -> Result<()> {
                let mut d = 0.0;
                let mut prepared = prepare_derivative(logistic::D, $backend, 0.3)?;
                none("derivative", || prepared.derivative_into(&mut d, 0.3));
                none("value_and_derivative", || prepared.value_and_derivative_into(&mut d, 0.3).map(drop));
                Ok(())
            }

            #[test]
            fn pushforwards() -> Result<()> {
                let mut dy = 0.0;
                let mut prepared = prepare_pushforward(rosenbrock::D, $backend, &X, &X)?;
                none("pushforward", || prepared.pushforward_into(&mut dy, &X, &X));
                none("value_and_pushforward", || prepared.value_and_pushforward_into(&mut dy, &X, &X).map(drop));

                let (mut y, mut dy) = (vec![0.0; 6], vec![0.0; 6]);
                let mut prepared = prepare_pushforward(diffuse::D, $backend, (&X, &mut y), &X)?;
                none("pushforward of an output", || prepared.pushforward_into(&mut dy, (&X, &mut y), &X));
                Ok(())
            }

            #[test]
            fn pullbacks() -> Result<()> {
                let mut dx = vec![0.0; 6];
                let mut prepared = prepare_pullback(rosenbrock::D, $backend, &X, 1.0)?;
                none("pullback", || prepared.pullback_into(&mut dx, &X, 1.0));
                none("value_and_pullback", || prepared.value_and_pullback_into(&mut dx, &X, 1.0).map(drop));

                let mut y = vec![0.0; 6];
                let mut prepared = prepare_pullback(diffuse::D, $backend, (&X, &mut y), &X)?;
                none("pullback of an output", || prepared.pullback_into(&mut dx, (&X, &mut y), &X));
                Ok(())
            }

            #[test]
            fn jacobians() -> Result<()> {
                let (mut y, mut jacobian) = (vec![0.0; 6], Array2::zeros((6, 6)));
                let mut prepared = prepare_jacobian(diffuse::D, $backend, (&X, &mut y))?;
                none("jacobian", || prepared.jacobian_into(&mut jacobian, (&X, &mut y)));
                none("value_and_jacobian", || prepared.value_and_jacobian_into(&mut jacobian, (&X, &mut y)).map(drop));
                Ok(())
            }
        }
    )+ };
}

backends! {
    forward: AutoForward;
    reverse: AutoReverse;
    differences: AutoFiniteDiff;
    mixed_mode: MixedMode(AutoForward, AutoReverse);
    from_pushforwards: AutoForwardFromPrimitive(AutoForward);
    from_pullbacks: AutoReverseFromPrimitive(AutoReverse);
    zero: AutoZero;
}

macro_rules! second_order {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            let (mut g, mut hv, mut hessian) = (vec![0.0; 6], vec![0.0; 6], Array2::zeros((6, 6)));
            let (mut d, mut dd) = (0.0, 0.0);

            let mut prepared = prepare_hvp(rosenbrock::D, $backend, &X, &X)?;
            none("hvp", || prepared.hvp_into(&mut hv, &X, &X));
            none("gradient_and_hvp", || prepared.gradient_and_hvp_into(&mut g, &mut hv, &X, &X));

            let mut prepared = prepare_hessian(rosenbrock::D, $backend, &X)?;
            none("hessian", || prepared.hessian_into(&mut hessian, &X));
            none("value_gradient_and_hessian", || {
                prepared.value_gradient_and_hessian_into(&mut g, &mut hessian, &X).map(drop)
            });

            let mut prepared = prepare_second_derivative(logistic::D, $backend, 0.3)?;
            none("second_derivative", || prepared.second_derivative_into(&mut dd, 0.3));
            none("value_derivative_and_second_derivative", || {
                prepared.value_derivative_and_second_derivative_into(&mut d, &mut dd, 0.3).map(drop)
            });

            let mut y = 0.0;
            let mut prepared = prepare_hessian(energy::D, $backend, (&X, &mut y))?;
            none("hessian of what is written", || prepared.hessian_into(&mut hessian, (&X, &mut y)));
            let mut prepared = prepare_hvp(energy::D, $backend, (&X, &mut y), &X)?;
            none("hvp of what is written", || prepared.hvp_into(&mut hv, (&X, &mut y), &X));
            let mut x = 0.3;
            let mut prepared = prepare_second_derivative(squared::D, $backend, &mut x)?;
            none("second_derivative in place", || prepared.second_derivative_into(&mut dd, &mut x));

            let mut at = prepare_hvp_same_point(rosenbrock::D, $backend, &X, &X)?;
            none("hvp at the same point", || at.hvp_into(&mut hv, &X));
            Ok(())
        }
    )+ };
}

second_order! {
    forward_over_reverse: SecondOrder(AutoForward, AutoReverse);
    reverse_alone: AutoReverse;
    forward_alone: AutoForward;
    differences_of_reverse: SecondOrder(AutoFiniteDiff, AutoReverse);
    differences_alone: AutoFiniteDiff;
    zeros: AutoZero;
}

#[test]
fn several_pullbacks_at_the_same_point() -> Result<()> {
    let mut dx = vec![0.0; 6];
    let mut at = prepare_pullback_same_point(rosenbrock::D, AutoReverse, &X, 1.0)?;
    none("pullback at the same point", || at.pullback_into(&mut dx, 2.0));
    let (mut y, mut dy) = (vec![0.0; 6], vec![0.0; 6]);
    let mut at = prepare_pullback_same_point(diffuse::D, AutoReverse, (&X, &mut y), X)?;
    none("pullback of an output at the same point", || at.pullback_into(&mut dx, X));
    let mut at = prepare_pushforward_same_point(diffuse::D, AutoForward, (&X, &mut y), X)?;
    none("pushforward of an output at the same point", || at.pushforward_into(&mut dy, X));
    Ok(())
}

#[differentiable]
fn refusing(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut total = 1.0;
    for k in 0..y.len() {
        assert!(x[k] >= 0.0, "negative");
        y[k] = (total * y[k]).sin();
        total *= y[k].exp();
    }
    total
}

/// A panic loses the arrays in use at the time, and no more than that: one call later there is enough of everything again.
#[test]
fn nothing_is_lost_by_panics() -> Result<()> {
    let bad = [0.1, 0.7, 0.3, -0.9, 0.5, 0.2];
    let (mut g, mut hv) = (vec![0.0; 6], vec![0.0; 6]);
    let mut gradients = prepare_gradient(refusing::D, AutoReverse, &X)?;
    let mut products = prepare_hvp(refusing::D, AutoReverse, &X, X)?;
    for _ in 0..3 {
        let run = std::panic::AssertUnwindSafe(|| gradients.gradient_into(&mut g, &bad));
        assert!(std::panic::catch_unwind(run).is_err());
        none("gradient after a panic", || gradients.gradient_into(&mut g, &X));
        let run = std::panic::AssertUnwindSafe(|| products.hvp_into(&mut hv, &bad, X));
        assert!(std::panic::catch_unwind(run).is_err());
        none("hvp after a panic", || products.hvp_into(&mut hv, &X, X));
    }
    Ok(())
}

/// Relaxation with a scalar state: the same loop in every form of the attribute.
macro_rules! relaxing {
    ($($name:ident: $($attribute:meta)?;)+) => { $(
        #[differentiable]
        fn $name(x: f64, iterations: usize) -> f64 {
            let mut y = x;
            $(#[$attribute])?
            for _ in 0..iterations {
                y -= 1e-6 * y.sin();
            }
            y
        }
    )+ };
}
relaxing! {
    relaxing: ;
    relaxing_root: checkpoint;
    relaxing_every: checkpoint(every = 1000);
    relaxing_snapshots: checkpoint(snapshots = 20);
}

/// Ten million iterations where code is fast. What is kept of a state are its number and the iteration's, of an iteration one number.
#[test]
fn long_loops_in_little_memory() -> Result<()> {
    let n: usize = if cfg!(debug_assertions) { 20_000 } else { 10_000_000 };
    let root = n.isqrt() + 1;
    let mut d = 0.0;
    let mut expected = 0.0;
    macro_rules! bounded {
        ($($name:ident $iterations:expr, $bytes:expr;)+) => { $(
            let mut prepared = prepare_derivative($name::D, AutoReverse, (1.0, Constant($iterations)))?;
            none(stringify!($name), || prepared.derivative_into(&mut d, (1.0, Constant($iterations))));
            assert!(prepared.tape_bytes() <= $bytes, "{} keeps {} bytes", stringify!($name), prepared.tape_bytes());
            if $iterations == n {
                expected = if expected == 0.0 { d } else { expected };
                assert!((d - expected).abs() <= 1e-12 * expected, "{}: {d}, not {expected}", stringify!($name));
            }
        )+ };
    }
    bounded! {
        relaxing n, 8 * n;
        relaxing_root n, 24 * root;
        relaxing_every n, 16 * n.div_ceil(1000) + 8 * 1000;
        relaxing_snapshots 20_000, 16 * 20 + 8;
    }
    Ok(())
}

#[differentiable]
fn slope([x, v]: [f64; 2], k: f64) -> [f64; 2] {
    [v, -k * x]
}

#[differentiable]
fn midpoint(s: [f64; 2], k: f64) -> [f64; 2] {
    let a = slope(s, k);
    let b = slope([s[0] + 0.05 * a[0], s[1] + 0.05 * a[1]], k);
    [s[0] + 0.1 * b[0], s[1] + 0.1 * b[1]]
}

#[differentiable]
fn swinging(start: [f64; 2], k: f64, steps: usize) -> f64 {
    let mut s = start;
    for _ in 0..steps {
        s = midpoint(s, k);
    }
    s[0]
}

/// What the calls of a step give each other is found again: of a step the state before it is kept, and the one after it.
#[test]
fn steps_by_formulas_keep_states() -> Result<()> {
    let point = || ([1.0, 0.5], 2.0, Constant(100));
    let mut prepared = prepare_gradient(swinging::D, AutoReverse, point())?;
    let mut gradient = prepared.gradient(point())?;
    assert!(prepared.tape_bytes() <= 101 * 4 * size_of::<f64>(), "{} bytes are kept", prepared.tape_bytes());
    none("steps by formulas", || prepared.gradient_into(&mut gradient, point()));
    let by_start = (swinging([2.0, 0.5], 2.0, 100) - swinging([0.0, 0.5], 2.0, 100)) / 2.0; // it is linear
    assert!((gradient.0[0] - by_start).abs() < 1e-12 * by_start.abs().max(1.0), "{gradient:?}, not {by_start}");
    Ok(())
}

#[differentiable]
fn advected(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint(snapshots = 3)]
    for _ in 0..steps {
        for i in 1..u.len() {
            u[i] -= 0.2 * u[i] * (u[i] - u[i - 1]);
        }
    }
    u.iter().map(|u| u * u).sum()
}

#[test]
fn states_of_arrays() -> Result<()> {
    let (mut g, mut hv) = (vec![0.0; 6], vec![0.0; 6]);
    let mut prepared = prepare_gradient(advected::D, AutoReverse, (&X, Constant(12)))?;
    none("gradient with states", || prepared.gradient_into(&mut g, (&X, Constant(12))));
    let mut prepared = prepare_hvp(advected::D, AutoReverse, (&X, Constant(12)), X)?;
    none("hvp with states", || prepared.hvp_into(&mut hv, (&X, Constant(12)), X));
    Ok(())
}

#[test]
fn replayed_tapes() {
    let x = [0.3, -0.4, 1.2, 0.9];
    let (mut g, mut hv) = (x, x);
    let mut prepared = prepare_gradient(rosenbrock::D, AutoTape.replayed(), &x).unwrap();
    none("a replay", || prepared.gradient_into(&mut g, &x));
    let mut prepared = prepare_hvp(rosenbrock::D, AutoTape.replayed(), &x, x).unwrap();
    none("a replay on dual numbers", || prepared.hvp_into(&mut hv, &x, x));
    // Long enough for entries that are whole arrays.
    let (x, mut g, mut hv) = ([0.4; 40], [0.0; 40], [0.0; 40]);
    let mut prepared = prepare_gradient(rosenbrock::D, AutoTape.replayed(), &x).unwrap();
    none("a replay of arrays", || prepared.gradient_into(&mut g, &x));
    let mut prepared = prepare_hvp(rosenbrock::D, AutoTape.replayed(), &x, x).unwrap();
    none("a replay of arrays on dual numbers", || prepared.hvp_into(&mut hv, &x, x));
}

/// The first derivatives of backends that overload numbers.
macro_rules! overloading {
    ($($(#[$cfg:meta])? $name:ident: $backend:expr;)+) => { $(
        $(#[$cfg])?
        #[test]
        fn $name() -> Result<()> {
            let (mut g, mut hv, mut dx) = (vec![0.0; 6], vec![0.0; 6], vec![0.0; 6]);
            let mut prepared = prepare_gradient(rosenbrock::D, $backend, &X)?;
            none("gradient", || prepared.gradient_into(&mut g, &X));
            none("value_and_gradient", || prepared.value_and_gradient_into(&mut g, &X).map(drop));
            let mut prepared = prepare_pullback(rosenbrock::D, $backend, &X, 1.0)?;
            none("pullback", || prepared.pullback_into(&mut dx, &X, 1.0));
            let mut prepared = prepare_pushforward(rosenbrock::D, $backend, &X, &X)?;
            let mut dy = 0.0;
            none("pushforward", || prepared.pushforward_into(&mut dy, &X, &X));
            let (mut y, mut jacobian) = (vec![0.0; 6], Array2::zeros((6, 6)));
            let mut prepared = prepare_jacobian(diffuse::D, $backend, (&X, &mut y))?;
            none("jacobian", || prepared.jacobian_into(&mut jacobian, (&X, &mut y)));
            let mut prepared = prepare_hvp(rosenbrock::D, $backend, &X, &X)?;
            none("hvp", || prepared.hvp_into(&mut hv, &X, &X));
            let mut prepared = prepare_hessian(rosenbrock::D, $backend, &X)?;
            none("hessian", || prepared.hessian_into(&mut jacobian, &X));
            let mut dd = 0.0;
            let mut prepared = prepare_second_derivative(logistic::D, $backend, 0.3)?;
            none("second_derivative", || prepared.second_derivative_into(&mut dd, 0.3));
            Ok(())
        }
    )+ };
}
overloading! {
    duals: AutoDual;
    safe_duals: AutoDual.nan_safe().chunk_size(4);
    hyper_duals: AutoHyperDual;
    replays: AutoTape.replayed();
    expressions: AutoSymbolic;
    #[cfg(feature = "compiled")] tapes_as_code: AutoTape.compiled();
    #[cfg(feature = "compiled")] expressions_as_code: AutoSymbolic.compiled();
}

#[test]
fn matrices_from_sums() -> Result<()> {
    let pattern = Pattern::from_rows(6, (0..6_usize).map(|i| i.saturating_sub(1)..(i + 2).min(6)))?;
    let matrix = pattern.to_sparse(Storage::CSR, 1.0);
    for greedy in [GreedyColoring::default(), GreedyColoring::default().substitution()] {
        let coloring = coloring(&pattern, ColoringProblem::Symmetric, greedy)?;
        let sums = compress(&matrix, &coloring)?;
        let decompressor = Decompressor::new(&coloring, Storage::CSC, Triangle::Lower)?;
        let by_color = decompressor.by_color();
        let mut found = decompressor.matrix();
        none("a matrix from sums", || decompressor.decompress_into(&mut found, &sums));
        none("a matrix from one sum after the other", || {
            for color in 1..=coloring.ncolors() {
                by_color.column_into(found.data_mut(), color as u32, |i| sums.columns[[i, color - 1]]);
            }
            by_color.finish(found.data_mut());
            Ok(())
        });
    }
    Ok(())
}
