//! Whether vectors of a type may wait in the pool: if its values can be sent to other threads with it, and last as long as it does. A type
//! that is made of others does not know it by its bounds, and asks these one after the other.

use crate::stack::shelf::Shelf;

/// What depends on it whether values of the type `T` last.
pub trait Question<T> {
    /// What comes of it.
    type Answer;
    /// They do.
    fn lasting(self) -> Self::Answer
    where
        T: Send + 'static;
    /// They may not.
    fn passing(self) -> Self::Answer;
}

/// An empty vector with room for `n` values.
pub(crate) struct Take<'s> {
    pub n: usize,
    pub shelf: &'s mut Shelf,
}

impl<T> Question<T> for Take<'_> {
    type Answer = Vec<T>;
    #[inline]
    fn lasting(self) -> Vec<T>
    where
        T: Send + 'static,
    {
        self.shelf.take(self.n)
    }
    #[inline]
    fn passing(self) -> Vec<T> {
        Vec::with_capacity(self.n)
    }
}

/// A vector that is not needed any more.
pub(crate) struct Give<'s, T> {
    pub vector: Vec<T>,
    pub shelf: &'s mut Shelf,
}

impl<T> Question<T> for Give<'_, T> {
    type Answer = ();
    #[inline]
    fn lasting(self)
    where
        T: Send + 'static,
    {
        self.shelf.give(self.vector);
    }
    #[inline]
    fn passing(self) {}
}

/// The question to the elements of an array.
pub(crate) struct OfElements<const N: usize, Q>(pub Q);

impl<T, const N: usize, Q: Question<[T; N]>> Question<T> for OfElements<N, Q> {
    type Answer = Q::Answer;
    #[inline]
    fn lasting(self) -> Q::Answer
    where
        T: Send + 'static,
    {
        self.0.lasting()
    }
    #[inline]
    fn passing(self) -> Q::Answer {
        self.0.passing()
    }
}

/// Asks the members of tuples that implement the trait `$Asked<F>`, each after those before it have answered.
macro_rules! members_asked {
    ($Asked:ident<$F:ident: $Bound:path>: $([$($T:ident $k:literal)+])+) => {
        /// The question to the `K`-th member of a tuple.
        pub struct OfMember<const K: usize, All, Q>(Q, std::marker::PhantomData<All>);
        $(members_asked!(@ $Asked $F [$Bound] [$($T)+] [] [$($T $k)+]);)+
    };
    (@ $Asked:ident $F:ident [$Bound:path] [$($T:ident)+] [$($known:ident)*] [$M:ident $k:literal]) => {
        members_asked!(= $Asked $F [$Bound] [$($T)+] [$($known)*] $M $k, q, q.lasting());
    };
    (@ $Asked:ident $F:ident [$Bound:path] [$($T:ident)+] [$($known:ident)*] [$M:ident $k:literal $N:ident $next:literal $($rest:tt)*]) => {
        members_asked!(= $Asked $F [$Bound] [$($T)+] [$($known)*] $M $k, q, {
            <$N as $Asked<$F>>::ask(OfMember::<$next, ($F, $($T),+), Q>(q, std::marker::PhantomData))
        });
        members_asked!(@ $Asked $F [$Bound] [$($T)+] [$($known)* $M] [$N $next $($rest)*]);
    };
    (= $Asked:ident $F:ident [$Bound:path] [$($T:ident)+] [$($known:ident)*] $M:ident $k:literal, $q:ident, $then:expr) => {
        impl<$F: $Bound, $($T: $Asked<$F>,)+ Q: Question<($($T,)+)>> Question<$M> for OfMember<$k, ($F, $($T),+), Q>
        where
            $($known: Send + 'static,)*
        {
            type Answer = Q::Answer;
            #[inline]
            fn lasting(self) -> Q::Answer
            where
                $M: Send + 'static,
            {
                let $q = self.0;
                $then
            }
            #[inline]
            fn passing(self) -> Q::Answer {
                self.0.passing()
            }
        }
    };
}
pub(crate) use members_asked;
