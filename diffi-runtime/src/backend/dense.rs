//! The strategies that find dense matrices, entry by entry.

use crate::operators::Dense;

impl<K> Dense for crate::backend::second_order::Nested<K> {}

#[cfg(feature = "rayon")]
impl Dense for crate::backend::ByThreads {}

macro_rules! dense {
    ($($Strategy:ty)+) => { $(impl Dense for $Strategy {})+ };
}
dense! {
    crate::backend::ByDirections
    crate::backend::ByCost
    crate::backend::Zeros
    crate::backend::second_order::Generated
    crate::backend::second_order::Differenced
    crate::backend::second_order::Retraced
    crate::backend::second_order::Truncated
    crate::backend::symbolic::Symbolic
    crate::backend::second_order::NoFirstOrder
    crate::backend::second_order::NoSecondOrder
}
