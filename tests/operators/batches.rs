//! Batches: their sizes, their remainders, and what is made of their results.

use crate::evaluations::{chain, counted, neighbours};
use diffi::prelude::*;
use ndarray::{Array2, Axis, ShapeBuilder, array, concatenate, s};

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 * i as f64 - 1.0).collect()
}

/// Of [`neighbours`].
fn expected_jacobian(x: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((x.len() - 1, x.len()), |(i, j)| match j {
        _ if j == i => x[i + 1],
        _ if j == i + 1 => x[i],
        _ => 0.0,
    })
}

/// Of [`chain`].
fn expected_hessian(x: &[f64]) -> Array2<f64> {
    let last = x.len() - 1;
    Array2::from_shape_fn((x.len(), x.len()), |(i, j)| match i.abs_diff(j) {
        0 if i < last => 2.0 * x[i + 1],
        1 => 2.0 * x[i.min(j)],
        _ => 0.0,
    })
}

#[track_caller]
fn close(got: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    assert_eq!(got.dim(), expected.dim());
    assert!(got.iter().zip(expected).all(|(g, e)| (g - e).abs() <= tolerance), "{got} {expected}");
}

#[test]
fn sizes_follow_the_rule() {
    let sizes: Vec<usize> = [0, 1, 2, 7, 8, 9, 12, 16, 17, 24, 25, 100].map(|n| AutoForward.batch_size_of(n)).to_vec();
    assert_eq!(sizes, [1, 1, 2, 7, 8, 5, 6, 8, 6, 8, 7, 8]);
    let groups = [0, 1, 3, 4, 5, 8, 9, 10, 12, 13, 17, 20, 100];
    assert_eq!(groups.map(|n| AutoForward.batch_size_of_groups(n)), [1, 1, 3, 4, 5, 8, 3, 4, 4, 7, 6, 7, 8]);
    assert_eq!(groups.map(|n| SecondOrder(AutoForward.batch_size(5), AutoReverse).batch_size_of_groups(n)), [5; 13]);
    assert_eq!(groups.map(|n| AutoDual.batch_size_of_groups(n)), groups.map(|n| AutoForward.batch_size_of_groups(n)));
    assert_eq!([0, 1, 3, 100].map(|n| AutoReverse.batch_size(3).batch_size_of(n)), [3; 4]);
    assert_eq!(SecondOrder(AutoForward.batch_size(2), AutoReverse).batch_size_of(100), 2);
    assert_eq!(AutoForwardFromPrimitive(AutoForward.batch_size(2)).passes(7), 4);
}

#[test]
fn every_size_has_remainders() -> Result<()> {
    for n in [1, 2, 7, 8, 9, 17] {
        let x = numbers(n);
        let (jacobian_of_x, hessian_of_x) = (expected_jacobian(&x), expected_hessian(&x));
        for size in 1..=8 {
            let (forward, reverse) = (AutoForward.batch_size(size), AutoReverse.batch_size(size));
            let (j, calls) = counted!(jacobian(neighbours::D, forward, &x));
            close(&j, &jacobian_of_x, 1e-13);
            assert_eq!(calls, n.div_ceil(size));
            let (j, calls) = counted!(jacobian(neighbours::D, reverse, &x));
            close(&j, &jacobian_of_x, 1e-13);
            assert_eq!(calls, (n - 1).div_ceil(size).max(1));
            let mut prep = prepare_jacobian(neighbours::D, reverse, &x)?;
            close(&prep.jacobian(&x)?, &jacobian_of_x, 1e-13);
            let (h, calls) = counted!(hessian(chain::D, SecondOrder(forward, AutoReverse), &x));
            close(&h, &hessian_of_x, 1e-13);
            assert_eq!(calls, n.div_ceil(size));
        }
        let (_, calls) = counted!(jacobian(neighbours::D, AutoForward, &x));
        assert_eq!(calls, n.div_ceil(8));
    }
    Ok(())
}

/// Few numbers, and what their types tell of how many: two and one in, two out.
#[differentiable]
fn turned(x: &[f64; 2], angle: f64) -> [f64; 2] {
    [x[0] * angle.cos() - x[1] * angle.sin(), x[0] * angle.sin() + x[1] * angle.cos()]
}

/// The same for a single number in, and three out.
#[differentiable]
fn powers(x: f64) -> (f64, [f64; 2]) {
    (x, [x * x, x * x * x])
}

#[differentiable]
fn saddle(x: &[f64; 2]) -> f64 {
    x[0] * x[0] * x[1]
}

#[test]
fn types_tell_of_few_numbers() -> Result<()> {
    let (x, angle) = ([0.5, -2.0], 0.75_f64);
    let (s, c) = angle.sin_cos();
    let by_x = array![[c, -s], [s, c]];
    let by_angle = array![[-x[0] * s - x[1] * c], [x[0] * c - x[1] * s]];
    for size in 1..=8 {
        let (forward, reverse) = (AutoForward.batch_size(size), AutoReverse.batch_size(size));
        for (jx, ja) in [jacobian(turned::D, forward, (&x, angle))?, jacobian(turned::D, reverse, (&x, angle))?] {
            close(&jx, &by_x, 1e-15);
            close(&ja, &by_angle, 1e-15);
        }
        for jx in
            [jacobian(turned::D, forward, (&x, Constant(angle)))?, jacobian(turned::D, reverse, (&x, Constant(angle)))?]
        {
            close(&jx, &by_x, 1e-15);
        }
        for j in [jacobian(powers::D, forward, 1.5)?, jacobian(powers::D, reverse, 1.5)?] {
            assert_eq!(j, array![[1.0], [3.0], [6.75]]);
        }
        let h = hessian(saddle::D, SecondOrder(forward, AutoReverse), &x)?;
        assert_eq!(h, array![[2.0 * x[1], 2.0 * x[0]], [2.0 * x[0], 0.0]]);
    }
    Ok(())
}

#[test]
fn rows_go_where_the_callers_matrix_has_them() -> Result<()> {
    let (x, angle) = ([0.5, -2.0], 0.75_f64);
    let (by_x, by_angle) = jacobian(turned::D, AutoForward, (&x, angle))?;
    for b in [AutoReverse, AutoReverse.batch_size(1)] {
        let mut prepared = prepare_jacobian(turned::D, b, (&x, angle))?;
        // Side by side in a wider matrix; by columns; and every other column, the last one first.
        let mut all = Array2::from_elem((2, 4), 9.0);
        let (jx, rest) = all.view_mut().split_at(Axis(1), 2);
        let (ja, _) = rest.split_at(Axis(1), 1);
        prepared.jacobian_into((&mut { jx }, &mut { ja }), (&x, angle))?;
        assert_eq!(all, concatenate![Axis(1), by_x, by_angle, array![[9.0], [9.0]]]);
        let (mut by_columns, mut ja) = (Array2::from_elem((2, 2).f(), 9.0), Array2::zeros((2, 1)));
        prepared.jacobian_into((&mut by_columns, &mut ja), (&x, angle))?;
        assert_eq!(by_columns, by_x);
        let mut every_other = Array2::from_elem((2, 4), 9.0);
        let mut jx = every_other.slice_mut(s![.., ..;-2]);
        prepared.jacobian_into((&mut jx, &mut ja), (&x, angle))?;
        assert_eq!(every_other.column(3), by_x.column(0));
        assert_eq!(every_other.column(1), by_x.column(1));
        assert_eq!(every_other.column(0), array![9.0, 9.0]);
    }
    Ok(())
}

#[test]
fn hessians_are_symmetric_to_the_last_bit() -> Result<()> {
    let x = numbers(17);
    for h in [hessian(chain::D, AutoFiniteDiff, &x)?, hessian(chain::D, SecondOrder(AutoFiniteDiff, AutoReverse), &x)?]
    {
        assert_eq!(h, h.t());
        close(&h, &expected_hessian(&x), 1e-4);
    }
    Ok(())
}

#[test]
#[should_panic(expected = "batches have sizes from 1 to 8")]
fn a_batch_has_at_most_eight() {
    AutoForward.batch_size(9);
}

#[test]
fn sizes_are_shown() {
    assert_eq!(
        format!("{:?}", SecondOrder(AutoForward.batch_size(2), AutoReverse)),
        "SecondOrder(AutoForward.batch_size(2), AutoReverse)"
    );
}
