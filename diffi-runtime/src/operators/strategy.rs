//! The traits by which operators see backends, and the strategies that every backend may name.

use crate::number::hlist::List;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{Function, ReturnValue};
use crate::signature::param_kinds::Signature;
use std::fmt::{self, Debug};

/// The direction in which a backend goes through a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// From the inputs to the outputs, with tangents.
    Forward,
    /// From the outputs to the inputs, with cotangents.
    Reverse,
    /// One or the other, as the operator has it.
    ForwardAndReverse,
}

/// A way to differentiate, with a strategy for every operator: see [`TABLE`](crate::registry::TABLE).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend [D0701]",
    label = "not a backend",
    note = "backends are `AutoForward`, `AutoReverse`, `AutoFiniteDiff`, `MixedMode(..)` and others; for second derivatives also `SecondOrder(..)`",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait Backend: Clone + Debug + Send + 'static {
    /// How to multiply the Jacobian with tangents.
    type Pushforward;
    /// How to multiply the transposed Jacobian with cotangents.
    type Pullback;
    /// How to find gradients.
    type Gradient;
    /// How to find Jacobians.
    type Jacobian;
    /// How to find second derivatives.
    type Second;
    /// See [`Backend::outer`].
    type Outer: Backend;
    /// See [`Backend::inner`].
    type Inner: Backend;

    /// The direction; for second order that of the outer backend.
    fn mode(&self) -> Mode;
    /// What differentiates the derivative; for first order the backend itself.
    fn outer(&self) -> &Self::Outer;
    /// What differentiates the function; for first order the backend itself.
    fn inner(&self) -> &Self::Inner;
    /// Whether derivatives are approximations, and not exact up to rounding.
    fn inexact(&self) -> bool {
        false
    }
    /// How many of `n` tangents or cotangents go through the function at once: all, if they are at most eight, and otherwise
    /// nearly as many in each pass.
    fn batch_size_of(&self, n: usize) -> usize {
        BatchSize::default().of(n)
    }
    /// The same for sums of columns or rows, of which a matrix has few: passes have room for four or eight, and three of four take
    /// less time and memory than two of eight, when a quarter of these would be idle.
    fn batch_size_of_groups(&self, n: usize) -> usize {
        BatchSize::default().of_groups(n)
    }
    /// How many passes it takes for `n` tangents or cotangents.
    fn passes(&self, n: usize) -> usize {
        n.div_ceil(self.batch_size_of(n))
    }
}

/// How many tangents or cotangents a backend takes at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BatchSize(Option<u8>);

impl BatchSize {
    /// The most that a pass can take.
    pub(crate) const MOST: usize = 8;

    /// As many as a backend finds best.
    pub(crate) const AUTO: Self = BatchSize(None);

    /// So many, whatever is to be done.
    pub(crate) const fn fixed(size: usize) -> Self {
        assert!(size >= 1 && size <= Self::MOST, "batches have sizes from 1 to 8");
        BatchSize(Some(size as u8))
    }

    /// The backend `name` with this size, as it is written.
    pub(crate) fn show(self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(size) => write!(f, "{name}.batch_size({size})"),
            None => f.write_str(name),
        }
    }

    /// For `n` in all.
    #[inline]
    pub(crate) fn of(self, n: usize) -> usize {
        match self.0 {
            Some(size) => size.into(),
            None if n <= Self::MOST => n.max(1),
            None => n.div_ceil(n.div_ceil(Self::MOST).max(1)).max(1),
        }
    }

    /// For `n` groups in all.
    pub(crate) fn of_groups(self, n: usize) -> usize {
        const HALF: usize = BatchSize::MOST / 2;
        let (halves, wholes) = (n.div_ceil(HALF), n.div_ceil(Self::MOST));
        match self.0 {
            None if halves * HALF * 4 <= wholes * Self::MOST * 3 => n.div_ceil(halves.max(1)).max(1),
            _ => self.of(n),
        }
    }
}

/// Strategy: pass after pass with tangents, by [`Push`](crate::operators::push::Push).
#[derive(Clone, Copy, Debug)]
pub struct ByPushes;

/// Strategy: pass after pass with cotangents, by [`Pull`](crate::operators::pull::Pull).
#[derive(Clone, Copy, Debug)]
pub struct ByPulls;

/// References to the shadows of the inputs.
pub type Inputs<'a, G, R, A> = <<R as ArgRoles<G>>::In as List>::Muts<'a, A>;

/// The list of all outputs: the result, then the outputs among the parameters.
pub type Outputs<F, G, R> =
    <<F as Function<G>>::ReturnValue as ReturnValue<<G as Signature>::Base>>::Onto<<R as ArgRoles<G>>::Outs>;

/// References to the shadows of all outputs.
pub type Results<'a, F, G, R, A> = <Outputs<F, G, R> as List>::Muts<'a, A>;

/// Which pass at a point it is.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The first one at this point.
    pub first: bool,
    /// The value is wanted.
    pub value: bool,
}
