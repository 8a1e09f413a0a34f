//! Functions that annotated functions are handed: which sweeps of theirs run, and through which parameters derivatives are followed.

use crate::number::active::{Active, Member};
use crate::number::batch::Float;
use crate::number::flag::{Off, On};
use crate::number::linear_space::LinearSpace;

/// The sweeps of one call of a function that was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The forward sweep runs.
    pub forward: bool,
    /// The reverse sweep runs.
    pub reverse: bool,
    /// The value is asked for.
    pub valued: bool,
}

impl Run {
    /// The forward sweep alone.
    pub const FORWARD: Run = Run { forward: true, reverse: false, valued: true };
    /// The reverse sweep alone.
    pub const REVERSE: Run = Run { forward: false, reverse: true, valued: false };
    /// Neither: in second order, the value and its tangent alone.
    pub const PUSH: Run = Run { forward: false, reverse: false, valued: true };
    /// Both, and the value.
    pub const BOTH: Run = Run { forward: true, reverse: true, valued: true };
}

/// A function without derivative code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

/// What may be handed to a parameter through which derivatives are followed.
#[diagnostic::on_unimplemented(
    message = "diffi cannot follow this function, which is handed to another one that differentiates it [D0807]",
    note = "write what it computes in terms that `#[differentiable]` accepts, or hand over an annotated function"
)]
pub trait Followed {}

impl Followed for On {}
impl Followed for Off {}

/// What may be handed to a parameter that is taken for a constant.
#[diagnostic::on_unimplemented(
    message = "a function that captures active values is handed to a parameter through which no derivative is followed [D0807]",
    note = "take it as `impl Fn(..) -> ..`, without `constant(..)` or a rule, or write its body where it is used"
)]
pub trait Constant {}

impl Constant for Off {}
impl Constant for Unknown {}

/// A result that carries no derivative where one may be: a number that is constant, or no number.
pub trait Still<F: Float> {
    /// Its tangent.
    type Dot<A: LinearSpace<F>>;
    /// Zero.
    fn still<A: LinearSpace<F>>(&self) -> Self::Dot<A>;
}

impl<F: Float, T: Active<Base = F>> Still<F> for T {
    type Dot<A: LinearSpace<F>> = T::Tangent<A>;
    #[inline]
    fn still<A: LinearSpace<F>>(&self) -> T::Tangent<A> {
        Member::zero(self)
    }
}

macro_rules! still {
    ($($T:ident)+) => { $(
        impl<F: Float> Still<F> for $T {
            type Dot<A: LinearSpace<F>> = ();
            #[inline]
            fn still<A: LinearSpace<F>>(&self) {}
        }
    )+ };
}
still!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char String);

/// The tangent of a constant.
#[inline]
pub fn still<F: Float, A: LinearSpace<F>, T: Still<F>>(value: &T) -> T::Dot<A> {
    value.still()
}

/// The smallest shadow of a value's type.
#[inline]
pub fn empty_like<A: LinearSpace<T::Base>, T: Active>(_: &T) -> T::Tangent<A> {
    <T as Active>::empty()
}
