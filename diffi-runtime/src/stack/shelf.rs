//! Emptied vectors of any elements, by the type of these: rows of matrices, arrays.

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The vectors of one type.
trait Spares: Any + Send + Sync {
    fn settle(&mut self);
    fn bytes(&self) -> usize;
}

struct Spare<U> {
    free: Vec<Vec<U>>,
    /// How many were taken in this pass and not given back: no more are kept.
    taken: usize,
}

/// Nobody waits for the lock: it only says that threads do not share the elements.
impl<U: Send + 'static> Spares for Mutex<Spare<U>> {
    fn settle(&mut self) {
        self.get_mut().unwrap_or_else(PoisonError::into_inner).taken = 0;
    }
    fn bytes(&self) -> usize {
        let spare = self.lock().unwrap_or_else(PoisonError::into_inner);
        let own = spare.free.capacity() * size_of::<Vec<U>>();
        own + spare.free.iter().map(|v| v.capacity() * size_of::<U>()).sum::<usize>()
    }
}

/// Vectors that wait to be used again. A copy has none: they hold nothing.
#[derive(Default)]
pub(crate) struct Shelf(Vec<Box<dyn Spares>>);

impl Shelf {
    pub(crate) const fn new() -> Self {
        Shelf(Vec::new())
    }

    fn spare<U: Send + 'static>(&mut self) -> &mut Spare<U> {
        let is_it = |kind: &dyn Spares| (kind as &dyn Any).is::<Mutex<Spare<U>>>();
        let at = self.0.iter().position(|kind| is_it(&**kind)).unwrap_or_else(|| {
            self.0.push(Box::new(Mutex::new(Spare::<U> { free: Vec::new(), taken: 0 })));
            self.0.len() - 1
        });
        let found: Option<&mut Mutex<Spare<U>>> = (&mut *self.0[at] as &mut dyn Any).downcast_mut();
        found.expect("the type that was found").get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty vector that has room for `n` elements.
    pub(crate) fn take<U: Send + 'static>(&mut self, n: usize) -> Vec<U> {
        let spare = self.spare::<U>();
        spare.taken += 1;
        let found = spare.free.iter().rposition(|v| v.capacity() >= n);
        found.map_or_else(|| Vec::with_capacity(n), |at| spare.free.swap_remove(at))
    }

    /// Puts a vector back, without its elements.
    pub(crate) fn give<U: Send + 'static>(&mut self, mut vector: Vec<U>) {
        let spare = self.spare::<U>();
        if spare.taken > 0 && vector.capacity() > 0 {
            spare.taken -= 1;
            vector.clear();
            spare.free.push(vector);
        }
    }

    /// A pass begins.
    pub(crate) fn settle(&mut self) {
        self.0.iter_mut().for_each(|kind| kind.settle());
    }

    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|kind| kind.bytes()).sum()
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
