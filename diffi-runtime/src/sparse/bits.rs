//! Sets of a few hundred indices as tangents, one bit for each.

use super::sets::set_space;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::itself::space_tangent;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A set of the indices below `64 * W`: as a tangent like [`IndexSet`](super::sets::IndexSet), faster where sets are large, but
/// more inputs need more passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// No index.
    pub const EMPTY: Self = Bits([0; W]);
    /// How many indices there are at all.
    pub const WIDTH: usize = 64 * W;

    /// One index.
    ///
    /// # Panics
    ///
    /// Unless it is below [`WIDTH`](Bits::WIDTH).
    pub fn single(index: usize) -> Self {
        let mut bits = [0; W];
        bits[index / 64] |= 1 << (index % 64);
        Bits(bits)
    }

    /// All indices of both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Bits(std::array::from_fn(|w| self.0[w] | other.0[w]))
    }

    /// Whether there is no index.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The indices in ascending order.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(w, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * w + bit)
            })
        })
    }

    const EVERYWHERE: bool = false;

    /// This set, or none of it.
    #[inline]
    fn unless(self, not: bool) -> Self {
        let mask = u64::from(not).wrapping_sub(1);
        Bits(self.0.map(|word| word & mask))
    }
}
set_space!([const W: usize] Bits<W>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let of = |indices: &[usize]| indices.iter().fold(Bits::<2>::EMPTY, |all, i| all + Bits::single(*i));
        let (a, b) = (of(&[127, 0, 63, 64]), of(&[1, 63]));
        assert_eq!(a.indices().collect::<Vec<_>>(), [0, 63, 64, 127]);
        assert_eq!((a - b).indices().collect::<Vec<_>>(), [0, 1, 63, 64, 127]);
        assert_eq!(-(a * 3.0f64) * f32::NAN, a);
        assert!((a * 0.0f32).is_empty() && (a * -0.0f64).is_empty());
        assert_eq!(a + <Bits<2> as LinearSpace<f64>>::ZERO, a);
        let mut sum = a;
        sum += b;
        sum -= b;
        assert_eq!(sum, a + b);
    }
}
