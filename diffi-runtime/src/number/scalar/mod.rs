//! Number types that overload arithmetic, one a file.

/// `+=` and its kin, by `+` and its kin.
macro_rules! assigning {
    ([$($generics:tt)*] $T:ty) => {
        assigning! { @ [$($generics)*] $T; AddAssign add_assign Add add }
        assigning! { @ [$($generics)*] $T; SubAssign sub_assign Sub sub }
        assigning! { @ [$($generics)*] $T; MulAssign mul_assign Mul mul }
        assigning! { @ [$($generics)*] $T; DivAssign div_assign Div div }
        assigning! { @ [$($generics)*] $T; RemAssign rem_assign Rem rem }
    };
    (@ [$($generics:tt)*] $T:ty; $Assign:ident $assign:ident $Op:ident $op:ident) => {
        impl<$($generics)*> std::ops::$Assign for $T {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = std::ops::$Op::$op(*self, other);
            }
        }
    };
}
pub(crate) use assigning;

/// `+` and its kin, each by a formula of the two operands.
macro_rules! arithmetic {
    (@ [$($generics:tt)*] $T:ty; $Op:ident $op:ident $a:ident $b:ident $result:expr) => {
        impl<$($generics)*> std::ops::$Op for $T {
            type Output = Self;
            #[inline]
            fn $op(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $result
            }
        }
    };
    ($generics:tt $T:ty; $($Op:ident $op:ident |$a:ident, $b:ident| $result:expr;)+) => {
        $(arithmetic! { @ $generics $T; $Op $op $a $b $result })+
    };
}
pub(crate) use arithmetic;

/// Sums, the default and comparisons of a number that carries derivatives beside its `value`.
macro_rules! like_its_value {
    ($T:ident [$($generics:tt)*] [$($names:tt)*]) => {
        impl<S: $crate::number::real::Real, $($generics)*> std::iter::Sum for $T<S, $($names)*> {
            fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
                terms.fold($T::constant(S::lit(-0.0)), std::ops::Add::add)
            }
        }

        impl<S: $crate::number::real::Real, $($generics)*> Default for $T<S, $($names)*> {
            #[inline]
            fn default() -> Self {
                $T::constant(S::lit(0.0))
            }
        }

        impl<S: PartialEq, $($generics)*> PartialEq for $T<S, $($names)*> {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.value == other.value
            }
        }

        impl<S: PartialOrd, $($generics)*> PartialOrd for $T<S, $($names)*> {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                self.value.partial_cmp(&other.value)
            }
        }
    };
}
pub(crate) use like_its_value;

pub mod complex;
pub mod dual;
pub mod hyper_dual;
pub mod multivariate;
pub mod taylor;
pub(crate) mod zero_aware_dual;

pub use complex::Complex;
pub use dual::Dual;
pub use hyper_dual::HyperDual;
pub use multivariate::{Multivariate, Terms};
pub use taylor::Taylor;
