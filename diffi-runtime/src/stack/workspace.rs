//! The memory of derivative code, kept between calls.

use crate::stack::boxed_values::Others;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::row_by_row::row_by_row;
use crate::stack::shelf::Shelf;
use crate::stack::tape::{Recorder, Stack};
use ndarray::{Array, Array1, ArrayView, Dimension, ShapeBuilder};
use std::fmt::{self, Debug};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// Vectors that wait to be used again.
///
/// Every operation on arrays takes some and gives some back. Numbers that change together do not lie side by side: they would be written
/// one by one and read two at a time soon afterwards, for which processors wait until they have reached the cache.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Pool<T> {
    /// By the power of two that their capacity reaches.
    free: Vec<Vec<Vec<T>>>,
    /// How many were taken in this pass.
    taken: usize,
    /// How many were taken in the pass before this one that took most: there are never more.
    most: usize,
    /// How many of those taken in this pass were given back. No more than these are kept, so that vectors from elsewhere do not pile up
    /// where as many leave for good.
    given: usize,
    /// Vectors of rows and arrays.
    pub(crate) shelf: Shelf,
}

impl<T> Pool<T> {
    /// An empty pool.
    #[inline]
    pub const fn new() -> Self {
        Pool { free: Vec::new(), taken: 0, most: 0, given: 0, shelf: Shelf::new() }
    }

    /// What is made with a pool of its own, which has to be dropped only if it has got memory: values without arrays leave it alone.
    #[inline]
    pub fn of_its_own<R>(make: impl FnOnce(&mut Self) -> R) -> R {
        let mut pool = ManuallyDrop::new(Pool::new());
        let made = make(&mut pool);
        if pool.free.capacity() > 0 || !pool.shelf.is_empty() {
            drop(ManuallyDrop::into_inner(pool));
        }
        made
    }

    /// Puts a vector back.
    #[inline]
    pub fn give(&mut self, vector: Vec<T>) {
        let Some(size) = vector.capacity().checked_ilog2() else { return };
        if self.given == self.taken {
            return forget(vector);
        }
        self.given += 1;
        match self.free.get_mut(size as usize) {
            Some(list) if list.len() < list.capacity() => list.push(vector),
            _ => self.one_more(size as usize, vector),
        }
    }

    /// Puts one more vector of this size there than there ever were.
    #[cold]
    #[inline(never)]
    fn one_more(&mut self, size: usize, vector: Vec<T>) {
        if self.vectors().count() >= self.most.max(self.taken) {
            return drop(vector);
        }
        if self.free.len() <= size {
            self.free.resize_with(size + 1, Vec::new);
        }
        self.free[size].reserve_exact(1);
        self.free[size].push(vector);
    }

    /// How much memory is held.
    pub fn bytes(&self) -> usize {
        let lists = memory_report::vector(&self.free) + self.free.iter().map(memory_report::vector).sum::<usize>();
        lists + self.vectors().map(memory_report::vector).sum::<usize>() + self.shelf.bytes()
    }

    fn vectors(&self) -> impl Iterator<Item = &Vec<T>> {
        self.free.iter().flatten()
    }

    /// The vector of this size that came back last, if it is as it should be. What is made of it where it is found never lies in memory
    /// that other ways lead to, and stays in registers.
    #[inline(always)]
    fn again(&mut self, n: usize, fits: impl FnOnce(&mut Vec<T>) -> bool) -> Option<Vec<T>> {
        let found = self.free.get_mut(n.max(1).ilog2() as usize)?.pop_if(fits)?;
        self.taken += 1;
        Some(found)
    }

    /// A vector that has room for `n` elements, if the one that came back last will not do: one of those that are least in size.
    #[cold]
    #[inline(never)]
    fn search(&mut self, n: usize) -> Vec<T> {
        self.taken += 1;
        let size = n.max(1).ilog2() as usize;
        let Some((same, larger)) = self.free.get_mut(size..).and_then(<[_]>::split_first_mut) else {
            return Vec::with_capacity(n);
        };
        let fitting = same.iter().rposition(|v| v.capacity() >= n).map(|at| same.swap_remove(at));
        let found = fitting.or_else(|| larger.iter_mut().find_map(Vec::pop));
        found.unwrap_or_else(|| Vec::with_capacity(n))
    }

    /// A pass begins: what was not given back since the last one began has left for good.
    fn settle(&mut self) {
        self.most = self.most.max(self.taken);
        (self.taken, self.given) = (0, 0);
        self.shelf.settle();
    }

    /// An empty vector that has room for `n` elements.
    #[inline]
    pub fn empty(&mut self, n: usize) -> Vec<T> {
        let mut vector = self.again(n, |last| last.capacity() >= n).unwrap_or_else(|| self.search(n));
        vector.clear();
        vector
    }
}

impl<T: Copy> Pool<T> {
    /// A vector of `n` times `fill`.
    #[inline]
    pub fn take(&mut self, n: usize, fill: T) -> Vec<T> {
        let mut vector = self.any(n, fill);
        vector.fill(fill);
        vector
    }

    /// A vector of `n` elements that holds anything.
    #[inline]
    pub fn any(&mut self, n: usize, fill: T) -> Vec<T> {
        match self.again(n, |last| last.len() >= n) {
            Some(mut vector) => {
                vector.truncate(n);
                vector
            }
            None => self.lengthened(n, fill),
        }
    }

    /// The same, if the vector that came back last is too short.
    #[cold]
    #[inline(never)]
    fn lengthened(&mut self, n: usize, fill: T) -> Vec<T> {
        let mut vector = self.search(n);
        vector.resize(n, fill);
        vector
    }

    /// An array of this shape that holds anything.
    #[inline]
    pub fn array<D: Dimension>(&mut self, shape: D, fill: T) -> Array<T, D> {
        let n = shape.size();
        match self.again(n, |last| last.len() >= n) {
            Some(mut vector) => {
                vector.truncate(n);
                shaped(vector, shape)
            }
            None => self.new_array(shape, fill),
        }
    }

    /// The same, if the vector that came back last is too short.
    #[cold]
    #[inline(never)]
    fn new_array<D: Dimension>(&mut self, shape: D, fill: T) -> Array<T, D> {
        shaped(self.lengthened(shape.size(), fill), shape)
    }

    /// An array of this shape with the same element everywhere.
    #[inline]
    pub fn filled<D: Dimension>(&mut self, shape: D, fill: T) -> Array<T, D> {
        let vector = self.take(shape.size(), fill);
        shaped(vector, shape)
    }

    /// The elements of an array in logical order.
    #[inline]
    pub fn flat<D: Dimension>(&mut self, array: &ArrayView<'_, T, D>) -> Vec<T> {
        match array.as_slice() {
            Some(values) => self.take_copy(values),
            None => {
                let mut vector = self.empty(array.len());
                match array.strides().last() {
                    Some(1) => array.rows().into_iter().for_each(|row| vector.extend(row.iter().copied())),
                    _ => vector.extend(array.iter().copied()),
                }
                vector
            }
        }
    }

    /// A copy of an array, which has its elements in memory as the array has, if they lie side by side.
    #[inline]
    pub fn copy_of<D: Dimension>(&mut self, array: &ArrayView<'_, T, D>) -> Array<T, D> {
        let shape = array.raw_dim();
        match (array.as_slice(), array.as_slice_memory_order()) {
            (Some(values), _) => shaped(self.take_copy(values), shape),
            (None, Some(values)) if array.t().is_standard_layout() => {
                Array::from_shape_vec(shape.f(), self.take_copy(values)).expect("as many elements")
            }
            (None, Some(_)) => array.to_owned(),
            (None, None) => shaped(self.flat(array), shape),
        }
    }

    /// A copy of a part of an array, whose elements lie side by side where those of the part do, and apart where they lie apart:
    /// `ndarray` adds in another order there.
    pub fn part<D: Dimension>(&mut self, array: &ArrayView<'_, T, D>) -> Array<T, D> {
        let Some(first) = array.first().filter(|_| array.as_slice_memory_order().is_none()) else {
            return self.copy_of(array);
        };
        let (strides, size) = spread(array);
        let memory = self.take(size, *first);
        let mut copy =
            Array::from_shape_vec(array.raw_dim().strides(strides), memory).expect("memory for all elements");
        row_by_row(copy.view_mut(), array.view(), |to, v| *to = *v);
        copy
    }

    /// A copy of `values`.
    #[inline]
    pub fn take_copy(&mut self, values: &[T]) -> Vec<T> {
        let mut vector = self.empty(values.len());
        vector.extend_from_slice(values);
        vector
    }
}

impl<T: Send + Sync + 'static> Pool<T> {
    /// Vectors in a row.
    #[inline]
    pub(crate) fn rows(&mut self, n: usize, mut row: impl FnMut(&mut Self, usize) -> Vec<T>) -> Vec<Vec<T>> {
        let mut rows = self.shelf.take(n);
        rows.extend((0..n).map(|k| row(self, k)));
        rows
    }

    /// Puts vectors in a row back.
    #[inline]
    pub(crate) fn give_rows(&mut self, mut rows: Vec<Vec<T>>) {
        rows.drain(..).rev().for_each(|row| self.give(row));
        self.shelf.give(rows);
    }
}

/// Gives memory back to the allocator.
#[cold]
#[inline(never)]
fn forget<T>(vector: Vec<T>) {
    drop(vector);
}

/// An array of these elements in logical order. What `ndarray` has for any strides looks into more than that.
#[inline]
pub(crate) fn shaped<T, D: Dimension>(elements: Vec<T>, shape: D) -> Array<T, D> {
    let line = Array1::from_vec(elements);
    match D::NDIM {
        Some(1) if line.len() == shape.size() => line.into_dimensionality().expect("one axis"),
        _ => line.into_shape_with_order(shape).expect("as many elements"),
    }
}

/// The strides of an array that has gaps where another one has some, one element wide, and how many elements its memory has.
fn spread<T, D: Dimension>(array: &ArrayView<'_, T, D>) -> (D, usize) {
    let mut strides = array.raw_dim();
    let (mut row, mut inner, mut done) = (1, None, 0_u64);
    while let Some((k, axis)) = closest(array, done) {
        let (len, stride) = (array.shape()[k], axis.unsigned_abs());
        if let Some((length, extent)) = inner {
            row *= length + usize::from(stride != extent);
        }
        let step = if inner.is_none() && axis != 1 { 2 } else { 1 };
        strides[k] = row * step;
        inner = Some((len * step, stride * len));
        done |= 1 << k;
    }
    (strides, row * inner.map_or(1, |(length, _)| length))
}

/// The axis along which elements lie closest, of those that are not done, and its stride.
fn closest<T, D: Dimension>(array: &ArrayView<'_, T, D>, done: u64) -> Option<(usize, isize)> {
    let axes = array.strides().iter().copied().enumerate().filter(|(k, _)| done & (1 << k) == 0);
    axes.min_by_key(|(k, stride)| (stride.unsigned_abs(), std::cmp::Reverse(*k)))
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool::new()
    }
}

/// What derivative code over the float `F` with shadows in `A` stores, and where its local arrays come from.
#[derive(Clone, Debug)]
pub struct Workspace<F, A> {
    /// Saved floats.
    pub floats: Stack<F>,
    /// Saved passive values: integers, bools.
    pub words: Stack<u64>,
    /// Saved tangents (second order).
    pub tangents: Stack<A>,
    /// Saved passive values of other types.
    pub others: Others,
    /// Saved arrays of floats that were moved here.
    pub arrays: Vec<Vec<F>>,
    /// Local arrays of floats.
    pub base: Pool<F>,
    /// Local arrays of shadows.
    pub shadows: Pool<A>,
}

/// A workspace that operators keep. One that has never held memory is not looked through for memory to give back: calls of small functions
/// that nobody prepared take no longer than that.
pub(crate) struct Lasting<F: Copy + Default, A: Copy + Default>(ManuallyDrop<Workspace<F, A>>);

impl<F: Copy + Default, A: Copy + Default> Lasting<F, A> {
    /// Without memory yet.
    #[inline]
    pub(crate) fn new() -> Self {
        Lasting(ManuallyDrop::new(Workspace::new()))
    }
}

impl<F: Copy + Default, A: Copy + Default> Drop for Lasting<F, A> {
    #[inline]
    fn drop(&mut self) {
        if self.0.has_memory() {
            drop(ManuallyDrop::into_inner(std::mem::replace(&mut self.0, ManuallyDrop::new(Workspace::new()))));
        }
    }
}

impl<F: Copy + Default, A: Copy + Default> Deref for Lasting<F, A> {
    type Target = Workspace<F, A>;
    #[inline]
    fn deref(&self) -> &Workspace<F, A> {
        &self.0
    }
}

impl<F: Copy + Default, A: Copy + Default> DerefMut for Lasting<F, A> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Workspace<F, A> {
        &mut self.0
    }
}

impl<F: Copy + Default, A: Copy + Default> Clone for Lasting<F, A> {
    fn clone(&self) -> Self {
        Lasting(self.0.clone())
    }
}

impl<F: Copy + Default + Debug, A: Copy + Default + Debug> Debug for Lasting<F, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How much the stacks of a workspace hold.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    floats: usize,
    words: usize,
    tangents: usize,
    others: usize,
    arrays: usize,
}

impl<F: Copy + Default, A: Copy + Default> Workspace<F, A> {
    /// Without memory yet.
    #[inline]
    pub fn new() -> Self {
        Workspace {
            floats: Stack::new(F::default()),
            words: Stack::new(0),
            tangents: Stack::new(A::default()),
            others: Others::new(),
            arrays: Vec::new(),
            base: Pool::new(),
            shadows: Pool::new(),
        }
    }

    /// Runs code that finds the stacks empty and leaves them empty. They are emptied if it panics, and keep their memory.
    #[inline(always)]
    pub fn run<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let unfinished = self.begin();
        let result = code(unfinished.0);
        unfinished.end();
        result
    }

    /// The same for code that stands between this and [`Unfinished::end`], where rustc should not have to make a closure of it.
    #[inline(always)]
    pub fn begin(&mut self) -> Unfinished<'_, F, A> {
        let shelves = !self.base.shelf.is_empty() || !self.shadows.shelf.is_empty();
        if self.base.taken | self.shadows.taken != 0 || shelves {
            self.base.settle();
            self.shadows.settle();
        }
        Unfinished(self)
    }

    /// Forgets what the stacks hold, and keeps the memory.
    #[inline]
    pub fn reset(&mut self) {
        self.floats.truncate(0);
        self.words.truncate(0);
        self.tangents.truncate(0);
        self.others.truncate(0);
        self.arrays.clear();
    }

    /// Whether there is anything to be given back.
    #[inline]
    fn has_memory(&self) -> bool {
        let numbers = self.floats.capacity() | self.words.capacity() | self.tangents.capacity();
        let arrays = self.arrays.capacity() | self.base.free.capacity() | self.shadows.free.capacity();
        let arrays = arrays | usize::from(!self.base.shelf.is_empty() || !self.shadows.shelf.is_empty());
        numbers | arrays | self.others.capacity() != 0
    }

    fn is_empty(&self) -> bool {
        let numbers = self.floats.is_empty() && self.words.is_empty() && self.tangents.is_empty();
        numbers && self.others.is_empty() && self.arrays.is_empty()
    }

    /// How much the stacks hold.
    #[inline]
    pub fn marks(&self) -> Marks {
        Marks {
            floats: self.floats.len(),
            words: self.words.len(),
            tangents: self.tangents.len(),
            others: self.others.len(),
            arrays: self.arrays.len(),
        }
    }

    /// Puts back what was popped since then, if nothing has been pushed.
    #[inline]
    pub fn rewind(&mut self, to: Marks) {
        self.floats.rewind(to.floats);
        self.words.rewind(to.words);
        self.tangents.rewind(to.tangents);
        self.others.rewind(to.others);
        debug_assert_eq!(self.arrays.len(), to.arrays, "arrays that were moved away cannot be put back");
    }

    /// Makes the stacks copies of `other`'s.
    pub fn restore(&mut self, other: &Self) {
        self.floats.restore(&other.floats);
        self.words.restore(&other.words);
        self.tangents.restore(&other.tangents);
        self.others.restore(&other.others);
        self.arrays.clone_from(&other.arrays);
    }
}

impl<F: Copy, A: Copy> Workspace<F, A> {
    /// How much memory is held.
    pub fn bytes(&self) -> usize {
        let stacks = self.floats.bytes() + self.words.bytes() + self.tangents.bytes() + self.others.bytes();
        stacks + self.moved_bytes() + self.base.bytes() + self.shadows.bytes()
    }
}

impl<F, A> Workspace<F, A> {
    /// How much memory the arrays hold that were moved here.
    fn moved_bytes(&self) -> usize {
        memory_report::vector(&self.arrays) + self.arrays.iter().map(memory_report::vector).sum::<usize>()
    }
}

/// The stacks when they were highest, and the local arrays of values, which the reverse sweep reads, between calls.
impl<F, A> Recorder for Workspace<F, A>
where
    F: Copy,
    A: Copy,
{
    fn kept(&self, note: &mut Note<'_>) {
        note(names::TAPE, self.bytes() - self.shadows.bytes());
        note(names::WORKSPACE, self.shadows.bytes());
    }
    fn tape_bytes(&self) -> usize {
        let arrays = self.base.vectors().map(memory_report::vector).sum::<usize>();
        let stacks = self.floats.peak_bytes() + self.words.peak_bytes() + self.tangents.peak_bytes();
        stacks + self.others.bytes() + self.moved_bytes() + arrays
    }
}

impl<F: Copy + Default, A: Copy + Default> Default for Workspace<F, A> {
    fn default() -> Self {
        Workspace::new()
    }
}

/// Code that has not come to its end: dropped only if it panics.
pub struct Unfinished<'w, F: Copy + Default, A: Copy + Default>(pub &'w mut Workspace<F, A>);

impl<F: Copy + Default, A: Copy + Default> Unfinished<'_, F, A> {
    /// The code has come to its end.
    #[inline]
    pub fn end(self) {
        debug_assert!(self.0.is_empty(), "what was pushed is popped");
        std::mem::forget(self);
    }
}

impl<F: Copy + Default, A: Copy + Default> Drop for Unfinished<'_, F, A> {
    #[cold]
    fn drop(&mut self) {
        self.0.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Axis, Slice};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn local_arrays_of_values_count_as_kept() {
        let mut ws = Workspace::<f64, f64>::new();
        let (a, b) = (ws.base.take(10, 0.0), ws.base.take_copy(&[1.0; 20]));
        ws.base.give(a);
        ws.base.give(b);
        let bar = ws.shadows.take(10, 0.0);
        ws.shadows.give(bar);
        ws.floats.push_slice(&[0.0; 5]);
        ws.words.push([1, 2]);
        ws.reset();
        assert_eq!(ws.tape_bytes(), (10 + 20 + 5 + 2) * 8);
        let again = ws.base.take(15, 0.0);
        ws.base.give(again);
        assert_eq!(ws.tape_bytes(), (10 + 20 + 5 + 2) * 8);
    }

    #[test]
    fn a_pool_finds_the_least_that_fits_and_keeps_no_strangers() {
        let mut pool = Pool::<f64>::new();
        pool.give(vec![1.0; 100]);
        assert_eq!(pool.vectors().count(), 0);
        let (small, large) = (pool.take(8, 0.0), pool.take(64, 0.0));
        let places = [small.as_ptr(), large.as_ptr()];
        pool.give(large);
        pool.give(small);
        pool.give(vec![1.0; 8]);
        assert_eq!(pool.vectors().count(), 2);
        assert_eq!([pool.take(5, 0.0).len(), pool.any(6, 1.0).len()], [5, 6]);
        pool.settle();
        let again = [pool.take(8, 0.0), pool.take(40, 0.0)];
        assert_ne!(again[0].as_ptr(), places[1]);
        again.into_iter().for_each(|v| pool.give(v));
        pool.give(vec![0.0; 8]);
        assert!(pool.vectors().count() <= 2);
    }

    #[test]
    fn copies_have_the_order_of_their_array() {
        let (mut pool, array) = (Pool::<f64>::new(), ndarray::arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
        for view in [array.view(), array.t(), array.slice_axis(ndarray::Axis(1), ndarray::Slice::new(0, None, 2))] {
            let copy = pool.copy_of(&view);
            assert_eq!(copy, view);
            assert_eq!(pool.flat(&view), view.iter().copied().collect::<Vec<_>>());
            pool.give(copy.into_raw_vec_and_offset().0);
        }
        assert_eq!(pool.copy_of(&array.t()).strides(), array.t().strides());
    }

    #[test]
    fn copies_of_parts_lie_as_the_parts_do() {
        let (mut pool, array) = (Pool::<f64>::new(), Array::from_shape_fn((4, 5), |(i, j)| (i * 7 + j) as f64));
        let sliced = |axis, from, step| array.slice_axis(Axis(axis), Slice::new(from, None, step));
        let views =
            [sliced(0, 1, 1), sliced(1, 1, 1), sliced(1, 0, 2), sliced(0, 0, 3), sliced(0, 0, -1), sliced(1, 0, -1)];
        for view in views.iter().flat_map(|view| [view.view(), view.t()]) {
            let copy = pool.part(&view);
            assert_eq!(copy, view);
            assert_eq!(copy.as_slice_memory_order().is_some(), view.as_slice_memory_order().is_some());
            for axis in [Axis(0), Axis(1)] {
                assert_eq!(copy.stride_of(axis) == 1, view.stride_of(axis) == 1);
            }
            assert_eq!(copy.column(0).as_slice().is_some(), view.column(0).as_slice().is_some());
            assert_eq!(pool.part(&view.column(1)), view.column(1));
        }
    }

    #[test]
    fn a_panic_empties_the_stacks() {
        let mut ws = Workspace::<f64, f64>::new();
        let panics = catch_unwind(AssertUnwindSafe(|| {
            ws.run(|ws| {
                ws.floats.push([1.0, 2.0]);
                ws.words.push([3]);
                panic!("as user code may")
            })
        }));
        assert!(panics.is_err());
        assert!(ws.is_empty());
        assert!(ws.run(|ws| ws.bytes()) > 0);
    }
}
