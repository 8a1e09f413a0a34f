//! Derivatives by diffi for the solvers of `basin`, of parameters that are a `Vec<f64>`.
//!
#![doc = include_str!("../example.md")]
#![forbid(unsafe_code)]

use basin::{
    ConstraintDescription, Constraints, CostFunction, DenseMatrix, Gradient, Hessian, HessianProduct, Jacobian,
    MiniBatchGradient, Residual,
};
use diffi::Error;
use diffi_adapter::{Objective, Residuals, SampleMean, SecondOrderObjective};
use ndarray::Array2;
use std::cell::RefCell;

/// An objective as basin's problem: cost and gradient in one call, Hessian, products of the Hessian with directions.
pub struct Problem<O, C = ()> {
    objective: RefCell<O>,
    constraints: C,
}

impl<O: Objective> Problem<O> {
    /// Of an objective.
    pub fn new(objective: O) -> Self {
        Problem { objective: RefCell::new(objective), constraints: () }
    }

    /// The same within bounds, or under other constraints: a [`ConstraintSet`](basin::ConstraintSet).
    #[must_use]
    pub fn constrained<C: ConstraintDescription>(self, constraints: C) -> Problem<O, C> {
        Problem { objective: self.objective, constraints }
    }
}

impl<O, C: ConstraintDescription> Constraints for Problem<O, C> {
    type Set = C;

    fn constraints(&self) -> C::Borrowed<'_> {
        self.constraints.borrowed()
    }
}

impl<O: Objective, C> CostFunction for Problem<O, C> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = Error;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.objective.borrow_mut().value(x))
    }
}

impl<O: Objective, C> Gradient for Problem<O, C> {
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.cost_and_gradient(x)?.1)
    }

    fn gradient_into(&self, x: &Vec<f64>, gradient: &mut Vec<f64>) -> Result<(), Error> {
        self.cost_and_gradient_into(x, gradient).map(|_| ())
    }

    fn cost_and_gradient(&self, x: &Vec<f64>) -> Result<(f64, Vec<f64>), Error> {
        let mut gradient = vec![0.0; x.len()];
        let cost = self.objective.borrow_mut().value_and_gradient(x, &mut gradient)?;
        Ok((cost, gradient))
    }

    #[inline]
    fn cost_and_gradient_into(&self, x: &Vec<f64>, gradient: &mut Vec<f64>) -> Result<f64, Error> {
        gradient.resize(x.len(), 0.0);
        self.objective.borrow_mut().value_and_gradient(x, gradient)
    }
}

impl<O: SecondOrderObjective, C> Hessian for Problem<O, C> {
    type Hessian = DenseMatrix<f64>;

    fn hessian(&self, x: &Vec<f64>) -> Result<DenseMatrix<f64>, Error> {
        let mut hessian = Array2::zeros((x.len(), x.len()));
        self.objective.borrow_mut().hessian(x, &mut hessian)?;
        Ok(dense(&hessian))
    }
}

impl<O: SecondOrderObjective, C> HessianProduct for Problem<O, C> {
    fn hessian_product(&self, x: &Vec<f64>, direction: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut product = vec![0.0; x.len()];
        self.objective.borrow_mut().hvp(x, direction, &mut product)?;
        Ok(product)
    }

    fn hessian_product_into(&self, x: &Vec<f64>, direction: &Vec<f64>, product: &mut Vec<f64>) -> Result<(), Error> {
        product.resize(x.len(), 0.0);
        self.objective.borrow_mut().hvp(x, direction, product)
    }
}

/// Residuals with their Jacobian, for basin's least squares.
pub struct LeastSquares<R> {
    residuals: RefCell<R>,
}

impl<R: Residuals> LeastSquares<R> {
    /// Of residuals.
    pub fn new(residuals: R) -> Self {
        LeastSquares { residuals: RefCell::new(residuals) }
    }
}

impl<R: Residuals> Residual for LeastSquares<R> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Error = Error;

    fn residual(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.residuals.borrow_mut().value(x))
    }
}

impl<R: Residuals> Jacobian for LeastSquares<R> {
    type Jacobian = DenseMatrix<f64>;

    fn jacobian(&self, x: &Vec<f64>) -> Result<DenseMatrix<f64>, Error> {
        Ok(self.residual_and_jacobian(x)?.1)
    }

    fn residual_and_jacobian(&self, x: &Vec<f64>) -> Result<(Vec<f64>, DenseMatrix<f64>), Error> {
        let (residuals, jacobian) = self.residuals.borrow_mut().value_and_jacobian(x)?;
        Ok((residuals, dense(&jacobian)))
    }
}

/// The mean over samples as basin's problem, for solvers that look at a few samples in a step.
pub struct Samples<S> {
    mean: RefCell<S>,
}

impl<S: SampleMean> Samples<S> {
    /// Of a mean over samples.
    pub fn new(mean: S) -> Self {
        Samples { mean: RefCell::new(mean) }
    }
}

impl<S: SampleMean> CostFunction for Samples<S> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = Error;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        let all = 0..self.n_samples();
        Ok(self.mean.borrow_mut().value(x, all))
    }
}

impl<S: SampleMean> Gradient for Samples<S> {
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let (all, mut gradient) = (0..self.n_samples(), vec![0.0; x.len()]);
        self.mean.borrow_mut().gradient(x, all, &mut gradient)?;
        Ok(gradient)
    }
}

impl<S: SampleMean> MiniBatchGradient for Samples<S> {
    type Gradient = Vec<f64>;

    fn n_samples(&self) -> usize {
        self.mean.borrow().samples()
    }

    fn batch_gradient(&self, x: &Vec<f64>, batch: &[usize]) -> Result<Vec<f64>, Error> {
        let mut gradient = Vec::new();
        self.batch_gradient_into(x, batch, &mut gradient)?;
        Ok(gradient)
    }

    fn batch_gradient_into(&self, x: &Vec<f64>, batch: &[usize], gradient: &mut Vec<f64>) -> Result<(), Error> {
        gradient.resize(x.len(), 0.0);
        self.mean.borrow_mut().gradient(x, batch.iter().copied(), gradient)
    }
}

fn dense(matrix: &Array2<f64>) -> DenseMatrix<f64> {
    DenseMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| matrix[[row, column]])
}
