//! Rules that users write: what stands between a function of theirs, which gives the tangent of a result or the cotangents of
//! arguments as ordinary values, and shadows in any linear space.
//!
//! All shadows of the active arguments are one row of numbers, and so are those of the outputs; a rule is a linear map from one
//! to the other. Half a rule is enough: its transpose is found by applying it to every basis vector.

use crate::number::active::Member;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::row::Row;
use crate::number::tangent::Tangent;
use crate::signature::param_kinds::count;
use crate::signature::shadow_slots::{BarSlot, DotSlot};

/// The numbers of a shadow.
#[inline(always)]
pub fn numbers<F, A: LinearSpace<F>>(shadow: &(impl Tangent<A> + ?Sized)) -> Row<A> {
    let mut row = Row::of(A::ZERO, 0);
    shadow.each(&mut |v| row.push(v));
    row
}

/// How many numbers a shadow has.
#[inline(always)]
pub fn length<A>(shadow: &(impl Tangent<A> + ?Sized)) -> usize {
    let mut n = 0;
    shadow.each(&mut |_| n += 1);
    n
}

/// Overwrites the numbers of a shadow with the first of `row`, and takes these off.
#[inline(always)]
pub fn fill<A: Copy>(shadow: &mut (impl Tangent<A> + ?Sized), row: &mut &[A]) {
    let mut taken = 0;
    shadow.each_mut(&mut |v| {
        *v = row[taken];
        taken += 1;
    });
    *row = &row[taken..];
}

/// Appends the numbers of the tangent of `x` to a row: zeros if there is none.
#[inline(always)]
pub fn read<P: Member + ?Sized, A: LinearSpace<P::Base>>(x: &P, slot: &impl DotSlot<P, A>, row: &mut Row<A>) {
    let mut off = P::empty::<A>();
    match on::<P, A, _>(slot) {
        true => slot.get(P::shadow(&mut off)).each(&mut |v| row.push(v)),
        false => (0..count(x)).for_each(|_| row.push(A::ZERO)),
    }
}

fn on<P: Member + ?Sized, A: LinearSpace<P::Base>, S: DotSlot<P, A>>(_: &S) -> bool {
    <S::On as Flag>::ON
}

/// Adds the first numbers of `row` to the cotangent of `x`, if there is one, and takes them off.
#[inline(always)]
pub fn add<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(x: &P, slot: &mut S, row: &mut &[A]) {
    let (mine, rest) = row.split_at(count(x));
    *row = rest;
    if !<S::On as Flag>::ON {
        return;
    }
    let mut off = P::empty::<A>();
    let bar = slot.get(P::shadow(&mut off));
    if S::FRESH {
        bar.clear();
    }
    let mut mine = mine.iter();
    bar.each_mut(&mut |v| *v += *mine.next().expect("a cotangent looks like its argument"));
}

/// Overwrites the tangent of an output with the first numbers of `row`, and takes them off.
pub fn write<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(slot: &mut S, row: &mut &[A]) {
    let mut off = P::empty::<A>();
    fill(slot.get(P::shadow(&mut off)), row);
}

/// Appends the numbers of the cotangent of an output to `row`, and clears it: what the output was before does not count.
pub fn take<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(x: &P, slot: &mut S, row: &mut Row<A>) {
    if !<S::On as Flag>::ON {
        return (0..count(x)).for_each(|_| row.push(A::ZERO));
    }
    let mut off = P::empty::<A>();
    slot.get(P::shadow(&mut off)).each_mut(&mut |v| row.push(std::mem::replace(v, A::ZERO)));
}

/// Adds what the function `rule` gave to the cotangent of `x`, if there is one.
///
/// # Panics
///
/// If it has another number of numbers than `x`.
pub fn add_given<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(
    rule: &str,
    x: &P,
    given: &(impl Tangent<A> + ?Sized),
    slot: &mut S,
) {
    let row = numbers::<P::Base, A>(given);
    check(rule, row.len(), count(x));
    add(x, slot, &mut &row[..]);
}

/// Adds nothing to the cotangent of `x`.
pub fn nothing<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(_: &P, slot: &mut S) {
    let mut off = P::empty::<A>();
    if S::FRESH {
        slot.get(P::shadow(&mut off)).clear();
    }
}

/// A tangent of `x` in floats, made of the first numbers of `row`, which are taken off.
#[inline(always)]
pub fn part<P: Member + ?Sized>(x: &P, row: &mut &[P::Base]) -> P::Store<P::Base> {
    let mut store = P::zero::<P::Base>(x);
    fill(P::shadow(&mut store), row);
    store
}

/// Puts what the function `rule` gave as the cotangent of `x` in front of `to`, and takes that part of `to` off.
///
/// # Panics
///
/// If it has another number of numbers than `x`.
#[inline(always)]
pub fn give<P: Member + ?Sized>(rule: &str, x: &P, given: &(impl Tangent<P::Base> + ?Sized), to: &mut &mut [P::Base]) {
    let (mine, rest) = std::mem::take(to).split_at_mut(count(x));
    image(rule, given, mine);
    *to = rest;
}

/// Overwrites `to` with what the function `rule` gave.
///
/// # Panics
///
/// If `to` has another length.
#[inline(always)]
pub fn image<F: Base>(rule: &str, given: &(impl Tangent<F> + ?Sized), to: &mut [F]) {
    let (expected, mut found) = (to.len(), 0);
    given.each(&mut |v| {
        if let Some(place) = to.get_mut(found) {
            *place = v;
        }
        found += 1;
    });
    check(rule, found, expected);
}

#[inline(always)]
fn check(rule: &str, found: usize, expected: usize) {
    assert!(found == expected, "the rule `{rule}` gave {found} numbers where {expected} are expected");
}

/// The transpose of a linear map, found column by column.
pub fn transposed<F: Base>(from: &[F], to: &mut [F], map: &mut dyn FnMut(&[F], &mut [F])) {
    let zero = <F as Base>::ZERO;
    let (mut unit, mut column) = (Row::of(zero, to.len()), Row::of(zero, from.len()));
    for k in 0..to.len() {
        unit[k] = F::ONE;
        map(&unit, &mut column);
        unit[k] = zero;
        to[k] = column.iter().zip(from).map(|(c, v)| *c * *v).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::row::FEW;

    #[test]
    fn rows_are_as_long_as_they_get() {
        for n in 0..3 * FEW {
            let numbers: Vec<f64> = (0..n).map(|k| k as f64).collect();
            let mut pushed = Row::of(-1.0, 0);
            numbers.iter().for_each(|v| pushed.push(*v));
            let mut filled = Row::of(-1.0, n);
            assert_eq!(*filled, vec![-1.0; n]);
            filled.copy_from_slice(&pushed);
            filled.push(0.5);
            assert_eq!((&*pushed, &filled[..n], &filled[n..]), (&*numbers, &*numbers, &[0.5][..]));
        }
    }
}
