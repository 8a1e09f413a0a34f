//! `AutoDualThreads`: PolyesterForwardDiff's row.

use crate::functions::*;
use diffi::prelude::*;

/// Runs with so many threads.
fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn polyester_gradients_do_not_depend_on_the_number_of_threads() {
    for n in [1, 2, 3, 12, 13, 100, 257] {
        let x: Vec<f64> = point(n.max(2));
        let (y, (g, s)) = value_and_gradient(energy::D, AutoDual, (&x, 0.4)).unwrap();
        close(&g, &energy_gradient(&x, 0.4).0, 1e-12);
        for threads in [1, 2, 3, 5, 8] {
            let found = on(threads, || value_and_gradient(energy::D, AutoDualThreads, (&x, 0.4)).unwrap());
            assert_eq!(bits(&[found.0, found.1.1]), bits(&[y, s]), "{threads} threads, {n} inputs");
            assert_eq!(bits(&found.1.0), bits(&g), "{threads} threads, {n} inputs");
        }
    }
}

/// One prepared object, with more and with fewer threads than at preparation, in chunks of every size.
#[test]
fn polyester_chunks_of_every_size() {
    let (start, x) = (vec![0.1; 30], point(30));
    let expected = gradient(energy::D, AutoDual, (&x, Constant(0.4))).unwrap();
    for backend in (1..=12).map(|size| AutoDualThreads.chunk_size(size)).chain([AutoDualThreads]) {
        let mut prepared = on(3, || prepare_gradient(energy::D, backend, (&start, Constant(0.1))).unwrap());
        for threads in [1, 8, 2] {
            let found = on(threads, || prepared.gradient((&x, Constant(0.4))).unwrap());
            close(&found, &expected, 1e-14);
        }
    }
    assert_eq!(format!("{:?}", AutoDualThreads.chunk_size(3)), "AutoDualThreads.chunk_size(3)");
}

#[test]
fn polyester_functions_that_write() {
    let mut y = [9.0; 2];
    let (by_x, by_angle) =
        on(2, || jacobian(rotate::D, AutoDualThreads.chunk_size(1), (&[0.3, -1.2], 0.5, &mut y)).unwrap());
    let (s, c) = 0.5f64.sin_cos();
    close(by_x.as_slice().unwrap(), &[c, -s, s, c], 1e-15);
    close(by_angle.as_slice().unwrap(), &[-0.3 * s + 1.2 * c, 0.3 * c + 1.2 * s], 1e-15);
    close(&y, &[0.3 * c + 1.2 * s, 0.3 * s - 1.2 * c], 1e-15);

    let (mut x, mut other) = (point(20), point(20));
    let found = on(3, || jacobian(damp::D, AutoDualThreads.chunk_size(4), (&mut x, 0.5)).unwrap());
    let expected = jacobian(damp::D, AutoDual.chunk_size(4), (&mut other, 0.5)).unwrap();
    assert_eq!((found, x), (expected, other));
}

#[test]
fn polyester_is_forward_diff_otherwise() {
    let x = point(6);
    let v: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
    macro_rules! same {
        ($($call:expr);+ $(;)?) => { $({
            let call = $call;
            assert_eq!(call(0), call(1));
        })+ };
    }
    same! {
        |k| match k {
            0 => hessian(energy::D, AutoDual, (&x, Constant(0.4))).unwrap(),
            _ => hessian(energy::D, AutoDualThreads, (&x, Constant(0.4))).unwrap(),
        };
        |k| match k {
            0 => pushforward(energy::D, AutoDual, (&x, Constant(0.4)), &v).unwrap(),
            _ => pushforward(energy::D, AutoDualThreads, (&x, Constant(0.4)), &v).unwrap(),
        };
    }
    let second = |k| match k {
        0 => second_derivative(bell::D, AutoDual, 0.7).unwrap(),
        _ => second_derivative(bell::D, AutoDualThreads, 0.7).unwrap(),
    };
    assert_eq!(second(0), second(1));
}

#[test]
fn polyester_panics_arrive() {
    let run = || on(2, || gradient(refusing::D, AutoDualThreads.chunk_size(1), &[1.0, 2.0]).unwrap());
    assert!(std::panic::catch_unwind(run).is_err());
}

#[differentiable]
fn refusing(x: &[f64]) -> f64 {
    assert!(x[1] < 1.0, "too large");
    x[0] * x[1]
}
