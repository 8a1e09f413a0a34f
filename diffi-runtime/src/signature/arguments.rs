//! What users write at a call, and what the function receives.
//!
//! The role of an argument is a parameter of the trait and not an associated type: so rustc marks the one wrong element of a tuple.

use crate::number::active::Active;
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::signature::arg_roles::{InOut, Input, Output, Passed, Role, Scratch};
use crate::signature::param_kinds::{
    CacheMut, Generic, Mut, Out, ParamKind, Passive, PassiveMut, PassiveRef, Ref, Signature, Val, View,
};
use ndarray::{Array, ArrayView, Dimension};

/// An argument whose value matters and whose derivative is zero; any type, by value or by reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Constant<T>(pub T);

/// A buffer that the function overwrites, `Cache(&mut buffer)`; derivatives flow through it.
#[derive(Debug)]
pub struct Cache<T>(pub T);

/// All arguments of a call: one bare, several as a tuple in the function's own order.
#[diagnostic::on_unimplemented(
    message = "these arguments do not fit the function's parameters `{G}` [D0601]",
    label = "does not fit `{G}`",
    note = "one argument is passed bare, several as a tuple in the function's own order: `(&x, Constant(&c))`",
    note = "numbers are floats: `2.0`, not `2`"
)]
pub trait Args<G: Signature, R> {
    /// What the function receives.
    fn at(&mut self) -> G::At<'_>;
}

/// One argument for a parameter of kind `K`, in the role `P`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a `{K}` parameter [D0602]",
    label = "does not fit a `{K}` parameter in the role `{P}`",
    note = "bare means differentiated; wrap what is only read, integers too, in `Constant(..)`, scratch in `Cache(&mut ..)`, outputs in `&mut ..`"
)]
pub trait Arg<K: ParamKind, P: Role> {
    /// What the function receives.
    fn at(&mut self) -> K::At<'_>;
}

/// A value inside `Constant(..)` for a parameter of kind `K`.
#[diagnostic::on_unimplemented(
    message = "`Constant({Self})` cannot be passed for a `{K}` parameter [D0602]",
    label = "does not fit a `{K}` parameter"
)]
pub trait Value<K: ParamKind> {
    /// What the function receives.
    fn at(&mut self) -> K::At<'_>;
}

impl<K: ParamKind, X: Value<K>> Arg<K, Passed> for Constant<X> {
    #[inline]
    fn at(&mut self) -> K::At<'_> {
        self.0.at()
    }
}

impl<K0: ParamKind, P0: Role, X0: Arg<K0, P0>> Args<(K0,), (P0,)> for X0
where
    (K0,): for<'a> Signature<At<'a> = (K0::At<'a>,)>,
{
    #[inline]
    fn at(&mut self) -> <(K0,) as Signature>::At<'_> {
        (self.at(),)
    }
}

macro_rules! args {
    ([$K:ident $P:ident $X:ident $x:ident $i:tt]) => {};
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ParamKind<Base = F>, $P: Role, $X: Arg<$K, $P>),+> Args<($($K,)+), ($($P,)+)> for ($($X,)+) {
            #[inline]
            fn at(&mut self) -> ($($K::At<'_>,)+) {
                ($(self.$i.at(),)+)
            }
        }
    };
}
arities!(args);

/// How types are passed: `[generics] the written type, for a kind and a role (or inside Constant), |x| what the function receives`.
macro_rules! passed {
    ($([$($generics:tt)*] $X:ty, $trait:ident<$($what:ty),+>, |$x:ident| $at:expr;)+) => { $(
        impl<$($generics)*> $trait<$($what),+> for $X {
            #[inline]
            fn at(&mut self) -> passed!(@at $($what),+) {
                let $x = self;
                $at
            }
        }
    )+ };
    (@at $K:ty) => { <$K as ParamKind>::At<'_> };
    (@at $K:ty, $P:ty) => { <$K as ParamKind>::At<'_> };
}

// Differentiated.
passed! {
    [T: Active] T, Arg<Val<T>, Input>, |x| x.duplicate();
    [T: Active] &T, Arg<Val<T>, Input>, |x| x.duplicate();
    [T: Active] &T, Arg<Ref<T>, Input>, |x| x;
    [T: Active] &[T], Arg<Ref<[T]>, Input>, |x| x;
    [T: Active] &Vec<T>, Arg<Ref<[T]>, Input>, |x| x;
    [T: Active, const N: usize] &[T; N], Arg<Ref<[T]>, Input>, |x| &x[..];
    [T: Active] T, Arg<Generic<T>, Input>, |x| x;
    [T: Active] &T, Arg<Generic<T>, Input>, |x| x;
    [T: Active] &[T], Arg<Generic<[T]>, Input>, |x| x;
    [T: Active] &Vec<T>, Arg<Generic<[T]>, Input>, |x| x;
    [T: Active, const N: usize] &[T; N], Arg<Generic<[T]>, Input>, |x| &x[..];
    [F: Active, D: Dimension + 'static] ArrayView<'_, F, D>, Arg<View<F, D>, Input>, |x| x.view();
    [F: Active, D: Dimension + 'static] &ArrayView<'_, F, D>, Arg<View<F, D>, Input>, |x| x.view();
    [F: Active, D: Dimension + 'static] &Array<F, D>, Arg<View<F, D>, Input>, |x| x.view();
}

// Written to.
macro_rules! written {
    ($($ParamKind:ident $Role:ident;)+) => { passed! { $(
        [T: Active] &mut T, Arg<$ParamKind<T>, $Role>, |x| x;
        [T: Active] &mut [T], Arg<$ParamKind<[T]>, $Role>, |x| x;
        [T: Active] &mut Vec<T>, Arg<$ParamKind<[T]>, $Role>, |x| x;
        [T: Active, const N: usize] &mut [T; N], Arg<$ParamKind<[T]>, $Role>, |x| &mut x[..];
    )+ } };
}
written! {
    Out Output;
    Mut InOut;
}

macro_rules! scratch {
    ($($ParamKind:ident)+) => { passed! { $(
        [T: Active] Cache<&mut T>, Arg<$ParamKind<T>, Scratch>, |x| x.0;
        [T: Active] Cache<&mut [T]>, Arg<$ParamKind<[T]>, Scratch>, |x| x.0;
        [T: Active] Cache<&mut Vec<T>>, Arg<$ParamKind<[T]>, Scratch>, |x| x.0;
        [T: Active, const N: usize] Cache<&mut [T; N]>, Arg<$ParamKind<[T]>, Scratch>, |x| &mut x.0[..];
    )+ } };
}
scratch!(CacheMut Mut Out);

// Constant.
passed! {
    [T: Active] T, Value<Val<T>>, |x| x.duplicate();
    [T: Active] &T, Value<Val<T>>, |x| x.duplicate();
    [T: Active] T, Value<Ref<T>>, |x| x;
    [T: Active] &T, Value<Ref<T>>, |x| x;
    [T: Active] &[T], Value<Ref<[T]>>, |x| x;
    [T: Active] Vec<T>, Value<Ref<[T]>>, |x| x;
    [T: Active] &Vec<T>, Value<Ref<[T]>>, |x| x;
    [T: Active, const N: usize] [T; N], Value<Ref<[T]>>, |x| x;
    [T: Active, const N: usize] &[T; N], Value<Ref<[T]>>, |x| &x[..];
    [F: Active, D: Dimension + 'static] ArrayView<'_, F, D>, Value<View<F, D>>, |x| x.view();
    [F: Active, D: Dimension + 'static] &ArrayView<'_, F, D>, Value<View<F, D>>, |x| x.view();
    [F: Active, D: Dimension + 'static] Array<F, D>, Value<View<F, D>>, |x| x.view();
    [F: Active, D: Dimension + 'static] &Array<F, D>, Value<View<F, D>>, |x| x.view();
    [T: Clone + 'static, F: Float] T, Value<Passive<T, F>>, |x| x.clone();
    [T: Clone + 'static, F: Float] &T, Value<Passive<T, F>>, |x| T::clone(x);
    [T: 'static, F: Float] T, Value<PassiveRef<T, F>>, |x| x;
    [T: ?Sized + 'static, F: Float] &T, Value<PassiveRef<T, F>>, |x| x;
    [T: 'static, F: Float] Vec<T>, Value<PassiveRef<[T], F>>, |x| x;
    [T: 'static, F: Float] &Vec<T>, Value<PassiveRef<[T], F>>, |x| x;
    [T: 'static, F: Float, const N: usize] [T; N], Value<PassiveRef<[T], F>>, |x| x;
    [T: 'static, F: Float, const N: usize] &[T; N], Value<PassiveRef<[T], F>>, |x| &x[..];
    [F: Float] String, Value<PassiveRef<str, F>>, |x| x;
    [F: Float] &String, Value<PassiveRef<str, F>>, |x| x;
    [T: ?Sized + 'static, F: Float] &mut T, Value<PassiveMut<T, F>>, |x| x;
    [T: 'static, F: Float] &mut Vec<T>, Value<PassiveMut<[T], F>>, |x| x;
    [T: 'static, F: Float, const N: usize] &mut [T; N], Value<PassiveMut<[T], F>>, |x| &mut x[..];
}
