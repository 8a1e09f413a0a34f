//! Backends that are made of backends, and what backends answer.

use crate::functions::*;
use diffi::TABLE;
use diffi::prelude::*;
use ndarray::{Array2, array};

const X: [f64; 3] = [1.2, -0.5, 2.0];

#[test]
fn mixed_mode_goes_both_ways() -> Result<()> {
    let b = MixedMode(AutoForward, AutoReverse);
    assert_eq!(pushforward(neighbours::D, b, &X, &[1.0, 0.0, 0.0])?, [-0.5, 0.0]);
    assert_eq!(pullback(neighbours::D, b, &X, &[1.0, 0.0])?, [-0.5, 1.2, 0.0]);
    assert_eq!(gradient(power_sum::D, b, (&[1.5, 2.0], Constant(2.0), Constant(2)))?, [6.0, 8.0]);
    assert_eq!(derivative(power_sum::D, b, (Constant(&[1.5, 2.0]), 0.0, Constant(2)))?, 6.25);
    assert_eq!(jacobian(neighbours::D, b, &X)?, array![[-0.5, 1.2, 0.0], [0.0, 2.0, -0.5]]);
    let mut at = prepare_pullback_same_point(neighbours::D, b, &X, &[0.0; 2])?;
    assert_eq!(at.pullback(&[0.0, 1.0])?, [0.0, 2.0, -0.5]);
    let mut at = prepare_pushforward_same_point(neighbours::D, b, &X, &[0.0; 3])?;
    assert_eq!(at.pushforward(&[0.0, 1.0, 0.0])?, [1.2, 2.0]);
    Ok(())
}

#[test]
fn mixed_mode_says_which_way_it_goes() -> Result<()> {
    let b = MixedMode(AutoForward, AutoReverse);
    let x: Vec<f64> = (0..30).map(f64::from).collect();
    let mut wide = prepare_jacobian(ring::D, b, &x)?;
    assert_eq!(wide.mode(), Mode::Reverse);
    assert_eq!(wide.jacobian(&x)?, jacobian(ring::D, AutoForward, &x)?);
    let mut square = prepare_jacobian(neighbours::D, b, &x)?;
    assert_eq!(square.mode(), Mode::Forward);
    assert_eq!(square.jacobian(&x)?, jacobian(neighbours::D, AutoReverse, &x)?);
    let mut x = X;
    let mut in_place = prepare_jacobian(neighbours_in_place::D, b, &mut x)?;
    assert_eq!(x, X, "preparation leaves what is overwritten as it is");
    assert_eq!(in_place.jacobian(&mut x)?, array![[-0.5, 1.2, 0.0], [0.0, 2.0, -0.5], [0.0, 0.0, 1.0]]);
    Ok(())
}

#[test]
fn one_direction_is_enough() -> Result<()> {
    let expected = array![[-0.5, 1.2, 0.0], [0.0, 2.0, -0.5]];
    assert_eq!(jacobian(neighbours::D, AutoForwardFromPrimitive(AutoForward), &X)?, expected);
    assert_eq!(jacobian(neighbours::D, AutoReverseFromPrimitive(AutoReverse), &X)?, expected);
    let differences =
        jacobian(|x: &[f64]| vec![x[0] * x[1], x[1] * x[2]], AutoForwardFromPrimitive(AutoFiniteDiff), &X)?;
    assert!((differences - expected).iter().all(|d| d.abs() < 1e-8));
    let b = SecondOrder(AutoFiniteDiff, AutoForwardFromPrimitive(AutoForward));
    let difference = hessian(ring::D, b, &X)? - hessian(ring::D, AutoReverse, &X)?;
    assert!(difference.iter().all(|d| d.abs() < 1e-7));
    Ok(())
}

#[test]
fn zeros_have_the_right_shapes() -> Result<()> {
    let b = AutoZero;
    assert_eq!(value_and_gradient(ring::D, b, &X)?, (ring(&X), vec![0.0; 3]));
    assert_eq!(value_and_derivative(overtones::D, b, 0.3)?, (overtones(0.3), vec![0.0; 2]));
    assert_eq!(pushforward(neighbours::D, b, &X, &X)?, [0.0; 2]);
    assert_eq!(pullback(neighbours::D, b, &X, [&[1.0, 2.0], &[3.0, 4.0]])?, [[0.0; 3]; 2]);
    assert_eq!(jacobian(neighbours::D, b, &X)?, Array2::zeros((2, 3)));
    assert_eq!(value_gradient_and_hessian(ring::D, b, &X)?, (ring(&X), vec![0.0; 3], Array2::zeros((3, 3))));
    assert_eq!(gradient_and_hvp(ring::D, b, &X, &X)?, (vec![0.0; 3], vec![0.0; 3]));
    let (y, d, dd) = value_derivative_and_second_derivative(overtones::D, b, 0.3)?;
    assert_eq!((y, d, dd), (overtones(0.3), vec![0.0; 2], vec![0.0; 2]));
    let mut y = [9.0f32; 2];
    assert_eq!(pullback(neighbours_written::D, b, (&[2.0, 3.0, 4.0], &mut y), &[1.0, 1.0])?, [0.0; 3]);
    assert_eq!(y, [6.0, 12.0]);
    assert_eq!(gradient(|x: &[f64]| x[0], b, &X)?, [0.0; 3]);
    assert!(pullback(neighbours::D, b, &X, &[1.0]).is_err());
    Ok(())
}

/// Code that is generic over the backend, which is chosen later or not at all.
struct Solver<B = NoAutoDiff> {
    backend: B,
}

impl Solver {
    fn new() -> Self {
        Solver { backend: NoAutoDiff }
    }
    fn by<B: Backend>(self, backend: B) -> Solver<B> {
        let NoAutoDiff = self.backend;
        Solver { backend }
    }
}

#[test]
fn a_backend_may_be_chosen_later() {
    assert_eq!(Solver::new().by(AutoReverse).backend, AutoReverse);
}

#[test]
fn backends_answer_questions() {
    let mixed = MixedMode(AutoForward, AutoReverse);
    assert_eq!((mixed.mode(), mixed.inner(), mixed.outer()), (Mode::ForwardAndReverse, &mixed, &mixed));
    assert_eq!((mixed.forward_counterpart(), mixed.reverse_counterpart()), (mixed, mixed));
    assert_eq!(AutoForwardFromPrimitive(AutoFiniteDiff).mode(), Mode::Forward);
    assert!(AutoForwardFromPrimitive(AutoFiniteDiff).inexact() && !AutoReverseFromPrimitive(AutoReverse).inexact());
    let second = SecondOrder(AutoFiniteDiff, AutoReverse);
    assert_eq!((second.mode(), second.outer(), second.inner()), (Mode::Forward, &AutoFiniteDiff, &AutoReverse));
    assert_eq!((AutoForward.reverse_counterpart(), AutoReverse.forward_counterpart()), (AutoReverse, AutoForward));
}

#[test]
fn every_backend_has_one_row() {
    let mut names: Vec<&str> = TABLE.iter().map(|row| row.backend).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TABLE.len());
}
