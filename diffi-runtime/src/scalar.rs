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

pub mod complex;
pub mod dual;
pub mod hyper_dual;
pub mod recorded;
pub mod taylor;
pub mod tracer;

pub use complex::Complex;
pub use dual::Dual;
pub use hyper_dual::HyperDual;
pub use recorded::Recorded;
pub use taylor::Taylor;
