//! Functions with contexts, made of functions without.

/// Makes functions with contexts of one without, for [`Scenario::in_context`](crate::Scenario::in_context): in a module of the name that is given,
/// `constantified`, which multiplies the result by its second argument, and `cachified`, which puts it into its second argument first.
///
/// ```
/// use diffi::prelude::*;
/// use diffi_test::*;
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
#[macro_export]
macro_rules! in_context {
    (@body $name:ident $f:ident ($X:ty) -> $Y:ty, |$y:ident, $a:ident| $times:expr, |$z:ident, $buffer:ident| $kept:expr) => {
        #[allow(dead_code, reason = "one context may be enough")]
        mod $name {
            use super::*;

            #[$crate::__private::differentiable]
            pub fn constantified(x: $X, $a: f64) -> $Y {
                let $y: $Y = $f(x);
                $times
            }

            #[$crate::__private::differentiable(cache($buffer))]
            pub fn cachified(x: $X, $buffer: &mut [f64]) -> $Y {
                let $z: $Y = $f(x);
                $kept
            }
        }
    };
    (mod $name:ident: $f:ident($X:ty) -> f64) => {
        $crate::in_context!(@body $name $f ($X) -> f64, |y, a| a * y, |y, buffer| {
            buffer[0] = y;
            buffer[0]
        });
    };
    (mod $name:ident: $f:ident($X:ty) -> Vec<f64>) => {
        $crate::in_context!(@body $name $f ($X) -> Vec<f64>, |y, a| y.iter().map(|v| a * v).collect(), |y, buffer| {
            for i in 0..y.len() {
                buffer[i] = y[i];
            }
            buffer.to_vec()
        });
    };
}
