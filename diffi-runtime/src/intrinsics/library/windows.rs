//! Windows and chunks of arrays of one axis or two, in logical order, and of any array along an axis.

use super::grid::Grid;
use ndarray::{Axis, Dimension, Ix1, Ix2, Slice, SliceInfo, SliceInfoElem};

/// The lengths of a window of arrays with the dimension `D`.
pub trait Window<D: Dimension>: Copy {
    /// Where a window lies.
    type Place;
    /// The lengths that are all one.
    fn ones() -> Self;
    /// How many windows there are in a shape, so far from each other.
    fn count(self, by: Self, shape: D) -> usize;
    /// The k-th of them.
    fn place(self, by: Self, shape: D, k: usize) -> Self::Place;
}

fn fitting(n: usize, size: usize, by: usize) -> usize {
    assert!(size > 0, "a window has no elements");
    assert!(by > 0, "windows lie in the same place");
    if n < size { 0 } else { (n - size) / by + 1 }
}

fn from(start: usize, size: usize) -> SliceInfoElem {
    SliceInfoElem::Slice { start: start as isize, end: Some((start + size) as isize), step: 1 }
}

impl Window<Ix1> for usize {
    type Place = SliceInfo<[SliceInfoElem; 1], Ix1, Ix1>;

    #[inline]
    fn ones() -> usize {
        1
    }
    #[inline]
    fn count(self, by: usize, shape: Ix1) -> usize {
        fitting(shape[0], self, by)
    }
    #[inline]
    fn place(self, by: usize, _: Ix1, k: usize) -> Self::Place {
        SliceInfo::try_from([from(k * by, self)]).expect("one axis of one")
    }
}

impl Window<Ix2> for (usize, usize) {
    type Place = SliceInfo<[SliceInfoElem; 2], Ix2, Ix2>;

    #[inline]
    fn ones() -> (usize, usize) {
        (1, 1)
    }
    #[inline]
    fn count(self, by: Self, shape: Ix2) -> usize {
        fitting(shape[0], self.0, by.0) * fitting(shape[1], self.1, by.1)
    }
    #[inline]
    fn place(self, by: Self, shape: Ix2, k: usize) -> Self::Place {
        let across = fitting(shape[1], self.1, by.1);
        let (i, j) = (k / across, k % across);
        SliceInfo::try_from([from(i * by.0, self.0), from(j * by.1, self.1)]).expect("two axes of two")
    }
}

impl Window<Ix2> for [usize; 2] {
    type Place = SliceInfo<[SliceInfoElem; 2], Ix2, Ix2>;

    #[inline]
    fn ones() -> [usize; 2] {
        [1, 1]
    }
    #[inline]
    fn count(self, by: Self, shape: Ix2) -> usize {
        (self[0], self[1]).count((by[0], by[1]), shape)
    }
    #[inline]
    fn place(self, by: Self, shape: Ix2, k: usize) -> Self::Place {
        (self[0], self[1]).place((by[0], by[1]), shape, k)
    }
}

/// How many windows of this size an array has.
#[inline]
pub fn windows<X: Grid, W: Window<X::Dim>>(x: &X, size: W) -> usize {
    size.count(W::ones(), x.grid().raw_dim())
}

/// Where the k-th of them lies.
#[inline]
pub fn window<X: Grid, W: Window<X::Dim>>(x: &X, size: W, k: usize) -> W::Place {
    size.place(W::ones(), x.grid().raw_dim(), k)
}

/// How many windows there are so far from each other.
#[inline]
pub fn strided_windows<X: Grid, W: Window<X::Dim>>(x: &X, size: W, by: W) -> usize {
    size.count(by, x.grid().raw_dim())
}

/// Where the k-th of them lies.
#[inline]
pub fn strided_window<X: Grid, W: Window<X::Dim>>(x: &X, size: W, by: W, k: usize) -> W::Place {
    size.place(by, x.grid().raw_dim(), k)
}

/// How many whole chunks of this size an array has.
#[inline]
pub fn exact_chunks<X: Grid, W: Window<X::Dim>>(x: &X, size: W) -> usize {
    strided_windows(x, size, size)
}

/// Where the k-th of them lies.
#[inline]
pub fn exact_chunk<X: Grid, W: Window<X::Dim>>(x: &X, size: W, k: usize) -> W::Place {
    strided_window(x, size, size, k)
}

/// How many windows of this length there are along an axis.
#[inline]
pub fn axis_windows<X: Grid>(x: &X, axis: Axis, size: usize) -> usize {
    fitting(x.grid().len_of(axis), size, 1)
}

/// Where the k-th of them lies.
#[inline]
pub fn axis_window<X: Grid>(_: &X, _: Axis, size: usize, k: usize) -> Slice {
    Slice::from(k..k + size)
}

/// How many chunks of this length there are along an axis; the last may be shorter.
#[inline]
pub fn axis_chunks<X: Grid>(x: &X, axis: Axis, size: usize) -> usize {
    x.grid().len_of(axis).div_ceil(size)
}

/// Where the k-th of them lies.
#[inline]
pub fn axis_chunk<X: Grid>(x: &X, axis: Axis, size: usize, k: usize) -> Slice {
    Slice::from(k * size..x.grid().len_of(axis).min((k + 1) * size))
}

/// The whole of an axis, from its end.
#[inline]
pub fn reversed() -> Slice {
    Slice::new(0, None, -1)
}

/// One index of an axis.
#[inline]
pub fn one_index(at: usize) -> Slice {
    Slice::from(at..at + 1)
}

/// What lies before an index.
#[inline]
pub fn before(at: usize) -> Slice {
    Slice::from(..at)
}

/// What lies from an index on.
#[inline]
pub fn after(at: usize) -> Slice {
    Slice::from(at..)
}
