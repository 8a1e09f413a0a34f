//! Parameters and results of types of which only rustc knows whether they carry derivatives: `kind: Kind`.
//!
//! A type without a tangent is a constant. Derivative code that reads numbers of such a parameter asks for a tangent.

use crate::number::active::{Active, Member};
use crate::number::batch::Float;
use crate::signature::function::ReturnValue;
use crate::signature::param_kinds::{Mut, Out, ParamKind, Passive, PassiveMut, PassiveRef, Ref, Val};
use crate::signature::shadow_slots::Spare;
use crate::value::asked::Answer;
use crate::value::nothing::Nothing;
use std::marker::PhantomData;

/// A parameter's type, behind its reference, in a function of floats `F`.
#[derive(Debug)]
pub struct AskedPlace<T: ?Sized, F>(PhantomData<F>, PhantomData<T>);

impl<T: Member<Base = F> + ?Sized, F: Float> AskedPlace<T, F> {
    /// It carries derivatives.
    pub const ACTIVE: bool = true;
}

/// The answer for all other types.
pub trait NotAskedPlace {
    /// They carry none.
    const ACTIVE: bool;
}

impl<T: ?Sized, F> NotAskedPlace for AskedPlace<T, F> {
    const ACTIVE: bool = false;
}

/// What a parameter's shadow goes with: its type, or nothing.
pub trait PlaceOf<T: ?Sized, F: Float> {
    /// The place.
    type Place: Member<Base = F> + ?Sized;
}

impl<T: Member<Base = F> + ?Sized, F: Float> PlaceOf<T, F> for Answer<true> {
    type Place = T;
}

impl<T: ?Sized, F: Float> PlaceOf<T, F> for Answer<false> {
    type Place = Nothing<F>;
}

/// The kind of a parameter that is taken by value.
pub trait ValueKind<T, F: Float> {
    /// The kind.
    type Kind: ParamKind<Base = F>;
}

impl<T: Active<Base = F>, F: Float> ValueKind<T, F> for Answer<true> {
    type Kind = Val<T>;
}

impl<T: Clone + 'static, F: Float> ValueKind<T, F> for Answer<false> {
    type Kind = Passive<T, F>;
}

macro_rules! behind_references {
    ($($Trait:ident $Active:ident $Passive:ident, $text:literal;)+) => { $(
        #[doc = $text]
        pub trait $Trait<T: ?Sized, F: Float> {
            /// The kind.
            type Kind: ParamKind<Base = F>;
        }

        impl<T: Member<Base = F> + ?Sized, F: Float> $Trait<T, F> for Answer<true> {
            type Kind = $Active<T>;
        }

        impl<T: ?Sized + 'static, F: Float> $Trait<T, F> for Answer<false> {
            type Kind = $Passive<T, F>;
        }
    )+ };
}
behind_references! {
    RefKind Ref PassiveRef, "The kind of a parameter behind `&`.";
    MutKind Mut PassiveMut, "The kind of a parameter behind `&mut`.";
    OutKind Out PassiveMut, "The kind of a parameter behind `&mut` that is written before it is read.";
}

/// A function's result.
#[derive(Debug)]
pub struct AskedResult<T, F>(PhantomData<(T, F)>);

impl<T: ReturnValue<F>, F: Float> AskedResult<T, F> {
    /// It carries derivatives.
    pub const ACTIVE: bool = true;
}

/// The answer for all other types.
pub trait NotAskedResult {
    /// They carry none.
    const ACTIVE: bool;
}

impl<T, F> NotAskedResult for AskedResult<T, F> {
    const ACTIVE: bool = false;
}

/// An argument of which only rustc knows whether it carries derivatives: `(&&SeenPart::<f64, _>::of(&kind)).seen()`.
#[derive(Debug)]
pub struct SeenPart<'a, F, T: ?Sized>(&'a T, PhantomData<F>);

impl<'a, F, T: ?Sized> SeenPart<'a, F, T> {
    /// The argument.
    #[inline(always)]
    pub fn of(argument: &'a T) -> Self {
        SeenPart(argument, PhantomData)
    }
}

/// An argument that carries derivatives is seen as it is.
pub trait SeenWhole<'a, P: ?Sized> {
    /// The argument.
    fn seen(self) -> &'a P;
}

impl<'a, F: Float, P: Spare<Base = F> + ?Sized> SeenWhole<'a, P> for &&SeenPart<'a, F, P> {
    #[inline(always)]
    fn seen(self) -> &'a P {
        self.0
    }
}

/// So is one that a reference leads to.
impl<'a, F: Float, P: Spare<Base = F> + ?Sized> SeenWhole<'a, P> for &&SeenPart<'a, F, &'a P> {
    #[inline(always)]
    fn seen(self) -> &'a P {
        self.0
    }
}

/// All others are nothing.
pub trait SeenAsNothing<'a, F: 'static> {
    /// Nothing.
    fn seen(self) -> &'a Nothing<F>;
}

impl<'a, F: 'static, T: ?Sized> SeenAsNothing<'a, F> for &SeenPart<'a, F, T> {
    #[inline(always)]
    fn seen(self) -> &'a Nothing<F> {
        const { &Nothing::NEW }
    }
}
