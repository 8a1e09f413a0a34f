//! Whole values on the tape: what a reverse sweep reads again after its variable is gone.

mod arrays;
mod numbers;
mod tuples;

use crate::stack::boxed_values::Others;
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::lasting::{Give, OfElements, Question, Take};
use crate::stack::tape::{Kin, Stack};
use crate::stack::workspace::Pool;

/// The places that a whole value is taken apart into.
pub struct Parts<'w, F> {
    floats: &'w mut Stack<F>,
    words: &'w mut Stack<u64>,
    pub(crate) pool: &'w mut Pool<F>,
    arrays: &'w mut Vec<Vec<F>>,
    /// Values that are not made of numbers.
    pub(crate) others: &'w mut Others,
}

impl<'w, F: Copy> Parts<'w, F> {
    /// The stacks and the pool of a workspace.
    #[inline]
    pub fn new(
        floats: &'w mut Stack<F>,
        words: &'w mut Stack<u64>,
        pool: &'w mut Pool<F>,
        arrays: &'w mut Vec<Vec<F>>,
        others: &'w mut Others,
    ) -> Self {
        Parts { floats, words, pool, arrays, others }
    }

    /// Room for the numbers of a value.
    #[inline]
    pub fn frame(&mut self, width: Width) -> FrameWriter<'_, F> {
        FrameWriter::push(self.floats, self.words, width)
    }

    /// The numbers of a value, on top.
    #[inline]
    pub fn recorded(&mut self, width: Width) -> FrameReader<'_, F> {
        FrameReader::pop(self.floats, self.words, width)
    }

    pub(crate) fn push_len(&mut self, n: usize) {
        self.words.push([n as u64]);
    }

    pub(crate) fn pop_len(&mut self) -> usize {
        let [n] = self.words.pop();
        n as usize
    }
}

/// A value over the float `F` that can be kept on the tape: first its elements, then its lengths.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be kept for the reverse sweep [D0809]",
    note = "compute it outside the loop or branch, or from values that do not change"
)]
pub trait Whole<F>: Sized {
    /// Pushes the value.
    fn save(&self, parts: &mut Parts<'_, F>);
    /// Pops it.
    fn restore(parts: &mut Parts<'_, F>) -> Self;
    /// How many numbers a value has, if its type alone says so.
    #[doc(hidden)]
    const WIDTH: Option<Width> = None;
    /// Writes a value of a fixed width as [`save`](Whole::save) does.
    #[doc(hidden)]
    #[inline]
    fn write(&self, _: &mut FrameWriter<'_, F>) {
        unreachable!("the width is not fixed")
    }
    /// Reads it.
    #[doc(hidden)]
    #[inline]
    fn read(_: &mut FrameReader<'_, F>) -> Self {
        unreachable!("the width is not fixed")
    }
    /// Pushes the value, which is not needed any more: it may be moved.
    #[inline]
    fn give(self, parts: &mut Parts<'_, F>) {
        self.save(parts);
    }
    /// Pushes the value, which is not needed any more, so that it can be popped again and again: it is not moved.
    #[doc(hidden)]
    #[inline]
    fn spend(self, parts: &mut Parts<'_, F>) {
        self.save(parts);
    }
    /// Some value: what a variable holds that a jump may leave without one.
    fn blank() -> Self;
    /// Some value in place of one that is not read again, if the type alone fixes the shape.
    #[doc(hidden)]
    #[inline]
    fn unread() -> Option<Self> {
        None
    }
    /// Pushes the value's shape.
    #[inline]
    fn save_shape(&self, parts: &mut Parts<'_, F>) {
        if Self::unread().is_none() {
            self.save(parts);
        }
    }
    /// Pops it: some value of this shape.
    #[inline]
    fn restore_shape(parts: &mut Parts<'_, F>) -> Self {
        Self::unread().unwrap_or_else(|| Self::restore(parts))
    }
    /// Whether vectors of such values may wait in the pool.
    #[doc(hidden)]
    #[inline]
    fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
        question.passing()
    }
    /// An empty vector with room for several values: from the pool, if that may hold vectors of this type.
    #[doc(hidden)]
    #[inline]
    fn room(n: usize, pool: &mut Pool<F>) -> Vec<Self> {
        Self::ask(Take { n, shelf: &mut pool.shelf })
    }
    /// Gives a vector back that is not needed any more.
    #[doc(hidden)]
    #[inline]
    fn vacate(vector: Vec<Self>, pool: &mut Pool<F>) {
        Self::ask(Give { vector, shelf: &mut pool.shelf });
    }

    /// Pops the shape of a value, if it is the shape of this one. Whether it was.
    #[doc(hidden)]
    #[inline]
    fn has_shape(&self, _: &mut Parts<'_, F>) -> bool {
        false
    }

    /// Pushes values in a row.
    #[doc(hidden)]
    #[inline]
    fn save_all(values: &[Self], parts: &mut Parts<'_, F>)
    where
        F: Copy,
    {
        match Width::times(Self::WIDTH, values.len()) {
            Some(width) => {
                let mut frame = parts.frame(width);
                values.iter().for_each(|v| v.write(&mut frame));
            }
            None => values.iter().for_each(|v| v.save(parts)),
        }
    }
    /// So many values.
    #[doc(hidden)]
    #[inline]
    fn some(n: usize, _: &mut Parts<'_, F>) -> Vec<Self>
    where
        Self: Clone + Default,
    {
        vec![Self::default(); n]
    }
    /// Whether vectors of such values can be [moved](Whole::shelve) to the tape.
    #[doc(hidden)]
    const SHELVED: bool = false;
    /// Moves values in a row to the tape.
    #[doc(hidden)]
    #[inline]
    fn shelve(values: Vec<Self>, parts: &mut Parts<'_, F>)
    where
        F: Copy,
    {
        Self::save_all(&values, parts);
    }
    /// Moves `n` values back.
    #[doc(hidden)]
    #[inline]
    fn unshelve(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self>
    where
        F: Copy,
    {
        Self::restore_all(n, parts)
    }
    /// Pushes a vector that is not needed any more: it may be moved.
    #[doc(hidden)]
    #[inline]
    fn give_all(values: Vec<Self>, parts: &mut Parts<'_, F>)
    where
        F: Copy,
    {
        values.save(parts);
        Self::vacate(values, parts.pool);
    }
    /// [`give_all`](Whole::give_all) for rows.
    #[doc(hidden)]
    #[inline]
    fn give_rows(rows: Vec<Vec<Self>>, parts: &mut Parts<'_, F>)
    where
        F: Copy,
    {
        rows.save(parts);
    }
    /// [`give_all`](Whole::give_all) for arrays.
    #[doc(hidden)]
    #[inline]
    fn give_arrays<const N: usize>(arrays: Vec<[Self; N]>, parts: &mut Parts<'_, F>)
    where
        F: Copy,
    {
        arrays.save(parts);
    }
    /// Pops `n` values that were pushed in a row.
    #[doc(hidden)]
    #[inline]
    fn restore_all(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self>
    where
        F: Copy,
    {
        let mut values = Self::room(n, parts.pool);
        if let Some(width) = Width::times(Self::WIDTH, n) {
            let mut frame = parts.recorded(width);
            values.extend((0..n).map(|_| Self::read(&mut frame)));
            return values;
        }
        values.extend((0..n).map(|_| Self::restore(parts)));
        values.reverse();
        values
    }
    /// [`restore_all`](Whole::restore_all) for rows.
    #[doc(hidden)]
    #[inline]
    fn restore_rows(n: usize, parts: &mut Parts<'_, F>) -> Vec<Vec<Self>>
    where
        F: Copy,
    {
        let mut rows: Vec<Vec<Self>> = (0..n).map(|_| Whole::restore(parts)).collect();
        rows.reverse();
        rows
    }
    /// Pops the shapes of `n` values that were pushed in a row.
    #[doc(hidden)]
    #[inline]
    fn restore_shapes(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self> {
        let mut values = Self::room(n, parts.pool);
        values.extend((0..n).map(|_| Self::restore_shape(parts)));
        values.reverse();
        values
    }
    /// [`restore_shapes`](Whole::restore_shapes) for rows.
    #[doc(hidden)]
    #[inline]
    fn restore_row_shapes(n: usize, parts: &mut Parts<'_, F>) -> Vec<Vec<Self>>
    where
        F: Copy,
    {
        let mut rows: Vec<Vec<Self>> = (0..n).map(|_| Whole::restore_shape(parts)).collect();
        rows.reverse();
        rows
    }
    /// [`restore_shapes`](Whole::restore_shapes) for arrays.
    #[doc(hidden)]
    #[inline]
    fn restore_array_shapes<const N: usize>(n: usize, parts: &mut Parts<'_, F>) -> Vec<[Self; N]>
    where
        F: Copy,
    {
        let mut arrays: Vec<[Self; N]> = (0..n).map(|_| Whole::restore_shape(parts)).collect();
        arrays.reverse();
        arrays
    }
    /// [`restore_all`](Whole::restore_all) for arrays.
    #[doc(hidden)]
    #[inline]
    fn restore_arrays<const N: usize>(n: usize, parts: &mut Parts<'_, F>) -> Vec<[Self; N]>
    where
        F: Copy,
    {
        let mut arrays: Vec<[Self; N]> = (0..n).map(|_| Whole::restore(parts)).collect();
        arrays.reverse();
        arrays
    }
}

/// What stands on the tape instead of the length of a vector that was moved there.
const GIVEN: usize = usize::MAX;

impl<F: Copy, T: Whole<F>> Whole<F> for Vec<T> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        T::save_all(self, parts);
        parts.push_len(self.len());
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        match parts.pop_len() {
            GIVEN => T::unshelve(GIVEN, parts),
            n => T::restore_all(n, parts),
        }
    }
    #[inline]
    fn give(self, parts: &mut Parts<'_, F>) {
        T::give_all(self, parts);
    }
    #[inline]
    fn give_all(values: Vec<Self>, parts: &mut Parts<'_, F>) {
        T::give_rows(values, parts);
    }
    #[inline]
    fn restore_all(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self> {
        T::restore_rows(n, parts)
    }
    #[inline]
    fn save_shape(&self, parts: &mut Parts<'_, F>) {
        self.iter().for_each(|v| v.save_shape(parts));
        parts.push_len(self.len());
    }
    #[inline]
    fn restore_shape(parts: &mut Parts<'_, F>) -> Self {
        let n = parts.pop_len();
        T::restore_shapes(n, parts)
    }
    #[inline]
    fn restore_shapes(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self> {
        T::restore_row_shapes(n, parts)
    }
    #[inline]
    fn blank() -> Self {
        Vec::new()
    }
}

impl<F: Copy, T: Whole<F>, const N: usize> Whole<F> for [T; N] {
    const WIDTH: Option<Width> = Width::times(T::WIDTH, N);
    #[inline]
    fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
        T::ask(OfElements::<N, Q>(question))
    }
    #[inline]
    fn write(&self, frame: &mut FrameWriter<'_, F>) {
        self.iter().for_each(|v| v.write(frame));
    }
    #[inline]
    fn read(frame: &mut FrameReader<'_, F>) -> Self {
        std::array::from_fn(|_| T::read(frame))
    }
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        T::save_all(self, parts);
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        if let Some(width) = Self::WIDTH {
            return Self::read(&mut parts.recorded(width));
        }
        let mut values: [T; N] = std::array::from_fn(|_| T::restore(parts));
        values.reverse();
        values
    }
    #[inline]
    fn give_all(values: Vec<Self>, parts: &mut Parts<'_, F>) {
        T::give_arrays(values, parts);
    }
    #[inline]
    fn restore_all(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self> {
        T::restore_arrays(n, parts)
    }
    #[inline]
    fn save_shape(&self, parts: &mut Parts<'_, F>) {
        self.iter().for_each(|v| v.save_shape(parts));
    }
    #[inline]
    fn restore_shape(parts: &mut Parts<'_, F>) -> Self {
        let mut values: [T; N] = std::array::from_fn(|_| T::restore_shape(parts));
        values.reverse();
        values
    }
    #[inline]
    fn restore_shapes(n: usize, parts: &mut Parts<'_, F>) -> Vec<Self> {
        T::restore_array_shapes(n, parts)
    }
    #[inline]
    fn blank() -> Self {
        std::array::from_fn(|_| T::blank())
    }
    #[inline]
    fn unread() -> Option<Self> {
        T::unread()?;
        Some(std::array::from_fn(|_| T::unread().expect("as before")))
    }
}

impl<F: Copy, T: Whole<F>> Whole<F> for Option<T> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        self.iter().for_each(|v| v.save(parts));
        parts.push_len(usize::from(self.is_some()));
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        (parts.pop_len() == 1).then(|| T::restore(parts))
    }
    #[inline]
    fn blank() -> Self {
        None
    }
}

impl<F: Copy, T: Whole<F>> Whole<F> for Box<T> {
    #[inline]
    fn save(&self, parts: &mut Parts<'_, F>) {
        (**self).save(parts);
    }
    #[inline]
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        Box::new(T::restore(parts))
    }
    #[inline]
    fn blank() -> Self {
        Box::new(T::blank())
    }
}

/// What can be kept as an owned value: owned values and slices.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be kept for the reverse sweep [D0809]",
    label = "`{Self}` would have to be restored",
    note = "numbers, bools, and vectors, arrays and tuples of them can be kept",
    note = "a passive value of another type can, if that is `Send` and `Sync` and holds no references"
)]
pub trait Keep<F> {
    /// What is restored.
    type Owned;
    /// Pushes the value.
    fn keep(&self, parts: &mut Parts<'_, F>);
    /// Writes a value of a fixed width.
    #[doc(hidden)]
    #[inline]
    fn put(&self, _: &mut FrameWriter<'_, F>) {
        unreachable!("the width is not fixed")
    }
}

#[diagnostic::do_not_recommend]
impl<F, T: Whole<F>> Keep<F> for T {
    type Owned = T;
    #[inline]
    fn keep(&self, parts: &mut Parts<'_, F>) {
        self.save(parts);
    }
    #[inline]
    fn put(&self, frame: &mut FrameWriter<'_, F>) {
        Whole::write(self, frame);
    }
}

impl<F: Copy, T: Whole<F>> Keep<F> for [T] {
    type Owned = Vec<T>;
    #[inline]
    fn keep(&self, parts: &mut Parts<'_, F>) {
        T::save_all(self, parts);
        parts.push_len(self.len());
    }
}

/// Whole values are typed like words.
impl<T> Kin<T> {
    /// Pushes a whole value.
    #[inline]
    pub fn keep<F, V>(self, value: &V, parts: &mut Parts<'_, F>)
    where
        V: Keep<F, Owned = T> + ?Sized,
    {
        value.keep(parts);
    }

    /// Pushes a whole value that is not needed any more.
    #[inline]
    pub fn give<F>(self, value: T, parts: &mut Parts<'_, F>)
    where
        T: Whole<F>,
    {
        value.give(parts);
    }

    /// Pushes the shape of a value.
    #[inline]
    pub fn keep_shape<F>(self, value: &T, parts: &mut Parts<'_, F>)
    where
        T: Whole<F>,
    {
        value.save_shape(parts);
    }

    /// Pops it: some value of this shape.
    #[inline]
    pub fn restore_shape<F>(self, parts: &mut Parts<'_, F>) -> T
    where
        T: Whole<F>,
    {
        T::restore_shape(parts)
    }

    /// Pops it.
    #[inline]
    pub fn restore<F>(self, parts: &mut Parts<'_, F>) -> T
    where
        T: Whole<F>,
    {
        T::restore(parts)
    }
}

impl<F: Copy> Kin<Vec<F>> {
    /// Pops the shape of a vector of floats into one that is there.
    #[inline]
    pub fn restore_shape_into(self, vector: &mut Vec<F>, parts: &mut Parts<'_, F>)
    where
        F: Default,
    {
        vector.resize(parts.pop_len(), F::default());
    }

    /// Pops a vector of floats into one that is there.
    #[inline]
    pub fn restore_into(self, vector: &mut Vec<F>, parts: &mut Parts<'_, F>) {
        let n = parts.pop_len();
        if n == GIVEN {
            let given = parts.arrays.pop().expect("what was moved there");
            return parts.pool.give(std::mem::replace(vector, given));
        }
        vector.clear();
        vector.extend_from_slice(parts.floats.unblock::<1>(n).as_flattened());
    }
}
