//! Operations on types of libraries and of users: rustc finds the rule by the operands' types.
//!
//! Generated code calls such an operation like an annotated function: [`One`], [`Two`] and [`Change`] stand for the function's
//! handle, and the operation itself is their first argument, a value of one of the types in [`op`], which holds what carries no
//! derivative (an axis, an index). The operands' types choose the rule: an implementation of [`Unary`], [`Binary`] or [`Edit`].

#[cfg(feature = "nalgebra")]
mod blocks;
mod broadcast;
#[cfg(feature = "nalgebra")]
mod cholesky;
#[cfg(feature = "num-complex")]
pub mod complex;
mod conversions;
#[cfg(feature = "nalgebra")]
mod decompositions;
mod edits;
mod either;
mod elementwise;
#[cfg(feature = "nalgebra")]
pub mod formulas;
mod grid;
pub mod indexed;
mod joined;
#[cfg(feature = "nalgebra")]
mod kronecker;
mod linear;
#[cfg(feature = "nalgebra")]
mod matrix;
#[cfg(feature = "nalgebra")]
mod matrix_maps;
mod numbers;
pub mod of_float;
mod onto;
pub mod op;
mod products;
mod rearranged;
mod rules;
mod seen;
mod total;
mod windows;

pub use conversions::Conversion;
pub use grid::{Grid, Number};
pub use linear::{Linear, dims, indices, lanes, length, shape, shape_by_elements, shape_without};
#[cfg(feature = "nalgebra")]
pub use matrix::{Mat, fixed, fixed_by_columns, formed, identity_like};
pub use ndarray::{Axis, IxDyn, array, azip, concatenate, stack};
pub use total::Total;
pub use windows::{after, axis_chunk, axis_chunks, axis_window, axis_windows, before, exact_chunk, exact_chunks};
pub use windows::{one_index, reversed, strided_window, strided_windows, window, windows};

use crate::number::active::{Active, Place};
use crate::number::flag::Off;
use crate::number::linear_space::LinearSpace;
use crate::signature::shadow_slots::{BarSlot, DotSlot};
use crate::signature::sweeps::Sweeps;
use crate::stack::call_reads::CallReads;
use crate::stack::workspace::{Pool, Workspace};
use std::marker::PhantomData;

/// The shadow of the result `T`.
pub type Tan<T, A> = <T as Active>::Tangent<A>;
/// The workspace of derivative code for the operand `P`.
pub type Memory<P, A> = Workspace<<P as Place>::Base, A>;

/// The rule of the operation `Op` of one operand.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of `{Op}` of `{Self}` [D0810]",
    label = "this operand carries a derivative",
    note = "work on the elements, or write the operation as a function with `#[differentiable]` and call that"
)]
pub trait Unary<Op>: Place {
    /// The result.
    type Out: Active<Base = Self::Base>;
    /// Whether the reverse sweep reads the operand, and not only its shape.
    const READS: bool = true;

    /// The operation itself.
    fn value(&self, op: &Op) -> Self::Out;
    /// The same, in memory from the pool.
    #[inline]
    fn value_in(&self, op: &Op, _: &mut Pool<Self::Base>) -> Self::Out {
        self.value(op)
    }
    /// The forward sweep in a place that lasts as long as a loop: it may hold the result of the iteration before.
    #[inline]
    fn value_again<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        place: &mut Option<Self::Out>,
        memory: &mut Memory<Self, A>,
    ) {
        if let Some(last) = place.take() {
            last.recycle(&mut memory.base);
        }
        let y = self.value_in(op, &mut memory.base);
        Self::save(&y, memory);
        *place = Some(y);
    }
    /// The result's tangent.
    fn push<A: LinearSpace<Self::Base>>(&self, op: &Op, dot: &Self::Shadow<A>, y: &Self::Out) -> Tan<Self::Out, A>;
    /// The same, in memory from the pools.
    #[inline]
    fn push_in<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        dot: &Self::Shadow<A>,
        y: &Self::Out,
        _: &mut Memory<Self, A>,
    ) -> Tan<Self::Out, A> {
        self.push(op, dot, y)
    }
    /// Adds to the operand's cotangent. The value is there if [`save`](Unary::save) keeps it.
    fn pull<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        bar: &mut Self::Shadow<A>,
        y: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    );
    /// [`pull`](Unary::pull) for a cotangent that is [fresh](Active::fresh). The result's is not read again.
    #[inline]
    fn start<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        bar: &mut Self::Shadow<A>,
        y: Option<&Self::Out>,
        y_bar: &mut Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    ) {
        Place::initialise(self, bar, &mut memory.shadows);
        self.pull(op, bar, y, y_bar, memory);
    }
    /// [`pull`](Unary::pull) in floats, with tangents of everything in `A`.
    #[expect(clippy::too_many_arguments, reason = "everything twice: the values and their tangents")]
    fn pull_push<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        dot: Option<&Self::Shadow<A>>,
        bar: &mut Self::Shadow<Self::Base>,
        bar_dot: &mut Self::Shadow<A>,
        y: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, Self::Base>,
        y_bar_dot: &Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    );
    /// Keeps the value for the reverse sweep, if that reads it.
    #[inline]
    fn save<A: LinearSpace<Self::Base>>(_: &Self::Out, _: &mut Memory<Self, A>) {}
    /// The value that was kept.
    #[inline]
    fn restore<A: LinearSpace<Self::Base>>(_: &mut Memory<Self, A>) -> Option<Self::Out> {
        None
    }
}

/// The rule of the operation `Op` of two operands. A tangent or a cotangent that is switched off is not there.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of `{Op}` of `{Self}` and `{R}` [D0810]",
    label = "these operands carry derivatives",
    note = "put `#[differentiable]` on the `impl` of the operator, or work on the elements"
)]
pub trait Binary<Op, R: Place<Base = Self::Base> + ?Sized>: Place {
    /// The result.
    type Out: Active<Base = Self::Base>;
    /// Whether the reverse sweep reads each operand, and not only its shape.
    const READS: [bool; 2] = [true; 2];

    /// The operation itself.
    fn value(&self, op: &Op, other: &R) -> Self::Out;
    /// The same, in memory from the pool.
    #[inline]
    fn value_in(&self, op: &Op, other: &R, _: &mut Pool<Self::Base>) -> Self::Out {
        self.value(op, other)
    }
    /// The result's tangent.
    fn push<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        dot: Option<&Self::Shadow<A>>,
        other: &R,
        other_dot: Option<&R::Shadow<A>>,
        y: &Self::Out,
        memory: &mut Memory<Self, A>,
    ) -> Tan<Self::Out, A>;
    /// Adds to the operands' cotangents. The value is there if [`save`](Binary::save) keeps it.
    #[expect(clippy::too_many_arguments, reason = "both operands with their cotangents")]
    fn pull<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        bar: Option<&mut Self::Shadow<A>>,
        other: &R,
        other_bar: Option<&mut R::Shadow<A>>,
        y: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    );
    /// [`pull`](Binary::pull) for cotangents of which some are [fresh](Active::fresh), and hold anything. The result's is not read again.
    #[expect(clippy::too_many_arguments, reason = "both operands with their cotangents")]
    #[inline]
    fn start<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        mut bar: Option<&mut Self::Shadow<A>>,
        other: &R,
        mut other_bar: Option<&mut R::Shadow<A>>,
        [fresh, other_fresh]: [bool; 2],
        y: Option<&Self::Out>,
        y_bar: &mut Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    ) {
        if let Some(bar) = bar.as_deref_mut().filter(|_| fresh) {
            Place::initialise(self, bar, &mut memory.shadows);
        }
        if let Some(bar) = other_bar.as_deref_mut().filter(|_| other_fresh) {
            Place::initialise(other, bar, &mut memory.shadows);
        }
        self.pull(op, bar, other, other_bar, y, y_bar, memory);
    }
    /// [`pull`](Binary::pull) in floats, with tangents of everything in `A`.
    #[expect(clippy::too_many_arguments, reason = "everything twice: the values and their tangents")]
    fn pull_push<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        dot: Option<&Self::Shadow<A>>,
        bars: Option<(&mut Self::Shadow<Self::Base>, &mut Self::Shadow<A>)>,
        other: &R,
        other_dot: Option<&R::Shadow<A>>,
        other_bars: Option<(&mut R::Shadow<Self::Base>, &mut R::Shadow<A>)>,
        y: Option<&Self::Out>,
        y_bar: &Tan<Self::Out, Self::Base>,
        y_bar_dot: &Tan<Self::Out, A>,
        memory: &mut Memory<Self, A>,
    );
    /// The operation in a forward sweep that runs alone: it may leave in the memory what it has found besides the value.
    #[inline]
    fn value_kept<A: LinearSpace<Self::Base>>(&self, op: &Op, other: &R, memory: &mut Memory<Self, A>) -> Self::Out {
        let y = self.value_in(op, other, &mut memory.base);
        Self::save(&y, memory);
        y
    }
    /// The same in a place that lasts as long as a loop: it may hold the result of the iteration before.
    #[inline]
    fn value_again<A: LinearSpace<Self::Base>>(
        &self,
        op: &Op,
        other: &R,
        place: &mut Option<Self::Out>,
        memory: &mut Memory<Self, A>,
    ) {
        if place.as_mut().is_some_and(|last| self.value_onto(op, other, last)) {
            return;
        }
        if let Some(last) = place.take() {
            last.recycle(&mut memory.base);
        }
        *place = Some(self.value_kept(op, other, memory));
    }
    /// Replaces a result by another one, if it has its shape and the rule keeps nothing. Whether it did.
    #[inline]
    fn value_onto(&self, _: &Op, _: &R, _: &mut Self::Out) -> bool {
        false
    }
    /// Keeps the value for the reverse sweep, if that reads it.
    #[inline]
    fn save<A: LinearSpace<Self::Base>>(_: &Self::Out, _: &mut Memory<Self, A>) {}
    /// The value that was kept.
    #[inline]
    fn restore<A: LinearSpace<Self::Base>>(_: &mut Memory<Self, A>) -> Option<Self::Out> {
        None
    }
}

/// The rule of the operation `Op`, which changes its first operand, linearly in both.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of `{Op}` of `{Self}` by `{R}` [D0810]",
    label = "these operands carry derivatives",
    note = "put `#[differentiable]` on the `impl` of the operator, or assign the elements"
)]
pub trait Edit<Op, R: Place<Base = Self::Base> + ?Sized>: Place {
    /// The operation itself.
    fn edit(&mut self, op: &Op, other: &R);
    /// Changes the tangent.
    fn push<A: LinearSpace<Self::Base>>(
        op: &Op,
        dot: &mut Self::Shadow<A>,
        other: &R,
        other_dot: Option<&R::Shadow<A>>,
    );
    /// From the cotangent of what is there afterwards to that of what was there before.
    fn pull<A: LinearSpace<Self::Base>>(
        op: &Op,
        bar: &mut Self::Shadow<A>,
        other: &R,
        other_bar: Option<&mut R::Shadow<A>>,
    );
}

/// What the reverse sweep of an operation reads: the arguments of [`One::call`], or of [`Two::call`].
pub struct RuleReads<Op, X, Y = ()>(PhantomData<fn(Op, X, Y)>);

impl<Op, X: Unary<Op>> CallReads for RuleReads<Op, X> {
    const ARGUMENTS: u64 = (X::READS as u64) << 1;
}

impl<Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>> CallReads for RuleReads<Op, X, Y> {
    const ARGUMENTS: u64 = (X::READS[0] as u64) << 1 | (X::READS[1] as u64) << 2;
}

/// The handle of operations of one operand.
#[derive(Clone, Copy, Debug)]
pub struct One;

#[expect(clippy::too_many_arguments, reason = "the signatures of generated code")]
impl One {
    /// Operations on arrays are not evaluated again.
    pub const __COST: usize = usize::MAX;

    /// The operation itself.
    #[inline]
    pub fn call<Op, X: Unary<Op>>(op: Op, x: &X) -> X::Out {
        x.value(&op)
    }

    /// What the reverse sweep reads.
    #[inline(always)]
    pub fn reads<Op, X: Unary<Op>>(_: Op, _: &X) -> RuleReads<Op, X> {
        RuleReads(PhantomData)
    }

    /// The value and its tangent.
    #[inline]
    pub fn __push<Op, X: Unary<Op>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &X,
        dot: impl DotSlot<X, A>,
        memory: &mut Memory<X, A>,
    ) -> (X::Out, Tan<X::Out, A>) {
        with_tangent(&op, x, x.value(&op), dot.there(), memory)
    }

    /// The forward sweep alone.
    #[inline]
    pub fn __forward<Op, X: Unary<Op>, A: LinearSpace<X::Base>>(op: Op, x: &X, memory: &mut Memory<X, A>) -> X::Out {
        let y = x.value_in(&op, &mut memory.base);
        X::save(&y, memory);
        y
    }

    /// The forward sweep alone, in a place that lasts as long as a loop.
    #[inline]
    pub fn __forward_in<'k, Op, X: Unary<Op>, A: LinearSpace<X::Base>>(
        op: Op,
        x: &X,
        place: &'k mut Option<X::Out>,
        memory: &mut Memory<X, A>,
    ) -> &'k X::Out {
        x.value_again(&op, place, memory);
        place.as_ref().expect("what was put there")
    }

    /// The sweeps `S`.
    #[inline]
    pub fn __pull<S: Sweeps, Op, X: Unary<Op>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &X,
        mut bar: impl BarSlot<X, A>,
        y_bar: Option<&mut Tan<X::Out, A>>,
        memory: &mut Memory<X, A>,
        _: S,
    ) -> Option<X::Out> {
        let kept = |memory: &mut Memory<X, A>| {
            let y = x.value_in(&op, &mut memory.base);
            X::save(&y, memory);
            y
        };
        let y = forward::<S, _, _>(memory, |memory| x.value_in(&op, &mut memory.base), kept, X::restore);
        if S::REVERSE
            && let fresh = bar.is_fresh()
            && let (Some(bar), Some(y_bar)) = (bar.there(), y_bar)
        {
            match fresh {
                true => x.start(&op, bar, y.as_ref(), y_bar, memory),
                false => x.pull(&op, bar, y.as_ref(), y_bar, memory),
            }
        }
        y.filter(|_| S::VALUED)
    }

    /// The sweeps `S`, with tangents.
    #[inline]
    pub fn __pull_push<S: Sweeps, Op, X: Unary<Op>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        _: Off,
        _: Off,
        x: &X,
        dot: impl DotSlot<X, A>,
        mut bar: impl BarSlot<X, X::Base>,
        mut bar_dot: impl BarSlot<X, A>,
        y_bar: Option<&mut Tan<X::Out, X::Base>>,
        y_bar_dot: Option<&mut Tan<X::Out, A>>,
        memory: &mut Memory<X, A>,
        _: S,
    ) -> Option<(X::Out, Tan<X::Out, A>)> {
        let kept = |memory: &mut Memory<X, A>| {
            let y = x.value_in(&op, &mut memory.base);
            X::save(&y, memory);
            y
        };
        let y = forward::<S, _, _>(memory, |memory| x.value_in(&op, &mut memory.base), kept, X::restore);
        if S::REVERSE
            && let (Some(bar), Some(bar_dot)) = (bar.there(), bar_dot.there())
            && let (Some(y_bar), Some(y_bar_dot)) = (y_bar, y_bar_dot)
        {
            x.pull_push(&op, dot.there(), bar, bar_dot, y.as_ref(), y_bar, y_bar_dot, memory);
        }
        y.filter(|_| S::VALUED).map(|y| with_tangent(&op, x, y, dot.there(), memory))
    }
}

/// The value of an operation of one operand, and its tangent.
#[inline]
fn with_tangent<Op, X: Unary<Op>, A: LinearSpace<X::Base>>(
    op: &Op,
    x: &X,
    y: X::Out,
    dot: Option<&X::Shadow<A>>,
    memory: &mut Memory<X, A>,
) -> (X::Out, Tan<X::Out, A>) {
    let dot = match dot {
        Some(dot) => x.push_in(op, dot, &y, memory),
        None => y.zeros(&mut memory.shadows),
    };
    (y, dot)
}

/// The handle of operations of two operands.
#[derive(Clone, Copy, Debug)]
pub struct Two;

#[expect(clippy::too_many_arguments, reason = "the signatures of generated code")]
impl Two {
    /// Operations on arrays are not evaluated again.
    pub const __COST: usize = usize::MAX;

    /// The operation itself.
    #[inline]
    pub fn call<Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>>(op: Op, x: &X, y: &Y) -> X::Out {
        x.value(&op, y)
    }

    /// What the reverse sweep reads.
    #[inline(always)]
    pub fn reads<Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>>(_: Op, _: &X, _: &Y) -> RuleReads<Op, X, Y> {
        RuleReads(PhantomData)
    }

    /// The value and its tangent.
    #[inline]
    pub fn __push<Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &X,
        x_dot: impl DotSlot<X, A>,
        y: &Y,
        y_dot: impl DotSlot<Y, A>,
        memory: &mut Memory<X, A>,
    ) -> (X::Out, Tan<X::Out, A>) {
        let z = x.value(&op, y);
        let dot = x.push(&op, x_dot.there(), y, y_dot.there(), &z, memory);
        (z, dot)
    }

    /// The forward sweep alone.
    #[inline]
    pub fn __forward<Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        x: &X,
        y: &Y,
        memory: &mut Memory<X, A>,
    ) -> X::Out {
        x.value_kept(&op, y, memory)
    }

    /// The forward sweep alone, in a place that lasts as long as a loop.
    #[inline]
    pub fn __forward_in<'k, Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        x: &X,
        y: &Y,
        place: &'k mut Option<X::Out>,
        memory: &mut Memory<X, A>,
    ) -> &'k X::Out {
        x.value_again(&op, y, place, memory);
        place.as_ref().expect("what was put there")
    }

    /// The sweeps `S`.
    #[inline]
    pub fn __pull<S: Sweeps, Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &X,
        mut x_bar: impl BarSlot<X, A>,
        y: &Y,
        mut y_bar: impl BarSlot<Y, A>,
        z_bar: Option<&mut Tan<X::Out, A>>,
        memory: &mut Memory<X, A>,
        _: S,
    ) -> Option<X::Out> {
        let z = forward::<S, _, _>(
            memory,
            |memory| x.value_in(&op, y, &mut memory.base),
            |memory| x.value_kept(&op, y, memory),
            X::restore,
        );
        if S::REVERSE
            && let Some(z_bar) = z_bar
        {
            let fresh = [x_bar.is_fresh(), y_bar.is_fresh()];
            let (x_bar, y_bar) = (x_bar.there(), y_bar.there());
            match fresh {
                [false, false] => x.pull(&op, x_bar, y, y_bar, z.as_ref(), z_bar, memory),
                fresh => x.start(&op, x_bar, y, y_bar, fresh, z.as_ref(), z_bar, memory),
            }
        }
        z.filter(|_| S::VALUED)
    }

    /// The sweeps `S`, with tangents.
    #[inline]
    pub fn __pull_push<S: Sweeps, Op, X: Binary<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        _: Off,
        _: Off,
        x: &X,
        x_dot: impl DotSlot<X, A>,
        mut x_bar: impl BarSlot<X, X::Base>,
        mut x_bar_dot: impl BarSlot<X, A>,
        y: &Y,
        y_dot: impl DotSlot<Y, A>,
        mut y_bar: impl BarSlot<Y, X::Base>,
        mut y_bar_dot: impl BarSlot<Y, A>,
        z_bar: Option<&mut Tan<X::Out, X::Base>>,
        z_bar_dot: Option<&mut Tan<X::Out, A>>,
        memory: &mut Memory<X, A>,
        _: S,
    ) -> Option<(X::Out, Tan<X::Out, A>)> {
        let z = forward::<S, _, _>(
            memory,
            |memory| x.value_in(&op, y, &mut memory.base),
            |memory| x.value_kept(&op, y, memory),
            X::restore,
        );
        let (x_dot, y_dot) = (x_dot.there(), y_dot.there());
        if S::REVERSE
            && let (Some(z_bar), Some(z_bar_dot)) = (z_bar, z_bar_dot)
        {
            let (x_bars, y_bars) = (x_bar.there().zip(x_bar_dot.there()), y_bar.there().zip(y_bar_dot.there()));
            x.pull_push(&op, x_dot, x_bars, y, y_dot, y_bars, z.as_ref(), z_bar, z_bar_dot, memory);
        }
        z.filter(|_| S::VALUED).map(|z| {
            let dot = x.push(&op, x_dot, y, y_dot, &z, memory);
            (z, dot)
        })
    }
}

/// The handle of operations that change their first operand.
#[derive(Clone, Copy, Debug)]
pub struct Change;

#[expect(clippy::too_many_arguments, reason = "the signatures of generated code")]
impl Change {
    /// Operations on arrays are not evaluated again.
    pub const __COST: usize = usize::MAX;

    /// The operation itself.
    #[inline]
    pub fn call<Op, X: Edit<Op, Y>, Y: Place<Base = X::Base>>(op: Op, x: &mut X, y: &Y) {
        x.edit(&op, y);
    }

    /// The operation, and the tangent's change.
    #[inline]
    pub fn __push<Op, X: Edit<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &mut X,
        mut x_dot: impl BarSlot<X, A>,
        y: &Y,
        y_dot: impl DotSlot<Y, A>,
        _: &mut Memory<X, A>,
    ) -> ((), ()) {
        x.edit(&op, y);
        if let Some(dot) = x_dot.there() {
            X::push(&op, dot, y, y_dot.there());
        }
        ((), ())
    }

    /// The sweeps `S`.
    #[inline]
    pub fn __pull<S: Sweeps, Op, X: Edit<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        x: &mut X,
        mut x_bar: impl BarSlot<X, A>,
        y: &Y,
        mut y_bar: impl BarSlot<Y, A>,
        _: Option<&mut ()>,
        _: &mut Memory<X, A>,
        _: S,
    ) -> Option<()> {
        if S::FORWARD {
            x.edit(&op, y);
        }
        if S::REVERSE
            && let Some(bar) = x_bar.there()
        {
            X::pull(&op, bar, y, y_bar.there());
        }
        S::VALUED.then_some(())
    }

    /// The sweeps `S`, with tangents.
    #[inline]
    pub fn __pull_push<S: Sweeps, Op, X: Edit<Op, Y>, Y: Place<Base = X::Base>, A: LinearSpace<X::Base>>(
        op: Op,
        _: Off,
        _: Off,
        _: Off,
        x: &mut X,
        mut x_dot: impl BarSlot<X, A>,
        mut x_bar: impl BarSlot<X, X::Base>,
        mut x_bar_dot: impl BarSlot<X, A>,
        y: &Y,
        y_dot: impl DotSlot<Y, A>,
        mut y_bar: impl BarSlot<Y, X::Base>,
        mut y_bar_dot: impl BarSlot<Y, A>,
        _: Option<&mut ()>,
        _: Option<&mut ()>,
        _: &mut Memory<X, A>,
        _: S,
    ) -> Option<((), ())> {
        if S::FORWARD {
            x.edit(&op, y);
            if let Some(dot) = x_dot.there() {
                X::push(&op, dot, y, y_dot.there());
            }
        }
        if S::REVERSE
            && let (Some(bar), Some(bar_dot)) = (x_bar.there(), x_bar_dot.there())
        {
            X::pull(&op, bar, y, y_bar.there());
            X::pull(&op, bar_dot, y, y_bar_dot.there());
        }
        S::VALUED.then_some(((), ()))
    }
}

/// The value: computed by the forward sweep, which keeps what the reverse sweep wants if it runs alone, and else what was kept.
#[inline]
fn forward<S: Sweeps, M, Y>(
    memory: &mut M,
    value: impl FnOnce(&mut M) -> Y,
    kept: impl FnOnce(&mut M) -> Y,
    restore: impl FnOnce(&mut M) -> Option<Y>,
) -> Option<Y> {
    match (S::FORWARD, S::REVERSE) {
        (true, true) => Some(value(memory)),
        (true, false) => Some(kept(memory)),
        (false, _) => restore(memory),
    }
}
