//! Arrays of `ndarray` on the tape.

use crate::stack::aggregates::{Parts, Whole};
use crate::stack::workspace::shaped;
use ndarray::{Array, Dimension};

/// Is added to the number of axes of an array that was moved.
const MOVED: usize = 1 << 16;

impl<F: Copy, T: Whole<F> + Clone + Default, D: Dimension> Whole<F> for Array<T, D> {
    fn save(&self, parts: &mut Parts<'_, F>) {
        match self.as_slice() {
            Some(values) => T::save_all(values, parts),
            None => self.iter().for_each(|v| v.save(parts)),
        }
        self.shape().iter().for_each(|n| parts.push_len(*n));
        parts.push_len(self.ndim());
    }
    fn restore(parts: &mut Parts<'_, F>) -> Self {
        let axes = parts.pop_len();
        let mut dim = D::zeros(axes % MOVED);
        dim.slice_mut().iter_mut().rev().for_each(|n| *n = parts.pop_len());
        let values = if axes < MOVED { T::restore_all(dim.size(), parts) } else { T::unshelve(dim.size(), parts) };
        shaped(values, dim)
    }
    fn give(self, parts: &mut Parts<'_, F>) {
        if !T::SHELVED || !self.is_standard_layout() || self.is_empty() {
            return self.save(parts);
        }
        let dim = self.raw_dim();
        let (mut values, start) = self.into_raw_vec_and_offset();
        let start = start.unwrap_or(0);
        values.truncate(start + dim.size());
        if start > 0 {
            values.drain(..start);
        }
        T::shelve(values, parts);
        match *dim.slice() {
            [n] => parts.words.push([n as u64, 1 + MOVED as u64]),
            [n, m] => parts.words.push([n as u64, m as u64, 2 + MOVED as u64]),
            ref all => {
                all.iter().for_each(|n| parts.push_len(*n));
                parts.push_len(all.len() + MOVED);
            }
        }
    }
    fn save_shape(&self, parts: &mut Parts<'_, F>) {
        self.shape().iter().for_each(|n| parts.push_len(*n));
        if D::NDIM.is_none() {
            parts.push_len(self.ndim());
        }
    }
    fn restore_shape(parts: &mut Parts<'_, F>) -> Self {
        let mut dim = D::zeros(D::NDIM.unwrap_or_else(|| parts.pop_len()));
        dim.slice_mut().iter_mut().rev().for_each(|n| *n = parts.pop_len());
        let values = T::some(dim.size(), parts);
        shaped(values, dim)
    }
    #[inline]
    fn has_shape(&self, parts: &mut Parts<'_, F>) -> bool {
        let before = parts.words.len();
        let axes = D::NDIM.unwrap_or_else(|| parts.pop_len());
        let same = axes == self.ndim() && self.shape().iter().rev().all(|n| parts.pop_len() == *n);
        if !same {
            parts.words.rewind(before);
        }
        same
    }
    #[inline]
    fn blank() -> Self {
        Array::default(D::zeros(D::NDIM.unwrap_or(1)))
    }
}
