//! Passive values of types that are not made of numbers, on the tape: copies in boxes, which are used again.

use std::any::Any;
use std::fmt;

/// A passive value of any type that can be copied and belongs to no thread.
trait Kept: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Kept>;
    fn bytes(&self) -> usize;
}

impl<T: Clone + Send + Sync + 'static> Kept for T {
    fn copy(&self) -> Box<dyn Kept> {
        Box::new(self.clone())
    }
    fn bytes(&self) -> usize {
        size_of::<T>()
    }
}

/// A stack of copies. It never gives memory back before it is dropped.
#[derive(Default)]
pub struct Others {
    /// As many as there ever were; those above `top` wait to be overwritten.
    values: Vec<Box<dyn Kept>>,
    top: usize,
}

impl Others {
    /// An empty stack.
    pub const fn new() -> Self {
        Others { values: Vec::new(), top: 0 }
    }

    /// Pushes a copy: into the box that is there, if it has held a value of the type.
    pub fn push<T: Clone + Send + Sync + 'static>(&mut self, value: &T) {
        match self.values.get_mut(self.top) {
            None => self.values.push(Box::new(value.clone())),
            Some(slot) => match (&mut **slot as &mut dyn Any).downcast_mut::<T>() {
                Some(kept) => kept.clone_from(value),
                None => *slot = Box::new(value.clone()),
            },
        }
        self.top += 1;
    }

    /// Compares the copy on top with its original.
    ///
    /// # Panics
    ///
    /// If they differ.
    pub fn check_copy_of<T: PartialEq + 'static>(&self, value: &T) {
        let copy = (&*self.values[self.top - 1] as &dyn Any).downcast_ref::<T>();
        #[allow(clippy::eq_op)]
        let is_same = copy == Some(value) || value != value;
        assert!(
            is_same,
            "`{}::clone` gives another value than its own, and derivative code copies constants; derive `Clone` [D0505]",
            std::any::type_name::<T>()
        );
    }

    /// Pops a value, and leaves its box for [`rewind`](Others::rewind).
    ///
    /// # Panics
    ///
    /// If the one on top is of another type: what was pushed last is popped first.
    pub fn pop<T: Clone + Send + Sync + 'static>(&mut self) -> T {
        self.top -= 1;
        let value = &*self.values[self.top] as &dyn Any;
        value.downcast_ref::<T>().expect("the value that was pushed").clone()
    }

    /// How many values there is memory for.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// How many values there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.top
    }

    /// Whether nothing is left to pop.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.top == 0
    }

    /// Pops down to a former [`len`](Others::len).
    #[inline]
    pub fn truncate(&mut self, mark: usize) {
        self.top = self.top.min(mark);
    }

    /// Puts back what was popped since the stack had this [`len`](Others::len), if nothing has been pushed.
    #[inline]
    pub fn rewind(&mut self, mark: usize) {
        self.top = mark.min(self.values.len());
    }

    /// Makes this a copy of `other`.
    pub fn restore(&mut self, other: &Self) {
        self.values.truncate(0);
        self.values.extend(other.values[..other.top].iter().map(|value| (**value).copy()));
        self.top = other.top;
    }

    /// How much memory is held, without what the values themselves hold elsewhere.
    pub fn bytes(&self) -> usize {
        crate::stack::memory_report::vector(&self.values)
            + self.values.iter().map(|value| (**value).bytes()).sum::<usize>()
    }
}

impl Clone for Others {
    fn clone(&self) -> Self {
        Others { values: self.values.iter().map(|value| (**value).copy()).collect(), top: self.top }
    }
}

impl fmt::Debug for Others {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_reverse_order_and_again() {
        let mut others = Others::new();
        others.push(&"text".to_owned());
        others.push(&[1, 2, 3]);
        let mark = others.len();
        assert_eq!(others.pop::<[i32; 3]>(), [1, 2, 3]);
        others.rewind(mark);
        let mut copy = Others::new();
        copy.restore(&others);
        for mut stack in [others.clone(), others, copy] {
            assert_eq!(stack.pop::<[i32; 3]>(), [1, 2, 3]);
            assert_eq!(stack.pop::<String>(), "text");
            assert!(stack.is_empty());
        }
    }

    #[test]
    fn boxes_are_used_again() {
        let mut others = Others::new();
        others.push(&7u8);
        others.push(&[0u64; 4]);
        let bytes = others.bytes();
        others.truncate(0);
        others.push(&8u8);
        others.push(&[1u64; 4]);
        assert_eq!(others.bytes(), bytes);
        others.truncate(0);
        others.push(&"another type");
        assert_eq!(others.pop::<&str>(), "another type");
    }
}
