//! Automatic differentiation by source transformation.
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable]
//! fn rosenbrock(x: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..x.len() - 1 {
//!         sum += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
//!     }
//!     sum
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let g = gradient(rosenbrock::D, AutoReverse, &[1.0, 2.0])?;
//! assert_eq!(g, [-400.0, 200.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Operators
//!
//! The order of arguments is the same for all: the function's handle, the backend, the buffer for the result if there is one, the function's
//! arguments, and the tangent or cotangent (the *seed*) if there is one. Each has an example in its documentation.
//!
//! | operator | result | seed |
//! |---|---|---|
//! | [`pushforward`] | `J dx`, like the function's result | `dx`, like the active arguments |
//! | [`pullback`] | `Jᵀ dy`, like the active arguments | `dy`, like the function's result |
//! | [`derivative`], [`second_derivative`] | like the function's result, by one number | |
//! | [`gradient`] | like the active arguments, of a function whose result is a number | |
//! | [`jacobian`] | `ndarray::Array2`, or `sprs::CsMat` from [`AutoSparse`] | |
//! | [`hvp`] | `H v`, like the active arguments | `v`, like the active arguments |
//! | [`hessian`] | `ndarray::Array2`, or `sprs::CsMat` from [`AutoSparse`] | |
//!
//! Each has the forms `op`, `op_into`, `value_and_op` and `value_and_op_into`, and a prepared object that keeps its memory: `prepare_op`.
//! Several arguments stand in a tuple, in the function's order; those without a derivative in [`Constant`], also where the attribute declares
//! them `constant(..)`.
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable]
//! fn loss(w: &[f64], inputs: &[f64], target: f64) -> f64 {
//!     let sum: f64 = w.iter().zip(inputs).map(|(w, x)| w * x).sum();
//!     (sum - target).powi(2)
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let inputs = [3.0, 2.0];
//! let mut prepared = prepare_gradient(loss::D, AutoReverse, (&[0.0; 2], Constant(&inputs), Constant(0.0)))?;
//! let mut g = vec![0.0; 2];
//! let y = prepared.value_and_gradient_into(&mut g, (&[1.0, -1.0], Constant(&inputs), Constant(0.5)))?;
//! assert_eq!((y, g), (0.25, vec![3.0, 2.0]));
//!
//! let hv = hvp(loss::D, AutoReverse, (&[1.0, -1.0], Constant(&inputs), Constant(0.5)), &[1.0, 0.0])?;
//! assert_eq!(hv, [18.0, 12.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Structs and enums
//!
//! Structs and enums are arguments, locals and results as soon as they derive [`Differentiable`](macro@Differentiable); a gradient
//! by one of them has the same fields:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[derive(Clone, Differentiable)]
//! struct Spring {
//!     stiffness: f64,
//!     length: f64,
//!     name: String,
//! }
//!
//! #[derive(Clone, Differentiable)]
//! enum Load {
//!     Nothing,
//!     Force(f64),
//!     Wave { height: f64, speed: f64 },
//! }
//!
//! #[differentiable]
//! fn energy(springs: &[Spring], load: &Load, x: f64) -> f64 {
//!     let mut sum = match load {
//!         Load::Nothing => 0.0,
//!         Load::Force(f) => -f * x,
//!         Load::Wave { height, speed } => height * (speed * x).sin(),
//!     };
//!     for s in springs {
//!         sum += 0.5 * s.stiffness * (x - s.length).powi(2);
//!     }
//!     sum
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let mut springs = vec![Spring { stiffness: 2.0, length: 0.5, name: "left".into() }];
//! let (by_springs, by_load) = gradient(energy::D, AutoReverse, (&springs, &Load::Force(3.0), Constant(1.5)))?;
//! assert_eq!(by_springs, [SpringTangent { stiffness: 0.5, length: -2.0, name: () }]);
//! assert_eq!(by_load, LoadTangent::Force(-1.5));
//!
//! // as lists of numbers, and one step downhill
//! assert_eq!(by_springs[0].to_flat(), [0.5, -2.0]);
//! springs[0].advance(-0.1, &by_springs[0]);
//! assert_eq!(springs[0].to_flat(), [1.95, 0.7]);
//! # Ok(())
//! # }
//! ```
//!
//! # Long loops
//!
//! [`#[checkpoint]`](macro@differentiable#long-loops) on a loop keeps a few of its states in memory, and computes the others again in the reverse
//! sweep:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable]
//! fn pendulum(angle: f64, speed: f64, steps: usize) -> f64 {
//!     let (mut a, mut v) = (angle, speed);
//!     #[checkpoint]
//!     for _ in 0..steps {
//!         v -= 0.001 * a.sin();
//!         a += 0.001 * v;
//!     }
//!     a
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let mut prepared = prepare_gradient(pendulum::D, AutoReverse, (1.0, 0.0, Constant(10_000)))?;
//! let (by_angle, by_speed) = prepared.gradient((1.0, 0.0, Constant(10_000)))?;
//! # assert!(by_angle.is_finite() && by_speed.is_finite());
//! assert!(prepared.tape_bytes() < 10_000);
//! # Ok(())
//! # }
//! ```
//!
//! # Auxiliary outputs
//!
//! A function may return a pair, whose second member has no derivative and may be of any type. Operators return that member as well:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable(has_aux)]
//! fn loss(x: &[f64]) -> (f64, String) {
//!     let worst = x.iter().map(|v| v.abs()).fold(0.0, f64::max);
//!     (x.iter().map(|v| v * v).sum(), format!("at most {worst}"))
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let (g, note) = gradient(loss::D, AutoReverse, &[1.0, -2.0])?;
//! assert_eq!((g, &note[..]), (vec![2.0, -4.0], "at most 2"));
//!
//! let ((y, note), g) = value_and_gradient(loss::D, AutoForward, &[1.0, -2.0])?;
//! assert_eq!((y, g, &note[..]), (5.0, vec![2.0, -4.0], "at most 2"));
//! # Ok(())
//! # }
//! ```
//!
//! # Rules by hand
//!
//! A function may bring its own derivative, if the compiler cannot follow its body or you know a better one. A `pullback` takes the parameters and then
//! the cotangent of the result, and gives the cotangents of the active parameters ([all conventions](macro@differentiable#rules-by-hand)):
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable(pullback = root_vjp::D)]
//! fn root(x: f64, a: f64) -> f64 {
//!     // y with y + x y^3 = a, by Newton's method: the derivative does not care how it was found
//!     let mut y = a;
//!     while (y + x * y.powi(3) - a).abs() > 1e-14 {
//!         y -= (y + x * y.powi(3) - a) / (1.0 + 3.0 * x * y * y);
//!     }
//!     y
//! }
//!
//! #[differentiable]
//! fn root_vjp(x: f64, a: f64, dy: f64) -> (f64, f64) {
//!     let y = root(x, a);
//!     let slope = 1.0 + 3.0 * x * y * y;
//!     (-y.powi(3) / slope * dy, dy / slope)
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! check_rule(root::D, (1.0, 2.0))?;
//! assert_eq!(gradient(root::D, AutoReverse, (1.0, 2.0))?, (-0.25, 0.25));
//! let h = hessian(root::D, AutoReverse, (1.0, 2.0))?;
//! assert!((h[[1, 1]] + 0.09375).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! Second derivatives need a pullback that is annotated itself, as this one. Without it, an operator of second order does not compile:
//!
//! ```compile_fail
//! use diffi::prelude::*;
//!
//! #[differentiable(pullback = cube_vjp)]
//! fn cube(x: f64) -> f64 {
//!     x * x * x
//! }
//!
//! fn cube_vjp(x: f64, dy: f64) -> f64 {
//!     3.0 * x * x * dy
//! }
//!
//! let _ = second_derivative(cube::D, AutoReverse, 1.0);
//! ```
//!
//! # First derivatives only
//!
//! Code for second derivatives takes more than a quarter of the compile time. `first_order`, on a function or on an `impl` block, leaves it
//! out:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable(first_order)]
//! fn energy(x: &[f64]) -> f64 {
//!     x.iter().map(|v| v * v.exp()).sum()
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! assert_eq!(gradient(energy::D, AutoReverse, &[0.0, 1.0])?, [1.0, 2.0 * 1f64.exp()]);
//! // numbers that carry second derivatives need no code of their own
//! assert_eq!(hessian(energy::D, AutoHyperDual, &[0.0])?[[0, 0]], 2.0);
//! # Ok(())
//! # }
//! ```
//!
//! An operator of second order then does not compile:
//!
//! ```compile_fail
//! use diffi::prelude::*;
//!
//! #[differentiable(first_order)]
//! fn energy(x: &[f64]) -> f64 {
//!     x.iter().map(|v| v * v.exp()).sum()
//! }
//!
//! let _ = hessian(energy::D, AutoReverse, &[0.0, 1.0]);
//! ```
//!
//! # Solutions of equations
//!
//! A function that solves an equation has the derivatives of the solution, not of the steps towards it. `root_of` names the equation:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable(root_of = power)]
//! fn cube_root(a: f64) -> f64 {
//!     let (mut lo, mut hi) = (0.0, a.max(1.0));
//!     for _ in 0..100 {
//!         let middle = 0.5 * (lo + hi);
//!         if power(middle, a) > 0.0 { hi = middle } else { lo = middle }
//!     }
//!     lo
//! }
//!
//! #[differentiable]
//! fn power(y: f64, a: f64) -> f64 {
//!     y * y * y - a
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let slope = gradient(cube_root::D, AutoReverse, 8.0)?;
//! assert!((slope - 1.0 / 12.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! # Another backend for a part
//!
//! [`differentiate_with`] makes a function that every backend differentiates by the given one:
//!
//! ```
//! use diffi::prelude::*;
//!
//! #[differentiable]
//! fn drag(v: f64, k: f64) -> f64 {
//!     k * v * v
//! }
//!
//! #[differentiable]
//! fn speed(v: f64) -> f64 {
//!     v - 0.1 * differentiate_with(drag::D, AutoForward).call((v, Constant(0.5)))
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! assert_eq!(derivative(speed::D, AutoReverse, 2.0)?, 0.8);
//! assert_eq!(derivative(differentiate_with(speed::D, AutoForward), AutoReverse, 2.0)?, 0.8);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

extern crate self as diffi;

pub mod special;

pub use crate::cuts::stop_gradient;
pub use diffi_macros::{Differentiable, differentiable};
#[cfg(feature = "ad-trait")]
pub use diffi_runtime::backend::AutoAdTrait;
#[cfg(feature = "autodiff")]
pub use diffi_runtime::backend::AutoAutodiff;
#[cfg(feature = "echidna")]
pub use diffi_runtime::backend::AutoEchidna;
#[cfg(feature = "hyperdual")]
pub use diffi_runtime::backend::AutoHyperdualCrate;
#[cfg(feature = "num-dual")]
pub use diffi_runtime::backend::AutoNumDual;
pub use diffi_runtime::backend::check_rule::{RuleCheck, check_rule};
/// Finite differences of functions of one number: stencils, steps, extrapolation.
pub use diffi_runtime::backend::differences;
pub use diffi_runtime::backend::differentiate_with::{DifferentiateWith, differentiate_with};
pub use diffi_runtime::backend::second_order::SecondOrder;
pub use diffi_runtime::backend::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForward, AutoForwardFromPrimitive,
    AutoHyperDual, AutoReverse, AutoReverseFromPrimitive, AutoSymbolic, AutoTape, AutoTaylor, AutoZero, Backend,
    Branch, Counterparts, Differences, MixedMode, Mode, NoAutoDiff, symbolic_gradient, symbolic_jacobian,
};
#[cfg(feature = "rayon")]
pub use diffi_runtime::backend::{AutoDualThreads, AutoThreads};
#[cfg(feature = "enzyme")]
pub use diffi_runtime::backend::{AutoEnzyme, Enzyme};
pub use diffi_runtime::error::{Error, Result};
pub use diffi_runtime::number::real::Real;
pub use diffi_runtime::number::scalar::{Dual, HyperDual, Multivariate, Taylor, Terms};
pub use diffi_runtime::operators::derivative::{
    DerivativePrep, derivative, derivative_into, prepare_derivative, value_and_derivative, value_and_derivative_into,
};
pub use diffi_runtime::operators::gradient::{
    GradientBackend, GradientPrep, gradient, gradient_into, prepare_gradient, value_and_gradient,
    value_and_gradient_into,
};
pub use diffi_runtime::operators::hessian::{
    DenseHessianBackend, HessianBackend, HessianPrep, hessian, hessian_into, prepare_hessian,
    value_gradient_and_hessian, value_gradient_and_hessian_into,
};
pub use diffi_runtime::operators::hvp::{
    HvpBackend, HvpPrep, gradient_and_hvp, gradient_and_hvp_into, hvp, hvp_into, prepare_hvp,
};
pub use diffi_runtime::operators::jacobian::{
    DenseJacobianBackend, JacobianBackend, JacobianPrep, jacobian, jacobian_into, prepare_jacobian, value_and_jacobian,
    value_and_jacobian_into,
};
pub use diffi_runtime::operators::pullback::{
    PullbackBackend, PullbackPrep, prepare_pullback, pullback, pullback_into, value_and_pullback,
    value_and_pullback_into,
};
pub use diffi_runtime::operators::pushforward::{
    PushforwardBackend, PushforwardPrep, prepare_pushforward, pushforward, pushforward_into, value_and_pushforward,
    value_and_pushforward_into,
};
pub use diffi_runtime::operators::same_point::{
    HvpSamePoint, PullbackSamePoint, PushforwardSamePoint, prepare_hvp_same_point, prepare_pullback_same_point,
    prepare_pushforward_same_point,
};
pub use diffi_runtime::operators::second_derivative::{
    SecondDerivativeBackend, SecondDerivativePrep, prepare_second_derivative, second_derivative,
    second_derivative_into, value_derivative_and_second_derivative, value_derivative_and_second_derivative_into,
};
pub use diffi_runtime::operators::series::{nth_derivative, taylor_coefficients};
pub use diffi_runtime::overload::{Overload, ScalarFn};
pub use diffi_runtime::registry::support::{Operator, Served};
pub use diffi_runtime::registry::{Row, TABLE};
pub use diffi_runtime::signature::arguments::{Cache, Constant};
pub use diffi_runtime::sparse::auto::AutoSparse;
pub use diffi_runtime::sparse::{
    self, ColoringProblem, ConstantColoring, GreedyColoring, OptimalColoring, Order, Pattern, coloring, compress,
    decompress, decompress_into,
};
pub use diffi_runtime::sparse::{
    DenseSparsityDetector, KnownHessianSparsity, KnownJacobianSparsity, TracerLocalSparsityDetector,
    TracerSparsityDetector, hessian_sparsity, jacobian_sparsity,
};
pub use diffi_runtime::value::flat::{Moved, ToFlat, Vector};

/// The words in which prepared objects' types are written: the kinds of parameters, and the roles of arguments.
///
/// `GradientPrep<energy, AutoReverse, (Ref<[f64]>, Passive<usize>), (Input, Passed)>`
pub mod types {
    pub use diffi_runtime::number::width::{Many, One};
    pub use diffi_runtime::signature::arg_roles::{ArgRoles, InOut, Input, Output, Passed, Role, Scratch};
    pub use diffi_runtime::signature::param_kinds::{
        CacheMut, Mut, Out, ParamKind, Passive, PassiveMut, PassiveRef, Ref, Signature, Val, View,
    };
}

/// Everything that a program needs every day.
pub mod prelude {
    #[cfg(feature = "ad-trait")]
    pub use crate::AutoAdTrait;
    #[cfg(feature = "autodiff")]
    pub use crate::AutoAutodiff;
    #[cfg(feature = "echidna")]
    pub use crate::AutoEchidna;
    #[cfg(feature = "hyperdual")]
    pub use crate::AutoHyperdualCrate;
    #[cfg(feature = "num-dual")]
    pub use crate::AutoNumDual;
    pub use crate::sparse::{
        ColoringProblem, ConstantColoring, GreedyColoring, OptimalColoring, Order, Pattern, coloring, compress,
        decompress, decompress_into,
    };
    pub use crate::{
        AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForward, AutoForwardFromPrimitive,
        AutoHyperDual, AutoReverse, AutoReverseFromPrimitive, AutoSymbolic, AutoTape, AutoTaylor, AutoZero, Backend,
        Cache, Constant, Counterparts, DerivativePrep, Differences, Differentiable, Error, GradientPrep, HessianPrep,
        HvpPrep, JacobianPrep, MixedMode, Mode, Moved, NoAutoDiff, PullbackPrep, PushforwardPrep, Result, RuleCheck,
        SecondDerivativePrep, SecondOrder, ToFlat, check_rule, constant, derivative, derivative_into, differentiable,
        differentiate_with, gradient, gradient_and_hvp, gradient_and_hvp_into, gradient_into, hessian, hessian_into,
        hvp, hvp_into, jacobian, jacobian_into, nth_derivative, prepare_derivative, prepare_gradient, prepare_hessian,
        prepare_hvp, prepare_hvp_same_point, prepare_jacobian, prepare_pullback, prepare_pullback_same_point,
        prepare_pushforward, prepare_pushforward_same_point, prepare_second_derivative, pullback, pullback_into,
        pushforward, pushforward_into, second_derivative, second_derivative_into, stop_gradient, taylor_coefficients,
        value_and_derivative, value_and_derivative_into, value_and_gradient, value_and_gradient_into,
        value_and_jacobian, value_and_jacobian_into, value_and_pullback, value_and_pullback_into,
        value_and_pushforward, value_and_pushforward_into, value_derivative_and_second_derivative,
        value_derivative_and_second_derivative_into, value_gradient_and_hessian, value_gradient_and_hessian_into,
    };
    #[cfg(feature = "rayon")]
    pub use crate::{AutoDualThreads, AutoThreads};
    #[cfg(feature = "enzyme")]
    pub use crate::{AutoEnzyme, Enzyme};
    pub use crate::{
        AutoSparse, DenseSparsityDetector, KnownHessianSparsity, KnownJacobianSparsity, TracerLocalSparsityDetector,
        TracerSparsityDetector, hessian_sparsity, jacobian_sparsity,
    };
}

mod cuts;
#[doc(hidden)]
pub mod known_macros;
#[doc(hidden)]
pub mod of_operators;

/// What generated code names.
#[doc(hidden)]
pub mod __private {
    pub use crate::cuts::{constant_of, stop_gradient};
    pub use crate::known_macros;
    pub use crate::of_operators;
    pub use crate::special;
    pub use diffi_macros::{Configured, carrier, differentiable};
    pub use diffi_runtime::backend::differentiate_with::{
        InnerOperator, OfDerivative, OfGradient, OfValueAndDerivative, OfValueAndGradient, operator_over,
        operator_pull, operator_pull_push, operator_push, operator_value, with_pull, with_pull_push, with_push,
        with_value,
    };
    pub use diffi_runtime::backend::linearized::{OfFloats, OfNumbers, linearized, with_over};
    pub use diffi_runtime::error::Error;
    pub use diffi_runtime::intrinsics::argmax::{OverOther, OverSlice, Run, largest, smallest};
    pub use diffi_runtime::intrinsics::deque::*;
    pub use diffi_runtime::intrinsics::filled::*;
    pub use diffi_runtime::intrinsics::inclusive_range::Through;
    pub use diffi_runtime::intrinsics::init_cotangent::*;
    pub use diffi_runtime::intrinsics::items::{ByCollection, ByElements, BySlice, ItemsOf, walked_item};
    pub use diffi_runtime::intrinsics::layouts::{Laid, LaidMut};
    pub use diffi_runtime::intrinsics::library;
    pub use diffi_runtime::intrinsics::parts::{PartByReference, PartByValue, TakenApart, list_item};
    pub use diffi_runtime::intrinsics::route::{Leads, LeadsMut, holds_for, order_of, packed, unpacked};
    pub use diffi_runtime::intrinsics::spans::{Spans, SpansMut};
    pub use diffi_runtime::intrinsics::split_slices::*;
    pub use diffi_runtime::intrinsics::split_sums::{add_up, end_of_blocks, end_of_blocks_of, in_lanes, take_turns};
    #[cfg(feature = "vector-math")]
    pub use diffi_runtime::intrinsics::vector_math::{self, STRIP, strips};
    pub use diffi_runtime::number::active::*;
    pub use diffi_runtime::number::batch::*;
    pub use diffi_runtime::number::flag::*;
    pub use diffi_runtime::number::float::*;
    pub use diffi_runtime::number::kept_shadows::*;
    pub use diffi_runtime::number::linear_space::*;
    pub use diffi_runtime::number::optional_shadow::*;
    pub use diffi_runtime::number::real::*;
    pub use diffi_runtime::number::row::*;
    pub use diffi_runtime::number::tangent::*;
    pub use diffi_runtime::number::width::*;
    pub use diffi_runtime::overload::either::Either;
    pub use diffi_runtime::overload::either::unanswered;
    pub use diffi_runtime::overload::generic::{
        AsItIs, ConstantRef, MadeOfNumbers, NumbersMut, NumbersRef, Remade, Same, Seen, Unknown, Unread, lifted,
        remade, values,
    };
    pub use diffi_runtime::overload::listed::Listed;
    pub use diffi_runtime::overload::{Lifted, Over, OverAnyNumber, OverSignature, Overload};
    pub use diffi_runtime::signature::arg_roles::*;
    pub use diffi_runtime::signature::asked_params::*;
    pub use diffi_runtime::signature::by_value_or_ref::*;
    pub use diffi_runtime::signature::callbacks;
    pub use diffi_runtime::signature::confirm::*;
    pub use diffi_runtime::signature::exclusive::exclusive;
    pub use diffi_runtime::signature::function::*;
    pub use diffi_runtime::signature::implicit;
    pub use diffi_runtime::signature::landing::*;
    pub use diffi_runtime::signature::no_derivative::{NotWrittenHere, answer};
    pub use diffi_runtime::signature::objects;
    pub use diffi_runtime::signature::of_std::MadeOf;
    pub use diffi_runtime::signature::param_kinds::*;
    pub use diffi_runtime::signature::result_buffers::{Buffer, Slot};
    pub use diffi_runtime::signature::rule::*;
    pub use diffi_runtime::signature::seeds::Seed;
    pub use diffi_runtime::signature::shadow_slots::*;
    pub use diffi_runtime::signature::std_methods::*;
    pub use diffi_runtime::signature::sweeps::*;
    pub use diffi_runtime::signature::unannotated::{Annotated, Unannotated, annotated, handles};
    pub use diffi_runtime::signature::unchanging::Beside;
    pub use diffi_runtime::signature::zero_shadow::{
        Changing, CopiedShadow, Inert, Shadow, Still, Stills, join, there_or, there_or_mut,
    };
    pub use diffi_runtime::stack::aggregates::*;
    pub use diffi_runtime::stack::call_reads::*;
    pub use diffi_runtime::stack::frame::{FrameReader, FrameWriter, Width};
    pub use diffi_runtime::stack::nested::*;
    pub use diffi_runtime::stack::passive_values::*;
    pub use diffi_runtime::stack::pooled_copies::{PlainCopy, Pooled, PooledCopy};
    pub use diffi_runtime::stack::replayed::{Unwitnessed, Witnessed, WitnessedBits, replayed};
    pub use diffi_runtime::stack::revolve::*;
    pub use diffi_runtime::stack::room::{PlainRoom, Room};
    pub use diffi_runtime::stack::tape::*;
    pub use diffi_runtime::stack::workspace::*;
    pub use diffi_runtime::value::asked::*;
    pub use diffi_runtime::value::copies::*;
    pub use diffi_runtime::value::default_value::*;
    pub use diffi_runtime::value::flat::*;
    #[cfg(feature = "nalgebra")]
    pub use diffi_runtime::value::geometry::{IsometryTangent, QuaternionTangent};
    pub use diffi_runtime::value::integer::*;
    pub use diffi_runtime::value::lent_integers::*;
    pub use diffi_runtime::value::lent_options::*;
    pub use diffi_runtime::value::nothing::*;
    pub use diffi_runtime::value::option_result::*;
    pub use diffi_runtime::value::outcome::*;
    pub use diffi_runtime::value::shape_only::*;
}
