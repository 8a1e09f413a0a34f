//! Arguments of calls that change later, which the callee has to take by exclusive references.

/// A reference by which a callee may write.
#[diagnostic::on_unimplemented(
    message = "an argument of this call changes later, and the function only reads it: pass `&*name` instead of `name` [D0817]",
    label = "only reads an argument that is handed to it as an exclusive reference",
    note = "the reverse sweep of the function reads what the argument was at the call"
)]
pub trait Exclusive {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Exclusive for &mut T {}

/// The argument. It compiles where the function takes an exclusive reference.
#[inline(always)]
pub fn exclusive<Reference: Exclusive>(argument: Reference) -> Reference {
    argument
}
