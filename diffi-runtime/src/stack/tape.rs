//! What a forward sweep leaves for the reverse sweep: last in, first out.

use crate::stack::memory_report;
use crate::stack::memory_report::Note;
use std::marker::PhantomData;

/// The values of the first so many iterations of a loop.
#[inline]
pub fn first_iterations<I: DoubleEndedIterator>(mut values: I, iterations: usize) -> I {
    let more = values.size_hint().0.saturating_sub(iterations);
    if more > 0 {
        values.nth_back(more - 1);
    }
    values
}

/// A stack of records, each some numbers of one type. It never gives memory back before it is dropped.
#[derive(Clone, Debug)]
pub struct Stack<T> {
    /// As long as the stack ever was high; everything above `top` is garbage.
    words: Vec<T>,
    top: usize,
    fill: T,
}

impl<T: Copy> Stack<T> {
    /// An empty stack, whose memory is filled with `fill` when it grows.
    pub const fn new(fill: T) -> Self {
        Stack { words: Vec::new(), top: 0, fill }
    }

    /// How many numbers there is memory for.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.words.capacity()
    }

    /// Reserves `n` records on top. They hold unspecified values. The new top is written after the memory has grown: it is known
    /// then what `unblock` finds, and what was pushed goes on in registers where it is popped by the same code.
    #[inline]
    pub fn block<const W: usize>(&mut self, n: usize) -> &mut [[T; W]] {
        let below = self.top;
        let above = below + n * W;
        if above > self.words.len() {
            self.grow(above);
        }
        self.top = above;
        self.words[below..above].as_chunks_mut().0
    }

    /// Pops the `n` records on top.
    #[inline]
    pub fn unblock<const W: usize>(&mut self, n: usize) -> &mut [[T; W]] {
        let above = self.top;
        self.top -= n * W;
        self.words[self.top..above].as_chunks_mut().0
    }

    /// Pushes one record.
    #[inline]
    pub fn push<const W: usize>(&mut self, record: [T; W]) {
        self.block::<W>(1)[0] = record;
    }

    /// Pops one record.
    #[inline]
    pub fn pop<const W: usize>(&mut self) -> [T; W] {
        self.unblock::<W>(1)[0]
    }

    /// Pushes a copy of `values`.
    #[inline]
    pub fn push_slice(&mut self, values: &[T]) {
        self.block::<1>(values.len()).as_flattened_mut().copy_from_slice(values);
    }

    /// Pops as many values as `into` takes, in the order in which they were pushed as a slice.
    #[inline]
    pub fn pop_slice(&mut self, into: &mut [T]) {
        into.copy_from_slice(self.unblock::<1>(into.len()).as_flattened());
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.top
    }

    /// Whether nothing is left to pop.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.top == 0
    }

    /// Pops down to a former [`len`](Stack::len).
    #[inline]
    pub fn truncate(&mut self, mark: usize) {
        self.top = self.top.min(mark);
    }

    /// Puts back what was popped since the stack had this [`len`](Stack::len), if nothing has been pushed.
    #[inline]
    pub fn rewind(&mut self, mark: usize) {
        self.top = mark.min(self.words.len());
    }

    /// Makes this a copy of `other`, in the memory that it has.
    pub fn restore(&mut self, other: &Self) {
        self.top = 0;
        self.push_slice(&other.words[..other.top]);
    }

    /// How much memory is held.
    pub fn bytes(&self) -> usize {
        memory_report::vector(&self.words)
    }

    /// How many bytes the records took when there were most.
    pub fn peak_bytes(&self) -> usize {
        self.words.len() * size_of::<T>()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, top: usize) {
        self.words.resize(top, self.fill);
    }
}

/// The memory of an operator's passes, which may record values for reverse sweeps.
pub trait Recorder {
    /// Passes on all that is kept between calls: the parts' names, and how many bytes each takes.
    fn kept(&self, note: &mut Note<'_>);

    /// The peak number of bytes of what was kept for reverse sweeps: none, where every pass goes forward.
    fn tape_bytes(&self) -> usize {
        0
    }
}

/// Memory of passes, and of something else.
impl<T: Recorder, U: Recorder> Recorder for (T, U) {
    fn kept(&self, note: &mut Note<'_>) {
        self.0.kept(note);
        self.1.kept(note);
    }
    fn tape_bytes(&self) -> usize {
        self.0.tape_bytes() + self.1.tape_bytes()
    }
}

/// A passive value that fits into a word of the tape.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` has to be kept for the reverse sweep, and diffi cannot store it [D0809]",
    label = "`{Self}` is not an integer, a float, a bool or a char",
    note = "compute the value from integers, floats or bools where it is used"
)]
pub trait Word: Copy {
    /// The value in a word.
    fn to_word(self) -> u64;
    /// The value that was put into the word.
    fn from_word(word: u64) -> Self;
}

macro_rules! word {
    ($($T:ty: $v:ident => $to:expr, $w:ident => $from:expr;)+) => { $(
        impl Word for $T {
            #[inline]
            fn to_word(self) -> u64 {
                let $v = self;
                $to
            }
            #[inline]
            fn from_word($w: u64) -> Self {
                $from
            }
        }
    )+ };
}
word! {
    u8: v => v.into(), w => w as u8;
    u16: v => v.into(), w => w as u16;
    u32: v => v.into(), w => w as u32;
    u64: v => v, w => w;
    usize: v => v as u64, w => w as usize;
    i8: v => v as u64, w => w as i8;
    i16: v => v as u64, w => w as i16;
    i32: v => v as u64, w => w as i32;
    i64: v => v as u64, w => w as i64;
    isize: v => v as u64, w => w as isize;
    bool: v => v.into(), w => w != 0;
    char: v => u32::from(v).into(), w => char::from_u32(w as u32).unwrap_or_default();
    f32: v => v.to_bits().into(), w => f32::from_bits(w as u32);
    f64: v => v.to_bits(), w => f64::from_bits(w);
    ndarray::Axis: v => v.0 as u64, w => ndarray::Axis(w as usize);
    (): _v => 0, _w => ();
}

/// Unifies the type of a passive value that is saved with the type as which it is read back, so that nobody has to write it.
#[derive(Debug)]
pub struct Kin<T>(PhantomData<fn(T) -> T>);

impl<T> Clone for Kin<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Kin<T> {}

impl<T> Kin<T> {
    /// For a type that is inferred.
    #[expect(clippy::new_without_default, reason = "nothing is made by default: the type is found by inference")]
    #[inline]
    pub const fn new() -> Self {
        Kin(PhantomData)
    }
}

impl<T: Word> Kin<T> {
    /// The value in a word.
    #[inline]
    pub fn save(self, value: T) -> u64 {
        value.to_word()
    }

    /// The value that was put into the word.
    #[inline]
    pub fn load(self, word: u64) -> T {
        T::from_word(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_in_reverse_order() {
        let mut stack = Stack::new(0.0);
        stack.push([1.0]);
        stack.push([2.0, 3.0]);
        stack.push_slice(&[4.0, 5.0, 6.0]);
        for (k, record) in stack.block::<2>(100).iter_mut().enumerate() {
            *record = [k as f64, 0.5];
        }
        assert_eq!(stack.unblock::<2>(100)[99], [99.0, 0.5]);
        let mut slice = [0.0; 3];
        stack.pop_slice(&mut slice);
        assert_eq!(slice, [4.0, 5.0, 6.0]);
        assert_eq!(stack.pop(), [2.0, 3.0]);
        assert_eq!(stack.pop(), [1.0]);
        assert!(stack.is_empty());
    }

    #[test]
    fn memory_is_kept() {
        let mut stack = Stack::new(0u64);
        stack.block::<1>(1000);
        let bytes = stack.bytes();
        stack.truncate(0);
        stack.block::<1>(1000);
        assert_eq!(stack.bytes(), bytes);
    }

    #[test]
    fn the_peak_is_the_highest_that_the_stack_ever_was() {
        let mut stack = Stack::new(0.0);
        assert_eq!(stack.peak_bytes(), 0);
        stack.push([1.0]);
        stack.block::<3>(100);
        stack.unblock::<3>(100);
        stack.push([2.0, 3.0]);
        assert_eq!(stack.peak_bytes(), 301 * 8);
        stack.push_slice(&[4.0; 299]);
        assert_eq!(stack.peak_bytes(), 302 * 8);
        stack.truncate(0);
        assert_eq!(stack.peak_bytes(), 302 * 8);
    }

    #[test]
    fn words_of_every_type() {
        fn there_and_back<T: Word + PartialEq + std::fmt::Debug>(v: T) {
            let kin = Kin::new();
            assert_eq!(kin.load(kin.save(v)), v);
        }
        there_and_back(-1i8);
        there_and_back(i64::MIN);
        there_and_back(usize::MAX);
        there_and_back(true);
        there_and_back('ü');
        there_and_back(-0.1f32);
        there_and_back(1e-300);
        there_and_back(());
    }
}
