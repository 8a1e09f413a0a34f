//! Copies of arguments.

use crate::number::active::Active;
use crate::number::arities::arities;
use crate::number::sizes;

/// Copies of arguments, parameter by parameter.
pub trait Copies: Sized {
    /// The same once more.
    fn duplicate(&self) -> Self;
    /// How many bytes their numbers take.
    fn bytes(&self) -> usize;
}

macro_rules! copies {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<$($X: Active),+> Copies for ($(Option<$X>,)+) {
            fn duplicate(&self) -> Self {
                ($(self.$i.as_ref().map(Active::duplicate),)+)
            }
            fn bytes(&self) -> usize {
                0 $(+ self.$i.as_ref().map_or(0, sizes::value))+
            }
        }
    };
}

arities!(copies);
