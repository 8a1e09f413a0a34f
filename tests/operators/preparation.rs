//! Prepared objects: prepared for smaller arguments and resized, called with what does not fit, sent to other threads, and
//! named in types.

use crate::functions::*;
use crate::numbers::flatten;
use diffi::prelude::*;
use diffi::types::{InOut, Input, Mut, Ref};
use diffi::{DenseHessianBackend, DenseJacobianBackend, GradientBackend};
use ndarray::Array2;

const SMALL: [f64; 2] = [0.5, -0.25];
const X: [f64; 3] = [1.2, -0.5, 2.0];

#[track_caller]
fn mismatched<T>(result: Result<T>, argument: usize) {
    match result {
        Err(Error::PreparationMismatch { argument: found, .. }) => assert_eq!(found, argument),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it should not fit"),
    }
}

fn sent<T: Send>(prepared: T) -> T {
    prepared
}

/// A row prepares for few numbers, is called with more, resized, and called again: on every backend of a list.
macro_rules! resized {
    ($backends:tt: $($name:ident: |$b:ident, $x:ident| $prepare:expr, |$prep:ident| $call:expr, $unprepared:expr;)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            resized!(@ $b $x $prep $prepare, $call, $unprepared; $backends);
            Ok(())
        }
    )+ };
    (@ $b:ident $x:ident $prep:ident $prepare:expr, $call:expr, $unprepared:expr; [$($backend:expr),+]) => {
        $({
            let $b = $backend;
            let $x = &SMALL[..];
            let mut $prep = sent($prepare?);
            flatten($call?);
            let $x = &X[..];
            mismatched($call, 1);
            $prep.resize($x)?;
            assert_eq!(flatten($call?), flatten($unprepared?));
            assert!(format!("{:?}", $prep).contains("sizes: 3"));
        })+
    };
}

resized! {
    [AutoForward, AutoReverse, AutoFiniteDiff, MixedMode(AutoForward, AutoReverse), AutoZero]:
    gradients: |b, x| prepare_gradient(ring::D, b, x), |prep| prep.gradient(x), gradient(ring::D, b, x);
    jacobians: |b, x| prepare_jacobian(neighbours::D, b, x), |prep| prep.jacobian(x), jacobian(neighbours::D, b, x);
    pushforwards: |b, x| prepare_pushforward(neighbours::D, b, x, x), |prep| prep.pushforward(x, x),
        pushforward(neighbours::D, b, x, x);
    pullbacks: |b, x| prepare_pullback(neighbours::D, b, x, &x[1..]), |prep| prep.pullback(x, &x[1..]),
        pullback(neighbours::D, b, x, &x[1..]);
}

resized! {
    [AutoReverse, SecondOrder(AutoForward, AutoReverse), SecondOrder(AutoFiniteDiff, AutoReverse), AutoFiniteDiff, AutoZero]:
    hvps: |b, x| prepare_hvp(ring::D, b, x, x), |prep| prep.hvp(x, x), hvp(ring::D, b, x, x);
    hessians: |b, x| prepare_hessian(ring::D, b, x), |prep| prep.hessian(x), hessian(ring::D, b, x);
}

#[test]
fn derivatives_are_sent_and_depend_on_other_sizes() -> Result<()> {
    let mut y = vec![0.0; 2];
    let mut prep = sent(prepare_derivative(overtones_written::D, AutoForward, (0.5, &mut y))?);
    assert_eq!(prep.derivative((0.0, &mut y))?, [1.0, 2.0]);
    let mut longer = vec![0.0; 3];
    mismatched(prep.derivative((0.0, &mut longer)), 2);
    prep.resize((0.0, &mut longer))?;
    assert_eq!(prep.derivative((0.0, &mut longer))?, [1.0, 2.0, 0.0]);
    let mut prep = sent(prepare_second_derivative(overtones_written::D, AutoReverse, (0.5, &mut y))?);
    mismatched(prep.second_derivative((0.0, &mut longer)), 2);
    prep.resize((0.0, &mut longer))?;
    assert_eq!(prep.second_derivative((0.0, &mut longer))?, [-0.0, -0.0, 0.0]);
    Ok(())
}

#[test]
fn an_argument_is_named_by_its_place() -> Result<()> {
    let mut prep = prepare_gradient(power_sum::D, AutoReverse, (&SMALL, 1.0, Constant(2)))?;
    mismatched(prep.gradient((&X, 1.0, Constant(2))), 1);
    let mut scratch = vec![0.0; 2];
    let mut prep = prepare_gradient(ring_with_scratch::D, AutoReverse, (&SMALL, Cache(&mut scratch)))?;
    mismatched(prep.gradient((&SMALL, Cache(&mut vec![0.0; 3]))), 2);
    Ok(())
}

/// Prepared objects as fields of a type that is generic over the backend.
struct Newton<B>
where
    B: GradientBackend<ring, (Ref<[f64]>,), (Input,)> + DenseHessianBackend<ring, (Ref<[f64]>,), (Input,)>,
{
    gradient: GradientPrep<ring, B, (Ref<[f64]>,), (Input,)>,
    hessian: HessianPrep<ring, B, (Ref<[f64]>,), (Input,)>,
}

impl<B> Newton<B>
where
    B: GradientBackend<ring, (Ref<[f64]>,), (Input,)> + DenseHessianBackend<ring, (Ref<[f64]>,), (Input,)>,
{
    fn new(backend: B, x: &[f64]) -> Result<Self> {
        Ok(Newton {
            gradient: prepare_gradient(ring::D, backend.clone(), x)?,
            hessian: prepare_hessian(ring::D, backend, x)?,
        })
    }

    /// The change of the gradient along the gradient.
    fn curvature(&mut self, x: &[f64]) -> Result<Vec<f64>> {
        let g = ndarray::Array1::from(self.gradient.gradient(x)?);
        Ok(self.hessian.hessian(x)?.dot(&g).to_vec())
    }
}

#[test]
fn backends_are_parameters_of_types() -> Result<()> {
    let exact = Newton::new(AutoReverse, &X)?.curvature(&X)?;
    assert_eq!(exact, hvp(ring::D, AutoReverse, &X, gradient(ring::D, AutoReverse, &X)?)?);
    let rough = Newton::new(AutoFiniteDiff, &X)?.curvature(&X)?;
    assert!(exact.iter().zip(rough).all(|(e, r)| (e - r).abs() < 1e-3));
    Ok(())
}

/// A function that overwrites its argument, in code that is generic over the backend.
fn stepped<B: DenseJacobianBackend<neighbours_in_place, (Mut<[f64]>,), (InOut,)>>(
    backend: B,
    x: &mut [f64],
) -> Result<Array2<f64>> {
    jacobian(neighbours_in_place::D, backend, x)
}

#[test]
fn backends_are_parameters_of_functions() -> Result<()> {
    let (mut one, mut other) = (X, X);
    assert_eq!(stepped(AutoForward, &mut one)?, stepped(AutoReverse, &mut other)?);
    assert_eq!(one, other);
    Ok(())
}
