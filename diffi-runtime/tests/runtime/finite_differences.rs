//! Closures and plain functions.

use diffi_runtime::backend::{AutoFiniteDiff, Differences};
use diffi_runtime::operators::{derivative::*, gradient::*, hessian::*, jacobian::*, pullback::*, pushforward::*};
use diffi_runtime::signature::arguments::Constant;
use ndarray::{Array2, array};

#[track_caller]
fn close<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>, tolerance: f64) {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(&b).all(|(a, b)| (**a - **b).abs() <= tolerance * b.abs().max(1.0)), "{a:?} {b:?}");
}

fn plain(x: &[f64]) -> f64 {
    x[0] * x[1].sin()
}

#[test]
fn closures_and_functions_of_many_kinds() {
    let b = AutoFiniteDiff::default();
    let c = 3.0;
    close(&gradient(plain, b, &[2.0, 0.5]).unwrap(), &[0.5f64.sin(), 2.0 * 0.5f64.cos()], 1e-9);
    close(&gradient(|x: &[f64]| c * x[0] * x[1], b, &vec![1.0, 2.0]).unwrap(), &[6.0, 3.0], 1e-9);
    close(&gradient(|x: [f64; 2]| x[0] * x[1], b, [1.0, 2.0]).unwrap(), &[2.0, 1.0], 1e-9);
    close(&[derivative(|x: f64| x.exp(), b, 1.0).unwrap()], &[1f64.exp()], 1e-9);
    close(&[derivative(f64::sin, b, 1.0).unwrap()], &[1f64.cos()], 1e-9);
    let (gx, gy) = gradient(|x: f64, y: f64| x * x * y, b, (2.0, 3.0)).unwrap();
    close(&[gx, gy], &[12.0, 4.0], 1e-9);
    let ga = gradient(|a: &[f64], b: &[f64]| a[0] * b[0], b, (&[2.0], Constant(&[5.0]))).unwrap();
    close(&ga, &[5.0], 1e-9);
    let (ga, gs) = gradient(|a: &[f64], s: f64| a[0] * s, b, (&[2.0], 7.0)).unwrap();
    close(&[ga[0], gs], &[7.0, 2.0], 1e-9);
    let g: Array2<f64> = gradient(|a: &Array2<f64>| a[[0, 1]] * a[[1, 0]], b, &array![[1.0, 2.0], [3.0, 4.0]]).unwrap();
    close(&g, &[0.0, 3.0, 2.0, 0.0], 1e-9);
    type Boxed = Box<dyn Fn(&[f64]) -> f64>;
    let boxed: Boxed = Box::new(|x| x[0] * x[0]);
    close(&gradient(boxed, b, &[3.0]).unwrap(), &[6.0], 1e-9);
}

#[test]
fn jacobians_and_products() {
    let rotate = |x: &[f64]| vec![x[0] * x[1], x[0] - x[1], x[1].powi(2)];
    let x = [2.0, 3.0];
    for differences in [Differences::Forward, Differences::Central] {
        let b = AutoFiniteDiff.differences(differences);
        close(&jacobian(rotate, b, &x).unwrap(), &[3.0, 2.0, 1.0, -1.0, 0.0, 6.0], 1e-6);
        close(&pushforward(rotate, b, &x, &[1.0, 1.0]).unwrap(), &[5.0, 0.0, 6.0], 1e-6);
        close(&pullback(rotate, b, &x, &[1.0, 1.0, 1.0]).unwrap(), &[4.0, 7.0], 1e-6);
        let mut y = [0.0; 2];
        let in_place = |x: &[f64], y: &mut [f64]| y.copy_from_slice(&[x[0] * x[1], x[0]]);
        close(&jacobian(in_place, b, (&x, &mut y)).unwrap(), &[3.0, 2.0, 1.0, 0.0], 1e-6);
        assert_eq!(y, [6.0, 2.0]);
    }
}

#[test]
fn second_derivatives() {
    let f = |x: &[f64]| x[0].powi(2) * x[1];
    close(&hessian(f, AutoFiniteDiff, &[2.0, 3.0]).unwrap(), &[6.0, 4.0, 4.0, 0.0], 1e-5);
}

#[test]
fn steps_can_be_chosen() {
    let f = |x: f64| x * x * x;
    let forward = AutoFiniteDiff.differences(Differences::Forward).relative_step(0.5);
    close(&[derivative(f, forward, 1.0).unwrap()], &[4.75], 1e-14);
    close(&[derivative(f, AutoFiniteDiff.relative_step(0.5), 2.0).unwrap()], &[13.0], 1e-14);
    close(&[derivative(f, AutoFiniteDiff.relative_step(0.0).absolute_step(0.5), 2.0).unwrap()], &[12.25], 1e-14);
}

#[test]
fn zero_directions_are_zero() {
    let f = |x: &[f64]| vec![x[0] * x[1], x[0], x[1]];
    let [none, one] = pushforward(f, AutoFiniteDiff, &[2.0, 3.0], [[0.0, 0.0], [1.0, 0.0]]).unwrap();
    close(&none, &[0.0; 3], 0.0);
    close(&one, &[3.0, 1.0, 0.0], 1e-9);
    let [one, none] = pushforward(f, AutoFiniteDiff, &[2.0, 3.0], [[0.0, 1.0], [0.0, 0.0]]).unwrap();
    close(&one, &[2.0, 0.0, 1.0], 1e-9);
    close(&none, &[0.0; 3], 0.0);
}

#[test]
fn calls_are_counted() {
    let calls = std::cell::Cell::new(0);
    let f = |x: &[f64]| {
        calls.set(calls.get() + 1);
        x.iter().sum::<f64>()
    };
    let x = [1.0; 20];
    gradient(f, AutoFiniteDiff.differences(Differences::Forward), &x).unwrap();
    assert_eq!(calls.replace(0), 21);
    gradient(f, AutoFiniteDiff, &x).unwrap();
    assert_eq!(calls.replace(0), 40);
    value_and_gradient(f, AutoFiniteDiff, &x).unwrap();
    assert_eq!(calls.replace(0), 41);
    let mut prep = prepare_gradient(f, AutoFiniteDiff, &x).unwrap();
    assert_eq!(calls.replace(0), 1);
    prep.gradient(&x).unwrap();
    assert_eq!(calls.replace(0), 40);
}

#[test]
fn single_precision() {
    let g: Vec<f32> = gradient(|x: &[f32]| x[0] * x[1], AutoFiniteDiff, &[2.0f32, 3.0]).unwrap();
    assert!((g[0] - 3.0).abs() < 1e-2 && (g[1] - 2.0).abs() < 1e-2, "{g:?}");
}
