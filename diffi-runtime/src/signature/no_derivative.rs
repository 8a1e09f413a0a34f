//! What methods give that are taken for questions by their names: `len`, `all`, `dim`, ..
//!
//! The macro knows names only; that a user's own `len` gives no number with a derivative, rustc has to see.

use std::cmp::Ordering;
use std::num::FpCategory;

/// A type whose values carry no derivative.
#[diagnostic::on_unimplemented(
    message = "this call has the name of a question (`len`, `all`, `dim`, ..), and gives `{Self}`, which may carry a derivative [D0804]",
    label = "its derivative would be lost",
    note = "diffi takes functions of these names for questions whose answers are integers or truth values: give yours another name"
)]
pub trait Answer {}

macro_rules! answers {
    ($([$($generics:tt)*] $T:ty;)+) => { $(impl<$($generics)*> Answer for $T {})+ };
}
answers! {
    [] bool; [] char; [] str; [] String; [] Ordering; [] FpCategory;
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [T: Answer] Option<T>;
    [T: Answer, E: Answer] Result<T, E>;
    [T: Answer] [T];
    [T: Answer] Vec<T>;
    [T: Answer, const N: usize] [T; N];
    [T: Answer + ?Sized] &T;
    [A: Answer] (A,);
    [A: Answer, B: Answer] (A, B);
    [A: Answer, B: Answer, C: Answer] (A, B, C);
    [A: Answer, B: Answer, C: Answer, D: Answer] (A, B, C, D);
    [I] ndarray::Dim<I>;
}

/// The answer itself.
#[inline]
pub fn answer<T: Answer>(given: T) -> T {
    given
}

/// Stands where passive code names a value that statements would have to compute: nothing can be asked of it.
#[derive(Clone, Copy)]
pub struct NotWrittenHere;
