//! Elements of arrays where the caller does not know that there is an array: `state.h[(i, j)]` is a call of what users' types have for
//! `impl Index`, and this is what arrays have under the same names.

use super::Memory;
use super::grid::Number;
use crate::number::active::{Active, Place};
use crate::number::flag::Off;
use crate::number::linear_space::LinearSpace;
use crate::signature::shadow_slots::{BarSlot, DotSlot};
use crate::signature::sweeps::Sweeps;
use ndarray::{Array, Ix2, Ix3};
use std::mem::replace;

type Tan<T, A> = <<T as Active>::Base as Active>::Tangent<A>;

/// An array of numbers that are found by an index of this type.
pub trait Elements<At>: Active<Base: Number> {
    /// The element.
    fn element(&self, at: At) -> Self::Base;
    /// The element, to be changed.
    fn element_mut(&mut self, at: At) -> &mut Self::Base;
    /// The shadow of the element.
    fn shadow<A: LinearSpace<Self::Base>>(shadow: &Self::Tangent<A>, at: At) -> A;
    /// The same, to be changed.
    fn shadow_mut<A: LinearSpace<Self::Base>>(shadow: &mut Self::Tangent<A>, at: At) -> &mut A;
}

macro_rules! arrays {
    ($($D:ident, $At:ty: |$at:ident| $place:expr;)+) => { $(
        impl<F: Number> Elements<$At> for Array<F, $D> {
            #[inline]
            fn element(&self, $at: $At) -> F {
                self[$place]
            }
            #[inline]
            fn element_mut(&mut self, $at: $At) -> &mut F {
                &mut self[$place]
            }
            #[inline]
            fn shadow<A: LinearSpace<F>>(shadow: &Self::Tangent<A>, $at: $At) -> A {
                F::view::<A, $D>(shadow)[$place]
            }
            #[inline]
            fn shadow_mut<A: LinearSpace<F>>(shadow: &mut Self::Tangent<A>, $at: $At) -> &mut A {
                &mut F::elements::<A, $D>(shadow)[$place]
            }
        }
    )+ };
}
arrays! {
    Ix2, (usize, usize): |at| [at.0, at.1];
    Ix2, [usize; 2]: |at| at;
    Ix3, (usize, usize, usize): |at| [at.0, at.1, at.2];
    Ix3, [usize; 3]: |at| at;
}

#[cfg(feature = "nalgebra")]
mod matrices {
    use super::{Active, ByTwo, Elements, LinearSpace};
    use crate::value::nalgebra::families;
    use nalgebra::{DMatrix, DVector, RowDVector, SMatrix};

    macro_rules! matrices {
        ($F:ident $([$($generics:tt)*] $M:ident [$($args:tt)*] $fixed:literal:
            |$rows:ident, $columns:ident, $v:ident| $make:expr, $smallest:expr;)+) => { $(
            impl<$($generics)*> ByTwo for $M<$F $($args)*> {}

            impl<$($generics)*> Elements<(usize, usize)> for $M<$F $($args)*> {
                #[inline]
                fn element(&self, at: (usize, usize)) -> $F {
                    self[at]
                }
                #[inline]
                fn element_mut(&mut self, at: (usize, usize)) -> &mut $F {
                    &mut self[at]
                }
                #[inline]
                fn shadow<A: LinearSpace<$F>>(shadow: &<Self as Active>::Tangent<A>, at: (usize, usize)) -> A {
                    shadow[at]
                }
                #[inline]
                fn shadow_mut<A: LinearSpace<$F>>(shadow: &mut <Self as Active>::Tangent<A>, at: (usize, usize)) -> &mut A {
                    &mut shadow[at]
                }
            }
        )+ };
    }
    families!(matrices! { f32 });
    families!(matrices! { f64 });
}

/// An element read, and an element set.
macro_rules! indexed {
    ($($(#[$doc:meta])+ $Trait:ident:
        $at:ident $at_annotated:ident $at_push:ident $at_pull:ident $at_pull_push:ident
        $set:ident $set_push:ident $set_pull:ident $set_pull_push:ident;)+) => { $(
        $(#[$doc])+
        #[expect(clippy::too_many_arguments, missing_docs, non_snake_case, reason = "the signatures of generated code")]
        pub trait $Trait: Active<Base: Number> {
            #[inline]
            fn $at<At>(&self, at: At) -> Self::Base
            where
                Self: Elements<At>,
            {
                self.element(at)
            }
            #[inline(always)]
            fn $at_annotated(&self) -> &Self {
                self
            }
            #[inline]
            fn $at_push<At, A: LinearSpace<Self::Base>>(
                &self,
                dot: impl DotSlot<Self, A>,
                at: At,
                _: Off,
                _: &mut Memory<Self, A>,
            ) -> (Self::Base, Tan<Self, A>)
            where
                Self: Elements<At>,
                At: Copy,
            {
                let dot = dot.there().map_or(A::ZERO, |dot| Self::shadow(dot, at));
                (self.element(at), Self::Base::shadow(dot))
            }
            #[inline]
            fn $at_pull<At, A: LinearSpace<Self::Base>, S: Sweeps>(
                &self,
                mut bar: impl BarSlot<Self, A>,
                at: At,
                _: Off,
                y_bar: Option<&mut Tan<Self, A>>,
                memory: &mut Memory<Self, A>,
                _: S,
            ) -> Option<Self::Base>
            where
                Self: Elements<At>,
                At: Copy,
            {
                let y = S::FORWARD.then(|| self.element(at));
                let fresh = bar.is_fresh();
                if S::REVERSE
                    && let (Some(bar), Some(y_bar)) = (bar.there(), y_bar)
                {
                    if fresh {
                        Place::initialise(self, bar, &mut memory.shadows);
                    }
                    *Self::shadow_mut(bar, at) += Self::Base::number::<A>(y_bar);
                }
                y.filter(|_| S::VALUED)
            }
            #[inline]
            fn $at_pull_push<At, A: LinearSpace<Self::Base>, S: Sweeps>(
                &self,
                dot: impl DotSlot<Self, A>,
                mut bar: impl BarSlot<Self, Self::Base>,
                mut bar_dot: impl BarSlot<Self, A>,
                at: At,
                _: Off,
                _: Off,
                _: Off,
                y_bar: Option<&mut Tan<Self, Self::Base>>,
                y_bar_dot: Option<&mut Tan<Self, A>>,
                _: &mut Memory<Self, A>,
                _: S,
            ) -> Option<(Self::Base, Tan<Self, A>)>
            where
                Self: Elements<At>,
                At: Copy,
            {
                let y = S::FORWARD.then(|| {
                    let dot = dot.there().map_or(A::ZERO, |dot| Self::shadow(dot, at));
                    (self.element(at), Self::Base::shadow(dot))
                });
                if S::REVERSE
                    && let (Some(bar), Some(y_bar)) = (bar.there(), y_bar)
                {
                    *Self::shadow_mut(bar, at) += Self::Base::number::<Self::Base>(y_bar);
                }
                if S::REVERSE
                    && let (Some(bar), Some(y_bar)) = (bar_dot.there(), y_bar_dot)
                {
                    *Self::shadow_mut(bar, at) += Self::Base::number::<A>(y_bar);
                }
                y.filter(|_| S::VALUED)
            }
            #[inline]
            fn $set<At>(&mut self, at: At, value: Self::Base)
            where
                Self: Elements<At>,
            {
                *self.element_mut(at) = value;
            }
            #[inline]
            fn $set_push<At, A: LinearSpace<Self::Base>>(
                &mut self,
                mut dot: impl BarSlot<Self, A>,
                at: At,
                _: Off,
                value: Self::Base,
                value_dot: impl DotSlot<Self::Base, A>,
                _: &mut Memory<Self, A>,
            ) -> ((), ())
            where
                Self: Elements<At>,
                At: Copy,
            {
                *self.element_mut(at) = value;
                if let Some(dot) = dot.there() {
                    *Self::shadow_mut(dot, at) = value_dot.there().map_or(A::ZERO, Self::Base::number::<A>);
                }
                ((), ())
            }
            #[inline]
            fn $set_pull<At, A: LinearSpace<Self::Base>, S: Sweeps>(
                &mut self,
                mut bar: impl BarSlot<Self, A>,
                at: At,
                _: Off,
                value: Self::Base,
                mut value_bar: impl BarSlot<Self::Base, A>,
                _: Option<&mut ()>,
                _: &mut Memory<Self, A>,
                _: S,
            ) -> Option<()>
            where
                Self: Elements<At>,
                At: Copy,
            {
                if S::FORWARD {
                    *self.element_mut(at) = value;
                }
                if S::REVERSE {
                    passed_on::<Self, At, A>(bar.there(), at, &mut value_bar);
                }
                S::VALUED.then_some(())
            }
            #[inline]
            fn $set_pull_push<At, A: LinearSpace<Self::Base>, S: Sweeps>(
                &mut self,
                mut dot: impl BarSlot<Self, A>,
                mut bar: impl BarSlot<Self, Self::Base>,
                mut bar_dot: impl BarSlot<Self, A>,
                at: At,
                _: Off,
                _: Off,
                _: Off,
                value: Self::Base,
                value_dot: impl DotSlot<Self::Base, A>,
                mut value_bar: impl BarSlot<Self::Base, Self::Base>,
                mut value_bar_dot: impl BarSlot<Self::Base, A>,
                _: Option<&mut ()>,
                _: Option<&mut ()>,
                _: &mut Memory<Self, A>,
                _: S,
            ) -> Option<((), ())>
            where
                Self: Elements<At>,
                At: Copy,
            {
                if S::FORWARD {
                    *self.element_mut(at) = value;
                    if let Some(dot) = dot.there() {
                        *Self::shadow_mut(dot, at) = value_dot.there().map_or(A::ZERO, Self::Base::number::<A>);
                    }
                }
                if S::REVERSE {
                    passed_on::<Self, At, Self::Base>(bar.there(), at, &mut value_bar);
                    passed_on::<Self, At, A>(bar_dot.there(), at, &mut value_bar_dot);
                }
                S::VALUED.then_some(((), ()))
            }
        }

    )+ };
}
impl<F: Number> ByTwo for Array<F, Ix2> {}
impl<F: Number> ByThree for Array<F, Ix3> {}

indexed! {
    /// Derivative code of elements whose index has two members.
    ByTwo:
        index_2__at index_2__at__annotated index_2__at__push index_2__at__pull index_2__at__pull_push
        index_2__set index_2__set__push_mut index_2__set__pull_mut index_2__set__pull_push_mut;
    /// Derivative code of elements whose index has three members.
    ByThree:
        index_3__at index_3__at__annotated index_3__at__push index_3__at__pull index_3__at__pull_push
        index_3__set index_3__set__push_mut index_3__set__pull_mut index_3__set__pull_push_mut;
}

/// The cotangent of an element that was set goes to what was stored there.
#[inline]
fn passed_on<T: Elements<At>, At, A: LinearSpace<T::Base>>(
    bar: Option<&mut T::Tangent<A>>,
    at: At,
    value: &mut impl BarSlot<T::Base, A>,
) {
    let Some(bar) = bar else { return };
    let flow = replace(T::shadow_mut(bar, at), A::ZERO);
    let fresh = value.is_fresh();
    if let Some(value) = value.there() {
        let value = T::Base::number_mut::<A>(value);
        *value = if fresh { flow } else { *value + flow };
    }
}
