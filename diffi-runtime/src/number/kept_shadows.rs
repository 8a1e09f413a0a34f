//! Values and shadows on the tape, where their types have to be known: memory of an iteration before serves again.

use crate::number::active::Active;
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::stack::aggregates::{Parts, Whole};
use crate::stack::tape::{Kin, Stack};
use crate::stack::workspace::Pool;

impl<T> Kin<T> {
    /// Pops it into a place that lasts as long as a loop: the value of the iteration before will do, if it has this shape.
    #[inline]
    pub fn restore_shape_in<'k, F: Copy>(self, place: &'k mut Option<T>, parts: &mut Parts<'_, F>) -> &'k T
    where
        T: Whole<F> + Active<Base = F>,
    {
        if !place.as_ref().is_some_and(|last| last.has_shape(parts)) {
            if let Some(last) = place.take() {
                last.recycle(parts.pool);
            }
            *place = Some(T::restore_shape(parts));
        }
        place.as_ref().expect("what was put there")
    }
}

/// Pops the shadow of a vector of `n` floats into one that is there.
#[inline]
pub fn restore_shadow_into<A: Copy>(shadow: &mut Vec<A>, n: usize, stack: &mut Stack<A>) {
    shadow.clear();
    shadow.extend_from_slice(stack.unblock::<1>(n).as_flattened());
}

/// Pushes the numbers of a shadow.
#[inline]
pub fn keep_shadow<A: Copy, S: Tangent<A> + ?Sized>(shadow: &S, stack: &mut Stack<A>) {
    shadow.each(&mut |number| stack.push([number]));
}

/// Pushes the numbers of the shadow of a value, if they are read.
#[inline]
pub fn keep_shadow_if<A: LinearSpace<T::Base>, T: Active + Whole<T::Base>, S: Tangent<A> + ?Sized>(
    read: bool,
    _: &T,
    shadow: &S,
    stack: &mut Stack<A>,
) {
    if read || T::unread().is_none() {
        keep_shadow(shadow, stack);
    }
}

/// Pops the shadow of a value, or takes zeros, if the numbers are not read.
#[inline]
pub fn restore_shadow_if<A: LinearSpace<T::Base>, T: Active + Whole<T::Base>>(
    read: bool,
    value: &T,
    stack: &mut Stack<A>,
    pool: &mut Pool<A>,
) -> T::Tangent<A> {
    match read || T::unread().is_none() {
        true => restore_shadow(value, stack, pool),
        false => value.zeros(pool),
    }
}

/// Pops the shadow of a value.
#[inline]
pub fn restore_shadow<A: LinearSpace<T::Base>, T: Active>(
    value: &T,
    stack: &mut Stack<A>,
    pool: &mut Pool<A>,
) -> T::Tangent<A> {
    let mut shadow = value.zeros(pool);
    restore_numbers(&mut shadow, stack);
    shadow
}

/// Pops the numbers of a shadow that has the right shape.
#[inline]
pub fn restore_numbers<A: Copy, S: Tangent<A> + ?Sized>(shadow: &mut S, stack: &mut Stack<A>) {
    let mut count = 0;
    shadow.each(&mut |_: A| count += 1);
    let mut numbers = stack.unblock::<1>(count).iter();
    shadow.each_mut(&mut |number: &mut A| {
        if let Some([kept]) = numbers.next() {
            *number = *kept;
        }
    });
}
