//! Scenarios: what a backend of diffi has to find, to be tested and timed.
//!
//! The counterpart of DifferentiationInterfaceTest.jl. A [`Scenario`] is one row: a function, an operator, a point, contexts, seeds,
//! and what is expected. [`test_differentiation`] and [`benchmark_differentiation`] run rows on backends. What is tested: the value and
//! the result of every variant, with and without preparation, at another point and for other sizes; memory that is overwritten and
//! inputs that stay as they are; calls that are repeated; allocations and calls of the function, where they are counted.
//!
//! Enters: rows and backends. Leaves: a report of tests, or a table of measurements.
//!
//! ```
//! use diffi::prelude::*;
//! use diffi_test::*;
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
#![forbid(unsafe_code)]

mod benchmark;
mod cross;
mod in_context;
mod lend;
pub mod operator;
mod plot;
mod table;
mod test;

pub use benchmark::{Benchmark, Measurement, Measurements, Variant, benchmark_differentiation};
pub use cross::{EachBackend, EachScenario, Runs, Visit};
pub use lend::{Lend, Lent};
pub use plot::plot;
pub use table::{Entry, Outcome, Report};
pub use test::{Checks, test_differentiation};

use diffi_runtime::number::batch::Float;
use diffi_runtime::number::width::{Many, One};
use diffi_runtime::operators::strategy::Outputs;
use diffi_runtime::signature::arg_roles::ArgRoles;
use diffi_runtime::signature::arguments::Args;
use diffi_runtime::signature::function::{Function, ReturnValue};
use diffi_runtime::signature::param_kinds::Signature;
use diffi_runtime::signature::seeds::Seeds;
use operator::*;
use std::marker::PhantomData;

/// What the macro of this crate expands to.
#[doc(hidden)]
pub mod __private {
    pub use diffi::differentiable;
}

/// A function, an operator, a point, contexts, seeds, and what is to be found.
///
/// Results are given as rows of numbers: flattened row-major, those of several arguments side by side, those of several seeds
/// one after the other. What is not given is not compared.
pub struct Scenario<Op, F, G: Signature, R, X, D = ()> {
    name: String,
    function: F,
    point: X,
    elsewhere: Option<X>,
    smaller: Option<X>,
    seeds: D,
    expected: Expected,
    calls: Option<fn() -> usize>,
    marker: Types<Op, G, R>,
}

impl<Op, F: Clone, G: Signature, R, X: Clone, D: Clone> Clone for Scenario<Op, F, G, R, X, D> {
    fn clone(&self) -> Self {
        Scenario {
            name: self.name.clone(),
            function: self.function.clone(),
            point: self.point.clone(),
            elsewhere: self.elsewhere.clone(),
            smaller: self.smaller.clone(),
            seeds: self.seeds.clone(),
            expected: self.expected.clone(),
            calls: self.calls,
            marker: PhantomData,
        }
    }
}

/// Types that belong to a scenario, though it holds no value of them.
type Types<Op, G, R> = PhantomData<fn() -> (Op, G, R)>;

/// What is to be found.
#[derive(Clone, Debug, Default)]
struct Expected {
    value: Option<Vec<f64>>,
    first: Option<Vec<f64>>,
    result: Option<Vec<f64>>,
}

impl<Op, F, G: Signature, R, X, D> Scenario<Op, F, G, R, X, D> {
    fn new(function: F, point: X, seeds: D) -> Self {
        let path = std::any::type_name::<F>();
        let name = path.rsplit("::").next().unwrap_or(path).to_owned();
        let (elsewhere, smaller, expected) = (None, None, Expected::default());
        Scenario { name, function, point, elsewhere, smaller, seeds, expected, calls: None, marker: PhantomData }
    }

    /// The name: the function's, unless another was given.
    pub fn title(&self) -> &str {
        &self.name
    }

    /// Under another name than the function's.
    pub fn named(self, name: impl Into<String>) -> Self {
        Scenario { name: name.into(), ..self }
    }

    /// The value: what the function returns, then what it writes.
    pub fn value(mut self, value: impl Into<Vec<f64>>) -> Self {
        self.expected.value = Some(value.into());
        self
    }

    /// The derivative or gradient, where the operator is of second order.
    pub fn first(mut self, first: impl Into<Vec<f64>>) -> Self {
        self.expected.first = Some(first.into());
        self
    }

    /// The result of the operator.
    pub fn result(mut self, result: impl Into<Vec<f64>>) -> Self {
        self.expected.result = Some(result.into());
        self
    }

    /// Prepares at another point, of the same sizes and with other constants.
    pub fn prepared_at(self, elsewhere: X) -> Self {
        Scenario { elsewhere: Some(elsewhere), ..self }
    }

    /// Prepares for other sizes too, and resizes.
    pub fn resized_from(self, smaller: X) -> Self {
        Scenario { smaller: Some(smaller), ..self }
    }

    /// How often the function was called so far.
    pub fn counted_by(self, calls: fn() -> usize) -> Self {
        Scenario { calls: Some(calls), ..self }
    }

    /// The same for a function that has `contexts` besides and whose outputs are those of the old one times `factor`: what
    /// DifferentiationInterfaceTest.jl calls to *constantify* (with a `Constant`) and to *cachify* (with a `Cache`).
    pub fn in_context<F2: Function<G2>, G2: Signature, R2: ArgRoles<G2>, X2: Args<G2, R2>>(
        self,
        function: F2,
        point: X2,
        factor: f64,
    ) -> Scenario<Op, F2, G2, R2, X2, D> {
        let scale = |row: Option<Vec<f64>>| row.map(|row| row.iter().map(|v| factor * v).collect());
        let Expected { value, first, result } = self.expected;
        let expected = Expected { value: scale(value), first: scale(first), result: scale(result) };
        Scenario {
            name: format!("{} in context", self.name),
            expected,
            calls: self.calls,
            ..Scenario::new(function, point, self.seeds)
        }
    }

    /// The same for a closure around the function, for backends that do no more than call it.
    pub fn closurify(self) -> Scenario<Op, Closed<F>, G, R, X, D> {
        Scenario {
            name: format!("{} in a closure", self.name),
            elsewhere: self.elsewhere,
            smaller: self.smaller,
            expected: self.expected,
            calls: self.calls,
            ..Scenario::new(Closed(self.function), self.point, self.seeds)
        }
    }
}

/// A function that a closure calls: its derivative code cannot be seen.
#[derive(Clone, Copy, Debug)]
pub struct Closed<F>(F);

impl<G: Signature, F: Function<G>> Function<G> for Closed<F> {
    type ReturnValue = F::ReturnValue;
    #[inline]
    fn call(&self, at: G::At<'_>) -> F::ReturnValue {
        self.0.call(at)
    }
}

/// One line per operator without seeds.
macro_rules! plain {
    ($($Op:ident $op:ident;)+) => { $(
        impl<F: Function<G>, G: Signature, R: ArgRoles<G>, X: Args<G, R>> Scenario<$Op, F, G, R, X> {
            #[doc = concat!("The operator `", stringify!($op), "` at a point.")]
            pub fn $op(function: F, point: X) -> Self {
                Scenario::new(function, point, ())
            }
        }
    )+ };
}
plain! {
    Derivative derivative;
    Gradient gradient;
    Jacobian jacobian;
    SecondDerivative second_derivative;
    Hessian hessian;
}

/// One line per operator with seeds, and what these look like.
macro_rules! seeded {
    ($($Op:ident $op:ident $L:ty;)+) => { $(
        impl<F: Function<G>, G: Signature, R: ArgRoles<G>, X: Args<G, R>, D: Seeds<$L, One> + Copy> Scenario<$Op, F, G, R, X, D> {
            #[doc = concat!("The operator `", stringify!($op), "` at a point, with a seed.")]
            pub fn $op(function: F, point: X, seed: D) -> Self {
                Scenario::new(function, point, seed)
            }

            /// The same with a second seed and its result, both at once.
            pub fn batchify(mut self, seed: D, result: impl Into<Vec<f64>>) -> Scenario<$Op<Many<2>>, F, G, R, X, [D; 2]> {
                if let Some(first) = &mut self.expected.result {
                    first.extend(result.into());
                }
                Scenario {
                    name: format!("{} batched", self.name),
                    elsewhere: self.elsewhere,
                    smaller: self.smaller,
                    expected: self.expected,
                    calls: self.calls,
                    ..Scenario::new(self.function, self.point, [self.seeds, seed])
                }
            }
        }
    )+ };
}
seeded! {
    Pushforward pushforward R::In;
    Pullback pullback Outputs<F, G, R>;
    Hvp hvp R::In;
}

/// How calls find the point: what is only written is full of NaNs, what is read and written is as at first.
struct Start<G: Signature>(G::Owns);

impl<G: Signature> Start<G> {
    fn of<R: ArgRoles<G>>(at: &G::At<'_>) -> Self {
        let mut owns = G::Owns::default();
        R::save_outputs(at, &mut owns);
        if !R::IN_OUT {
            R::each_output(&mut owns, &mut |v| *v = number(f64::NAN));
        }
        Start(owns)
    }

    fn put<R: ArgRoles<G>>(&mut self, mut at: G::At<'_>) {
        R::restore_outputs(&mut at, &mut self.0);
    }
}

/// A number in the function's precision.
fn number<F: Float>(v: f64) -> F {
    <F as diffi_runtime::number::float::Base>::lit(v)
}

/// The numbers of a value: what was returned, then what was written.
fn value<F: Function<G>, G: Signature, R: ArgRoles<G>>(y: &F::ReturnValue, at: &G::At<'_>) -> Vec<f64> {
    let mut row = Vec::new();
    y.each(&mut |v| row.push(diffi_runtime::number::float::Base::as_f64(v)));
    let mut owns = G::Owns::default();
    R::save_outputs(at, &mut owns);
    R::each_output(&mut owns, &mut |v| row.push(diffi_runtime::number::float::Base::as_f64(*v)));
    row
}

/// How many numbers the inputs have.
fn size<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> usize {
    let mut n = 0;
    R::input_sizes(at, &mut |size| n += size);
    n
}

/// The numbers of the inputs.
fn inputs<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> Vec<f64> {
    let (mut owns, mut row) = (G::Owns::default(), Vec::with_capacity(size::<G, R>(at)));
    R::save(at, &mut owns);
    R::each_input(&mut owns, &mut |v| row.push(diffi_runtime::number::float::Base::as_f64(*v)));
    row
}
