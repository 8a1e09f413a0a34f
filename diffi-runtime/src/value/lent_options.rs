//! Options of references, of which derivative code has options of values of its own.

/// A value that is lent as a `T`.
#[diagnostic::on_unimplemented(
    message = "an option of a reference to `{T}` is lent as one of `{Self}` [D0813]",
    label = "derivative code has a `{Self}` here",
    note = "lend the value by a slice, `Some(&x[..])`, or with the type that the function takes"
)]
pub trait OwnCopy<T: ?Sized>: Sized {
    /// A copy.
    fn own(of: &T) -> Self;
    /// What is lent.
    fn lent(&self) -> &T;
    /// What is lent to be changed.
    fn lent_mut(&mut self) -> &mut T;
    /// Leaves its value there.
    fn give_back(self, to: &mut T);
}

impl<T: Clone> OwnCopy<T> for T {
    #[inline]
    fn own(of: &T) -> T {
        of.clone()
    }
    #[inline]
    fn lent(&self) -> &T {
        self
    }
    #[inline]
    fn lent_mut(&mut self) -> &mut T {
        self
    }
    #[inline]
    fn give_back(self, to: &mut T) {
        *to = self;
    }
}

impl<T: Clone> OwnCopy<[T]> for Vec<T> {
    #[inline]
    fn own(of: &[T]) -> Vec<T> {
        of.to_vec()
    }
    #[inline]
    fn lent(&self) -> &[T] {
        self
    }
    #[inline]
    fn lent_mut(&mut self) -> &mut [T] {
        self
    }
    #[inline]
    fn give_back(self, to: &mut [T]) {
        to.clone_from_slice(&self);
    }
}

/// What an option holds, lent.
#[inline]
pub fn lent<T: ?Sized, S: OwnCopy<T>>(option: &Option<S>) -> Option<&T> {
    option.as_ref().map(S::lent)
}

/// What an option holds, lent to be changed.
#[inline]
pub fn lent_mut<T: ?Sized, S: OwnCopy<T>>(option: &mut Option<S>) -> Option<&mut T> {
    option.as_mut().map(S::lent_mut)
}

/// A copy of what is lent.
#[inline]
pub fn copied<T: ?Sized, S: OwnCopy<T>>(lent: Option<&T>) -> Option<S> {
    lent.map(S::own)
}

/// A copy of what is lent to be changed: it is left there in the end.
#[derive(Debug)]
pub struct Copied<'t, T: ?Sized, S: OwnCopy<T>> {
    copy: Option<S>,
    to: Option<&'t mut T>,
}

impl<'t, T: ?Sized, S: OwnCopy<T>> Copied<'t, T, S> {
    /// A copy.
    #[inline]
    pub fn of(to: Option<&'t mut T>) -> Self {
        Copied { copy: to.as_deref().map(S::own), to }
    }
    /// The copy.
    #[inline]
    pub fn copy(&mut self) -> &mut Option<S> {
        &mut self.copy
    }
}

impl<T: ?Sized, S: OwnCopy<T>> Drop for Copied<'_, T, S> {
    #[inline]
    fn drop(&mut self) {
        if let (Some(copy), Some(to)) = (self.copy.take(), self.to.take()) {
            copy.give_back(to);
        }
    }
}
