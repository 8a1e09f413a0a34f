//! Cotangents that the callee initialises.

use crate::number::tangent::Tangent;

/// Clears what lies outside `lo..hi`: the loop that follows initialises the rest.
#[inline]
pub fn clear_outside<A: Tangent<A>>(bar: &mut [A], lo: usize, hi: usize) {
    let len = bar.len();
    let (lo, hi) = (lo.min(len), hi.min(len));
    bar[..lo].iter_mut().for_each(Tangent::clear);
    bar[hi.max(lo)..].iter_mut().for_each(Tangent::clear);
}
