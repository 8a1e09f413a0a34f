//! The floats that everything is built from.

use crate::number::linear_space::LinearSpace;
use crate::number::native::Native;
use crate::number::real::Recordable;
use crate::special;
use crate::stack::aggregates::Whole;
use std::fmt::{Debug, Display};
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

/// `f32` or `f64`.
///
/// The mathematical functions are not methods of this trait but associated functions of [`Base::Math`], so that a bound
/// `F: Base` never makes a user's `x.exp()` ambiguous.
pub trait Base:
    Copy
    + PartialOrd
    + Default
    + Debug
    + Display
    + Send
    + Sync
    + 'static
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
    + Product
    + LinearSpace<Self>
    + Native
    + Whole<Self>
{
    /// The functions of the derivative table.
    type Math: Math<Self>;
    /// The float itself, as a number type: what dual numbers are made of. (Its methods are not those of a generic float, for the
    /// same reason.)
    type Number: Recordable<Base = Self>;
    /// 0, the positive one. (`LinearSpace::ZERO` is -0.)
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The distance from 1 to the next larger float.
    const EPSILON: Self;
    /// The float nearest to a literal.
    fn lit(v: f64) -> Self;
    /// The same number, or for wider floats the nearest.
    fn as_f64(self) -> f64;
}

macro_rules! base {
    ($($F:ident)+) => { $(
        impl Base for $F {
            type Math = StdMath;
            type Number = Self;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EPSILON: Self = $F::EPSILON;
            #[inline]
            fn lit(v: f64) -> Self {
                v as $F
            }
            #[inline]
            fn as_f64(self) -> f64 {
                f64::from(self)
            }
        }
    )+ };
}
base!(f32 f64);

/// `1 / v`, and zero of zero: the pseudoinverse of one number.
#[inline]
pub fn pseudo_inverse<F: Base>(v: F) -> F {
    if v == F::default() { v } else { F::ONE / v }
}

macro_rules! math {
    ($($name:ident ($($x:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        /// Every function of the derivative table, as an associated function.
        pub trait Math<T> {
            $(
                #[doc = concat!("The function `", stringify!($name), "` of the derivative table.")]
                fn $name($($x: T),+ $(, $n: $int)?) -> T;
            )+
        }
    };
}
diffi_rules::functions!(math);

macro_rules! math_of {
    (
        $F:ident {$($name:ident ($($x:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+}
        $($special:ident ($($u:ident),+ $(; $m:ident: $whole:ty)?) -> $z:ident: $slopes:tt $sort:ident $(($($pairs:tt)+))?;)+
    ) => {
        impl Math<$F> for StdMath {
            $(
                #[inline]
                fn $name($($x: $F),+ $(, $n: $int)?) -> $F {
                    $F::$name($($x),+ $(, $n)?)
                }
            )+
            $(
                fn $special($($u: $F),+ $(, $m: $whole)?) -> $F {
                    special::$special($(f64::from($u)),+ $(, $m)?) as $F
                }
            )+
        }
    };
}

macro_rules! with_special {
    ($F:ident $($standard:tt)+) => { diffi_rules::special!(math_of { $F {$($standard)+} }); };
}

/// The functions as the standard library and [`special`] compute them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StdMath;

diffi_rules::standard!(with_special { f32 });
diffi_rules::standard!(with_special { f64 });
