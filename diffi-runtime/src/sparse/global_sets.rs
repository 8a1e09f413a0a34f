//! Sets of indices as tangents, where what is found must hold at every point.

use super::bits::Bits;
use super::sets::{IndexSet, set_space};
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::itself::space_tangent;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A set that a factor leaves as it is, whatever its value: at another point that is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anywhere<S>(pub S);

macro_rules! anywhere {
    ($([$($generics:tt)*] $Set:ty;)+) => { $(
        impl<$($generics)*> Anywhere<$Set> {
            /// No index.
            pub const EMPTY: Self = Anywhere(<$Set>::EMPTY);
            const EVERYWHERE: bool = true;

            /// All indices of both.
            #[inline]
            pub fn union(self, other: Self) -> Self {
                Anywhere(self.0.union(other.0))
            }

            #[inline]
            fn unless(self, _: bool) -> Self {
                self
            }
        }
        set_space!([$($generics)*] Anywhere<$Set>);
    )+ };
}
anywhere! {
    [const W: usize] Bits<W>;
    [] IndexSet;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_drop_nothing() {
        let a = Anywhere(Bits::<1>::single(3)) + Anywhere(Bits::single(5));
        assert_eq!(a * 0.0f64, a);
        assert_eq!(-(a * f32::NAN), a);
        assert_eq!((a - a).0.indices().collect::<Vec<_>>(), [3, 5]);
        assert_eq!(a + <Anywhere<Bits<1>> as LinearSpace<f64>>::ZERO, a);
    }
}
