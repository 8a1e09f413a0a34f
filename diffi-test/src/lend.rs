//! Arguments that are passed again and again.

use diffi_runtime::number::batch::Float;
use diffi_runtime::signature::arg_roles::Role;
use diffi_runtime::signature::arguments::{Arg, Args};
use diffi_runtime::signature::param_kinds::{ParamKind, Signature};

/// An argument that is lent for one call.
#[derive(Debug)]
pub struct Lent<'a, X>(&'a mut X);

impl<K: ParamKind, P: Role, X: Arg<K, P>> Arg<K, P> for Lent<'_, X> {
    #[inline]
    fn at(&mut self) -> K::At<'_> {
        self.0.at()
    }
}

/// Arguments that can be passed several times, `&mut` among them.
pub trait Lend<G: Signature, R>: Args<G, R> {
    /// The arguments for one call.
    type Lent<'a>: Args<G, R>
    where
        Self: 'a;
    /// Lends the arguments for one call.
    fn lend(&mut self) -> Self::Lent<'_>;
}

impl<K0: ParamKind, P0: Role, X0: Arg<K0, P0>> Lend<(K0,), (P0,)> for X0
where
    (K0,): for<'a> Signature<At<'a> = (K0::At<'a>,)>,
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
    ($([$K:ident $P:ident $X:ident $i:tt])+) => {
        impl<F: Float, $($K: ParamKind<Base = F>, $P: Role, $X: Arg<$K, $P>),+> Lend<($($K,)+), ($($P,)+)> for ($($X,)+) {
            type Lent<'a> = ($(Lent<'a, $X>,)+) where Self: 'a;
            #[inline]
            fn lend(&mut self) -> Self::Lent<'_> {
                ($(Lent(&mut self.$i),)+)
            }
        }
    };
}

/// Calls `lend` for every number of arguments from two on.
macro_rules! arities {
    ([$($done:tt)*]) => {};
    ([$($done:tt)*] $next:tt $($rest:tt)*) => {
        lend!($($done)* $next);
        arities!([$($done)* $next] $($rest)*);
    };
}
arities!([[K0 P0 X0 0]] [K1 P1 X1 1] [K2 P2 X2 2] [K3 P3 X3 3] [K4 P4 X4 4] [K5 P5 X5 5] [K6 P6 X6 6] [K7 P7 X7 7]
    [K8 P8 X8 8] [K9 P9 X9 9] [K10 P10 X10 10] [K11 P11 X11 11]);
