//! Parts of rows of arrays, as slices that loops run over.
//!
//! Of an array in standard layout, or one whose rows lie together, the slice is a part of the array. Of any other it is a copy, which is
//! written back when the loop is over.
//!
//! All that copies need is in cold functions: calls beside a loop that are as likely as the loop take the registers of what it adds up.

use ndarray::{ArrayBase, ArrayView1, ArrayViewMut1, Axis, Data, DataMut, Dimension, Ix1, NdIndex, Slice};
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
    fn span_between(&self, from: [usize; N], to: [usize; N]) -> Span<'_, Self::Element>;
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

/// A part of a row: of the array, or a copy. Its length is known where it is made, so that loops need no checks.
pub struct Span<'a, T> {
    part: Part<'a, T>,
    len: usize,
}

enum Part<'a, T> {
    Own(&'a [T]),
    Copy(Vec<T>),
}

impl<T> Deref for Span<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let all = match &self.part {
            Part::Own(part) => part,
            Part::Copy(copy) => &copy[..],
        };
        &all[..self.len]
    }
}

impl<T> Drop for Span<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Part::Copy(copy) = &mut self.part {
            forget(std::mem::take(copy));
        }
    }
}

#[cold]
#[inline(never)]
fn forget<T>(copy: Vec<T>) {
    drop(copy);
}

/// A part of a row that can be written to.
pub struct SpanMut<'a, T: Clone> {
    part: PartMut<'a, T>,
    len: usize,
}

enum PartMut<'a, T> {
    Own(&'a mut [T]),
    /// And where it belongs.
    Copy(Vec<T>, ArrayViewMut1<'a, T>),
}

impl<T: Clone> Deref for SpanMut<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let all = match &self.part {
            PartMut::Own(part) => part,
            PartMut::Copy(copy, _) => &copy[..],
        };
        &all[..self.len]
    }
}

impl<T: Clone> DerefMut for SpanMut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let all = match &mut self.part {
            PartMut::Own(part) => part,
            PartMut::Copy(copy, _) => &mut copy[..],
        };
        &mut all[..self.len]
    }
}

impl<T: Clone> Drop for SpanMut<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let PartMut::Copy(copy, row) = &mut self.part {
            write_back(std::mem::take(copy), row);
        }
    }
}

#[cold]
#[inline(never)]
fn write_back<T: Clone>(copy: Vec<T>, row: &mut ArrayViewMut1<'_, T>) {
    row.iter_mut().zip(copy).for_each(|(to, from)| *to = from);
}

/// A part of a row of an array in another layout.
#[cold]
#[inline(never)]
fn strided<S, D, const N: usize>(of: &ArrayBase<S, D>, from: [usize; N], to: [usize; N]) -> Part<'_, S::Elem>
where
    S: Data<Elem: Clone>,
    D: Dimension,
{
    let mut rows = of.view().into_dyn();
    from[..N - 1].iter().for_each(|k| rows.index_axis_inplace(Axis(0), *k));
    let mut part: ArrayView1<'_, S::Elem> = rows.into_dimensionality::<Ix1>().expect("one index is left");
    part.slice_axis_inplace(Axis(0), Slice::from(from[N - 1]..to[N - 1]));
    part.to_slice().map_or_else(|| Part::Copy(part.to_vec()), Part::Own)
}

/// The same to be written.
#[cold]
#[inline(never)]
fn strided_mut<S, D, const N: usize>(of: &mut ArrayBase<S, D>, from: [usize; N], to: [usize; N]) -> PartMut<'_, S::Elem>
where
    S: DataMut<Elem: Clone>,
    D: Dimension,
{
    let mut rows = of.view_mut().into_dyn();
    from[..N - 1].iter().for_each(|k| rows.index_axis_inplace(Axis(0), *k));
    let mut part = rows.into_dimensionality::<Ix1>().expect("one index is left");
    part.slice_axis_inplace(Axis(0), Slice::from(from[N - 1]..to[N - 1]));
    match part.is_standard_layout() {
        true => PartMut::Own(part.into_slice().expect("it is in standard layout")),
        false => PartMut::Copy(part.to_vec(), part),
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
    fn span_between(&self, from: [usize; N], to: [usize; N]) -> Span<'_, S::Elem> {
        let start = start(self.shape(), from, to);
        let len = to[N - 1] - from[N - 1];
        let part = match self.as_slice() {
            Some(all) => Part::Own(&all[start..start + len]),
            None => strided(self, from, to),
        };
        Span { part, len }
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
        if !self.is_standard_layout() {
            return SpanMut { part: strided_mut(self, from, to), len };
        }
        let all = self.as_slice_mut().expect("it is in standard layout");
        SpanMut { part: PartMut::Own(&mut all[start..start + len]), len }
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
