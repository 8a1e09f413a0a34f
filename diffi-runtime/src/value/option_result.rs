//! `Option`s and `Result`s of active values: what is there, and what is not.

use crate::number::tangent::Tangent;

/// A value that may be missing.
pub trait Carrier {
    /// The value.
    type Content;
    /// Whether it is there.
    fn is_there(&self) -> bool;
    /// It, where it is.
    ///
    /// # Panics
    ///
    /// If it is missing.
    fn content(&self) -> &Self::Content;
}

impl<T> Carrier for Option<T> {
    type Content = T;
    #[inline]
    fn is_there(&self) -> bool {
        self.is_some()
    }
    #[inline]
    fn content(&self) -> &T {
        self.as_ref().expect("called where it is `Some`")
    }
}

impl<T, E> Carrier for Result<T, E> {
    type Content = T;
    #[inline]
    fn is_there(&self) -> bool {
        self.is_ok()
    }
    #[inline]
    fn content(&self) -> &T {
        self.as_ref().ok().expect("called where it is `Ok`")
    }
}

impl<C: Carrier> Carrier for &C {
    type Content = C::Content;
    #[inline]
    fn is_there(&self) -> bool {
        C::is_there(self)
    }
    #[inline]
    fn content(&self) -> &C::Content {
        C::content(self)
    }
}

/// What stands in place of a value that is missing.
pub trait Failing {
    /// The error; of an option, its absence.
    type Error;
}

impl<T, E> Failing for Result<T, E> {
    type Error = E;
}

impl<T> Failing for Option<T> {
    type Error = crate::value::outcome::Absence;
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

/// Adds to the shadow of a value that is there.
#[inline]
pub fn acc_content<A, T: Tangent<A>>(shadow: &mut Option<T>, content: &T) {
    if let Some(shadow) = shadow {
        shadow.acc(content);
    }
}
