//! Windows of arrays of one axis or two, in logical order.

use super::grid::Grid;
use ndarray::{Dimension, Ix1, Ix2, SliceInfo, SliceInfoElem};

/// The lengths of a window of arrays with the dimension `D`.
pub trait Window<D: Dimension> {
    /// Where a window lies.
    type Place;
    /// How many windows there are in a shape.
    fn count(self, shape: D) -> usize;
    /// The k-th of them.
    fn place(self, shape: D, k: usize) -> Self::Place;
}

fn fitting(n: usize, size: usize) -> usize {
    assert!(size > 0, "a window has no elements");
    (n + 1).saturating_sub(size)
}

fn from(start: usize, size: usize) -> SliceInfoElem {
    SliceInfoElem::Slice { start: start as isize, end: Some((start + size) as isize), step: 1 }
}

impl Window<Ix1> for usize {
    type Place = SliceInfo<[SliceInfoElem; 1], Ix1, Ix1>;

    #[inline]
    fn count(self, shape: Ix1) -> usize {
        fitting(shape[0], self)
    }
    #[inline]
    fn place(self, _: Ix1, k: usize) -> Self::Place {
        SliceInfo::try_from([from(k, self)]).expect("one axis of one")
    }
}

impl Window<Ix2> for (usize, usize) {
    type Place = SliceInfo<[SliceInfoElem; 2], Ix2, Ix2>;

    #[inline]
    fn count(self, shape: Ix2) -> usize {
        fitting(shape[0], self.0) * fitting(shape[1], self.1)
    }
    #[inline]
    fn place(self, shape: Ix2, k: usize) -> Self::Place {
        let across = fitting(shape[1], self.1);
        let (i, j) = (k / across, k % across);
        SliceInfo::try_from([from(i, self.0), from(j, self.1)]).expect("two axes of two")
    }
}

impl Window<Ix2> for [usize; 2] {
    type Place = SliceInfo<[SliceInfoElem; 2], Ix2, Ix2>;

    #[inline]
    fn count(self, shape: Ix2) -> usize {
        (self[0], self[1]).count(shape)
    }
    #[inline]
    fn place(self, shape: Ix2, k: usize) -> Self::Place {
        (self[0], self[1]).place(shape, k)
    }
}

/// How many windows of this size an array has.
#[inline]
pub fn windows<X: Grid>(x: &X, size: impl Window<X::Dim>) -> usize {
    size.count(x.grid().raw_dim())
}

/// Where the k-th of them lies.
#[inline]
pub fn window<X: Grid, W: Window<X::Dim>>(x: &X, size: W, k: usize) -> W::Place {
    size.place(x.grid().raw_dim(), k)
}
