//! `Option`s and `Result`s of active values: what is there, and what is not.

use crate::number::active::Active;
use crate::number::linear_space::Lin;
use crate::number::tangent::Tangent;
use crate::stack::workspace::Pool;
use std::fmt::Debug;

/// A value that may be missing.
pub trait Carrier {
    /// The value.
    type Content;
    /// Whether it is there.
    fn is_there(&self) -> bool;
    /// A copy of it.
    ///
    /// # Panics
    ///
    /// If it is missing.
    fn content(&self) -> Self::Content;
}

impl<T: Clone> Carrier for Option<T> {
    type Content = T;
    #[inline]
    fn is_there(&self) -> bool {
        self.is_some()
    }
    #[inline]
    fn content(&self) -> T {
        self.clone().expect("called where it is `Some`")
    }
}

impl<T: Clone, E> Carrier for Result<T, E> {
    type Content = T;
    #[inline]
    fn is_there(&self) -> bool {
        self.is_ok()
    }
    #[inline]
    fn content(&self) -> T {
        self.as_ref().ok().cloned().expect("called where it is `Ok`")
    }
}

/// What stands in place of a value that is missing.
pub trait Failing {
    /// The error; of an option, nothing.
    type Error;
    /// A copy of it.
    ///
    /// # Panics
    ///
    /// If the value is there.
    fn failure(&self) -> Self::Error;
}

impl<T, E: Clone> Failing for Result<T, E> {
    type Error = E;
    fn failure(&self) -> E {
        self.as_ref().err().cloned().expect("called where it is `Err`")
    }
}

impl<T> Failing for Option<T> {
    type Error = ();
    fn failure(&self) {
        assert!(self.is_none(), "called where it is `None`");
    }
}

/// A tuple: the types of its members, where it is written by another name.
pub trait Members {
    /// The first member.
    type T0;
    /// The second one.
    type T1;
    /// The third one, if there is one.
    type T2;
    /// The fourth one.
    type T3;
    /// The fifth one.
    type T4;
    /// The sixth one.
    type T5;
    /// The seventh one.
    type T6;
    /// The eighth one.
    type T7;
}

macro_rules! members {
    ($([$($T:ident)+] $($Own:ident = $Type:ty),+;)+) => { $(
        impl<$($T),+> Members for ($($T,)+) {
            $(type $Own = $Type;)+
        }
    )+ };
}
members! {
    [A B] T0 = A, T1 = B, T2 = (), T3 = (), T4 = (), T5 = (), T6 = (), T7 = ();
    [A B C] T0 = A, T1 = B, T2 = C, T3 = (), T4 = (), T5 = (), T6 = (), T7 = ();
    [A B C D] T0 = A, T1 = B, T2 = C, T3 = D, T4 = (), T5 = (), T6 = (), T7 = ();
    [A B C D E] T0 = A, T1 = B, T2 = C, T3 = D, T4 = E, T5 = (), T6 = (), T7 = ();
    [A B C D E F] T0 = A, T1 = B, T2 = C, T3 = D, T4 = E, T5 = F, T6 = (), T7 = ();
    [A B C D E F G] T0 = A, T1 = B, T2 = C, T3 = D, T4 = E, T5 = F, T6 = G, T7 = ();
    [A B C D E F G H] T0 = A, T1 = B, T2 = C, T3 = D, T4 = E, T5 = F, T6 = G, T7 = H;
}

/// The error of a result that is one: see [`Failing`].
///
/// # Panics
///
/// If it is none.
#[inline]
pub fn failure<R: Failing>(result: &R) -> R::Error {
    result.failure()
}

/// Adds to the shadow of a value that is there.
#[inline]
pub fn acc_content<A, T: Tangent<A>>(shadow: &mut Option<T>, content: &T) {
    if let Some(shadow) = shadow {
        shadow.acc(content);
    }
}

/// The tangent of a `Result` is that of its value, if there is one: an error has none.
impl<T: Active, E: Clone + Debug + 'static> Active for Result<T, E> {
    type Base = T::Base;
    type Tangent<A: Lin<T::Base>> = Option<T::Tangent<A>>;
    const FIXED: bool = false;

    #[inline]
    fn zeros<A: Lin<T::Base>>(&self, pool: &mut Pool<A>) -> Option<T::Tangent<A>> {
        self.as_ref().ok().map(|v| v.zeros(pool))
    }
    #[inline]
    fn empty<A: Lin<T::Base>>() -> Option<T::Tangent<A>> {
        <Option<T> as Active>::empty()
    }
    #[inline]
    fn release<A: Lin<T::Base>>(t: Option<T::Tangent<A>>, pool: &mut Pool<A>) {
        <Option<T> as Active>::release(t, pool);
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        dim(usize::from(self.is_ok()));
        self.iter().for_each(|v| v.shape(dim));
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.iter_mut().for_each(|v| v.each_mut(f));
    }
    #[inline]
    fn is_absent(&self) -> bool {
        self.is_err()
    }
}
