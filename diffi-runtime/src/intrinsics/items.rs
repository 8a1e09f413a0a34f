//! The items of a passive iterator by their numbers: seen where they lie, if it walks along a slice, and collected otherwise.

use crate::stack::passive_values::Shared;
use ndarray::Ix1;
use std::marker::PhantomData;
use std::ops::Deref;

/// An iterator of this type: `ItemsOf::new(&iterator).items(iterator)`.
pub struct ItemsOf<I>(PhantomData<I>);

impl<I> ItemsOf<I> {
    /// The type of a value.
    #[inline(always)]
    pub fn new(_: &I) -> Self {
        ItemsOf(PhantomData)
    }
}

/// Items that lie in a slice. It takes one reference less than [`ByCollection`], and so it is found first.
pub trait BySlice<'a, I> {
    /// The type of the slice's elements.
    type Element: 'a;
    /// The items.
    fn items(self, iterator: I) -> Lent<'a, Self::Element>;
}

macro_rules! lies_in_a_slice {
    ($($I:ty [$($n:tt)*] $as_slice:expr;)+) => { $(
        impl<'a, T, $($n)*> BySlice<'a, $I> for ItemsOf<$I> {
            type Element = T;
            #[inline(always)]
            fn items(self, iterator: $I) -> Lent<'a, T> {
                let as_slice: fn($I) -> &'a [T] = $as_slice;
                Lent(as_slice(iterator))
            }
        }
    )+ };
}
lies_in_a_slice! {
    &'a [T] [] |slice| slice;
    &'a Vec<T> [] |vector| vector;
    &'a [T; N] [const N: usize] |array| array;
    &'a Box<[T]> [] |slice| slice;
    std::slice::Iter<'a, T> [] |iterator| iterator.as_slice();
}

/// Elements of an array with one axis, which are found by their numbers where they lie side by side.
#[derive(Clone, Debug)]
pub enum Elements<'a, T> {
    /// The iterator, which is one over a slice then.
    Beside(ndarray::iter::Iter<'a, T, Ix1>),
    /// The elements of another one.
    Apart(Vec<&'a T>),
}

impl<'a, T> ByElements<'a, T> for ItemsOf<ndarray::iter::Iter<'a, T, Ix1>> {
    #[inline]
    fn items(self, iterator: ndarray::iter::Iter<'a, T, Ix1>) -> Elements<'a, T> {
        match lie_side_by_side(iterator.clone()) {
            true => Elements::Beside(iterator),
            false => Elements::Apart(iterator.collect()),
        }
    }
}

/// Items that are elements of an array of ndarray. It takes one reference less than [`ByCollection`], too.
pub trait ByElements<'a, T> {
    /// The items.
    fn items(self, iterator: ndarray::iter::Iter<'a, T, Ix1>) -> Elements<'a, T>;
}

/// Whether each element lies behind the one before, as the second one does.
#[inline]
fn lie_side_by_side<'a, T: 'a>(mut elements: impl Iterator<Item = &'a T>) -> bool {
    let place = |element: &T| std::ptr::from_ref(element).addr();
    match (elements.next(), elements.next()) {
        (Some(first), Some(second)) => place(first) + size_of::<T>() == place(second),
        _ => true,
    }
}

impl<T> Elements<'_, T> {
    /// How many items there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Elements::Beside(iterator) => iterator.len(),
            Elements::Apart(list) => list.len(),
        }
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T> Items for Elements<'a, T> {
    type Item = &'a T;
    type Shown<'s>
        = Item<&'a T>
    where
        Self: 's;
    #[inline(always)]
    fn shown(&self, k: usize) -> Item<&'a T> {
        Item(match self {
            Elements::Beside(iterator) => iterator.clone().nth(k).expect("an item of this number"),
            Elements::Apart(list) => list[k],
        })
    }
}

/// Items of any iterator.
pub trait ByCollection<I: IntoIterator> {
    /// The items.
    fn items(&self, iterator: I) -> Vec<I::Item>;
}

impl<I: IntoIterator> ByCollection<I> for ItemsOf<I> {
    #[inline]
    fn items(&self, iterator: I) -> Vec<I::Item> {
        iterator.into_iter().collect()
    }
}

/// A slice whose items are references.
#[derive(Debug)]
pub struct Lent<'a, T>(&'a [T]);

impl<T> Clone for Lent<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<'_, T> {}

impl<T> Lent<'_, T> {
    /// How many items there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Where an item is, for as long as it is looked at.
#[derive(Debug)]
pub struct Item<T>(T);

impl<T> Deref for Item<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// Items that have numbers.
pub trait Items {
    /// An item.
    type Item;
    /// What shows it.
    type Shown<'s>: Deref<Target = Self::Item>
    where
        Self: 's;
    /// The item of this number.
    fn shown(&self, k: usize) -> Self::Shown<'_>;
}

impl<'a, T> Items for Lent<'a, T> {
    type Item = &'a T;
    type Shown<'s>
        = Item<&'a T>
    where
        Self: 's;
    #[inline(always)]
    fn shown(&self, k: usize) -> Item<&'a T> {
        Item(&self.0[k])
    }
}

impl<T> Items for Vec<T> {
    type Item = T;
    type Shown<'s>
        = &'s T
    where
        Self: 's;
    #[inline(always)]
    fn shown(&self, k: usize) -> &T {
        &self[k]
    }
}

impl<S: Items> Items for Shared<S> {
    type Item = S::Item;
    type Shown<'s>
        = S::Shown<'s>
    where
        Self: 's;
    #[inline(always)]
    fn shown(&self, k: usize) -> S::Shown<'_> {
        (**self).shown(k)
    }
}

/// The item of this number: `*walked_item(&items, k)`.
#[inline(always)]
pub fn walked_item<S: Items>(items: &S, k: usize) -> S::Shown<'_> {
    items.shown(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn elements_of_arrays_are_seen_where_they_lie_side_by_side() {
        let array = ndarray::Array2::from_shape_fn((3, 4), |(i, j)| 10 * i + j);
        let (row, column) = (array.row(2), array.column(1));
        let (seen, collected) = (row.iter(), column.iter());
        let seen: Elements<'_, usize> = ItemsOf::new(&seen).items(seen);
        let collected: Elements<'_, usize> = ItemsOf::new(&collected).items(collected);
        assert!(matches!(seen, Elements::Beside(_)) && matches!(collected, Elements::Apart(_)));
        assert_eq!((**walked_item(&seen, 3), **walked_item(&collected, 2)), (23, 21));
        assert_eq!((seen.len(), collected.len()), (4, 3));
    }

    #[test]
    fn slices_are_seen_and_others_collected() {
        let (list, map) = (vec![1, 2, 3], BTreeMap::from([(1, 'a'), (2, 'b')]));
        let seen: Lent<'_, i32> = ItemsOf::new(&list.iter()).items(list.iter());
        let collected: Vec<char> = ItemsOf::new(&map.clone().into_values()).items(map.into_values());
        assert_eq!((**walked_item(&seen, 1), *walked_item(&collected, 1)), (2, 'b'));
        assert_eq!(ItemsOf::new(&&[1, 2]).items(&[1, 2]).len(), 2);
    }
}
