//! Parts of rows of arrays, as slices that loops run over.
//!
//! Of an array in standard layout, or one whose rows lie together, the slice is a part of the array. Of any other it is a copy, which is
//! written back when the loop is over.

use ndarray::{ArrayBase, ArrayViewMut1, Axis, Data, DataMut, Dimension, Ix1, NdIndex, Slice};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// An array of which slices can be had.
pub trait Spans<const N: usize> {
    /// The type of its elements.
    type Element: Clone;

    /// The elements of a row from `from` to before `to`, which differ in the last index alone.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    fn span_between(&self, from: [usize; N], to: [usize; N]) -> Cow<'_, [Self::Element]>;
}

/// An array of which slices can be written to.
pub trait SpansMut<const N: usize>: Spans<N> {
    /// The same elements, to be written.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    fn span_between_mut(&mut self, from: [usize; N], to: [usize; N]) -> SpanMut<'_, Self::Element>;
}

/// A part of a row that can be written to.
pub enum SpanMut<'a, T: Clone> {
    /// A part of the array.
    Part(&'a mut [T]),
    /// A copy, and where it belongs.
    Copy(Vec<T>, ArrayViewMut1<'a, T>),
}

impl<T: Clone> Deref for SpanMut<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            SpanMut::Part(part) => part,
            SpanMut::Copy(copy, _) => copy,
        }
    }
}

impl<T: Clone> DerefMut for SpanMut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            SpanMut::Part(part) => part,
            SpanMut::Copy(copy, _) => copy,
        }
    }
}

impl<T: Clone> Drop for SpanMut<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let SpanMut::Copy(copy, row) = self {
            row.iter_mut().zip(copy.drain(..)).for_each(|(to, from)| *to = from);
        }
    }
}

impl<S, D, const N: usize> Spans<N> for ArrayBase<S, D>
where
    S: Data<Elem: Clone>,
    D: Dimension,
    [usize; N]: NdIndex<D>,
{
    type Element = S::Elem;

    #[inline(always)]
    fn span_between(&self, from: [usize; N], to: [usize; N]) -> Cow<'_, [S::Elem]> {
        let start = start(self.shape(), from, to);
        let len = to[N - 1] - from[N - 1];
        match self.as_slice() {
            Some(all) => Cow::Borrowed(&all[start..start + len]),
            None => {
                let mut rows = self.view().into_dyn();
                from[..N - 1].iter().for_each(|k| rows.index_axis_inplace(Axis(0), *k));
                let mut part = rows.into_dimensionality::<Ix1>().expect("one index is left");
                part.slice_axis_inplace(Axis(0), Slice::from(from[N - 1]..to[N - 1]));
                part.to_slice().map_or_else(|| Cow::Owned(part.to_vec()), Cow::Borrowed)
            }
        }
    }
}

impl<S, D, const N: usize> SpansMut<N> for ArrayBase<S, D>
where
    S: DataMut<Elem: Clone>,
    D: Dimension,
    [usize; N]: NdIndex<D>,
{
    #[inline(always)]
    fn span_between_mut(&mut self, from: [usize; N], to: [usize; N]) -> SpanMut<'_, S::Elem> {
        let start = start(self.shape(), from, to);
        let len = to[N - 1] - from[N - 1];
        if self.is_standard_layout() {
            let all = self.as_slice_mut().expect("it is in standard layout");
            return SpanMut::Part(&mut all[start..start + len]);
        }
        let mut rows = self.view_mut().into_dyn();
        from[..N - 1].iter().for_each(|k| rows.index_axis_inplace(Axis(0), *k));
        let mut part = rows.into_dimensionality::<Ix1>().expect("one index is left");
        part.slice_axis_inplace(Axis(0), Slice::from(from[N - 1]..to[N - 1]));
        match part.is_standard_layout() {
            true => SpanMut::Part(part.into_slice().expect("it is in standard layout")),
            false => SpanMut::Copy(part.to_vec(), part),
        }
    }
}

/// Where a part of a row starts in standard layout.
#[inline(always)]
fn start<const N: usize>(shape: &[usize], from: [usize; N], to: [usize; N]) -> usize {
    assert!(shape.len() == N && from[N - 1] <= to[N - 1] && to[N - 1] <= shape[N - 1], "part of a row out of bounds");
    let mut start = 0;
    for (k, len) in shape.iter().enumerate() {
        assert!(k == N - 1 || from[k] < *len && from[k] == to[k], "row out of bounds");
        start = start * len + from[k];
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Array3};

    fn matrix() -> Array2<f64> {
        Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as f64)
    }

    #[test]
    fn parts_of_any_layout_are_read() {
        let a = matrix();
        let (mut tail, mut upside_down) = (a.view(), a.view());
        tail.slice_axis_inplace(Axis(1), Slice::from(1..));
        upside_down.slice_axis_inplace(Axis(0), Slice::new(0, None, -1));
        upside_down.slice_axis_inplace(Axis(1), Slice::new(0, None, 2));
        assert_eq!(*a.span_between([1, 1], [1, 3]), [11.0, 12.0]);
        assert_eq!(*a.t().span_between([1, 1], [1, 3]), [11.0, 21.0]);
        assert_eq!(*tail.span_between([2, 0], [2, 3]), [21.0, 22.0, 23.0]);
        assert_eq!(*upside_down.span_between([0, 0], [0, 2]), [20.0, 22.0]);
        let b = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as f64);
        assert_eq!(*b.span_between([1, 2, 0], [1, 2, 2]), [120.0, 121.0]);
        assert_eq!(*b.clone().into_dyn().span_between([1, 2, 0], [1, 2, 2]), [120.0, 121.0]);
        assert!(a.span_between([2, 4], [2, 4]).is_empty());
    }

    #[test]
    fn parts_of_any_layout_are_written() {
        let mut whole = matrix();
        whole.span_between_mut([1, 1], [1, 3]).fill(1.0);
        assert_eq!(whole.row(1).to_vec(), [10.0, 1.0, 1.0, 13.0]);
        let mut turned = matrix().reversed_axes();
        turned.span_between_mut([1, 1], [1, 3]).fill(1.0);
        assert_eq!(turned.row(1).to_vec(), [1.0, 1.0, 1.0]);
        assert_eq!(turned.row(2).to_vec(), [2.0, 12.0, 22.0]);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_row_that_is_not_there() {
        matrix().span_between([3, 0], [3, 1]);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_part_that_is_not_there() {
        matrix().span_between([0, 3], [0, 5]);
    }
}
