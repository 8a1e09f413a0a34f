//! What generated code asks rustc of names: the macro sees a name only, and a user may have given it to something else.

use crate::number::active::Active;
use crate::signature::zero_shadow::Inert;
use std::marker::PhantomData;

/// A function that is std's, not another one of the same name.
#[diagnostic::on_unimplemented(
    message = "diffi takes this function for std's by its name, and it is another one: `{Self}` [D0805]",
    label = "not the function of std that has this name",
    note = "give yours another name, and put `#[differentiable]` on it if it computes with active values"
)]
pub trait IsOfStd<Std> {}

impl<F> IsOfStd<F> for F {}

/// Where there is one implementation only, rustc takes its word for the types, and speaks of mismatched ones.
impl<F> IsOfStd<(F,)> for F {}

/// Compiles only if the first function is the second one.
pub fn is_of_std<F: IsOfStd<Std>, Std>(_: F, _: Std) {}

/// Functions of `ndarray` that are known by their names.
pub mod of_ndarray {
    pub use ndarray::{arr0, arr1, arr2, aview0, aview1};
}

/// A type by its name.
pub struct Named<T: ?Sized>(PhantomData<T>);

/// That a type carries derivatives.
pub struct Carries;

/// That a type carries none, as far as rustc knows.
pub struct CarriesNone;

impl<T: Active> Named<T> {
    /// Whether it carries derivatives.
    pub fn kind() -> (Self, Carries) {
        (Named(PhantomData), Carries)
    }
}

/// What holds for types that are not [`Active`].
pub trait NamedLikeOthers: Sized {
    /// Whether it carries derivatives.
    fn kind() -> (Self, CarriesNone);
}

impl<T: ?Sized> NamedLikeOthers for Named<T> {
    fn kind() -> (Self, CarriesNone) {
        (Named(PhantomData), CarriesNone)
    }
}

/// The answer for a type of this name.
#[diagnostic::on_unimplemented(
    message = "diffi takes `{T}` for a type of std by its name, one without derivatives, and it carries derivatives [D0805]",
    label = "its derivatives would be lost",
    note = "give it another name, or write it by another name here: `use .. as ..`"
)]
pub trait IsPassive<T: ?Sized> {}

impl<T: ?Sized> IsPassive<T> for CarriesNone {}

/// Compiles only if the type carries no derivatives.
pub fn is_passive<T: ?Sized, K: IsPassive<T>>(_: (Named<T>, K)) {}

/// A float type, not another one of the same name.
#[diagnostic::on_unimplemented(
    message = "diffi takes `{Self}` for a name of `f64` or `f32`, and it is another type [D0805]",
    label = "not a float type",
    note = "give it another name, or write it by another name here: `use .. as ..`"
)]
pub trait IsFloat {}
impl IsFloat for f64 {}
impl IsFloat for f32 {}

/// Compiles only if the type is a float.
pub fn is_float_by_name<T: IsFloat>() {}

/// A type of std, not another one of the same name.
#[diagnostic::on_unimplemented(
    message = "diffi takes this type for std's by its name, and it is another one: `{Self}` [D0805]",
    label = "not the type of std that has this name",
    note = "give it another name, or write it by another name here: `use .. as ..`"
)]
pub trait IsTypeOfStd<Std> {}
impl<T> IsTypeOfStd<T> for T {}
impl<T> IsTypeOfStd<(T,)> for T {}

/// Compiles only if the first type is the second one.
pub fn is_type_of_std<T: IsTypeOfStd<Std>, Std>() {}

/// A field's type, not another one than its struct's definition says.
#[diagnostic::on_unimplemented(
    message = "diffi takes this struct for another one that has its name: a field is `{Self}`, and no `{Known}` [D0805]",
    label = "not the struct whose definition diffi has found",
    note = "give it another name"
)]
pub trait IsTypeOfField<Known> {}
impl<T> IsTypeOfField<T> for T {}

/// Compiles only if the pointer leads to a value of the first type.
pub fn is_type_of_field<Known, T: IsTypeOfField<Known>>(_: *const T) {}

/// The answer for a type that is taken for an enum of names.
#[diagnostic::on_unimplemented(
    message = "diffi takes `{T}` for an enum of names, and it carries derivatives [D0805]",
    label = "its derivatives would be lost",
    note = "give it another name"
)]
pub trait IsOnlyNames<T: ?Sized> {}
impl<T: ?Sized> IsOnlyNames<T> for CarriesNone {}

/// Compiles only if the type carries no derivatives.
pub fn is_only_names<T: ?Sized, K: IsOnlyNames<T>>(_: (Named<T>, K)) {}

/// The tangent of a field that carries no derivative, as its struct's definition says.
#[diagnostic::on_unimplemented(
    message = "diffi takes this struct for another one that has its name: a constant field has a tangent, `{Self}` [D0805]",
    label = "not the struct whose definition diffi has found",
    note = "give it another name"
)]
pub trait NoTangent {}
impl NoTangent for () {}
impl NoTangent for Inert {}

/// Compiles only if there is nothing in the tangent.
pub fn is_no_tangent<T: NoTangent>(_: &T) {}

/// A type parameter, of which rustc finds out by which trait it has the methods of floats.
pub struct Bounded<T>(PhantomData<T>);

impl<T> Bounded<T> {
    /// The parameter.
    pub const NEW: Self = Bounded(PhantomData);
}

/// It has them by a trait that is known.
pub struct KnownTrait;

/// It has none, or those of a trait that is not known.
pub struct NoKnownTrait;

macro_rules! by_traits {
    ($($(#[$doc:meta])* $By:ident: [$($bound:tt)*] $of:ty => $Answer:ident;)+) => {
        $($(#[$doc])*
        pub trait $By {
            /// The answer.
            fn known(&self) -> $Answer;
        }
        impl<T: $($bound)*> $By for $of {
            fn known(&self) -> $Answer {
                $Answer
            }
        })+
    };
}
by_traits! {
    /// By the first of these.
    ByFloat: [num_traits::Float] &&&Bounded<T> => KnownTrait;
    /// By the second.
    ByReal: [num_traits::real::Real] &&Bounded<T> => KnownTrait;
    /// By the third.
    ByFloatCore: [num_traits::float::FloatCore] &Bounded<T> => KnownTrait;
    /// By none of them.
    ByNoKnownTrait: [Sized] Bounded<T> => NoKnownTrait;
}

/// The answer for a type parameter.
#[diagnostic::on_unimplemented(
    message = "diffi takes the methods of `{T}` for those of floats, and none of its traits has them but your own [D0805]",
    label = "its methods may do anything",
    note = "let your trait build on `num_traits::Float`: `trait Real: Float {{ .. }}`, or give the trait another name and `#[differentiable]`"
)]
pub trait IsFloatTrait<T: ?Sized> {}
impl<T: ?Sized> IsFloatTrait<T> for KnownTrait {}

/// Compiles only if the type parameter has the methods of floats by a trait that is known.
pub fn is_float_trait<T, K: IsFloatTrait<T>>(_: K) {}

/// Compiles only where the float `T` is `F`: what a trait does for `T` is known of `F` alone.
#[inline(always)]
pub fn only_float<T, F>() {
    const {
        assert!(
            size_of::<T>() == size_of::<F>(),
            "a trait's method is known of one float alone, and called on the other"
        )
    }
}

/// A type of std or of a library: `as_ref`, `as_slice`, `cloned` and their kin give what they are called on, or refer to it.
#[diagnostic::on_unimplemented(
    message = "`as_ref`, `borrow`, `cloned` or a method like these is called on `{Self}`, and diffi knows them of std's types only [D0805]",
    label = "called on a value of type `{Self}`",
    note = "give a method of your own another name and put `#[differentiable]` on its block, or write `&value` or `value.clone()`"
)]
pub trait CopiedByStd {}

macro_rules! copied {
    ($([$($generics:tt)*] $T:ty;)+) => { $(impl<$($generics)*> CopiedByStd for $T {})+ };
}
copied! {
    [] f32; [] f64;
    [T] [T]; [T] Vec<T>; [T, const N: usize] [T; N];
    [T] Option<T>; [T, E] Result<T, E>; [T: ?Sized] Box<T>;
    [T: CopiedByStd + ?Sized] &T; [T: CopiedByStd + ?Sized] &mut T;
    [S: ndarray::RawData<Elem = A>, D, A] ndarray::ArrayBase<S, D>;
}

#[cfg(feature = "nalgebra")]
impl<T, R, C, S> CopiedByStd for nalgebra::Matrix<T, R, C, S> {}

#[cfg(feature = "num-complex")]
impl<T> CopiedByStd for num_complex::Complex<T> {}

/// Compiles only if these methods are std's for the type.
#[inline]
pub fn is_copied_by_std<T: CopiedByStd + ?Sized>(_: &T) {}

/// A type whose `impl Iterator` is annotated.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is walked over, and its `impl Iterator` has no `#[differentiable]` [D0802]",
    label = "no derivative is known of its `next`"
)]
pub trait AnnotatedIterator {}

/// Compiles only if the type is an iterator itself, whose `next` is annotated as such.
#[inline]
pub fn is_iterator<I: AnnotatedIterator + Iterator>(_: &I) {}

#[cfg(test)]
mod tests {
    use super::{Named, NamedLikeOthers as _, is_of_std, is_passive};

    #[test]
    fn what_is_asked_of_std_itself_compiles() {
        is_of_std(std::mem::swap::<f64>, core::mem::swap::<f64>);
        is_of_std(std::hint::black_box, core::hint::black_box::<f64>);
        is_passive(Named::<std::time::Duration>::kind());
        is_passive(Named::<str>::kind());
        is_passive(Named::<std::collections::HashMap<f64, f64>>::kind());
    }
}
