//! Jacobians in the tangent space beside differences of apex-solver's own steps, in every chart.

use apex_solver::core::variable::{ManifoldVariable, Variable};
use apex_solver::factors::Factor;
use apex_solver::manifold::{LieGroup, rn::Rn, se2::SE2, se3::SE3, so2::SO2, so3::SO3};
use diffi::prelude::*;
use diffi_adapter::VectorFunction;
use diffi_apex_solver::{Chart, Residual};
use faer::Mat;

/// Depends on every number in its own way.
#[differentiable]
fn mixed(x: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    for (k, x) in x.iter().enumerate() {
        sum += (k as f64 + 1.0) * x * x;
    }
    vec![sum, x[0].sin() * x[x.len() - 1]]
}

fn value(x: &[f64]) -> Vec<f64> {
    mixed(x)
}

/// One variable in a chart, and another one after it.
fn beside_differences<M: LieGroup + Clone + Send + Sync + 'static>(chart: Chart, numbers: &[f64])
where
    M::TangentVector: apex_solver::manifold::Tangent<M> + Send + Sync + 'static,
{
    let other = [0.3, -0.7];
    let all = [numbers, &other].concat();
    let residuals = VectorFunction::new(mixed::D, AutoForward, &all).unwrap();
    let factor = Residual::new(residuals, [chart, Chart::Euclidean(2)], 2);
    let freedoms = chart.freedoms() + 2;
    assert_eq!((factor.residual_dim(), factor.jacobian_shape()), (2, (2, freedoms)));
    let (mut found, mut jacobian) = (vec![0.0; 2], Mat::zeros(2, freedoms));
    factor.linearize(&[numbers, &other], &mut found, Some(jacobian.as_mut()));
    assert_eq!(found, value(&all));
    factor.linearize(&[numbers, &other], &mut found, None);
    assert_eq!(found, value(&all));

    let h = 1e-6;
    for freedom in 0..chart.freedoms() {
        let stepped = |h: f64| {
            let mut variable = Variable::new(M::from_param_slice(numbers));
            let mut step = vec![0.0; chart.freedoms()];
            step[freedom] = h;
            variable.apply_tangent_step(&step);
            value(&[variable.as_param_slice(), &other].concat())
        };
        let (after, before) = (stepped(h), stepped(-h));
        for row in 0..2 {
            let difference = (after[row] - before[row]) / (2.0 * h);
            assert!((jacobian[(row, freedom)] - difference).abs() < 1e-8, "{chart:?} {row} {freedom}");
        }
    }
    // the plain vector after it
    assert_eq!(jacobian[(0, freedoms - 1)], 2.0 * all.len() as f64 * other[1]);
    let variables: [&dyn ManifoldVariable; 2] =
        [&Variable::new(M::from_param_slice(numbers)), &Variable::new(Rn::from_param_slice(&other))];
    assert!(factor.validate_variables(&variables).is_ok() && factor.validate_variables(&variables[..1]).is_err());
}

#[test]
fn jacobians_are_those_of_steps() {
    let q = [0.8, -0.36, 0.48, 0.0];
    beside_differences::<Rn>(Chart::Euclidean(3), &[0.5, 1.5, -2.0]);
    beside_differences::<SO2>(Chart::So2, &[0.7]);
    beside_differences::<SE2>(Chart::Se2, &[1.5, -2.0, 0.7]);
    beside_differences::<SO3>(Chart::So3, &q);
    beside_differences::<SE3>(Chart::Se3, &[&[1.5, -2.0, 0.5][..], &q].concat());
}
