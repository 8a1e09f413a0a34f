//! Hessians that are the same everywhere are found once, and no others.

use crate::functions::{arrow_head, point, squared_slopes};
use diffi::prelude::*;
use diffi::sparse::Storage;
use ndarray::Array2;
use sprs::CsMat;
use std::cell::Cell;

/// A row of places, in some of which the signs of numbers are other ones.
fn places() -> [Vec<f64>; 4] {
    [1.0, -2.0, 0.5, -1.0].map(|scale| {
        let signed = |(i, v): (usize, f64)| if i % 2 == 0 { scale * v } else { -scale * v };
        point(6).into_iter().enumerate().map(signed).collect()
    })
}

fn near(found: &CsMat<f64>, expected: &Array2<f64>) {
    let far = found.to_dense().iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-14 * b.abs().max(1.0));
    assert!(!far, "{found:?} is not {expected:?}");
}

macro_rules! beside_dense_ones {
    ($($name:ident($x:ident) $body:block)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            #[differentiable]
            fn f($x: &[f64]) -> f64 $body
            let places = places();
            let mut prep = prepare_hessian(f::D, AutoSparse::new(AutoReverse), &places[0])?;
            let mut by_rows = prep.sparsity_pattern().to_sparse(Storage::CSR, f64::NAN);
            for x in places.iter().chain(&places) {
                let dense: Array2<f64> = hessian(f::D, AutoReverse, x)?;
                near(&prep.hessian(x)?, &dense);
                prep.hessian_into(&mut by_rows, x)?;
                near(&by_rows, &dense);
                let (y, g, h) = prep.value_gradient_and_hessian(x)?;
                assert_eq!((y, g), value_and_gradient(f::D, AutoReverse, x)?);
                near(&h, &dense);
            }
            Ok(())
        }
    )+ };
}
beside_dense_ones! {
    the_same_everywhere(x) {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += (x[i] - 2.0 * x[i - 1]) * x[i] / 4.0 + x[i - 1].mul_add(x[i], 1.0);
        }
        sum + x[0].powi(2)
    }
    linear(x) {
        x.iter().map(|v| 3.0 * v).sum()
    }
    another_one_on_either_side_of_zero(x) {
        x.iter().map(|v| v.abs() * v).sum()
    }
    another_one_in_either_branch(x) {
        let mut sum = 0.0;
        for v in x {
            sum += if *v > 0.0 { v * v } else { 3.0 * v * v };
        }
        sum
    }
    another_one_between_whole_numbers(x) {
        x[0].floor() * x[1] * x[1] + x[2] * x[3].round()
    }
    of_products(x) {
        x.iter().product()
    }
    with_a_denominator(x) {
        x[0] * x[1] / (x[2] + 10.0)
    }
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn called() {
    CALLS.set(CALLS.get() + 1);
}

#[test]
fn found_once() -> Result<()> {
    #[differentiable]
    fn bowl(x: &[f64]) -> f64 {
        called();
        x[0] * x[1] + x[1] * x[1]
    }
    #[differentiable]
    fn cubic(x: &[f64]) -> f64 {
        called();
        x[0] * x[1] * x[1]
    }
    let mut same = prepare_hessian(bowl::D, AutoSparse::new(AutoReverse), &[1.0, 2.0])?;
    let mut other = prepare_hessian(cubic::D, AutoSparse::new(AutoReverse), &[1.0, 2.0])?;
    same.hessian(&[1.0, 2.0])?;
    other.hessian(&[1.0, 2.0])?;
    let calls_of = |run: &mut dyn FnMut() -> Result<()>| {
        let before = CALLS.get();
        run().map(|()| CALLS.get() - before)
    };
    assert_eq!(calls_of(&mut || same.hessian(&[3.0, 4.0]).map(drop))?, 0);
    assert_eq!(calls_of(&mut || same.value_gradient_and_hessian(&[3.0, 4.0]).map(drop))?, 1);
    assert_eq!(calls_of(&mut || other.hessian(&[3.0, 4.0]).map(drop))?, 1);
    Ok(())
}

/// What the caller holds constant may be another constant at the next call.
#[test]
fn constants_may_change() -> Result<()> {
    #[differentiable]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += k * x[i] * x[i - 1];
        }
        sum
    }
    let x = point(4);
    let mut prep = prepare_hessian(f::D, AutoSparse::new(AutoReverse), (&x, Constant(1.0)))?;
    for k in [1.0, 5.0, -2.0] {
        assert_eq!(prep.hessian((&x, Constant(k)))?.data(), [k; 6]);
    }
    Ok(())
}

#[test]
fn outputs_are_written_at_every_point() -> Result<()> {
    #[differentiable]
    fn f(x: &[f64], y: &mut [f64]) -> f64 {
        y[0] = x[0] + 1.0;
        x[0] * x[1]
    }
    let mut y = [0.0];
    let mut prep = prepare_hessian(f::D, AutoSparse::new(AutoReverse), (&[1.0, 2.0], &mut y));
    if let Ok(prep) = &mut prep {
        for first in [1.0, 7.0, 3.0] {
            prep.hessian((&[first, 2.0], &mut y))?;
            assert_eq!(y, [first + 1.0]);
        }
    }
    Ok(())
}

/// A check looks at every result.
#[test]
fn checked_ones_are_found_every_time() -> Result<()> {
    let (a, b) = (point(12), vec![2.0; 12]);
    let mut prep = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse).checked(true), &a)?;
    assert_eq!(prep.hessian(&a)?, prep.hessian(&b)?);
    let mut bent = prepare_hessian(arrow_head::D, AutoSparse::new(AutoReverse), (&a, Constant(2)))?;
    assert_ne!(bent.hessian((&a, Constant(2)))?, bent.hessian((&b, Constant(2)))?);
    Ok(())
}
