//! Scenarios: what a backend has to find, to be tested and timed.
//!
//! The counterpart of DifferentiationInterfaceTest.jl. A [`Scenario`] is one row: a function, an operator, a point, contexts, seeds,
//! and what is expected. What is tested: the value and the result of every variant, with and without preparation, at another point
//! and for other sizes; memory that is overwritten and inputs that stay as they are; calls that are repeated; allocations and calls
//! of the function, where they are counted.
//!
//! ```
//! use diffi::prelude::*;
//! use diffi::scenario::*;
//!
//! #[differentiable]
//! fn squares(x: &[f64]) -> f64 {
//!     x.iter().map(|v| v * v).sum()
//! }
//!
//! let x = [1.0, 2.0, 3.0];
//! let rows = (
//!     Scenario::gradient(squares::D, &x[..]).value([14.0]).result([2.0, 4.0, 6.0]).resized_from(&x[..2]),
//!     Scenario::pushforward(squares::D, &x, &x).result([28.0]).batchify(&[1.0, 0.0, 0.0], [2.0]),
//! );
//! test_differentiation((AutoForward, AutoReverse, AutoFiniteDiff), rows, Checks::default()).assert_passed();
//!
//! let rows = Scenario::gradient(squares::D, &x);
//! let table = benchmark_differentiation((AutoForward, AutoReverse), rows, Benchmark::default().seconds(1e-3));
//! println!("{table}");
//! assert_eq!(table.to_csv().lines().count(), 1 + 2 * 9);
//! ```

pub use crate::__in_context as in_context;
pub use diffi_runtime::scenario::*;

/// Makes functions with contexts of one without, for [`Scenario::in_context`]: in a module of the name that is given,
/// `constantified`, which multiplies the result by its second argument, and `cachified`, which puts it into its second argument first.
///
/// ```
/// use diffi::prelude::*;
/// use diffi::scenario::*;
///
/// #[differentiable]
/// fn squares(x: &[f64]) -> f64 {
///     x.iter().map(|v| v * v).sum()
/// }
///
/// in_context!(mod squares_in_context: squares(&[f64]) -> f64);
///
/// # fn main() {
/// let (x, mut buffer) = ([1.0, 2.0], [f64::NAN]);
/// let plain = || Scenario::gradient(squares::D, &x).value([5.0]).result([2.0, 4.0]);
/// let rows = (
///     plain().in_context(squares_in_context::constantified::D, (&x, Constant(3.0)), 3.0),
///     plain().in_context(squares_in_context::cachified::D, (&x, Cache(&mut buffer)), 1.0),
/// );
/// test_differentiation((AutoForward, AutoReverse), rows, Checks::default()).assert_passed();
/// test_differentiation((AutoFiniteDiff,), plain().closurify(), Checks::default()).assert_passed();
/// # }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __in_context {
    (@body $name:ident $f:ident ($X:ty) -> $Y:ty, |$y:ident, $a:ident| $times:expr, |$z:ident, $buffer:ident| $kept:expr) => {
        #[allow(dead_code, reason = "one context may be enough")]
        mod $name {
            use super::*;

            #[$crate::differentiable]
            pub fn constantified(x: $X, $a: f64) -> $Y {
                let $y: $Y = $f(x);
                $times
            }

            #[$crate::differentiable(cache($buffer))]
            pub fn cachified(x: $X, $buffer: &mut [f64]) -> $Y {
                let $z: $Y = $f(x);
                $kept
            }
        }
    };
    (mod $name:ident: $f:ident($X:ty) -> f64) => {
        $crate::__in_context!(@body $name $f ($X) -> f64, |y, a| a * y, |y, buffer| {
            buffer[0] = y;
            buffer[0]
        });
    };
    (mod $name:ident: $f:ident($X:ty) -> Vec<f64>) => {
        $crate::__in_context!(@body $name $f ($X) -> Vec<f64>, |y, a| y.iter().map(|v| a * v).collect(), |y, buffer| {
            for i in 0..y.len() {
                buffer[i] = y[i];
            }
            buffer.to_vec()
        });
    };
}
