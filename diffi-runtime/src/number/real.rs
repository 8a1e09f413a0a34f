//! The arithmetic of a number type, for code that is generic over numbers.

use crate::number::flag::{Flag, Off};
use crate::number::float::{Base, Math};
use std::any::Any;
use std::cell::RefCell;
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

macro_rules! real {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        /// A number: `f32`, `f64`, or a type that overloads their arithmetic.
        ///
        /// Methods are named as in the standard library. Comparisons look at values only.
        pub trait Real:
            Copy
            + Debug
            + PartialOrd
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Rem<Output = Self>
            + Neg<Output = Self>
            + AddAssign
            + SubAssign
            + MulAssign
            + DivAssign
            + RemAssign
            + Sum
            + Send
            + 'static
        {
            /// The float at the bottom.
            type Base: Base + Real<Base = Self::Base>;
            /// Whether comparisons are recorded, so that slopes at kinks have to be decided by comparing these numbers.
            const RECORDS: bool = false;
            /// Up to which order these numbers carry derivatives.
            const DERIVATIVES: u32;
            /// Whether they carry derivatives.
            type Varies: Flag;
            /// Whether they carry second derivatives.
            type Curves: Flag;
            /// Whether both sides of a condition are taken, for no value can answer it.
            const BRANCHES: bool = false;
            /// A constant.
            fn from_base(b: Self::Base) -> Self;
            /// A constant whose value is unknown, of numbers that take both sides of conditions.
            #[inline]
            fn unseen() -> Self {
                Self::lit(0.0)
            }
            /// The value alone.
            fn value(self) -> Self::Base;
            /// The value, for what is not differentiated: conditions, indices, casts, prints. A recorded program holds only
            /// where these come out as they did.
            #[inline]
            fn observe(self) -> Self::Base {
                self.value()
            }
            /// The value, where what depends on it is replaced by its linear part at this point.
            #[inline]
            fn frozen(self) -> Self::Base {
                self.observe()
            }
            /// Whether the number is zero and so is every derivative that it carries.
            fn is_zero(self) -> bool;
            /// `self * k`.
            fn scale(self, k: Self::Base) -> Self;
            /// `self + k`.
            fn shift(self, k: Self::Base) -> Self;
            /// `self - k`.
            #[inline]
            fn lower(self, k: Self::Base) -> Self {
                self - Self::from_base(k)
            }
            /// `k - self`.
            #[inline]
            fn reflect(self, k: Self::Base) -> Self {
                Self::from_base(k) - self
            }
            /// `self * self`, for which there is one slope to work out instead of two.
            #[inline]
            fn squared(self) -> Self {
                self * self
            }
            /// `self + b`. By reference, so that of what a number carries beside its value nothing is read that nobody needs.
            #[inline]
            fn plus(&self, b: &Self) -> Self {
                *self + *b
            }
            /// `self - b`, likewise.
            #[inline]
            fn minus(&self, b: &Self) -> Self {
                *self - *b
            }
            /// `self * b`, likewise.
            #[inline]
            fn times(&self, b: &Self) -> Self {
                *self * *b
            }
            /// `self / divisor` of a derivative, by the divisor's `inverse` where that has no derivatives of its own.
            #[inline]
            fn over(self, divisor: Self, inverse: Self) -> Self {
                let _ = inverse;
                self / divisor
            }
            /// A literal.
            #[inline]
            fn lit(v: f64) -> Self {
                Self::from_base(Base::lit(v))
            }
            $(
                #[doc = concat!("The function `", stringify!($name), "` of the derivative table.")]
                fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self;
            )+
        }

        real_of! { f32 $($name ($($rest),* $(; $n: $int)?))+ }
        real_of! { f64 $($name ($($rest),* $(; $n: $int)?))+ }
    };
}

macro_rules! real_of {
    ($F:ident $($name:ident ($($rest:ident),* $(; $n:ident: $int:ty)?))+) => {
        impl Real for $F {
            type Base = $F;
            const DERIVATIVES: u32 = 0;
            type Varies = Off;
            type Curves = Off;
            #[inline]
            fn from_base(b: $F) -> Self {
                b
            }
            #[inline]
            fn value(self) -> $F {
                self
            }
            #[inline]
            fn is_zero(self) -> bool {
                self == 0.0
            }
            #[inline]
            fn scale(self, k: $F) -> Self {
                self * k
            }
            #[inline]
            fn shift(self, k: $F) -> Self {
                self + k
            }
            #[inline]
            fn over(self, _: $F, inverse: $F) -> Self {
                self * inverse
            }
            $(
                #[inline]
                fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
                    <<$F as Base>::Math as Math<$F>>::$name(self $(, $rest)* $(, $n)?)
                }
            )+
        }
    };
}

diffi_rules::functions!(real);

/// A float whose operations can be recorded: `f32` or `f64`.
pub trait Recordable: Real {
    /// A place of the thread's for what it records of this float.
    #[doc(hidden)]
    fn slot<T>(f: impl FnOnce(&mut Option<Box<dyn Any>>) -> T) -> T;
    /// Numbers as what they are.
    #[doc(hidden)]
    fn floats(numbers: &[Self]) -> &[Self::Base];
}

macro_rules! recordable {
    ($($F:ident)+) => { $(
        impl Recordable for $F {
            #[inline]
            fn slot<T>(f: impl FnOnce(&mut Option<Box<dyn Any>>) -> T) -> T {
                thread_local! {
                    static SLOT: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
                }
                SLOT.with_borrow_mut(f)
            }
            #[inline]
            fn floats(numbers: &[$F]) -> &[$F] {
                numbers
            }
        }
    )+ };
}
recordable!(f32 f64);

/// `lift!(S, [partials])`: a line's partial derivatives as an array of `S: Real`. Only literals change: `2.0` becomes `S::lit(2.0)`.
///
/// Goes through the tokens from left to right. What is done stands in brackets; in front of it, in braces, the groups that are
/// open: kind, what was done before the group, what comes after it.
macro_rules! lift {
    ($S:ty, [$($partials:tt)*]) => { lift!(@$S, {} [] $($partials)*) };

    (@$S:ty, {} [$($done:tt)*]) => { [$($done)*] };
    (@$S:ty, {(round [$($before:tt)*] [$($after:tt)*]) $($outer:tt)*} [$($done:tt)*]) =>
        { lift!(@$S, {$($outer)*} [$($before)* ($($done)*)] $($after)*) };
    (@$S:ty, {(curly [$($before:tt)*] [$($after:tt)*]) $($outer:tt)*} [$($done:tt)*]) =>
        { lift!(@$S, {$($outer)*} [$($before)* {$($done)*}] $($after)*) };

    (@$S:ty, $open:tt [$($done:tt)*] $n:ident == 0 $($rest:tt)*)       => { lift!(@$S, $open [$($done)* $n == 0] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] ($n:ident - 1) $($rest:tt)*)      => { lift!(@$S, $open [$($done)* ($n - 1)] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] ($n:ident + 1) $($rest:tt)*)      => { lift!(@$S, $open [$($done)* ($n + 1)] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] (0 + 2) $($rest:tt)*)             => { lift!(@$S, $open [$($done)* (2)] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] ($n:ident as f64) $($rest:tt)*)   => { lift!(@$S, $open [$($done)* <$S as Real>::lit($n as f64)] $($rest)*) };
    (@$S:ty, {$($open:tt)*} $done:tt ($($in:tt)*) $($rest:tt)*)        => { lift!(@$S, {(round $done [$($rest)*]) $($open)*} [] $($in)*) };
    (@$S:ty, {$($open:tt)*} $done:tt {$($in:tt)*} $($rest:tt)*)        => { lift!(@$S, {(curly $done [$($rest)*]) $($open)*} [] $($in)*) };
    (@$S:ty, $open:tt [$($done:tt)*] - $($rest:tt)*)                   => { lift!(@$S, $open [$($done)* -] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] $number:literal $($rest:tt)*)     => { lift!(@$S, $open [$($done)* <$S as Real>::lit($number)] $($rest)*) };
    (@$S:ty, $open:tt [$($done:tt)*] $token:tt $($rest:tt)*)           => { lift!(@$S, $open [$($done)* $token] $($rest)*) };
}
pub(crate) use lift;
