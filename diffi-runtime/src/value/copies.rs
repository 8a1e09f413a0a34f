//! Copies of values in derivative code: a type needs no `Clone` to carry derivatives.

use crate::number::active::Active;

/// A value of which a copy is asked for: `Original(&value).copy()`.
#[derive(Clone, Copy, Debug)]
pub struct Original<'v, T: ?Sized>(pub &'v T);

/// By the type's own `Clone`, if it has one. Being inherent, this comes before [`CopyByParts`].
impl<T: Clone> Original<'_, T> {
    /// The copy.
    #[inline(always)]
    pub fn copy(self) -> T {
        self.0.clone()
    }
}

/// Part by part, of a type that carries derivatives.
pub trait CopyByParts {
    /// The type.
    type Of;
    /// The copy.
    fn copy(self) -> Self::Of;
}

impl<T: Active> CopyByParts for Original<'_, T> {
    type Of = T;
    #[inline]
    fn copy(self) -> T {
        self.0.duplicate()
    }
}

/// What is found last says what is missing.
pub trait CopyRefused<T> {
    /// For a value that cannot be copied.
    fn copy(&self) -> T
    where
        T: Copyable;
}

impl<T> CopyRefused<T> for Original<'_, T> {
    fn copy(&self) -> T
    where
        T: Copyable,
    {
        unreachable!("no type is meant")
    }
}

/// A type with copies.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be copied for derivative code [D0809]",
    label = "has no `Clone`",
    note = "put `#[derive(Clone)]` on `{Self}`; types that derive `Differentiable` need none"
)]
pub trait Copyable {}
