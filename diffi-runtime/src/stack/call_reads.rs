//! TBR analysis across calls (Hascoët, Naumann & Pascual 2005): which arguments the reverse sweep of a called function reads.
//!
//! The types of the arguments decide: `a - b` reads neither number again, `a * b` reads both. The set of arguments is therefore
//! a constant of a type, and rustc puts the type together: from the operations of the function, and from its own reads.
//! What no reverse sweep reads need not be kept, if its type alone fixes its shape.

use crate::stack::aggregates::{Keep, Parts, Whole};
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::tape::{Kin, Stack};
use std::marker::PhantomData;

/// A set of arguments of a function.
#[diagnostic::on_unimplemented(
    message = "diffi does not know the derivative of an operation [D0810]",
    label = "the operands carry derivatives",
    note = "put `#[differentiable]` on the `impl` of the operator, or work on the elements"
)]
pub trait CallReads {
    /// One bit for each argument that the reverse sweep reads, the lowest for the first.
    const ARGUMENTS: u64;
}

/// These arguments.
#[derive(Clone, Copy, Debug)]
pub struct These<const ARGUMENTS: u64>;

impl<const ARGUMENTS: u64> CallReads for These<ARGUMENTS> {
    const ARGUMENTS: u64 = ARGUMENTS;
}

/// Either's arguments.
impl<A: CallReads, B: CallReads> CallReads for (A, B) {
    const ARGUMENTS: u64 = A::ARGUMENTS | B::ARGUMENTS;
}

impl<R: CallReads> CallReads for PhantomData<R> {
    const ARGUMENTS: u64 = R::ARGUMENTS;
}

/// The argument `TO` of a caller, if `R` has the argument `FROM` of the callee, which it is passed as.
#[derive(Clone, Copy, Debug)]
pub struct PassedOn<R, const FROM: u32, const TO: u32>(PhantomData<R>);

impl<R: CallReads, const FROM: u32, const TO: u32> CallReads for PassedOn<R, FROM, TO> {
    const ARGUMENTS: u64 = (R::ARGUMENTS >> FROM & 1) << TO;
}

/// Says by its type what a call reads; the call itself is never made.
#[inline(always)]
pub fn passed<R, const FROM: u32, const TO: u32>(_: impl FnOnce() -> R) -> PassedOn<R, FROM, TO> {
    PassedOn(PhantomData)
}

/// Which of two operands an operator reads, of what its function says.
pub const fn read_operands<A: ?Sized, B: ?Sized, R: CallReads, O: Fn(&A, &B) -> R>(_: &O) -> [bool; 2] {
    [R::ARGUMENTS & 1 != 0, R::ARGUMENTS >> 1 & 1 != 0]
}

/// Whether an operator reads its operand.
pub const fn reads_operand<A: ?Sized, R: CallReads, O: Fn(&A) -> R>(_: &O) -> bool {
    R::ARGUMENTS & 1 != 0
}

impl<R> Kin<R> {
    /// Says what a call reads.
    #[inline(always)]
    pub fn read_by(self, _: impl FnOnce() -> R) {}

    /// Whether the argument is read.
    #[inline(always)]
    pub fn has(self, argument: u32) -> bool
    where
        R: CallReads,
    {
        R::ARGUMENTS >> argument & 1 != 0
    }
}

/// Whole values that may not be read again.
impl<T> Kin<T> {
    /// Pushes the value, if it is read.
    #[inline]
    pub fn keep_if<F, V>(self, read: bool, value: &V, parts: &mut Parts<'_, F>)
    where
        V: Keep<F, Owned = T> + ?Sized,
        T: Whole<F>,
    {
        if read || T::unread().is_none() {
            value.keep(parts);
        }
    }

    /// Pushes a value that is not needed any more, if it is read.
    #[inline]
    pub fn give_if<F>(self, read: bool, value: T, parts: &mut Parts<'_, F>)
    where
        T: Whole<F>,
    {
        if read || T::unread().is_none() {
            value.give(parts);
        }
    }

    /// Pops it, or takes another value of its shape.
    #[inline]
    pub fn restore_if<F>(self, read: bool, parts: &mut Parts<'_, F>) -> T
    where
        T: Whole<F>,
    {
        match T::unread() {
            Some(any) if !read => any,
            _ => T::restore(parts),
        }
    }
}

/// Whole values in the frame of a frame, if their width is fixed, and apart from it otherwise.
impl<T> Kin<T> {
    /// The width that a value has in the frame.
    #[inline]
    pub fn width<F>(self, read: bool, _: &Stack<F>) -> Width
    where
        T: Whole<F>,
    {
        T::WIDTH.filter(|_| read || T::unread().is_none()).unwrap_or_default()
    }

    /// Writes it.
    #[inline]
    pub fn put<F, V>(self, read: bool, value: &V, frame: &mut FrameWriter<'_, F>)
    where
        V: Keep<F, Owned = T> + ?Sized,
        T: Whole<F>,
    {
        if T::WIDTH.is_some() && (read || T::unread().is_none()) {
            value.put(frame);
        }
    }

    /// Pushes a value that is in no frame, if it is read.
    #[inline]
    pub fn keep_apart<F, V>(self, read: bool, value: &V, parts: &mut Parts<'_, F>)
    where
        V: Keep<F, Owned = T> + ?Sized,
        T: Whole<F>,
    {
        if T::WIDTH.is_none() {
            self.keep_if(read, value, parts);
        }
    }

    /// The same of a value that is not needed any more.
    #[inline]
    pub fn give_apart<F>(self, read: bool, value: T, parts: &mut Parts<'_, F>)
    where
        T: Whole<F>,
    {
        if T::WIDTH.is_none() {
            self.give_if(read, value, parts);
        }
    }

    /// Pops a value that is in no frame.
    #[inline]
    pub fn restore_apart<F>(self, read: bool, parts: &mut Parts<'_, F>) -> Option<T>
    where
        T: Whole<F>,
    {
        T::WIDTH.is_none().then(|| self.restore_if(read, parts))
    }

    /// The value that was apart, or that in the frame.
    #[inline]
    pub fn take<F>(self, read: bool, apart: Option<T>, frame: &mut FrameReader<'_, F>) -> T
    where
        T: Whole<F>,
    {
        match (apart, T::unread()) {
            (Some(value), _) => value,
            (None, Some(any)) if !read => any,
            (None, _) => T::read(frame),
        }
    }
}
