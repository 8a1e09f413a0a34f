//! Arrays that generated code fills by index, and whose length rustc finds.

/// An array whose length follows from its use.
#[inline]
pub fn filled<T: Copy, const N: usize>(value: T) -> [T; N] {
    [value; N]
}

/// An array as long as another one.
#[inline]
pub fn filled_like<T: Copy, U, const N: usize>(value: T, _: &[U; N]) -> [T; N] {
    [value; N]
}
