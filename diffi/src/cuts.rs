//! Cuts: values that derivatives do not pass.

/// Gives its argument back, and stands for a constant in derivatives.
///
/// The value stays what it is; tangents and cotangents through it are zero, in derivatives of every order, in all backends that
/// differentiate annotated functions, and in sparsity patterns. (Other names for it are `detach` and `stop_gradient` in packages for
/// neural networks.) The argument is a number, an array, a `Vec` or a struct: an owned value that is `Clone`. Of a slice it is `x.to_vec()`.
///
/// ```
/// use diffi::prelude::*;
///
/// #[differentiable]
/// fn loss(x: &[f64]) -> f64 {
///     let target = stop_gradient(x[0] * x[1]);
///     (x[1] - target).powi(2)
/// }
///
/// let g = gradient(loss::D, AutoReverse, &[3.0, 2.0])?;
/// assert_eq!(g, [0.0, 2.0 * (2.0 - 6.0)]);
/// # Ok::<(), diffi::Error>(())
/// ```
///
/// [`constant!`](crate::constant) is the same as a macro. Backends that only evaluate the function, such as finite differences, see no cut.
#[inline]
pub fn stop_gradient<T>(x: T) -> T {
    x
}

/// What generated code has in place of [`stop_gradient`]: the argument stays where it is.
#[doc(hidden)]
#[inline]
pub fn constant_of<T: Clone>(x: &T) -> T {
    x.clone()
}

/// An expression as a constant: [`stop_gradient`](crate::stop_gradient) of it.
///
/// ```
/// use diffi::prelude::*;
///
/// #[differentiable]
/// fn scaled(x: f64) -> f64 {
///     x / constant!(x.abs().max(1e-3))
/// }
///
/// assert_eq!(derivative(scaled::D, AutoForward, 4.0)?, 0.25);
/// # Ok::<(), diffi::Error>(())
/// ```
#[macro_export]
macro_rules! constant {
    ($value:expr $(,)?) => {
        $crate::stop_gradient($value)
    };
}
