//! Emptied vectors of any elements, by the type of these: rows of matrices, arrays.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The vectors of one type.
trait Spares: Any + Send + Sync {
    fn settle(&mut self);
    fn bytes(&self) -> usize;
}

struct Spare<U> {
    /// By the power of two that their capacity reaches.
    free: Vec<Vec<Vec<U>>>,
    /// How many were taken in this pass and not given back: no more are kept.
    taken: usize,
}

impl<U> Spare<U> {
    /// One that has room for `n` elements: the one of its size that came back last.
    #[inline]
    fn last(&mut self, n: usize) -> Option<Vec<U>> {
        self.free.get_mut(n.max(1).ilog2() as usize)?.pop_if(|vector| vector.capacity() >= n)
    }

    /// Another one that has room for so many: of those that are least in size.
    #[cold]
    #[inline(never)]
    fn search(&mut self, n: usize) -> Option<Vec<U>> {
        let (same, larger) = self.free.get_mut(n.max(1).ilog2() as usize..)?.split_first_mut()?;
        let fitting = same.iter().rposition(|v| v.capacity() >= n).map(|at| same.swap_remove(at));
        fitting.or_else(|| larger.iter_mut().find_map(Vec::pop))
    }

    #[inline]
    fn keep(&mut self, vector: Vec<U>) {
        let size = vector.capacity().ilog2() as usize;
        match self.free.get_mut(size) {
            Some(list) => list.push(vector),
            None => self.keep_first(size, vector),
        }
    }

    /// Keeps the first vector of this size.
    #[cold]
    #[inline(never)]
    fn keep_first(&mut self, size: usize, vector: Vec<U>) {
        self.free.resize_with(size + 1, Vec::new);
        self.free[size].push(vector);
    }
}

/// Nobody waits for the lock: it only says that threads do not share the elements.
impl<U: Send + 'static> Spares for Mutex<Spare<U>> {
    fn settle(&mut self) {
        self.get_mut().unwrap_or_else(PoisonError::into_inner).taken = 0;
    }
    fn bytes(&self) -> usize {
        let spare = self.lock().unwrap_or_else(PoisonError::into_inner);
        let sizes = spare.free.capacity() * size_of::<Vec<Vec<U>>>();
        let lists = spare.free.iter().map(|list| list.capacity() * size_of::<Vec<U>>()).sum::<usize>();
        sizes + lists + spare.free.iter().flatten().map(|v| v.capacity() * size_of::<U>()).sum::<usize>()
    }
}

/// Vectors that wait to be used again. A copy has none: they hold nothing.
#[derive(Default)]
pub(crate) struct Shelf(Vec<(TypeId, Box<dyn Spares>)>);

impl Shelf {
    pub(crate) const fn new() -> Self {
        Shelf(Vec::new())
    }

    #[inline]
    fn spare<U: Send + 'static>(&mut self) -> &mut Spare<U> {
        let elements = TypeId::of::<U>();
        let at = self.0.iter().position(|(of, _)| *of == elements).unwrap_or_else(|| self.one_more::<U>());
        let found: Option<&mut Mutex<Spare<U>>> = (&mut *self.0[at].1 as &mut dyn Any).downcast_mut();
        found.expect("the type that was found").get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    #[inline(never)]
    fn one_more<U: Send + 'static>(&mut self) -> usize {
        self.0.push((TypeId::of::<U>(), Box::new(Mutex::new(Spare::<U> { free: Vec::new(), taken: 0 }))));
        self.0.len() - 1
    }

    /// An empty vector that has room for `n` elements.
    #[inline]
    pub(crate) fn take<U: Send + 'static>(&mut self, n: usize) -> Vec<U> {
        let spare = self.spare::<U>();
        spare.taken += 1;
        spare.last(n).or_else(|| spare.search(n)).unwrap_or_else(|| Vec::with_capacity(n))
    }

    /// Puts a vector back, without its elements.
    #[inline]
    pub(crate) fn give<U: Send + 'static>(&mut self, mut vector: Vec<U>) {
        let spare = self.spare::<U>();
        if spare.taken > 0 && vector.capacity() > 0 {
            spare.taken -= 1;
            vector.clear();
            spare.keep(vector);
        }
    }

    /// A pass begins.
    pub(crate) fn settle(&mut self) {
        self.0.iter_mut().for_each(|(_, kind)| kind.settle());
    }

    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|(_, kind)| kind.bytes()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Clone for Shelf {
    fn clone(&self) -> Self {
        Shelf::new()
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} types", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_by_their_type() {
        let mut shelf = Shelf::new();
        let (rows, triples) = (shelf.take::<Vec<f64>>(4), shelf.take::<[f64; 3]>(5));
        let place = triples.as_ptr();
        shelf.give(triples);
        shelf.give(rows);
        shelf.give(vec![[1.0; 3]; 9]);
        let again = shelf.take::<[f64; 3]>(5);
        assert_eq!(again.as_ptr(), place);
        assert!(shelf.take::<[f64; 3]>(5).capacity() < 9);
    }
}
