//! `AutoThreads`: the passes of generated code on several threads.

use crate::functions::*;
use diffi::prelude::*;
use ndarray::Array2;

/// Runs with so many threads.
fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

fn bits<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    numbers.into_iter().map(|v| v.to_bits()).collect()
}

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// As many outputs as a `Vec` has.
#[differentiable]
fn bends(x: &[f64]) -> Vec<f64> {
    let mut y = Vec::new();
    for i in 1..x.len() {
        y.push((x[i] * x[i - 1]).sin() + x[0].exp());
    }
    y
}

/// Outputs behind a parameter.
#[differentiable]
fn spread(x: &[f64], by: f64, y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = x[i] * x[(2 * i + 1) % x.len()] * by;
    }
}

/// A parameter that is read and written.
#[differentiable]
fn mixed(x: &mut [f64], by: f64) {
    for i in 1..x.len() {
        x[i] = by * x[i] + (by * x[i - 1]).sin();
    }
}

#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 1..x.len() {
        total += (x[i] - x[i - 1] * x[i - 1]).powi(2) * x[0].cos();
    }
    total
}

/// Only neighbours meet.
#[differentiable]
fn springs(x: &[f64]) -> Vec<f64> {
    (0..x.len()).map(|i| if i == 0 { x[0] * x[0] } else { x[i].sin() * x[i - 1] }).collect()
}

#[test]
fn jacobians_do_not_depend_on_the_number_of_threads() {
    for n in [0, 1, 2, 7, 8, 9, 40, 65] {
        let x = point(n);
        macro_rules! each {
            ($($backend:expr),+) => { $(
                let expected = jacobian(bends::D, $backend, &x).unwrap();
                for threads in THREADS {
                    let what = format!("{:?}, {n} inputs, {threads} threads", $backend);
                    let (y, found) = on(threads, || value_and_jacobian(bends::D, AutoThreads($backend), &x).unwrap());
                    assert_eq!((y, found.dim()), (bends(&x), expected.dim()), "{what}");
                    assert_eq!(bits(&found), bits(&expected), "{what}");
                }
            )+ };
        }
        each!(AutoForward, AutoReverse, AutoForward.batch_size(3), AutoReverse.batch_size(3), AutoFiniteDiff);
    }
}

#[test]
fn one_prepared_object_for_many_points() {
    for n in [3, 50] {
        let mut forward = prepare_jacobian(bends::D, AutoThreads(AutoForward), &point(n)).unwrap();
        let mut reverse = prepare_jacobian(bends::D, AutoThreads(AutoReverse), &point(n)).unwrap();
        let mut second = prepare_hessian(chain::D, AutoThreads(AutoReverse), &point(n)).unwrap();
        for (k, threads) in [8, 1, 2, 3].into_iter().enumerate() {
            let x: Vec<f64> = point(n).iter().map(|v| v + k as f64).collect();
            let mut into = Array2::zeros((n - 1, n));
            on(threads, || forward.jacobian_into(&mut into, &x).unwrap());
            assert_eq!(bits(&into), bits(&jacobian(bends::D, AutoForward, &x).unwrap()));
            assert_eq!(
                bits(&on(threads, || reverse.jacobian(&x).unwrap())),
                bits(&jacobian(bends::D, AutoReverse, &x).unwrap())
            );
            assert_eq!(
                bits(&on(threads, || second.hessian(&x).unwrap())),
                bits(&hessian(chain::D, AutoReverse, &x).unwrap())
            );
        }
    }
}

#[test]
fn functions_that_write() {
    let x = point(30);
    for threads in THREADS {
        let (mut y, mut other) = ([9.0; 20], [9.0; 20]);
        let found = on(threads, || jacobian(spread::D, AutoThreads(AutoForward), (&x, 0.5, &mut y[..])).unwrap());
        let expected = jacobian(spread::D, AutoForward, (&x, 0.5, &mut other[..])).unwrap();
        assert_eq!((found, y), (expected, other));
        let (mut y, mut other) = ([9.0; 20], [9.0; 20]);
        let found = on(threads, || jacobian(spread::D, AutoThreads(AutoReverse), (&x, 0.5, &mut y[..])).unwrap());
        let expected = jacobian(spread::D, AutoReverse, (&x, 0.5, &mut other[..])).unwrap();
        assert_eq!((found, y), (expected, other));
        let (mut a, mut b) = (x.clone(), x.clone());
        let found = on(threads, || jacobian(mixed::D, AutoThreads(AutoForward), (&mut a, 0.5)).unwrap());
        let expected = jacobian(mixed::D, AutoForward, (&mut b, 0.5)).unwrap();
        assert_eq!((found, a), (expected, b));
        let (mut a, mut b) = (x.clone(), x.clone());
        let found = on(threads, || jacobian(mixed::D, AutoThreads(AutoReverse), (&mut a, 0.5)).unwrap());
        let expected = jacobian(mixed::D, AutoReverse, (&mut b, 0.5)).unwrap();
        assert_eq!((found, a), (expected, b));
    }
}

#[test]
fn hessians_do_not_depend_on_the_number_of_threads() {
    for n in [1, 2, 8, 9, 33] {
        let x = point(n);
        let (y, g, expected) = value_gradient_and_hessian(chain::D, AutoReverse, &x).unwrap();
        for threads in THREADS {
            let found = on(threads, || value_gradient_and_hessian(chain::D, AutoThreads(AutoReverse), &x).unwrap());
            assert_eq!((found.0, &found.1), (y, &g), "{n} inputs, {threads} threads");
            assert_eq!(bits(&found.2), bits(&expected), "{n} inputs, {threads} threads");
            let over = AutoThreads(SecondOrder(AutoForward, AutoReverse));
            assert_eq!(bits(&on(threads, || hessian(chain::D, over, &x).unwrap())), bits(&expected));
        }
    }
}

#[test]
fn sparse_matrices_too() {
    for n in [1, 5, 60] {
        let x = point(n);
        let by_columns = jacobian(springs::D, AutoSparse::new(AutoForward), &x).unwrap();
        let by_rows = jacobian(springs::D, AutoSparse::new(AutoReverse), &x).unwrap();
        let second = hessian(chain::D, AutoSparse::new(AutoReverse), &x).unwrap();
        for threads in THREADS {
            let of = |b| on(threads, || jacobian(springs::D, b, &x).unwrap());
            assert_eq!(of(AutoSparse::new(AutoThreads(AutoForward.batch_size(1)))), by_columns, "{n}, {threads}");
            let found =
                on(threads, || jacobian(springs::D, AutoSparse::new(AutoThreads(AutoReverse.batch_size(1))), &x));
            assert_eq!(found.unwrap(), by_rows, "{n}, {threads}");
            let found = on(threads, || hessian(chain::D, AutoSparse::new(AutoThreads(AutoReverse.batch_size(1))), &x));
            assert_eq!(found.unwrap(), second, "{n}, {threads}");
        }
    }
}

#[test]
fn everything_else_as_with_the_backend_alone() {
    let (x, v) = (point(20), point(20));
    let b = AutoThreads(AutoReverse);
    assert_eq!(gradient(chain::D, b, &x), gradient(chain::D, AutoReverse, &x));
    assert_eq!(hvp(chain::D, b, &x, &v), hvp(chain::D, AutoReverse, &x, &v));
    assert_eq!(pullback(bends::D, b, &x, &v[1..]), pullback(bends::D, AutoReverse, &x, &v[1..]));
    assert_eq!(pushforward(bends::D, AutoThreads(AutoForward), &x, &v), pushforward(bends::D, AutoForward, &x, &v));
}
