//! What either side of a condition gives: traces take both.

use crate::number::real::Real;

/// Values that differ from one way through a function to another.
pub trait Either {
    /// A value of which nothing is known, and that depends on nothing.
    fn unseen() -> Self;
    /// This value or the other: it depends on what both depend on.
    fn either(&mut self, other: Self);
}

impl<S: Real> Either for S {
    #[inline]
    fn unseen() -> S {
        <S as Real>::unseen()
    }
    #[inline]
    fn either(&mut self, other: S) {
        *self = *self + other + <S as Real>::unseen();
    }
}

/// Nothing is known before the first way gives a length; then all have to be of this length.
impl<V: Either> Either for Vec<V> {
    fn unseen() -> Self {
        Vec::new()
    }
    fn either(&mut self, other: Self) {
        match (self.len(), other.len()) {
            (0, _) => *self = other,
            (n, m) if n == m => self.iter_mut().zip(other).for_each(|(to, from)| to.either(from)),
            _ => unanswered(),
        }
    }
}

impl<V: Either, const N: usize> Either for [V; N] {
    fn unseen() -> Self {
        std::array::from_fn(|_| V::unseen())
    }
    fn either(&mut self, other: Self) {
        self.iter_mut().zip(other).for_each(|(to, from)| to.either(from));
    }
}

macro_rules! tuple {
    ($(($V:ident $i:tt))+) => {
        impl<$($V: Either),+> Either for ($($V,)+) {
            fn unseen() -> Self {
                ($($V::unseen(),)+)
            }
            fn either(&mut self, other: Self) {
                $(self.$i.either(other.$i);)+
            }
        }
    };
}
tuple!((V0 0));
tuple!((V0 0)(V1 1));
tuple!((V0 0)(V1 1)(V2 2));
tuple!((V0 0)(V1 1)(V2 2)(V3 3));

/// What unwinds out of a function that asks for a value that is not known.
#[derive(Debug)]
pub struct Unknown;

/// Ends the trace, without a message: whoever runs it reports it.
pub fn unanswered() -> ! {
    std::panic::resume_unwind(Box::new(Unknown))
}
