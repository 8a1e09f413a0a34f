//! The parameters of a function that a solver sees: a point, and perhaps data.

use diffi::prelude::*;
use diffi::types::{ArgRoles, Input, Passed, PassiveRef, Ref, Signature};
use diffi_runtime::number::hlist::{Cons, Nil};
use diffi_runtime::signature::arguments::Args;

/// Where the derivatives go: one slice.
pub(crate) type Slice = Cons<[f64], Nil<f64>>;

/// What a function takes beside the point.
pub trait Data: 'static {
    /// How the function takes its parameters.
    type Parameters: Signature<Base = f64>;
    /// The point is differentiated, and nothing else.
    type Roles: ArgRoles<Self::Parameters, In = Slice, Outs = Nil<f64>>;
    /// The arguments at a point.
    fn at<'a>(&'a self, x: &'a [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a;
}

/// `fn(x: &[f64])`: nothing beside the point.
#[derive(Clone, Copy, Debug)]
pub struct NoData;

impl Data for NoData {
    type Parameters = (Ref<[f64]>,);
    type Roles = (Input,);

    #[inline]
    fn at<'a>(&'a self, x: &'a [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a {
        x
    }
}

/// `fn(x: &[f64], data: &T)`: data, which carry no derivative. A slice is data, too.
#[derive(Clone, Debug)]
pub struct WithData<T: ?Sized>(pub Box<T>);

impl<T: ?Sized + 'static> Data for WithData<T> {
    type Parameters = (Ref<[f64]>, PassiveRef<T>);
    type Roles = (Input, Passed);

    #[inline]
    fn at<'a>(&'a self, x: &'a [f64]) -> impl Args<Self::Parameters, Self::Roles> + 'a {
        (x, Constant(&*self.0))
    }
}
