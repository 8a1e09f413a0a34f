//! Shadows in structs and options, which may be missing: generated code does not see which fields carry derivatives.

/// The shadow of a field that is a number: a number, or nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the shadow of a number [D0603]",
    label = "this field is used like a number"
)]
pub trait MaybeNumber<A, F>: Copy {
    /// The number; zero if there is none.
    fn shadow_number(self) -> A;
    /// Adds to it.
    fn gain(&mut self, value: A);
    /// Subtracts from it.
    fn lose(&mut self, value: A);
    /// Makes it zero.
    fn unset(&mut self);
}

/// The number, if the shadow is one: see [`MaybeNumber`].
#[inline]
pub fn number<A, F, S: MaybeNumber<A, F>>(shadow: S) -> A {
    shadow.shadow_number()
}

/// Adds to the shadow, if it is a number: see [`MaybeNumber`].
#[inline]
pub fn add_to<A, F, S: MaybeNumber<A, F>>(shadow: &mut S, value: A) {
    shadow.gain(value);
}

/// Subtracts from the shadow, if it is a number: see [`MaybeNumber`].
#[inline]
pub fn subtract_from<A, F, S: MaybeNumber<A, F>>(shadow: &mut S, value: A) {
    shadow.lose(value);
}

/// Clears the shadow, if it is a number: see [`MaybeNumber`].
#[inline]
pub fn reset<A, F, S: MaybeNumber<A, F>>(shadow: &mut S) {
    shadow.unset();
}

/// What an option holds.
///
/// # Panics
///
/// If it holds nothing.
#[inline]
pub fn some<T>(option: &Option<T>) -> &T {
    option.as_ref().expect("a shadow has the shape of its value")
}

/// What an option holds, to be changed.
///
/// # Panics
///
/// If it holds nothing.
#[inline]
pub fn some_mut<T>(option: &mut Option<T>) -> &mut T {
    option.as_mut().expect("a shadow has the shape of its value")
}
