//! What carries no derivative and is lent to calls, which change a copy of it, or read a copy from before it changes.

/// A copy as it was before the call, in every sweep.
#[inline]
pub fn lent_again<'t, T: Clone>(copy: &'t mut T, was: &T) -> &'t mut T {
    copy.clone_from(was);
    copy
}

/// The value that a call has left.
#[inline]
pub fn left<T: Clone>(copy: &T) -> T {
    copy.clone()
}

/// What can be copied for the reverse sweep: it is an argument of a call, and changes after that.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` changes after a call that reads it, and cannot be kept for the reverse sweep [D0809]",
    label = "this function's derivative code needs `{Self}` as it was",
    note = "derive `Clone` for `{Self}`, or change another value"
)]
pub trait KeptCopy {
    /// The copy.
    type Copy;
    /// Makes it.
    fn copied_for_sweeps(&self) -> Self::Copy;
}

impl<T: ToOwned + ?Sized> KeptCopy for T {
    type Copy = T::Owned;
    #[inline]
    fn copied_for_sweeps(&self) -> T::Owned {
        self.to_owned()
    }
}

/// A copy of an argument that changes after the call.
#[inline]
pub fn kept_for_sweeps<T: KeptCopy + ?Sized>(argument: &T) -> T::Copy {
    argument.copied_for_sweeps()
}
