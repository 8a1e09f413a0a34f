//! Words that say where a reference leads: which way a method went, and the indices on that way.

use std::cmp::Ordering;

/// A value with places that words of a method or a function lead to.
pub trait Leads<At> {
    /// What is there.
    type To: ?Sized;
    /// The place.
    fn __lead(&self, at: At) -> &Self::To;
}

/// The same, to be changed.
pub trait LeadsMut<At>: Leads<At> {
    /// The place.
    fn __lead_mut(&mut self, at: At) -> &mut Self::To;
}

/// How many bits tell how many bits an index has.
const LENGTH: u32 = 6;

/// The word of a way with these indices: the way, and in front of each index but the last the number of its bits.
///
/// # Panics
///
/// If the indices are too large for a word together.
#[inline]
pub fn packed(way: usize, ways: usize, width: usize, indices: &[usize]) -> u64 {
    let mut word = match width {
        0 => 0,
        width => indices.get(width - 1).map_or(0, |last| *last as u64),
    };
    for k in (0..width.saturating_sub(1)).rev() {
        let index = indices.get(k).map_or(0, |index| *index as u64);
        let bits = u64::BITS - index.leading_zeros();
        assert!(word.leading_zeros() >= LENGTH + bits, "{TOO_LARGE}");
        word = word << (LENGTH + bits) | index << LENGTH | u64::from(bits);
    }
    assert!(word < u64::MAX / ways as u64, "{TOO_LARGE}");
    word * ways as u64 + way as u64
}

const TOO_LARGE: &str = "diffi keeps where a reference leads in one word, and these indices are too large for that";

/// The way and the indices of a word.
#[inline]
pub fn unpacked<const N: usize>(word: u64, ways: usize) -> (usize, [usize; N]) {
    let (mut left, mut indices) = (word / ways as u64, [0; N]);
    for (k, index) in indices.iter_mut().enumerate() {
        if k + 1 == N {
            *index = left as usize;
        } else {
            let bits = left as u32 & ((1 << LENGTH) - 1);
            left >>= LENGTH;
            *index = (left & ((1 << bits) - 1)) as usize;
            left >>= bits;
        }
    }
    ((word % ways as u64) as usize, indices)
}

/// What a condition says of an item, as `find` asks it.
#[inline]
pub fn holds_for<T: ?Sized>(item: &T, condition: impl FnOnce(&T) -> bool) -> bool {
    condition(item)
}

/// The order of two items, as `max_by` asks for it.
#[inline]
pub fn order_of<T: ?Sized>(a: &T, b: &T, order: impl FnOnce(&T, &T) -> Ordering) -> Ordering {
    order(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        let there_and_back = |way, ways, indices: [usize; 3]| {
            let word = packed(way, ways, 3, &indices);
            assert_ne!(word, u64::MAX);
            assert_eq!(unpacked::<3>(word, ways), (way, indices));
        };
        there_and_back(0, 1, [1, 2, 3]);
        there_and_back(4, 5, [90_000, 0, 70_000]);
        there_and_back(0, 1, [0, 0, 1 << 51]);
        there_and_back(1, 2, [1 << 40, 5, 0]);
        assert_eq!(unpacked::<1>(packed(1, 2, 1, &[1 << 60]), 2), (1, [1 << 60]));
        assert_eq!(unpacked::<0>(packed(2, 3, 0, &[]), 3), (2, []));
        assert_eq!(unpacked::<2>(packed(1, 2, 2, &[7]), 2), (1, [7, 0]));
    }

    #[test]
    #[should_panic(expected = "too large")]
    fn large_indices_are_refused() {
        packed(0, 1, 2, &[1 << 40, 1 << 30]);
    }
}
