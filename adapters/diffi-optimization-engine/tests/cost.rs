//! Value and gradient beside closed forms, a bounded problem with a known answer, and an error.

use diffi::prelude::*;
use diffi_adapter::ScalarFunction;
use diffi_optimization_engine::Cost;
use optimization_engine::constraints::Rectangle;
use optimization_engine::panoc::{PANOCCache, PANOCOptimizer};
use optimization_engine::{Problem, SolverError};

#[differentiable(constant(centre))]
fn bowl(u: &[f64], centre: &[f64]) -> f64 {
    u.iter().zip(centre).map(|(u, c)| (u - c).powi(2)).sum::<f64>() + u[0] * u[1]
}

fn cost() -> Cost<impl diffi_adapter::Objective> {
    Cost::new(ScalarFunction::with_data(bowl::D, AutoReverse, &[0.0; 2], vec![3.0, -1.0]).unwrap())
}

#[test]
fn closures_give_value_and_gradient() {
    let (cost, mut value, mut gradient) = (cost(), 0.0, [0.0; 2]);
    let (f, g) = (cost.value(), cost.gradient());
    for _ in 0..2 {
        f(&[1.0, 2.0], &mut value).unwrap();
        g(&[1.0, 2.0], &mut gradient).unwrap();
        assert_eq!((value, gradient), (4.0 + 9.0 + 2.0, [-4.0 + 2.0, 6.0 + 1.0]));
    }
    assert!(matches!(g(&[1.0], &mut gradient[..1]), Err(SolverError::Cost(_))));
}

#[test]
fn bounds_hold() {
    let (cost, mut u) = (cost(), [0.0, 0.0]);
    let bounds = Rectangle::new(Some(&[0.0, -1.5]), Some(&[2.0, 1.0]));
    let mut cache = PANOCCache::new(2, 1e-10, 5);
    PANOCOptimizer::new(Problem::new(&bounds, cost.gradient(), cost.value()), &mut cache).solve(&mut u).unwrap();
    // u0 is at its bound, and 2 (u1 + 1) + u0 = 0 asks for -2
    assert!((u[0] - 2.0).abs() < 1e-8 && (u[1] + 1.5).abs() < 1e-8, "{u:?}");
}
