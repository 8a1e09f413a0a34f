//! `AutoTape.compiled()` and `AutoSymbolic.compiled()`: the answers of the function and of tapes, when it is recorded again, and how long
//! compiling takes.

use crate::functions::*;
use diffi::prelude::*;
use diffi::{Real, ScalarFn};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Links that are stiff on one side.
struct Chain;

impl ScalarFn for Chain {
    type Input = [f64];
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
        CALLS.set(CALLS.get() + 1);
        let zero = S::lit(0.0);
        x.windows(2).map(|w| if w[1] - w[0] > zero { (w[1] - w[0]).powi(3) } else { (w[1] - w[0]).sin() }).sum()
    }
}

#[test]
fn code_is_made_again_where_a_branch_flips() {
    let start = [0.0, 1.0, 0.5, 2.0];
    let mut prepared = prepare_gradient(Chain, AutoTape.compiled(), &start).unwrap();
    CALLS.set(0);
    for (x, calls) in [
        ([0.1, 1.3, 0.2, 2.5], 0),
        ([0.1, 1.4, 0.3, 2.1], 0),
        ([0.1, -1.4, 0.3, 2.1], 1),
        ([0.2, -1.0, 0.3, 2.1], 1),
        ([0.1, 1.3, 0.2, 2.5], 2),
        ([f64::NAN, 1.3, 0.2, 2.5], 3),
    ] {
        let (y, g) = prepared.value_and_gradient(&x).unwrap();
        assert_eq!(CALLS.get(), calls, "{x:?}");
        let (expected, slopes) = value_and_gradient(Chain, AutoTape, &x).unwrap();
        CALLS.set(calls);
        if !expected.is_nan() {
            assert_eq!(y.to_bits(), expected.to_bits());
            close(&g, &slopes, 1e-14);
        }
    }
}

/// What is asked for without the value: by code that was made for a seed of 1, in the caller's memory where all numbers stand side by side.
#[test]
fn gradients_and_pullbacks_without_the_value() {
    let points = [[0.0, 1.0, 0.5, 2.0], [0.1, 1.3, 0.2, 2.5], [0.1, -1.4, 0.3, 2.1], [0.2, -1.0, 0.3, 2.1]];
    let mut prepared = prepare_gradient(Chain, AutoTape.compiled(), &points[0]).unwrap();
    let mut pulled = prepare_pullback(Chain, AutoTape.compiled(), &points[0], 1.0).unwrap();
    let mut both = prepare_gradient(parted::D, AutoTape.compiled(), (&points[0][..], 0.5)).unwrap();
    for x in points.iter().chain(&points) {
        let expected = gradient(Chain, AutoTape, x).unwrap();
        let mut g = [f64::NAN; 4];
        prepared.gradient_into(&mut g, x).unwrap();
        close(&g, &expected, 1e-14);
        for seed in [1.0, 1.0, -2.0, 1.0, 3.0] {
            let scaled: Vec<f64> = expected.iter().map(|g| seed * g).collect();
            close(&pulled.pullback(x, seed).unwrap(), &scaled, 1e-13);
        }
        let (apart, factor) = both.gradient((&x[..], 0.5)).unwrap();
        let (expected, slope) = gradient(parted::D, AutoReverse, (&x[..], 0.5)).unwrap();
        close(&apart, &expected, 1e-13);
        close(&[factor], &[slope], 1e-13);
    }
}

/// Inputs in two places.
#[differentiable]
fn parted(x: &[f64], factor: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() - 1 {
        total += factor * (x[i + 1] - x[i] * x[i]).powi(2);
    }
    total
}

/// Values to the last bit, derivatives nearly so; each at many points, on one preparation.
#[test]
fn every_function_of_the_table_to_the_last_bit() {
    let mut prepared = prepare_gradient(everything::D, AutoTape.compiled(), &[0.3, 0.7]).unwrap();
    let mut second = prepare_hessian(everything::D, AutoTape.compiled(), &[0.3, 0.7]).unwrap();
    for k in 0..20 {
        let x = [0.11 + 0.04 * k as f64, 0.87 - 0.037 * k as f64];
        let (y, g) = prepared.value_and_gradient(&x).unwrap();
        assert_eq!(y.to_bits(), everything(&x).to_bits(), "{x:?}");
        close(&g, &gradient(everything::D, AutoReverse, &x).unwrap(), 1e-13);
        let h = second.hessian(&x).unwrap();
        close(h.as_slice().unwrap(), hessian(everything::D, AutoReverse, &x).unwrap().as_slice().unwrap(), 1e-10);
    }
}

#[test]
fn several_arguments_and_results() {
    let start = point(13);
    let x: Vec<f64> = start.iter().map(|x| x * 0.9 + 0.01).collect();
    let (expected, by_scale) = energy_gradient(&x, 0.4);
    let mut prepared = prepare_gradient(energy::D, AutoTape.compiled(), (&start, 0.3)).unwrap();
    let (y, (g, s)) = prepared.value_and_gradient((&x, 0.4)).unwrap();
    assert_eq!(y.to_bits(), energy(&x, 0.4).to_bits());
    close(&g, &expected, 1e-13);
    close(&[s], &[by_scale], 1e-13);

    let mut y = [9.0; 2];
    let mut prepared = prepare_jacobian(rotate::D, AutoTape.compiled(), (&[0.1, 0.2], 0.1, &mut y)).unwrap();
    assert_eq!(y, [9.0; 2]);
    for angle in [0.5, 1.2f64] {
        let (s, c) = angle.sin_cos();
        let (by_x, by_angle) = prepared.jacobian((&[0.3, -1.2], angle, &mut y)).unwrap();
        close(by_x.as_slice().unwrap(), &[c, -s, s, c], 1e-15);
        close(by_angle.as_slice().unwrap(), &[-0.3 * s + 1.2 * c, 0.3 * c + 1.2 * s], 1e-15);
        close(&y, &[0.3 * c + 1.2 * s, 0.3 * s - 1.2 * c], 1e-15);
    }
    let mut x = point(5);
    let mut prepared = prepare_jacobian(damp::D, AutoTape.compiled(), (&mut x, 0.2)).unwrap();
    let (found, by_k) = prepared.jacobian((&mut x, 0.5)).unwrap();
    let mut other = point(5);
    let (expected, of_k) = jacobian(damp::D, AutoReverse, (&mut other, 0.5)).unwrap();
    assert_eq!(x, other);
    close(found.as_slice().unwrap(), expected.as_slice().unwrap(), 1e-14);
    close(by_k.as_slice().unwrap(), of_k.as_slice().unwrap(), 1e-14);
}

#[differentiable]
fn helix(t: f64) -> [f64; 3] {
    [t.cos(), t.sin(), t * t * t]
}

#[differentiable]
fn grows(x: &[f32], n: usize) -> Vec<f32> {
    (0..n).map(|i| x[0] * x[1].powi(i as i32)).collect()
}

#[test]
fn second_derivatives_seeds_at_one_point_and_single_precision() {
    for t in [0.4f64, 1.3] {
        let mut prepared = prepare_second_derivative(helix::D, AutoTape.compiled(), 0.1).unwrap();
        let (y, first, second) = prepared.value_derivative_and_second_derivative(t).unwrap();
        assert_eq!(y, helix(t));
        close(&first, &[-t.sin(), t.cos(), 3.0 * t * t], 1e-15);
        close(&second, &[-t.cos(), -t.sin(), 6.0 * t], 1e-15);
        let found = second_derivative(helix::D, AutoSymbolic.compiled(), t).unwrap();
        close(&found, &second, 1e-15);
    }
    let x = point(9);
    let v: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
    let expected = hvp(energy::D, AutoReverse, (&x, Constant(0.4)), &v).unwrap();
    let mut prepared = prepare_hvp(energy::D, AutoTape.compiled(), (&x, Constant(0.2)), &v).unwrap();
    close(&prepared.hvp((&x, Constant(0.4)), &v).unwrap(), &expected, 1e-13);
    let forward = SecondOrder(AutoForward, AutoTape.compiled());
    close(&hvp(energy::D, forward, (&x, Constant(0.4)), &v).unwrap(), &expected, 1e-13);

    let mut at = prepare_pullback_same_point(energy::D, AutoTape.compiled(), (&x, 0.4), 1.0).unwrap();
    let (g, s) = energy_gradient(&x, 0.4);
    for dy in [1.0, -2.5] {
        let (dx, ds) = at.pullback(dy).unwrap();
        close(&dx, &g.iter().map(|g| dy * g).collect::<Vec<_>>(), 1e-13);
        close(&[ds], &[dy * s], 1e-13);
    }

    let x = [2.0f32, 3.0];
    let mut prepared = prepare_pullback(grows::D, AutoTape.compiled(), (&x, Constant(3)), [0.0f32, 0.0, 1.0]).unwrap();
    assert_eq!(prepared.pullback((&x, Constant(3)), [0.0f32, 0.0, 1.0]).unwrap(), [9.0, 12.0]);
    assert_eq!(prepared.pullback((&[1.0, 2.0], Constant(3)), [0.0f32, 1.0, 1.0]).unwrap(), [6.0, 5.0]);
}

#[differentiable]
fn kinked(x: &[f64]) -> f64 {
    x[0].abs() * x[1] + x[0].max(x[1]) + x[1].clamp(-1.0, x[0])
}

#[differentiable]
fn branching(x: f64) -> f64 {
    if x > 0.0 { x * x } else { x }
}

#[test]
fn expressions_as_code() {
    let mut prepared = prepare_gradient(kinked::D, AutoSymbolic.compiled(), &[1.0, 2.0]).unwrap();
    for x in [[1.0, 2.0], [-0.5, 2.0], [3.0, 2.0], [-0.25, -2.0], [4.0, -3.0]] {
        let (y, g) = value_and_gradient(kinked::D, AutoReverse, &x).unwrap();
        assert_eq!(prepared.value_and_gradient(&x).unwrap(), (y, g), "{x:?}");
    }
    assert_eq!(prepare_gradient(branching::D, AutoSymbolic.compiled(), 1.0).unwrap_err(), Error::ActiveBranch);
    assert_eq!(
        format!("{:?} {:?}", AutoSymbolic.compiled(), AutoTape.compiled()),
        "AutoSymbolic.compiled() AutoTape.compiled()"
    );
}

/// Bounds that are not in order panic in the function, and so they do here.
#[test]
fn panics_are_the_functions_own() {
    let mut prepared = prepare_gradient(kinked::D, AutoTape.compiled(), &[1.0, 2.0]).unwrap();
    let run = std::panic::AssertUnwindSafe(|| prepared.gradient(&[-3.0, 2.0]));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(prepared.gradient(&[1.0, 2.0]).unwrap(), gradient(kinked::D, AutoReverse, &[1.0, 2.0]).unwrap());
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
}

/// Ten times the operations, in many parts: the gradient by hand.
#[test]
fn long_recordings() {
    let n = 3000;
    let x: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * (i as f64).sin()).collect();
    let mut prepared = prepare_gradient(rosenbrock::D, AutoTape.compiled(), &vec![0.5; n]).unwrap();
    let (y, g) = prepared.value_and_gradient(&x).unwrap();
    assert_eq!(y.to_bits(), rosenbrock(&x).to_bits());
    let mut expected = vec![0.0; n];
    for i in 0..n - 1 {
        let step = x[i + 1] - x[i] * x[i];
        expected[i] += -2.0 * (1.0 - x[i]) - 400.0 * x[i] * step;
        expected[i + 1] += 200.0 * step;
    }
    close(&g, &expected, 1e-12);
}

/// For each point how far the farthest of some centers is, and what all have in common: a loop in which other numbers decide in each iteration,
/// with recurrences, sums and functions.
#[differentiable(constant(points))]
fn farthest(centers: &[f64], scale: f64, points: &[f64]) -> f64 {
    let (mut total, mut trace) = (0.0, 1.0);
    for point in points.chunks_exact(3) {
        let mut largest = f64::NEG_INFINITY;
        let mut sum = 0.0;
        for center in centers.chunks_exact(3) {
            let mut distance = 0.0;
            for j in 0..3 {
                let by = (point[j] - center[j]) * scale;
                distance += by * by;
            }
            sum += (-distance).exp();
            largest = if distance > largest { distance } else { largest };
        }
        trace = (trace * sum).sin() + 0.5 * largest;
        total += trace * largest.sqrt();
    }
    total
}

/// Loops over many points become loops over arrays: values to the last bit, derivatives with and without them, other points and branches.
#[test]
fn long_loops_that_decide_in_each_iteration() {
    let points: Vec<f64> = (0..3 * 61).map(|k| (0.37 * (k * k % 1009) as f64).sin()).collect();
    let mut random = 0.3;
    let mut next = || {
        random = (random * 997.0f64).fract();
        random
    };
    let centers: Vec<f64> = (0..24).map(|_| next()).collect();
    let arguments = |centers: Vec<f64>, scale: f64| (centers, scale, Constant(points.clone()));
    let start = arguments(centers.clone(), 1.1);
    let start = (&start.0[..], start.1, Constant(&start.2.0[..]));
    let mut prepared = prepare_gradient(farthest::D, AutoTape.compiled(), start).unwrap();
    let mut valued = prepare_gradient(farthest::D, AutoTape.compiled(), start).unwrap();
    let mut pulled = prepare_pullback(farthest::D, AutoTape.compiled(), start, 1.0).unwrap();
    let mut copy = prepared.clone();
    for far in [1e-9, 0.5] {
        let moved: Vec<f64> = centers.iter().map(|c| c + far * (next() - 0.5)).collect();
        for scale in [1.1, 1.1 + far] {
            let at = (&moved[..], scale, Constant(&points[..]));
            let (y, (by_centers, by_scale)) = value_and_gradient(farthest::D, AutoReverse, at).unwrap();
            let size = by_centers.iter().fold(by_scale.abs(), |size, g| size.max(g.abs()));
            let expect = |(found, slope): (Vec<f64>, f64), seed: f64| {
                for (a, b) in found.iter().chain([&slope]).zip(by_centers.iter().chain([&by_scale])) {
                    assert!((a - seed * b).abs() < 1e-11 * size * seed.abs(), "{a}, expected {seed} * {b}");
                }
            };
            expect(prepared.gradient(at).unwrap(), 1.0);
            let (value, found) = valued.value_and_gradient(at).unwrap();
            assert_eq!(value.to_bits(), y.to_bits());
            expect(found, 1.0);
            for seed in [1.0, -2.0, 1.0] {
                expect(pulled.pullback(at, seed).unwrap(), seed);
            }
            expect(copy.gradient(at).unwrap(), 1.0);
        }
    }
}

/// Many operations, and no loop among them.
#[test]
fn long_recordings_without_loops() {
    #[differentiable]
    fn winding(x: &[f64]) -> f64 {
        let (mut y, mut random) = (0.0, 17u64);
        for k in 0..x.len() {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            y = match random >> 61 {
                0 => y * x[k],
                1 => y + x[k],
                2 => x[k] - y,
                3 => (y + x[k]).sin(),
                4 => (y * x[k]).cos() + x[k],
                5 => y / (2.0 + x[k]),
                6 => x[k] * x[k] + y,
                _ => (x[k] - y).abs(),
            };
        }
        y
    }
    let x: Vec<f64> = (0..3000).map(|k| (0.7 * k as f64).sin()).collect();
    let mut prepared = prepare_gradient(winding::D, AutoTape.compiled(), &vec![0.5; 3000]).unwrap();
    for _ in 0..2 {
        let (y, g) = prepared.value_and_gradient(&x).unwrap();
        assert_eq!(y.to_bits(), winding(&x).to_bits());
        close(&g, &gradient(winding::D, AutoReverse, &x).unwrap(), 1e-13);
        close(&prepared.gradient(&x).unwrap(), &g, 1e-13);
    }
}

/// What no output asks for passes on nothing, though its partial derivative is infinite.
#[test]
fn roots_that_nobody_asks_for() {
    #[differentiable]
    fn greatest_root(x: &[f64]) -> f64 {
        let (mut best, mut second) = (0.0, 0.0);
        for k in 0..x.len() {
            let root = x[k].sqrt() * (1.0 + x[k]);
            if root > best {
                second = best;
                best = root;
            }
        }
        best + second
    }
    let x: Vec<f64> = (0..1200).map(|k| if k % 7 == 0 { 0.0 } else { 1.0 + (k * k % 997) as f64 }).collect();
    let mut prepared = prepare_gradient(greatest_root::D, AutoTape.compiled(), &x).unwrap();
    let by_steps = gradient(greatest_root::D, AutoTape, &x).unwrap();
    let asked_for = |g: &[f64]| g.iter().filter(|g| **g != 0.0).count();
    for _ in 0..2 {
        let found = prepared.gradient(&x).unwrap();
        assert!(asked_for(&found) == 2 && found == by_steps, "{} of {}", asked_for(&found), asked_for(&by_steps));
    }
}

#[test]
fn prepared_objects_move_to_other_threads() {
    let mut prepared = prepare_gradient(bell::D, AutoTape.compiled(), 0.5).unwrap();
    let mut copy = prepared.clone();
    let found = std::thread::spawn(move || copy.gradient(0.7).unwrap()).join().unwrap();
    assert_eq!(found, prepared.gradient(0.7).unwrap());
}
