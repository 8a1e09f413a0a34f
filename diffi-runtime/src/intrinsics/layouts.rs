//! Arrays whose layout is found out before the loops over their elements.
//!
//! An array in standard layout is seen as one slice, any other as a copy of it, which is written back when the loops are over. Where an
//! element lies depends on the shape alone, which the loops keep in registers.

use ndarray::{ArrayBase, Data, DataMut, Dimension};
use std::ops::{Index, IndexMut};

/// An array whose elements can be seen in standard layout.
pub trait Laid {
    /// The type of its elements.
    type Element: Clone;

    /// Its elements, row by row.
    ///
    /// # Panics
    ///
    /// If the array has another number of indices.
    fn laid<const N: usize>(&self) -> Layout<'_, Self::Element, N>;
}

/// An array whose elements can be written to in standard layout.
pub trait LaidMut: Laid {
    /// Its elements, row by row, to be written.
    ///
    /// # Panics
    ///
    /// If the array has another number of indices.
    fn laid_mut<const N: usize>(&mut self) -> LayoutMut<'_, Self::Element, N>;
}

/// An array's own elements, or a copy of them.
pub struct Layout<'a, T, const N: usize> {
    elements: Elements<'a, T>,
    shape: [usize; N],
}

enum Elements<'a, T> {
    Own(&'a [T]),
    Copy(Vec<T>),
}

impl<T, const N: usize> Layout<'_, T, N> {
    /// What loops read.
    #[inline(always)]
    pub fn rows(&self) -> Rows<'_, T, N> {
        let all = match &self.elements {
            Elements::Own(all) => all,
            Elements::Copy(all) => &all[..],
        };
        Rows { all, shape: self.shape }
    }
}

/// An array's own elements, or a copy of them that goes back.
pub struct LayoutMut<'a, T: Clone, const N: usize> {
    elements: ElementsMut<'a, T>,
    shape: [usize; N],
}

enum ElementsMut<'a, T: Clone> {
    Own(&'a mut [T]),
    /// And where they belong.
    Copy(Vec<T>, ndarray::ArrayViewMutD<'a, T>),
}

impl<T: Clone, const N: usize> LayoutMut<'_, T, N> {
    /// What loops read and write.
    #[inline(always)]
    pub fn rows_mut(&mut self) -> RowsMut<'_, T, N> {
        let all = match &mut self.elements {
            ElementsMut::Own(all) => all,
            ElementsMut::Copy(all, _) => &mut all[..],
        };
        RowsMut { all, shape: self.shape }
    }
}

impl<T: Clone, const N: usize> Drop for LayoutMut<'_, T, N> {
    #[inline(always)]
    fn drop(&mut self) {
        if let ElementsMut::Copy(copy, array) = &mut self.elements {
            write_back(std::mem::take(copy), array);
        }
    }
}

#[cold]
#[inline(never)]
fn write_back<T: Clone>(copy: Vec<T>, array: &mut ndarray::ArrayViewMutD<'_, T>) {
    array.iter_mut().zip(copy).for_each(|(to, from)| *to = from);
}

/// Elements row by row.
#[derive(Clone, Copy)]
pub struct Rows<'a, T, const N: usize> {
    all: &'a [T],
    shape: [usize; N],
}

/// Elements row by row, to be written.
pub struct RowsMut<'a, T, const N: usize> {
    all: &'a mut [T],
    shape: [usize; N],
}

/// Where an element lies.
#[inline(always)]
fn place<const N: usize>(shape: &[usize; N], index: [usize; N]) -> usize {
    let mut at = 0;
    for k in 0..N {
        assert!(index[k] < shape[k], "index out of bounds");
        at = at * shape[k] + index[k];
    }
    at
}

/// Where a part of a row starts, and its length.
#[inline(always)]
fn part<const N: usize>(shape: &[usize; N], from: [usize; N], to: [usize; N]) -> (usize, usize) {
    let last = N - 1;
    assert!(from[last] <= to[last] && to[last] <= shape[last], "part of a row out of bounds");
    let mut start = 0;
    for k in 0..last {
        assert!(from[k] < shape[k] && from[k] == to[k], "row out of bounds");
        start = (start + from[k]) * shape[k + 1];
    }
    (start + from[last], to[last] - from[last])
}

impl<'a, T, const N: usize> Rows<'a, T, N> {
    /// The elements of a row from `from` to before `to`, which differ in the last index alone.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    #[inline(always)]
    pub fn span_between(&self, from: [usize; N], to: [usize; N]) -> &'a [T] {
        let (start, len) = part(&self.shape, from, to);
        &self.all[start..][..len]
    }
}

impl<T, const N: usize> RowsMut<'_, T, N> {
    /// The elements of a row from `from` to before `to`, which differ in the last index alone.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    #[inline(always)]
    pub fn span_between(&self, from: [usize; N], to: [usize; N]) -> &[T] {
        let (start, len) = part(&self.shape, from, to);
        &self.all[start..][..len]
    }

    /// The same to be written.
    ///
    /// # Panics
    ///
    /// If there are no such elements.
    #[inline(always)]
    pub fn span_between_mut(&mut self, from: [usize; N], to: [usize; N]) -> &mut [T] {
        let (start, len) = part(&self.shape, from, to);
        &mut self.all[start..][..len]
    }

    /// Two elements change places.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    #[inline(always)]
    pub fn swap(&mut self, a: [usize; N], b: [usize; N]) {
        self.all.swap(place(&self.shape, a), place(&self.shape, b));
    }
}

impl<T, const N: usize> Index<[usize; N]> for Rows<'_, T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: [usize; N]) -> &T {
        &self.all[place(&self.shape, index)]
    }
}

impl<T, const N: usize> Index<[usize; N]> for RowsMut<'_, T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: [usize; N]) -> &T {
        &self.all[place(&self.shape, index)]
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for RowsMut<'_, T, N> {
    #[inline(always)]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        &mut self.all[place(&self.shape, index)]
    }
}

fn shape_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    shape.try_into().expect("an index for each axis")
}

impl<S: Data<Elem: Clone>, D: Dimension> Laid for ArrayBase<S, D> {
    type Element = S::Elem;

    #[inline(always)]
    fn laid<const N: usize>(&self) -> Layout<'_, S::Elem, N> {
        let elements = match self.as_slice() {
            Some(all) => Elements::Own(all),
            None => Elements::Copy(self.iter().cloned().collect()),
        };
        Layout { elements, shape: shape_of(self.shape()) }
    }
}

impl<S: DataMut<Elem: Clone>, D: Dimension> LaidMut for ArrayBase<S, D> {
    #[inline(always)]
    fn laid_mut<const N: usize>(&mut self) -> LayoutMut<'_, S::Elem, N> {
        let shape = shape_of(self.shape());
        if !self.is_standard_layout() {
            let copy = self.iter().cloned().collect();
            return LayoutMut { elements: ElementsMut::Copy(copy, self.view_mut().into_dyn()), shape };
        }
        LayoutMut { elements: ElementsMut::Own(self.as_slice_mut().expect("it is in standard layout")), shape }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2, Array3, Axis, Slice};

    fn matrix() -> Array2<f64> {
        Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as f64)
    }

    #[test]
    fn elements_and_rows_of_any_layout_are_read() {
        let a = matrix();
        let own = a.laid();
        assert_eq!((own.rows()[[2, 3]], own.rows().span_between([1, 1], [1, 3])), (23.0, &[11.0, 12.0][..]));
        let (turned, mut strided) = (a.t(), a.view());
        strided.slice_axis_inplace(Axis(0), Slice::new(0, None, -1));
        strided.slice_axis_inplace(Axis(1), Slice::new(0, None, 2));
        assert_eq!(turned.laid().rows().span_between([1, 1], [1, 3]), [11.0, 21.0]);
        assert_eq!(strided.laid().rows()[[0, 1]], 22.0);
        let b = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as f64);
        assert_eq!(b.laid().rows().span_between([1, 2, 0], [1, 2, 2]), [120.0, 121.0]);
        let c = Array1::from(vec![1.0, 2.0, 3.0]);
        assert_eq!((c.laid().rows()[[2]], c.laid().rows().span_between([1], [3])), (3.0, &[2.0, 3.0][..]));
        assert!(a.laid().rows().span_between([2, 4], [2, 4]).is_empty());
    }

    #[test]
    fn elements_and_rows_of_any_layout_are_written() {
        let mut whole = matrix();
        whole.laid_mut().rows_mut().span_between_mut([1, 1], [1, 3]).fill(1.0);
        assert_eq!(whole.row(1).to_vec(), [10.0, 1.0, 1.0, 13.0]);
        let mut turned = matrix().reversed_axes();
        {
            let mut laid = turned.laid_mut();
            let mut rows = laid.rows_mut();
            rows[[3, 0]] = 5.0;
            rows.span_between_mut([1, 1], [1, 3]).fill(1.0);
        }
        assert_eq!((turned.row(1).to_vec(), turned[[3, 0]]), (vec![1.0, 1.0, 1.0], 5.0));
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_row_that_is_not_there() {
        matrix().laid().rows().span_between([3, 0], [3, 1]);
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_column_that_is_not_there() {
        let _ = matrix().laid().rows()[[0, 4]];
    }
}
