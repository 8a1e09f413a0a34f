//! What can be differentiated: annotated functions through their handles, closures and plain functions.

mod auxiliary;
mod closures;
mod fallible;

use crate::number::batch::Float;

pub use auxiliary::{Aux, Shown, answered, with_aux};

use crate::number::active::Active;
use crate::number::hlist::{Cons, List, Nil};
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::signature::arg_roles::{ActivityMask, ArgRoles};
use crate::signature::param_kinds::Signature;
use crate::signature::sweeps::{Forward, Sweeps};
use crate::stack::workspace::{Pool, Workspace};
use std::fmt::Debug;

/// What a function over the float `F` returns: an [`Active`] type, or nothing.
#[diagnostic::on_unimplemented(
    message = "a function with `#[differentiable]` returns `{Self}`, which carries no derivative [D0803]",
    label = "`{Self}` is no number, and is not made of numbers",
    note = "leave the attribute off this function: annotated functions may call it as it is, and look at its value",
    note = "or put `#[derive(Differentiable)]` on `{Self}`, where it holds numbers"
)]
pub trait ReturnValue<F: Float>: Shown<F> + 'static {
    /// The shadow of the result.
    type Tangent<A: LinearSpace<F>>: Tangent<A> + Clone + Debug + Send;
    /// The outputs: the result in front of those among the parameters.
    type Onto<L: List<Base = F>>: List<Base = F>;
    /// The value as callers' derivative code holds it.
    type Landed;
    /// Whether the type alone fixes the shape.
    const FIXED: bool;

    /// The value as callers' derivative code holds it.
    fn landed(self) -> Self::Landed;
    /// A shadow of this result's shape, all [`LinearSpace::ZERO`].
    fn zero<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A>;
    /// The smallest shadow; of the right shape where that is fixed.
    fn empty<A: LinearSpace<F>>() -> Self::Tangent<A>;
    /// Gives the buffers of a shadow back.
    fn release<A: LinearSpace<F>>(t: Self::Tangent<A>, pool: &mut Pool<A>);
    /// References to all outputs' shadows.
    fn muts<'a, L: List<Base = F>, A: LinearSpace<F>>(
        t: &'a mut Self::Tangent<A>,
        rest: L::Muts<'a, A>,
    ) -> <Self::Onto<L> as List>::Muts<'a, A>;
    /// All outputs' shadows.
    fn stores<L: List<Base = F>, A: LinearSpace<F>>(
        t: Self::Tangent<A>,
        rest: L::Stores<A>,
    ) -> <Self::Onto<L> as List>::Stores<A>;
    /// All outputs' values.
    fn owns<L: List<Base = F>>(&self, rest: L::Owns) -> <Self::Onto<L> as List>::Owns;
    /// Passes on every number.
    fn each(&self, f: &mut impl FnMut(F));
    /// Whether there is no value, and so no derivative.
    #[inline]
    fn is_absent(&self) -> bool {
        false
    }
}

/// The shadow of the result `R` of a function over `F`.
pub type Tan<R, A, F = f64> = <R as ReturnValue<F>>::Tangent<A>;

impl<F: Float, T: Active<Base = F>> ReturnValue<F> for T {
    type Tangent<A: LinearSpace<F>> = <T as Active>::Tangent<A>;
    type Onto<L: List<Base = F>> = Cons<T, L>;
    type Landed = T;
    const FIXED: bool = T::FIXED;

    #[inline(always)]
    fn landed(self) -> T {
        self
    }
    #[inline]
    fn zero<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A> {
        Active::zeros(self, pool)
    }
    #[inline]
    fn empty<A: LinearSpace<F>>() -> Self::Tangent<A> {
        <T as Active>::empty()
    }
    #[inline]
    fn release<A: LinearSpace<F>>(t: Self::Tangent<A>, pool: &mut Pool<A>) {
        <T as Active>::release(t, pool);
    }
    #[inline]
    fn muts<'a, L: List<Base = F>, A: LinearSpace<F>>(
        t: &'a mut Self::Tangent<A>,
        rest: L::Muts<'a, A>,
    ) -> <Cons<T, L> as List>::Muts<'a, A> {
        (t, rest)
    }
    #[inline]
    fn stores<L: List<Base = F>, A: LinearSpace<F>>(
        t: Self::Tangent<A>,
        rest: L::Stores<A>,
    ) -> <Cons<T, L> as List>::Stores<A> {
        (t, rest)
    }
    #[inline]
    fn owns<L: List<Base = F>>(&self, rest: L::Owns) -> <Cons<T, L> as List>::Owns {
        (self.duplicate(), rest)
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(F)) {
        Active::each(self, f);
    }
    #[inline]
    fn is_absent(&self) -> bool {
        Active::is_absent(self)
    }
}

/// A result without numbers, and what the function's caller gets of it.
macro_rules! numberless {
    ($([$($generics:tt)*] $Y:ty => $Landed:ty, $landed:expr;)+) => { $(
        impl<F: Float, $($generics)*> ReturnValue<F> for $Y {
            type Tangent<S: LinearSpace<F>> = ();
            type Onto<L: List<Base = F>> = L;
            type Landed = $Landed;
            const FIXED: bool = true;

            #[inline]
            fn landed(self) -> $Landed {
                ($landed)(self)
            }
            #[inline]
            fn zero<S: LinearSpace<F>>(&self, _: &mut Pool<S>) {}
            #[inline]
            fn empty<S: LinearSpace<F>>() {}
            #[inline]
            fn release<S: LinearSpace<F>>((): (), _: &mut Pool<S>) {}
            #[inline]
            fn muts<'a, L: List<Base = F>, S: LinearSpace<F>>((): &'a mut (), rest: L::Muts<'a, S>) -> L::Muts<'a, S> {
                rest
            }
            #[inline]
            fn stores<L: List<Base = F>, S: LinearSpace<F>>((): (), rest: L::Stores<S>) -> L::Stores<S> {
                rest
            }
            #[inline]
            fn owns<L: List<Base = F>>(&self, rest: L::Owns) -> L::Owns {
                rest
            }
            #[inline]
            fn each(&self, _: &mut impl FnMut(F)) {}
        }
    )+ };
}
numberless! {
    [] () => (), |()| ();
    [A: 'static] ((), Aux<A>) => A, |((), Aux(value))| value;
}

/// A result that is one number: the one that is returned; where nothing is returned, the only output `L` among the parameters.
/// Other outputs are written, and not differentiated.
#[diagnostic::on_unimplemented(
    message = "a gradient or a Hessian needs a function whose result is one number, not `{Self}` [D0605]",
    label = "the result is `{Self}`",
    note = "use `jacobian`, or `pullback` with a seed like the result"
)]
pub trait Number<F: Float, L>: ReturnValue<F> {}

/// Outputs that are one number.
#[diagnostic::on_unimplemented(
    message = "a gradient or a Hessian needs a function whose result is one number [D0605]",
    label = "this function returns nothing, and writes `{Self}`",
    note = "use `jacobian`, or `pullback` with a seed like what is written"
)]
pub trait OnlyNumber<F> {}

macro_rules! number {
    ($($F:ident)+) => { $(
        impl<L> Number<$F, L> for $F {}
        impl<L> Number<$F, L> for Option<$F> {}
        impl<L, E: 'static> Number<$F, L> for Result<$F, E> {}
        impl<L: OnlyNumber<$F>> Number<$F, L> for () {}
        impl<L: OnlyNumber<$F>, A: 'static> Number<$F, L> for ((), Aux<A>) {}
        impl OnlyNumber<$F> for Cons<$F, Nil<$F>> {}
    )+ };
}
number!(f32 f64);

/// A function with parameters of the kinds `G`: it can be called.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that can be differentiated [D0801]",
    label = "not a handle `name::D`, nor a closure with written parameter types",
    note = "a function with more than twelve parameters, or one that applies functions which it is given, has no operators: call it from another annotated function",
    note = "closures may take one to three numbers, `[f64; N]`, `&Vec<f64>`, `&Array<f64, _>`, or one to three slices, the last of which may be `&mut [f64]`; a slice and a number or a `usize`; everything else they capture"
)]
pub trait Function<G: Signature> {
    /// The result.
    type ReturnValue: ReturnValue<G::Base>;
    /// The names of the parameters, where they are known.
    const PARAMETERS: &'static [&'static str] = &[];
    /// Calls the function.
    fn call(&self, at: G::At<'_>) -> Self::ReturnValue;
}

/// Calls a function with copies of what it overwrites.
pub(crate) fn aside<F: Function<G>, G: Signature, R: ArgRoles<G>>(
    f: &F,
    at: &mut G::At<'_>,
    copies: &mut G::Owns,
) -> F::ReturnValue {
    R::save_outputs(at, copies);
    f.call(G::lend(copies, at))
}

/// A function with generated derivative code. `#[differentiable]` implements it for the handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative code [D0801]",
    label = "no derivative code",
    note = "put `#[differentiable]` on the function and pass its handle `name::D`",
    note = "a plain closure or `fn` can be differentiated with `AutoFiniteDiff`"
)]
pub trait DerivativeCode<G: Signature>: Function<G> + Copy + Send + 'static {
    /// The value and its tangent. The tangents of parameters that are written to go in as those of their initial values and
    /// come out as those of their final values.
    fn push<A: LinearSpace<G::Base>, M: ActivityMask>(
        &self,
        at: G::At<'_>,
        dots: G::Dots<'_, A>,
        ws: &mut Workspace<G::Base, A>,
    ) -> (Self::ReturnValue, Tan<Self::ReturnValue, A, G::Base>);

    /// The sweeps `S` of the adjoint.
    ///
    /// The reverse sweep adds the product of `y_bar` with the Jacobian to `bars`, or writes it there (`M::Fresh`). The adjoints of
    /// parameters that are written to go in as those of their final values and come out as those of their initial values. It may
    /// leave anything in `y_bar` and in parameters that are written to. The value if `S` asks for it.
    fn pull<A: LinearSpace<G::Base>, M: ActivityMask, S: Sweeps>(
        &self,
        at: G::At<'_>,
        bars: G::Bars<'_, A>,
        y_bar: &mut Tan<Self::ReturnValue, A, G::Base>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Option<Self::ReturnValue>;

    /// The forward sweep: leaves on `ws` what the [`Reverse`](crate::signature::sweeps::Reverse) one pops.
    #[inline]
    fn forward<A: LinearSpace<G::Base>, M: ActivityMask>(
        &self,
        at: G::At<'_>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Self::ReturnValue {
        let (mut bars, mut y_bar) = (G::idle(), Self::ReturnValue::empty());
        self.pull::<A, M, Forward>(at, G::bars(&mut bars), &mut y_bar, ws).expect("the forward sweep has a value")
    }

    /// [`pull`](DerivativeCode::pull) in the base float, with tangents of everything in `A`. If `S` asks for the value, parameters that are
    /// written to have their final values afterwards.
    #[expect(
        clippy::too_many_arguments,
        clippy::type_complexity,
        reason = "everything twice: the values and their tangents"
    )]
    fn pull_push<A: LinearSpace<G::Base>, M: ActivityMask, S: Sweeps>(
        &self,
        at: G::At<'_>,
        dots: G::Dots<'_, A>,
        bars: G::Bars<'_, G::Base>,
        bars_dot: G::Bars<'_, A>,
        y_bar: &mut Tan<Self::ReturnValue, G::Base, G::Base>,
        y_bar_dot: &mut Tan<Self::ReturnValue, A, G::Base>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Option<(Self::ReturnValue, Tan<Self::ReturnValue, A, G::Base>)>;
}

/// The bytes of a result's numbers.
pub fn result_bytes<F: Float, Y: ReturnValue<F>>(result: &Y) -> usize {
    let mut n = 0;
    result.each(&mut |_| n += 1);
    n * size_of::<F>()
}
