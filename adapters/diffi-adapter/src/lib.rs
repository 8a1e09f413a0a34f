//! What the adapters of diffi to solvers share.
//!
//! A solver sees a function of a slice. [`Objective`] is one whose value is a number, [`Residuals`] one whose value is a `Vec`. Both are made of a
//! handle, a backend, a first point and, if the function takes any, data:
//!
//! ```
//! use diffi::prelude::*;
//! use diffi_adapter::{Objective, with_data};
//!
//! #[differentiable(constant(data))]
//! fn misfit(x: &[f64], data: &Vec<f64>) -> f64 {
//!     data.iter().zip(x).map(|(d, x)| (d - x).powi(2)).sum()
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let mut objective = with_data::Minimised::new(misfit::D, AutoReverse, &[0.0, 0.0], vec![1.0, 2.0])?;
//! let mut gradient = [0.0; 2];
//! assert_eq!(objective.value_and_gradient(&[1.0, 3.0], &mut gradient)?, 1.0);
//! assert_eq!(gradient, [0.0, 2.0]);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

use diffi::Result;
use ndarray::Array2;

/// A function of a slice whose value is a number, with what is prepared for its derivatives.
pub trait Objective {
    /// How many arguments there are.
    fn dimension(&self) -> usize;
    /// The value.
    fn value(&mut self, x: &[f64]) -> f64;
    /// The value and, in `gradient`, the gradient.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64>;
}

/// An objective with second derivatives.
pub trait Curved: Objective {
    /// The Hessian.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn hessian(&mut self, x: &[f64]) -> Result<Array2<f64>>;
    /// The Hessian times a direction.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn hvp(&mut self, x: &[f64], direction: &[f64]) -> Result<Vec<f64>>;
}

/// A function of a slice whose value is a `Vec`, with what is prepared for its derivatives.
pub trait Residuals {
    /// The value.
    fn value(&mut self, x: &[f64]) -> Vec<f64>;
    /// The value and the Jacobian.
    ///
    /// # Errors
    ///
    /// Those of diffi's operators.
    fn value_and_jacobian(&mut self, x: &[f64]) -> Result<(Vec<f64>, Array2<f64>)>;
}

/// Functions of a slice alone.
pub mod plain {
    use super::{Curved, Objective, Residuals};
    use diffi::prelude::*;
    use diffi::types::{Input, Ref};
    use diffi::{DenseHessianBackend, DenseJacobianBackend, GradientBackend, HvpBackend, Result};
    use diffi_runtime::signature::function::Func;
    use ndarray::Array2;

    type Parameters = (Ref<[f64]>,);
    type Roles = (Input,);

    /// A function to be minimised.
    pub struct Minimised<F: Func<Parameters>, B: GradientBackend<F, Parameters, Roles>> {
        function: F,
        backend: B,
        dimension: usize,
        gradient: GradientPrep<F, B, Parameters, Roles>,
    }

    impl<F, B> Minimised<F, B>
    where
        F: Func<Parameters, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters, Roles>,
    {
        /// Prepares for points of this dimension.
        ///
        /// # Errors
        ///
        /// Those of the first call.
        pub fn new(function: F, backend: B, x: &[f64]) -> Result<Self> {
            let gradient = prepare_gradient(function.clone(), backend.clone(), x)?;
            Ok(Minimised { function, backend, dimension: x.len(), gradient })
        }
    }

    impl<F, B> Objective for Minimised<F, B>
    where
        F: Func<Parameters, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters, Roles>,
    {
        fn dimension(&self) -> usize {
            self.dimension
        }
        fn value(&mut self, x: &[f64]) -> f64 {
            self.function.call((x,))
        }
        fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64> {
            self.gradient.value_and_gradient_into(gradient, x)
        }
    }

    impl<F, B> Curved for Minimised<F, B>
    where
        F: Func<Parameters, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters, Roles>
            + DenseHessianBackend<F, Parameters, Roles>
            + HvpBackend<F, Parameters, Roles>,
    {
        fn hessian(&mut self, x: &[f64]) -> Result<Array2<f64>> {
            hessian(self.function.clone(), self.backend.clone(), x)
        }
        fn hvp(&mut self, x: &[f64], direction: &[f64]) -> Result<Vec<f64>> {
            hvp(self.function.clone(), self.backend.clone(), x, direction)
        }
    }

    /// A function whose values are to be small.
    pub struct Fitted<F: Func<Parameters>, B: DenseJacobianBackend<F, Parameters, Roles>> {
        function: F,
        jacobian: JacobianPrep<F, B, Parameters, Roles>,
    }

    impl<F, B> Fitted<F, B>
    where
        F: Func<Parameters, Ret = Vec<f64>> + Clone,
        B: DenseJacobianBackend<F, Parameters, Roles>,
    {
        /// Prepares for points of this dimension.
        ///
        /// # Errors
        ///
        /// Those of the first call.
        pub fn new(function: F, backend: B, x: &[f64]) -> Result<Self> {
            let jacobian = prepare_jacobian(function.clone(), backend, x)?;
            Ok(Fitted { function, jacobian })
        }
    }

    impl<F, B> Residuals for Fitted<F, B>
    where
        F: Func<Parameters, Ret = Vec<f64>> + Clone,
        B: DenseJacobianBackend<F, Parameters, Roles>,
    {
        fn value(&mut self, x: &[f64]) -> Vec<f64> {
            self.function.call((x,))
        }
        fn value_and_jacobian(&mut self, x: &[f64]) -> Result<(Vec<f64>, Array2<f64>)> {
            self.jacobian.value_and_jacobian(x)
        }
    }
}

/// Functions of a slice and of data behind a reference, which carry no derivative.
pub mod with_data {
    use super::{Curved, Objective, Residuals};
    use diffi::prelude::*;
    use diffi::types::{Input, PassRef, Passed, Ref};
    use diffi::{DenseHessianBackend, DenseJacobianBackend, GradientBackend, HvpBackend, Result};
    use diffi_runtime::signature::function::Func;
    use ndarray::Array2;

    type Parameters<T> = (Ref<[f64]>, PassRef<T>);
    type Roles = (Input, Passed);

    /// A function to be minimised.
    pub struct Minimised<F: Func<Parameters<T>>, B: GradientBackend<F, Parameters<T>, Roles>, T: 'static> {
        function: F,
        backend: B,
        dimension: usize,
        gradient: GradientPrep<F, B, Parameters<T>, Roles>,
        data: T,
    }

    impl<F, B, T: 'static> Minimised<F, B, T>
    where
        F: Func<Parameters<T>, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters<T>, Roles>,
    {
        /// Prepares for points of this dimension.
        ///
        /// # Errors
        ///
        /// Those of the first call.
        pub fn new(function: F, backend: B, x: &[f64], data: T) -> Result<Self> {
            let gradient = prepare_gradient(function.clone(), backend.clone(), (x, Constant(&data)))?;
            Ok(Minimised { function, backend, dimension: x.len(), gradient, data })
        }
    }

    impl<F, B, T: 'static> Objective for Minimised<F, B, T>
    where
        F: Func<Parameters<T>, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters<T>, Roles>,
    {
        fn dimension(&self) -> usize {
            self.dimension
        }
        fn value(&mut self, x: &[f64]) -> f64 {
            self.function.call((x, &self.data))
        }
        fn value_and_gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64> {
            self.gradient.value_and_gradient_into(gradient, (x, Constant(&self.data)))
        }
    }

    impl<F, B, T: 'static> Curved for Minimised<F, B, T>
    where
        F: Func<Parameters<T>, Ret = f64> + Clone,
        B: GradientBackend<F, Parameters<T>, Roles>
            + DenseHessianBackend<F, Parameters<T>, Roles>
            + HvpBackend<F, Parameters<T>, Roles>,
    {
        fn hessian(&mut self, x: &[f64]) -> Result<Array2<f64>> {
            hessian(self.function.clone(), self.backend.clone(), (x, Constant(&self.data)))
        }
        fn hvp(&mut self, x: &[f64], direction: &[f64]) -> Result<Vec<f64>> {
            hvp(self.function.clone(), self.backend.clone(), (x, Constant(&self.data)), direction)
        }
    }

    /// A function whose values are to be small.
    pub struct Fitted<F: Func<Parameters<T>>, B: DenseJacobianBackend<F, Parameters<T>, Roles>, T: 'static> {
        function: F,
        jacobian: JacobianPrep<F, B, Parameters<T>, Roles>,
        data: T,
    }

    impl<F, B, T: 'static> Fitted<F, B, T>
    where
        F: Func<Parameters<T>, Ret = Vec<f64>> + Clone,
        B: DenseJacobianBackend<F, Parameters<T>, Roles>,
    {
        /// Prepares for points of this dimension.
        ///
        /// # Errors
        ///
        /// Those of the first call.
        pub fn new(function: F, backend: B, x: &[f64], data: T) -> Result<Self> {
            let jacobian = prepare_jacobian(function.clone(), backend, (x, Constant(&data)))?;
            Ok(Fitted { function, jacobian, data })
        }
    }

    impl<F, B, T: 'static> Residuals for Fitted<F, B, T>
    where
        F: Func<Parameters<T>, Ret = Vec<f64>> + Clone,
        B: DenseJacobianBackend<F, Parameters<T>, Roles>,
    {
        fn value(&mut self, x: &[f64]) -> Vec<f64> {
            self.function.call((x, &self.data))
        }
        fn value_and_jacobian(&mut self, x: &[f64]) -> Result<(Vec<f64>, Array2<f64>)> {
            self.jacobian.value_and_jacobian((x, Constant(&self.data)))
        }
    }
}
