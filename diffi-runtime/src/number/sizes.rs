//! How many bytes numbers take.

use crate::number::active::Active;
use crate::number::tangent::Tangent;

/// The numbers of a shadow.
pub fn shadow<A>(shadow: &impl Tangent<A>) -> usize {
    let mut n = 0;
    shadow.each(&mut |_| n += 1);
    n * size_of::<A>()
}

/// The numbers of a value.
pub fn value<T: Active>(value: &T) -> usize {
    let mut n = 0;
    value.each(&mut |_| n += 1);
    n * size_of::<T::Base>()
}
