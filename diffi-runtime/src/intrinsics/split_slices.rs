//! Slices cut for loops that take two iterations at a time, or several elements in an iteration, and several slices side by side.

use std::cell::Cell;
use std::ops::Range;
use std::slice::SliceIndex;
use std::sync::atomic::{Ordering, compiler_fence};

/// The first pairs of a row, and what is left.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn cut<T>(row: &[T], pairs: usize) -> (&[[T; 2]], &[T]) {
    let (all, rest) = row.as_chunks();
    (&all[..pairs], rest)
}

/// The first pairs of a row, and what is left, to be written.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn cut_mut<T>(row: &mut [T], pairs: usize) -> (&mut [[T; 2]], &mut [T]) {
    let (all, rest) = row.as_chunks_mut();
    (&mut all[..pairs], rest)
}

/// A part of a row, as far as it is there: nothing, if the row has become too short for it.
#[inline(always)]
pub fn part_left<T>(row: &mut [T], part: impl SliceIndex<[T], Output = [T]>) -> &mut [T] {
    row.get_mut(part).unwrap_or_default()
}

/// So many elements, pairs behind them, and what is left.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn cut_behind<T>(row: &[T], lead: usize, pairs: usize) -> (&[T], &[[T; 2]], &[T]) {
    let (head, row) = row.split_at(lead);
    let (all, rest) = cut(row, pairs);
    (head, all, rest)
}

/// So many elements, pairs behind them, and what is left, to be written.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn cut_behind_mut<T>(row: &mut [T], lead: usize, pairs: usize) -> (&mut [T], &mut [[T; 2]], &mut [T]) {
    let (head, row) = row.split_at_mut(lead);
    let (all, rest) = cut_mut(row, pairs);
    (head, all, rest)
}

/// The first arrays of so many elements each.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn chunks<const N: usize, T>(row: &[T], count: usize) -> &[[T; N]] {
    &row.as_chunks().0[..count]
}

/// The first arrays of so many elements each, to be written.
///
/// # Panics
///
/// If the row is shorter.
#[inline(always)]
pub fn chunks_mut<const N: usize, T>(row: &mut [T], count: usize) -> &mut [[T; N]] {
    &mut row.as_chunks_mut().0[..count]
}

/// Stands in an iteration that fills vectors by itself. LLVM would put the iterations behind it beside it, and gather their numbers from all over
/// the memory; across a fence it does not. No instruction comes of it.
#[inline(always)]
pub fn by_itself() {
    compiler_fence(Ordering::SeqCst);
}

/// The same where an iteration has several tangents or cotangents at once.
#[inline(always)]
pub fn batch_by_itself<A, F>() {
    if size_of::<A>() > size_of::<F>() {
        by_itself();
    }
}

/// A slice as cells: several of its elements can be at hand at once, to be read and written.
#[inline(always)]
pub fn cells<T>(slice: &mut [T]) -> &[Cell<T>] {
    Cell::from_mut(slice).as_slice_of_cells()
}

/// The same, of which a loop takes rows that lie beside each other.
///
/// LLVM vectorises the loop behind a test of whether the rows overlap, and would ask that once for all iterations of the loop around it:
/// then each row overlaps with another one's. Not knowing where the slice is, it asks in every iteration.
#[inline(always)]
pub fn neighbours<T>(slice: &mut [T]) -> &[Cell<T>] {
    cells(std::hint::black_box(slice))
}

/// A range of indices.
#[inline(always)]
pub fn indices(range: Range<usize>) -> Range<usize> {
    range
}

/// Whether the columns, moved on by any of so many, lie within rows of this width, and these rows within so many elements.
#[inline(always)]
pub fn are_columns(
    len: usize,
    rows: Range<usize>,
    width: usize,
    columns: Range<usize>,
    [least, most]: [isize; 2],
) -> bool {
    rows.start < rows.end
        && columns.start < columns.end
        && columns.start.checked_add_signed(least).is_some()
        && (columns.end - 1).checked_add_signed(most).is_some_and(|last| last < width)
        && rows.end.checked_mul(width).is_some_and(|end| end <= len)
}

/// Parts of a slice, so long from each of the starts on, which are in order and do not overlap.
///
/// # Panics
///
/// If the parts overlap or reach beyond the end.
#[inline(always)]
pub fn parted<T>(all: &mut [T], [a, b, c, d]: [usize; 4], [l, m, n, o]: [usize; 4]) -> [&mut [T]; 4] {
    let (_, all) = all.split_at_mut(a);
    let (first, all) = all.split_at_mut(b - a);
    let (second, all) = all.split_at_mut(c - b);
    let (third, fourth) = all.split_at_mut(d - c);
    [&mut first[..l], &mut second[..m], &mut third[..n], &mut fourth[..o]]
}
