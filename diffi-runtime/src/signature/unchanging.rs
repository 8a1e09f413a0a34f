//! What a function without derivatives may be handed together with active values.
//!
//! It could store them in a cell, from which another call takes them as a passive number. That there is none, rustc has to see.

use std::panic::RefUnwindSafe;

/// A type in which nothing changes behind a shared reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is handed to a function without derivatives together with active values, and may keep them in a cell [D0806]",
    label = "their derivative would be lost where a number is read from there",
    note = "put `#[differentiable]` on the function or its `impl`, or keep such numbers in a variable or a `Vec` of the caller"
)]
pub trait Unchanging {}

#[diagnostic::do_not_recommend]
impl<T: RefUnwindSafe + ?Sized> Unchanging for T {}

/// What is handed over beside active values.
pub struct Beside<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Beside<'_, T> {
    /// Compiles where nothing changes in it.
    #[inline]
    pub fn unchanging(&self)
    where
        T: Unchanging,
    {
    }
}
