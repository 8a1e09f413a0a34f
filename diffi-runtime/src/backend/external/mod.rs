//! Packages that nobody here wrote, behind cargo features: their numbers become ours, and every operator works with them. So do
//! complex numbers.
//!
//! A package implements [`Foreign`] for its numbers, beside it [`ForeignDual`] if they carry derivatives along and `OnTape` if they are
//! recorded, and has a row in the table of backends. Its own conventions hold: where they differ from the derivative table's,
//! `tests/backends/external.rs` lists them.

#[cfg(feature = "ad-trait")]
mod ad_trait;
#[cfg(feature = "autodiff")]
mod autodiff;
#[cfg(feature = "echidna")]
mod echidna;
#[cfg(feature = "hyperdual")]
mod hyperdual;
#[cfg(feature = "num-dual")]
mod num_dual;
#[cfg(feature = "echidna")]
mod on_tape;

use crate::backend::chunked_forward::Directional;
use crate::number::flag::{Off, On};
use crate::number::real::{Real, lift};
use crate::number::scalar::assigning;
#[cfg(feature = "ad-trait")]
pub use ad_trait::AutoAdTrait;
#[cfg(feature = "autodiff")]
pub use autodiff::AutoAutodiff;
#[cfg(feature = "echidna")]
pub use echidna::AutoEchidna;
#[cfg(feature = "hyperdual")]
pub use hyperdual::AutoHyperdualCrate;
#[cfg(feature = "num-dual")]
pub use num_dual::AutoNumDual;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// The functions of one argument that every package has.
macro_rules! unary {
    ($callback:ident $($more:tt)*) => { $callback! { $($more)* [sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh abs] } };
}
pub(crate) use unary;

/// A package whose numbers carry derivatives along: its backend, the directions of a pass, and the numbers with 1, 4, 8 and 12.
#[cfg(any(feature = "ad-trait", feature = "autodiff", feature = "hyperdual", feature = "num-dual"))]
macro_rules! package {
    ($(#[$doc:meta])* $Backend:ident, $chunk:expr; $One:ty, $Four:ty, $Eight:ty, $Twelve:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $Backend;

        impl $crate::backend::Chunked<f64> for $Backend {
            type One = $crate::backend::External<$One>;
            type Four = $crate::backend::External<$Four>;
            type Eight = $crate::backend::External<$Eight>;
            type Twelve = $crate::backend::External<$Twelve>;
            type Many = $crate::backend::External<$Twelve>;
        }

        impl $Backend {
            pub(crate) const fn chunk() -> $crate::backend::chunked_forward::ChunkSize {
                $chunk
            }
        }
    };
}
#[cfg(any(feature = "ad-trait", feature = "autodiff", feature = "hyperdual", feature = "num-dual"))]
use package;

/// A number and a float, by the operator that a package has for them.
#[cfg(any(feature = "autodiff", feature = "echidna", feature = "hyperdual", feature = "num-dual"))]
macro_rules! by_operator {
    ($($name:ident $op:tt)+) => { $(
        #[inline]
        fn $name(self, k: f64) -> Self {
            self $op k
        }
    )+ };
}
#[cfg(any(feature = "autodiff", feature = "echidna", feature = "hyperdual", feature = "num-dual"))]
pub(crate) use by_operator;

/// What numbers with the functions of `num_traits::Float` have from that trait.
#[cfg(any(feature = "autodiff", feature = "echidna", feature = "hyperdual"))]
macro_rules! by_float {
    (unary $name:ident) => {
        #[inline]
        fn $name(self) -> Self {
            num_traits::Float::$name(self)
        }
    };
    (powers) => {
        #[inline]
        fn powi(self, n: i32) -> Self {
            num_traits::Float::powi(self, n)
        }
        #[inline]
        fn powf(self, p: Self) -> Self {
            num_traits::Float::powf(self, p)
        }
        #[inline]
        fn atan2(self, b: Self) -> Self {
            num_traits::Float::atan2(self, b)
        }
    };
    ([$($name:ident)+]) => {
        $(by_float!(unary $name);)+
        by_float!(powers);
    };
}
#[cfg(any(feature = "autodiff", feature = "echidna", feature = "hyperdual"))]
use by_float;

macro_rules! foreign {
    ([$($name:ident)+]) => {
        /// A package's number over `f64`.
        pub trait Foreign:
            Copy
            + Debug
            + Send
            + 'static
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Neg<Output = Self>
            + AddAssign
            + SubAssign
        {
            /// A constant.
            fn constant(v: f64) -> Self;
            /// The value.
            fn re(&self) -> f64;
            /// Whether it is zero, and does not change.
            fn is_zero(&self) -> bool;
            /// Times a float.
            #[inline]
            fn scaled(self, k: f64) -> Self {
                self * Self::constant(k)
            }
            /// Plus a float.
            #[inline]
            fn shifted(self, k: f64) -> Self {
                self + Self::constant(k)
            }
            /// The sum of numbers that lie where they are.
            #[inline]
            fn plus(&self, b: &Self) -> Self {
                *self + *b
            }
            /// Their difference.
            #[inline]
            fn minus(&self, b: &Self) -> Self {
                *self - *b
            }
            /// Their product.
            #[inline]
            fn times(&self, b: &Self) -> Self {
                *self * *b
            }
            /// Notes how it compares with another, if that is to come out the same later.
            #[inline]
            fn compared(&self, _: &Self, _: Option<Ordering>) {}
            /// Notes that its value was looked at.
            #[inline]
            fn observed(&self) {}
            $(
                #[doc = concat!("The package's `", stringify!($name), "`.")]
                fn $name(self) -> Self;
            )+
            /// The package's `powi`.
            fn powi(self, n: i32) -> Self;
            /// The package's power with an exponent that varies.
            fn powf(self, p: Self) -> Self;
            /// The package's `atan2`.
            fn atan2(self, b: Self) -> Self;
        }
    };
}
unary!(foreign);

/// A package's number that carries derivatives.
pub trait ForeignDual: Foreign {
    /// How many.
    const DIRECTIONS: usize;
    /// The derivative in the direction `k`.
    fn part(&self, k: usize) -> f64;
    /// The derivatives in the first directions.
    #[inline]
    fn parts(&self, all: &mut [f64]) {
        all.iter_mut().enumerate().for_each(|(k, part)| *part = self.part(k));
    }
    /// Changes the derivative in the direction `k`.
    fn set_part(&mut self, k: usize, v: f64);
    /// A constant becomes the variable of the direction `k`.
    #[inline]
    fn vary(&mut self, k: usize) {
        self.set_part(k, 1.0);
    }
    /// The variable of the direction `k` becomes a constant.
    #[inline]
    fn rest(&mut self, k: usize) {
        self.set_part(k, 0.0);
    }
}

/// Whether a number that carries derivatives is zero, and does not change.
pub(crate) fn all_zero<T: ForeignDual>(v: &T) -> bool {
    v.re() == 0.0 && (0..T::DIRECTIONS).all(|k| v.part(k) == 0.0)
}

/// A package's number as one of ours. What packages lack is made of what they have, or by a choice between arguments.
#[derive(Clone, Copy, Debug)]
pub struct External<T>(pub T);

impl<T: Foreign> External<T> {
    fn of(v: f64) -> Self {
        External(T::constant(v))
    }

    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }

    /// A constant, made from the value.
    fn flat(self, f: impl FnOnce(f64) -> f64) -> Self {
        Self::of(f(self.observe()))
    }

    /// The first order of a function around a point. Arguments that do not change add nothing.
    fn tangent<const K: usize>(value: f64, arguments: [Self; K], partials: [f64; K]) -> Self {
        let changes = arguments.map(|x| External(x.0.shifted(-x.0.re())));
        let moving = changes.into_iter().zip(partials).filter(|(change, _)| !change.0.is_zero());
        moving.fold(Self::of(value), |sum, (change, partial)| sum + External(change.0.scaled(partial)))
    }
}

impl<T: ForeignDual> Directional for External<T> {
    const DIRECTIONS: usize = T::DIRECTIONS;
    #[inline]
    fn direction(&self, k: usize) -> f64 {
        self.0.part(k)
    }
    #[inline]
    fn set_direction(&mut self, k: usize, tangent: f64) {
        self.0.set_part(k, tangent);
    }
    #[inline]
    fn vary(&mut self, k: usize) {
        self.0.vary(k);
    }
    #[inline]
    fn rest(&mut self, k: usize) {
        self.0.rest(k);
    }
    #[inline]
    fn directions(&self, all: &mut [f64]) {
        self.0.parts(all);
    }
}

/// Special functions, which packages lack: the tangent at the point, so that a recording holds there only.
macro_rules! special {
    ($($name:ident ($x:ident $(, $rest:ident)* $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => { $(
        #[allow(unused_variables, unstable_name_collisions, reason = "the table's functions, by the names of `Real`")]
        #[allow(clippy::approx_constant, clippy::zero_divided_by_zero)]
        fn $name(self $(, $rest: Self)* $(, $n: $int)?) -> Self {
            let arguments = [self $(, $rest)*];
            let [$x $(, $rest)*] = arguments.map(External::observe);
            let $y = <f64 as Real>::$name($x $(, $rest)* $(, $n)?);
            External::tangent($y, arguments, lift!(f64, $partials))
        }
    )+ };
}

macro_rules! real {
    ([$($name:ident)+]) => {
        impl<T: Foreign> Real for External<T> {
            diffi_rules::special!(special);
            type Base = f64;
            const DERIVATIVES: u32 = 1;
            type Varies = On;
            type Curves = Off;
            #[inline]
            fn from_base(b: f64) -> Self {
                External::of(b)
            }
            #[inline]
            fn value(self) -> f64 {
                self.0.re()
            }
            #[inline]
            fn observe(self) -> f64 {
                self.0.observed();
                self.0.re()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.0.is_zero()
            }
            #[inline]
            fn scale(self, k: f64) -> Self {
                External(self.0.scaled(k))
            }
            #[inline]
            fn shift(self, k: f64) -> Self {
                External(self.0.shifted(k))
            }
            #[inline]
            fn lower(self, k: f64) -> Self {
                External(self.0.shifted(-k))
            }
            #[inline]
            fn plus(&self, b: &Self) -> Self {
                External(self.0.plus(&b.0))
            }
            #[inline]
            fn minus(&self, b: &Self) -> Self {
                External(self.0.minus(&b.0))
            }
            #[inline]
            fn times(&self, b: &Self) -> Self {
                External(self.0.times(&b.0))
            }
            $(
                #[inline]
                fn $name(self) -> Self {
                    External(self.0.$name())
                }
            )+
            #[inline]
            fn powi(self, n: i32) -> Self {
                External(self.0.powi(n))
            }
            #[inline]
            fn powf(self, p: Self) -> Self {
                External(self.0.powf(p.0))
            }
            #[inline]
            fn atan2(self, b: Self) -> Self {
                External(self.0.atan2(b.0))
            }
            #[inline]
            fn recip(self) -> Self {
                Self::of(1.0) / self
            }
            fn hypot(self, b: Self) -> Self {
                (self * self + b * b).sqrt()
            }
            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                self * b + c
            }
            fn log(self, b: Self) -> Self {
                self.ln() / b.ln()
            }
            fn to_degrees(self) -> Self {
                self.scale(1f64.to_degrees())
            }
            fn to_radians(self) -> Self {
                self.scale(1f64.to_radians())
            }
            fn copysign(self, s: Self) -> Self {
                let same = self.observe().is_sign_negative() == s.observe().is_sign_negative();
                if same { self } else { -self }
            }
            fn max(self, b: Self) -> Self {
                if self >= b || b.is_nan() { self } else { b }
            }
            fn min(self, b: Self) -> Self {
                if self <= b || b.is_nan() { self } else { b }
            }
            fn clamp(self, l: Self, h: Self) -> Self {
                assert!(l <= h, "bounds are in order");
                if self < l {
                    l
                } else if self > h {
                    h
                } else {
                    self
                }
            }
            fn midpoint(self, b: Self) -> Self {
                (self + b).scale(0.5)
            }
            fn fract(self) -> Self {
                self - self.trunc()
            }
            fn rem_euclid(self, b: Self) -> Self {
                self - b * self.div_euclid(b)
            }
            fn div_euclid(self, b: Self) -> Self {
                self.flat(|a| a.div_euclid(b.observe()))
            }
            fn floor(self) -> Self {
                self.flat(f64::floor)
            }
            fn ceil(self) -> Self {
                self.flat(f64::ceil)
            }
            fn round(self) -> Self {
                self.flat(f64::round)
            }
            fn round_ties_even(self) -> Self {
                self.flat(f64::round_ties_even)
            }
            fn trunc(self) -> Self {
                self.flat(f64::trunc)
            }
            fn signum(self) -> Self {
                self.flat(f64::signum)
            }
        }
    };
}
unary!(real);

macro_rules! operators {
    ($($Op:ident $op:ident;)+) => { $(
        impl<T: Foreign> $Op for External<T> {
            type Output = Self;
            #[inline]
            fn $op(self, b: Self) -> Self {
                External($Op::$op(self.0, b.0))
            }
        }
    )+ };
}
operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

macro_rules! in_place {
    ($($Op:ident $op:ident)+) => { $(
        impl<T: Foreign> $Op for External<T> {
            #[inline]
            fn $op(&mut self, b: Self) {
                $Op::$op(&mut self.0, b.0);
            }
        }
    )+ };
}
in_place! { AddAssign add_assign SubAssign sub_assign }
assigning! { @ [T: Foreign] External<T>; MulAssign mul_assign Mul mul }
assigning! { @ [T: Foreign] External<T>; DivAssign div_assign Div div }
assigning! { @ [T: Foreign] External<T>; RemAssign rem_assign Rem rem }

impl<T: Foreign> Rem for External<T> {
    type Output = Self;
    fn rem(self, b: Self) -> Self {
        self - b * Self::of((self.observe() / b.observe()).trunc())
    }
}

impl<T: Foreign> Neg for External<T> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        External(-self.0)
    }
}

impl<T: Foreign> Default for External<T> {
    fn default() -> Self {
        Self::of(0.0)
    }
}

impl<T: Foreign> Sum for External<T> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::of(0.0), Add::add)
    }
}

impl<T: Foreign> PartialEq for External<T> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl<T: Foreign> PartialOrd for External<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let order = self.0.re().partial_cmp(&other.0.re());
        self.0.compared(&other.0, order);
        order
    }
}
