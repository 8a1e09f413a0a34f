//! Copies of arguments.

use crate::number::active::Active;
use crate::number::arities::arities;
use crate::number::sizes;

/// Copies of arguments, parameter by parameter.
pub trait Copies {
    /// How many bytes their numbers take.
    fn bytes(&self) -> usize;
}

macro_rules! copies {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<$($X: Active),+> Copies for ($(Option<$X>,)+) {
            fn bytes(&self) -> usize {
                0 $(+ self.$i.as_ref().map_or(0, sizes::value))+
            }
        }
    };
}

arities!(copies);
