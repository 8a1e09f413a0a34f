//! `AutoComplexStep`: differences along the imaginary axis.

use crate::backend::chunked_forward::{ChunkSize, Chunked};
use crate::backend::external::{External, Foreign, ForeignDual, all_zero};
use crate::number::scalar::Complex;

/// Complex-step differences: the function is evaluated a tiny step off the real axis, and the imaginary part of the answer is the
/// derivative times the step. Nothing is subtracted, and so nothing is lost: derivatives are as exact as values.
///
/// [Squire and Trapp, "Using complex variables to estimate derivatives of real functions", 1998.]
///
/// One call for each direction. The function has to be analytic where it is evaluated; at kinks (`abs`, `max`, branches) the real part
/// decides. Works with functions that have a body over any number type, as [`AutoDual`](struct@crate::backend::AutoDual).
///
/// ```
/// # use diffi_runtime as diffi;
/// use diffi::backend::AutoComplexStep;
/// use diffi::operators::derivative::derivative;
/// use diffi::overload::ScalarFn;
/// use diffi::number::real::Real;
///
/// struct Wave;
///
/// impl ScalarFn for Wave {
///     type Input = f64;
///     type Output = f64;
///     fn call<S: Real<Base = f64>>(&self, x: &S) -> S {
///         x.exp() / (x.sin().powi(3) + x.cos().powi(3)).sqrt()
///     }
/// }
///
/// // the example of the paper
/// let d = derivative(Wave, AutoComplexStep, 1.5)?;
/// assert!((d - 4.05342789389862).abs() < 1e-13);
/// # Ok::<(), diffi::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoComplexStep;

/// The step: so small that its square is nothing beside 1.
const STEP: f64 = 1e-100;

impl Chunked<f64> for AutoComplexStep {
    type One = External<Complex>;
    type Four = External<Complex>;
    type Eight = External<Complex>;
    type Twelve = External<Complex>;
    type Many = External<Complex>;
}

impl AutoComplexStep {
    pub(crate) const fn chunk() -> ChunkSize {
        ChunkSize::fixed(1)
    }
}

macro_rules! functions {
    ([$($name:ident)+]) => {
        impl Foreign for Complex {
            #[inline]
            fn constant(v: f64) -> Self {
                Complex::new(v, 0.0)
            }
            #[inline]
            fn re(&self) -> f64 {
                self.re
            }
            #[inline]
            fn is_zero(&self) -> bool {
                all_zero(self)
            }
            $(
                #[inline]
                fn $name(self) -> Self {
                    Complex::$name(self)
                }
            )+
            #[inline]
            fn powi(self, n: i32) -> Self {
                Complex::powi(self, n)
            }
            #[inline]
            fn powf(self, p: Self) -> Self {
                Complex::powf(self, p)
            }
            #[inline]
            fn atan2(self, b: Self) -> Self {
                Complex::atan2(self, b)
            }
        }
    };
}
crate::backend::external::unary!(functions);

impl ForeignDual for Complex {
    const DIRECTIONS: usize = 1;
    #[inline]
    fn part(&self, _: usize) -> f64 {
        self.im / STEP
    }
    #[inline]
    fn set_part(&mut self, _: usize, v: f64) {
        self.im = v * STEP;
    }
}
