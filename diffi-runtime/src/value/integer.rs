//! What generated code takes for an integer, though its type stands elsewhere.

/// An integer, or a value that is cast like one.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` is used as an integer, by a cast, a method or as a part of an index [D0811]",
    label = "`{Self}` is no integer",
    note = "leave a cast from a float to a float out, and give a method of one's own a name that integers' methods do not have"
)]
pub trait Integer: Copy {}

macro_rules! integer {
    ($($T:ident)+) => { $(impl Integer for $T {})+ };
}
integer!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);

/// The integer itself: a float would lose its derivative.
#[inline]
pub fn integer<T: Integer>(value: T) -> T {
    value
}

/// An integer that iterators count by.
pub trait Counter: Copy {
    /// The integer `k` later.
    fn later(self, k: usize) -> Self;
}

macro_rules! counter {
    ($($T:ident)+) => { $(
        impl Counter for $T {
            #[inline(always)]
            fn later(self, k: usize) -> Self {
                self + k as $T
            }
        }
    )+ };
}
counter!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// What an endless range has at `k`, of the type that its uses ask for.
#[inline(always)]
pub fn counted<T: Counter>(first: T, k: usize) -> T {
    first.later(k)
}
