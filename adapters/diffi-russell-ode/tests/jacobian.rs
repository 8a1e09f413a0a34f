//! The callbacks beside closed forms: values, places, and the factor by which russell scales.

use diffi::prelude::*;
use diffi_adapter::{Point, SparseSystemFunction};
use diffi_russell_ode::Equations;
use russell_lab::Vector;
use russell_sparse::{CooMatrix, Sym};

#[differentiable(constant(pulse))]
fn chain(x: &[f64], p: &[f64], t: f64, pulse: &[f64], y: &mut [f64]) {
    y[0] = -p[0] * x[0] + pulse[0] * t;
    y[1] = p[0] * x[0] * x[1];
    y[2] = x[1] - x[2];
}

#[test]
fn callbacks_are_exact_at_each_point() {
    let first = Point { x: &[1.0, 2.0, 3.0], p: &[2.0], t: 0.0 };
    let system = SparseSystemFunction::with_data(chain::D, AutoForward, first, vec![4.0]).unwrap();
    let mut equations = Equations::new(system, [2.0]);
    let described = equations.system().unwrap();
    assert_eq!((described.get_ndim(), described.get_jac_nnz()), (3, 5));
    let mut matrix = CooMatrix::new(3, 3, 5, Sym::No).unwrap();
    for x in [[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]] {
        let (at, mut y) = (Vector::from(&x), Vector::new(3));
        Equations::value(&mut y, 0.25, &at, &mut equations).unwrap();
        assert_eq!(y.as_data()[..], [-2.0 * x[0] + 1.0, 2.0 * x[0] * x[1], x[1] - x[2]]);
        Equations::jacobian(&mut matrix, -3.0, 0.25, &at, &mut equations).unwrap();
        let dense = matrix.as_dense();
        let exact = [[-2.0, 0.0, 0.0], [2.0 * x[1], 2.0 * x[0], 0.0], [0.0, 1.0, -1.0]];
        for (row, entries) in exact.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                assert_eq!(dense.get(row, column), -3.0 * entry);
            }
        }
    }
}
