//! Arguments that are passed again and again.

use crate::number::batch::Float;
use crate::signature::arg_roles::Role;
use crate::signature::arguments::{Arg, Args};
use crate::signature::param_kinds::{Kind, Sig, arities};

/// An argument that is lent for one call.
#[derive(Debug)]
pub struct Lent<'a, X>(&'a mut X);

impl<K: Kind, P: Role, X: Arg<K, P>> Arg<K, P> for Lent<'_, X> {
    #[inline]
    fn at(&mut self) -> K::At<'_> {
        self.0.at()
    }
}

/// Arguments that can be passed several times, `&mut` among them.
pub trait Lend<G: Sig, R>: Args<G, R> {
    /// The arguments for one call.
    type Lent<'a>: Args<G, R>
    where
        Self: 'a;
    /// Lends the arguments for one call.
    fn lend(&mut self) -> Self::Lent<'_>;
}

impl<K0: Kind, P0: Role, X0: Arg<K0, P0>> Lend<(K0,), (P0,)> for X0
where
    (K0,): for<'a> Sig<At<'a> = (K0::At<'a>,)>,
{
    type Lent<'a>
        = Lent<'a, X0>
    where
        Self: 'a;
    #[inline]
    fn lend(&mut self) -> Lent<'_, X0> {
        Lent(self)
    }
}

macro_rules! lend {
    ([$K:ident $P:ident $X:ident $x:ident $i:tt]) => {};
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: Kind<Base = F>, $P: Role, $X: Arg<$K, $P>),+> Lend<($($K,)+), ($($P,)+)> for ($($X,)+) {
            type Lent<'a> = ($(Lent<'a, $X>,)+) where Self: 'a;
            #[inline]
            fn lend(&mut self) -> Self::Lent<'_> {
                ($(Lent(&mut self.$i),)+)
            }
        }
    };
}
arities!(lend);
