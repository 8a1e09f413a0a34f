//! The values that a gradient comes with are those of the function, to the last bit; and arrays that loops hand on.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis, s};

#[differentiable]
fn means(x: &Array2<f64>) -> f64 {
    let rows = x.mean_axis(Axis(1)).unwrap();
    let columns = x.t().mean_axis(Axis(1)).unwrap();
    rows.sum() * 3.0 + columns.sum() + x.mean().unwrap()
}

#[differentiable]
fn parts(x: &Array2<f64>) -> f64 {
    let turned = x.t().sum_axis(Axis(1)).sum() + x.t().sum_axis(Axis(0)).sum();
    turned + x.sum_axis(Axis(0)).sum() + x.row(1).sum()
}

/// Factors with one row or one column are matrices still.
#[differentiable]
fn products(x: &Array2<f64>) -> f64 {
    let v = x.column(0).insert_axis(Axis(1));
    let w = x.row(0).insert_axis(Axis(0));
    let y = x.t().dot(&v);
    let z = w.dot(&x.t()).dot(x);
    z.dot(&y).sum() + x.dot(&x.t()).sum() + x.row(1).dot(&x.t().dot(x).row(0))
}

/// Elements that lie apart are added one by one, and those side by side in eight sums.
#[differentiable]
fn apart(x: &Array2<f64>) -> f64 {
    let last = x.ncols() - 1;
    let column = x.column(last);
    let sums = column.sum() + x.slice(s![.., 1..]).sum() + x.slice(s![..;2, ..]).sum() + x.slice(s![.., ..;-1]).sum();
    let lanes = x.columns().into_iter().map(|c| c.sum() * c.dot(&x.column(0))).sum::<f64>() + x.t().row(1).sum();
    let inner = x.slice(s![1.., 1..]);
    let along = inner.sum_axis(Axis(0)).sum() * inner.sum_axis(Axis(1)).sum() + inner.column(0).mean().unwrap();
    let products = inner.dot(&inner.row(0)).sum() + inner.t().dot(&inner.column(0)).sum();
    sums + lanes + along + products + x.diag().sum() + x.t().slice(s![1.., ..]).sum()
}

#[test]
fn values_are_the_functions() {
    for (rows, columns) in [(2, 2), (3, 5), (9, 17), (33, 12)] {
        let x = Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 3) as f64 * 0.37).sin() / 3.0);
        let mut found = [0.0; 4];
        found[0] = value_and_gradient(means::D, AutoReverse, &x).unwrap().0;
        found[1] = value_and_gradient(parts::D, AutoReverse, &x).unwrap().0;
        found[2] = value_and_gradient(products::D, AutoReverse, &x).unwrap().0;
        found[3] = value_and_gradient(apart::D, AutoReverse, &x).unwrap().0;
        assert_eq!(found, [means(&x), parts(&x), products(&x), apart(&x)], "{rows} by {columns}");
        assert_eq!(value_and_derivative_of(&x), found, "forwards");
    }
}

/// The same four, forwards.
fn value_and_derivative_of(x: &Array2<f64>) -> [f64; 4] {
    let along = Array2::from_elem(x.raw_dim(), 1.0);
    let means = value_and_pushforward(means::D, AutoForward, x, &along).unwrap().0;
    let parts = value_and_pushforward(parts::D, AutoForward, x, &along).unwrap().0;
    let products = value_and_pushforward(products::D, AutoForward, x, &along).unwrap().0;
    [means, parts, products, value_and_pushforward(apart::D, AutoForward, x, &along).unwrap().0]
}

macro_rules! filter {
    ($($name:ident $(#[$how:meta])?;)+) => { $(
        /// A state and its covariance from step to step.
        #[differentiable(constant(ys))]
        fn $name(a: &Array2<f64>, x0: &Array1<f64>, ys: &[f64]) -> f64 {
            let mut x = x0.clone();
            let mut p = Array2::<f64>::eye(2);
            let mut total = 0.0;
            $(#[$how])?
            for y in ys {
                let before = x;
                x = a.dot(&before);
                p = a.dot(&p).dot(&a.t());
                let gain = p.column(0).to_owned() / (p[[0, 0]] + 0.3);
                let v = y - x[0];
                x = &x + &gain * v;
                p = &p - &gain.view().insert_axis(Axis(1)).dot(&p.row(0).insert_axis(Axis(0)));
                total += v * v + before.sum();
            }
            total + p.sum()
        }
    )+ };
}
filter! {
    plain;
    by_roots #[checkpoint];
    by_snapshots #[checkpoint(snapshots = 3)];
}

/// The gradients of the filter by differences, and however its states are kept.
#[test]
fn arrays_that_loops_hand_on() -> Result<()> {
    let a = ndarray::arr2(&[[0.9, 0.2], [-0.1, 0.8]]);
    let (x0, ys) = (Array1::from_vec(vec![0.5, -0.3]), [0.1, -0.4, 0.3, 0.7, -0.2, 0.5, 0.05]);
    let mut prepared = prepare_gradient(plain::D, AutoReverse, (&a, &x0, Constant(&ys[..])))?;
    for _ in 0..3 {
        let (by_a, by_x) = prepared.gradient((&a, &x0, Constant(&ys[..])))?;
        let f = |a: &Array2<f64>, x: &Array1<f64>| plain(a, x, &ys);
        for (at, slope) in by_a.indexed_iter() {
            let moved = |h: f64| {
                let mut a = a.clone();
                a[at] += h;
                f(&a, &x0)
            };
            assert!((slope - (moved(1e-5) - moved(-1e-5)) / 2e-5).abs() < 1e-8, "{at:?}");
        }
        for (at, slope) in by_x.indexed_iter() {
            let moved = |h: f64| {
                let mut x = x0.clone();
                x[at] += h;
                f(&a, &x)
            };
            assert!((slope - (moved(1e-5) - moved(-1e-5)) / 2e-5).abs() < 1e-8, "{at}");
        }
        assert_eq!(gradient(by_roots::D, AutoReverse, (&a, &x0, Constant(&ys[..])))?, (by_a.clone(), by_x.clone()));
        assert_eq!(gradient(by_snapshots::D, AutoReverse, (&a, &x0, Constant(&ys[..])))?, (by_a, by_x));
    }
    Ok(())
}
