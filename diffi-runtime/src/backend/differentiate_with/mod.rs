//! Functions that every backend differentiates by one that is named with them.
//!
//! Such a function has a Jacobian, found by its own backend, where others have derivative code. Tangents and cotangents in any
//! linear space are multiplied with it; between the sweeps it stands on the tape.

mod arguments;
mod curvature;
mod inner_operators;

pub use arguments::{Barred, Curved, Dotted, Paired};
pub use curvature::{CurvedBy, WithBackend};
pub use inner_operators::*;

use crate::number::active::{Active, Member};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List, Nil};
use crate::number::linear_space::LinearSpace;
use crate::number::tangent::Tangent;
use crate::operators::jacobian::{DenseJacobianBackend, JacobianBy};
use crate::operators::strategy::Backend;
use crate::signature::arg_roles;
use crate::signature::arg_roles::{ActivityMask, ArgRoles, Input, Role};
use crate::signature::arguments::Args;
use crate::signature::function::{DerivativeCode, Function, ReturnValue, Tan};
use crate::signature::param_kinds::{ParamKind, Passive, PassiveRef, Ref, Signature, Val, View};
use crate::signature::sweeps::Sweeps;
use crate::stack::workspace::Workspace;
use arguments::Passed;
use curvature::inputs;
use ndarray::{Array2, Dimension};

/// A function and the backend that differentiates it: see [`differentiate_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferentiateWith<F, B> {
    function: F,
    backend: B,
}

/// A function that every other backend differentiates by this one: `differentiate_with(f::D, AutoFiniteDiff)`.
///
/// Operators take it like a handle. Within an annotated function it is called with its arguments as an operator has them, those
/// that are only read in `Constant(..)`: `differentiate_with(f::D, AutoFiniteDiff).call((&x, Constant(3)))`. It may have any number of
/// arguments, and writes to none.
///
/// Its second derivatives are found in the way that the backend has for them: by the tangents of adjoint code, by numbers, by differences of
/// Jacobians. A backend that has none is refused where they are asked for. A tape that others record around the function knows its
/// first derivatives alone, and gives [`Error::OnlyLinear`](crate::error::Error::OnlyLinear) for second ones.
///
/// Shapes: its Jacobian is found wherever the function around it is differentiated, with as many passes as the backend needs
/// for that. A function that cannot be annotated, like a closure, needs a backend that only calls it.
pub fn differentiate_with<F, B: Backend>(function: F, backend: B) -> DifferentiateWith<F, B> {
    DifferentiateWith { function, backend }
}

impl<F, B> DifferentiateWith<F, B> {
    /// Calls the function.
    pub fn call<G: Signature, R, X: Args<G, R>>(&self, mut args: X) -> F::ReturnValue
    where
        F: Function<G>,
    {
        self.function.call(args.at())
    }
}

/// A parameter that is read: its shadow is a row of numbers.
#[diagnostic::on_unimplemented(
    message = "a function with a `{Self}` parameter cannot be differentiated by another backend [D0708]",
    label = "writes to a parameter",
    note = "`differentiate_with` takes functions that return their results"
)]
pub trait Readable: ParamKind {
    /// Active, if the parameter can be.
    type Role: Role;
    /// Appends the numbers of a tangent.
    fn read<A: LinearSpace<Self::Base>>(dot: &Self::Dot<'_, A>, row: &mut Vec<A>);
    /// Adds numbers to a cotangent, or writes them there, and takes them off the row.
    fn add<A: LinearSpace<Self::Base>>(bar: &mut Self::Bar<'_, A>, fresh: bool, row: &mut &[A]);
}

/// Adds the first numbers of a row to a shadow, and takes them off.
fn add<A: Copy + std::ops::AddAssign>(shadow: &mut (impl Tangent<A> + ?Sized), fresh: bool, row: &mut &[A]) {
    let mut taken = 0;
    shadow.each_mut(&mut |v| {
        match fresh {
            true => *v = row[taken],
            false => *v += row[taken],
        }
        taken += 1;
    });
    *row = &row[taken..];
}

macro_rules! readable {
    ($([$($generics:tt)*] $K:ty;)+) => { $(
        impl<$($generics)*> Readable for $K {
            type Role = Input;
            fn read<A: LinearSpace<Self::Base>>(dot: &Self::Dot<'_, A>, row: &mut Vec<A>) {
                dot.each(&mut |v| row.push(v));
            }
            fn add<A: LinearSpace<Self::Base>>(bar: &mut Self::Bar<'_, A>, fresh: bool, row: &mut &[A]) {
                add(&mut **bar, fresh, row);
            }
        }
    )+ };
}
readable! {
    [T: Active] Val<T>;
    [P: Member + ?Sized] Ref<P>;
    [F: Active, D: Dimension + 'static] View<F, D>;
}

macro_rules! passive {
    ($([$($generics:tt)*] $K:ty;)+) => { $(
        impl<$($generics)*> Readable for $K {
            type Role = arg_roles::Passed;
            fn read<A: LinearSpace<Self::Base>>(_: &Self::Dot<'_, A>, _: &mut Vec<A>) {}
            fn add<A: LinearSpace<Self::Base>>(_: &mut Self::Bar<'_, A>, _: bool, _: &mut &[A]) {}
        }
    )+ };
}
passive! {
    [T: Clone + 'static, F: Float] Passive<T, F>;
    [T: ?Sized + 'static, F: Float] PassiveRef<T, F>;
}

/// Parameters that are all read.
pub trait ReadableSig: Signature + Sized {
    /// All that can be active is.
    type Roles: ArgRoles<Self>;
    /// The numbers of all tangents; zeros for those that are switched off.
    fn read<A: LinearSpace<Self::Base>, M: ActivityMask>(at: &Self::At<'_>, dots: &Self::Dots<'_, A>, row: &mut Vec<A>);
    /// Adds the numbers of a row to the cotangents.
    fn add<A: LinearSpace<Self::Base>, M: ActivityMask>(
        at: &Self::At<'_>,
        bars: &mut Self::Bars<'_, A>,
        row: &mut &[A],
    );
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: Readable<Base = F>),+> ReadableSig for ($($K,)+) {
            type Roles = ($($K::Role,)+);
            fn read<A: LinearSpace<F>, M: ActivityMask>(at: &Self::At<'_>, dots: &Self::Dots<'_, A>, row: &mut Vec<A>) {
                $(match M::$P::ON {
                    true => $K::read(&dots.$i, row),
                    false => row.extend(std::iter::repeat_n(A::ZERO, $K::count(&at.$i))),
                })+
            }
            fn add<A: LinearSpace<F>, M: ActivityMask>(at: &Self::At<'_>, bars: &mut Self::Bars<'_, A>, row: &mut &[A]) {
                $(match M::$P::ON {
                    true => $K::add(&mut bars.$i, M::Fresh::ON, row),
                    false => *row = &row[$K::count(&at.$i)..],
                })+
            }
        }
    };
}
arities!(sig);

/// A function, its value at a point and its Jacobian there, row by row.
pub(crate) struct Linear<Y, F> {
    pub(crate) y: Y,
    pub(crate) jacobian: Vec<F>,
}

impl<F, B> DifferentiateWith<F, B> {
    pub(crate) fn linear<G: ReadableSig>(&self, mut at: G::At<'_>) -> Linear<F::ReturnValue, G::Base>
    where
        F: Function<G>,
        <G::Roles as ArgRoles<G>>::In: Flat,
        B: DenseJacobianBackend<F, G, G::Roles>,
    {
        let DifferentiateWith { function, backend } = self;
        let mut state = <B::Jacobian as JacobianBy<B, F, G, G::Roles>>::state(backend, function, &mut at);
        let found = <B::Jacobian as JacobianBy<B, F, G, G::Roles>>::owned::<On>(backend, function, at, &mut state);
        let (y, blocks) = found.expect("the memory fits the arguments that it was made for");
        let mut all: Vec<Array2<G::Base>> = Vec::new();
        <<G::Roles as ArgRoles<G>>::In as Flat>::each_block(blocks, |block| all.push(block));
        let rows = all.first().map_or(0, |block| block.nrows());
        let row = |k: usize| all.iter().flat_map(move |block| block.row(k).to_vec());
        Linear { y: y.expect("the value was asked for"), jacobian: (0..rows).flat_map(row).collect() }
    }
}

/// `to = J from`, the Jacobian row by row.
fn times<F: Base, A: LinearSpace<F>>(jacobian: &[F], from: &[A], to: &mut [A]) {
    A::apply(from, to, |from, to| {
        for (k, to) in to.iter_mut().enumerate() {
            let row = &jacobian[k * from.len()..][..from.len()];
            *to = row.iter().zip(from).map(|(j, v)| *j * *v).sum();
        }
    });
}

/// `to = Jᵀ from`.
fn transposed_times<F: Base, A: LinearSpace<F>>(jacobian: &[F], from: &[A], to: &mut [A]) {
    A::apply(from, to, |from, to| {
        to.fill(<F as Base>::ZERO);
        for (k, v) in from.iter().enumerate() {
            let row = &jacobian[k * to.len()..][..to.len()];
            to.iter_mut().zip(row).for_each(|(to, j)| *to += *j * *v);
        }
    });
}

type Onto<Y, F> = <Y as ReturnValue<F>>::Onto<Nil<F>>;

/// The numbers of a result's shadow.
fn numbers<Y: ReturnValue<F>, F: Float, A: LinearSpace<F>>(shadow: &mut Y::Tangent<A>) -> Vec<A> {
    let mut row = Vec::new();
    <Onto<Y, F> as List>::each(Y::muts::<Nil<F>, A>(shadow, ()), &mut |v: &mut A| row.push(*v));
    row
}

/// The tangent of a result: the Jacobian times a row.
fn pushed<Y: ReturnValue<F>, F: Float, A: LinearSpace<F>>(
    y: &Y,
    jacobian: &[F],
    row: &[A],
    ws: &mut Workspace<F, A>,
) -> Y::Tangent<A> {
    let mut y_dot = y.zero(&mut ws.shadows);
    let mut image = numbers::<Y, F, A>(&mut y_dot);
    times(jacobian, row, &mut image);
    write::<Onto<Y, F>, A>(Y::muts::<Nil<F>, A>(&mut y_dot, ()), &image);
    y_dot
}

/// Writes numbers to shadows.
fn write<L: List, A: LinearSpace<L::Base>>(to: L::Muts<'_, A>, from: &[A]) {
    let mut from = from.iter();
    L::each(to, &mut |v: &mut A| from.next().into_iter().for_each(|from| *v = *from));
}

impl<G: Signature, F: Function<G>, B> Function<G> for DifferentiateWith<F, B> {
    type ReturnValue = F::ReturnValue;
    const PARAMETERS: &'static [&'static str] = F::PARAMETERS;
    #[inline]
    fn call(&self, at: G::At<'_>) -> F::ReturnValue {
        self.function.call(at)
    }
}

impl<G, F, B> DerivativeCode<G> for DifferentiateWith<F, B>
where
    G: ReadableSig,
    F: Function<G> + Copy + Send + 'static,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: WithBackend<F, G> + Copy,
{
    fn push<A: LinearSpace<G::Base>, M: ActivityMask>(
        &self,
        at: G::At<'_>,
        dots: G::Dots<'_, A>,
        ws: &mut Workspace<G::Base, A>,
    ) -> (F::ReturnValue, Tan<F::ReturnValue, A, G::Base>) {
        with_push(self, Passed::<G, A, M> { dots: Some(dots), ..Passed::new(at) }, ws)
    }

    fn pull<A: LinearSpace<G::Base>, M: ActivityMask, S: Sweeps>(
        &self,
        at: G::At<'_>,
        bars: G::Bars<'_, A>,
        y_bar: &mut Tan<F::ReturnValue, A, G::Base>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Option<F::ReturnValue> {
        with_pull(self, Passed::<G, A, M> { bars: Some(bars), ..Passed::new(at) }, Some(y_bar), ws, S::default())
    }

    fn pull_push<A: LinearSpace<G::Base>, M: ActivityMask, S: Sweeps>(
        &self,
        at: G::At<'_>,
        dots: G::Dots<'_, A>,
        bars: G::Bars<'_, G::Base>,
        bars_dot: G::Bars<'_, A>,
        y_bar: &mut Tan<F::ReturnValue, G::Base, G::Base>,
        y_bar_dot: &mut Tan<F::ReturnValue, A, G::Base>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Option<(F::ReturnValue, Tan<F::ReturnValue, A, G::Base>)> {
        let args = Passed::<G, A, M> { dots: Some(dots), base: Some(bars), bars: Some(bars_dot), ..Passed::new(at) };
        with_pull_push(self, args, Some(y_bar), Some(y_bar_dot), ws, S::default())
    }
}

/// The call itself.
pub fn with_value<F: Function<G>, B, G: Signature>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Paired<G>,
) -> F::ReturnValue {
    with.function.call(args.at())
}

/// The value and its tangent.
pub fn with_push<F, B, G: ReadableSig, A: LinearSpace<G::Base>>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Dotted<G, A>,
    ws: &mut Workspace<G::Base, A>,
) -> (F::ReturnValue, Tan<F::ReturnValue, A, G::Base>)
where
    F: Function<G>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: DenseJacobianBackend<F, G, G::Roles>,
{
    let mut row = Vec::new();
    args.read(&mut row);
    let Linear { y, jacobian } = with.linear(args.at());
    let y_dot = pushed(&y, &jacobian, &row, ws);
    (y, y_dot)
}

/// The sweeps `S` of the adjoint.
pub fn with_pull<S: Sweeps, F, B, G: ReadableSig, A: LinearSpace<G::Base>>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Barred<G, A>,
    y_bar: Option<&mut Tan<F::ReturnValue, A, G::Base>>,
    ws: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<F::ReturnValue>
where
    F: Function<G>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: DenseJacobianBackend<F, G, G::Roles>,
{
    let (mut value, mut jacobian) = (None, Vec::new());
    if S::FORWARD {
        let found = with.linear(args.at());
        (value, jacobian) = (Some(found.y), found.jacobian);
    }
    if S::REVERSE {
        let row = numbers::<F::ReturnValue, G::Base, A>(y_bar.expect(COTANGENT));
        let mut image = vec![A::ZERO; inputs::<G>(&args.at())];
        popped::<S, _, _>(&mut jacobian, row.len() * image.len(), ws);
        transposed_times(&jacobian, &row, &mut image);
        args.add(&mut &image[..]);
    } else {
        ws.floats.push_slice(&jacobian);
    }
    value
}

/// The sweeps `S` of the adjoint's tangent.
#[expect(clippy::type_complexity, reason = "a value and its tangent")]
pub fn with_pull_push<S: Sweeps, F, B, G: ReadableSig, A: LinearSpace<G::Base>>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Curved<G, A>,
    y_bar: Option<&mut Tan<F::ReturnValue, G::Base, G::Base>>,
    y_bar_dot: Option<&mut Tan<F::ReturnValue, A, G::Base>>,
    ws: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<(F::ReturnValue, Tan<F::ReturnValue, A, G::Base>)>
where
    F: Function<G>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: WithBackend<F, G>,
{
    let (mut value, mut jacobian, mut row) = (None, Vec::new(), Vec::new());
    args.read(&mut row);
    if S::FORWARD {
        let found = with.linear(args.at());
        let y_dot = pushed(&found.y, &found.jacobian, &row, ws);
        (value, jacobian) = (Some((found.y, y_dot)), found.jacobian);
    }
    if S::REVERSE {
        let weights = numbers::<F::ReturnValue, G::Base, G::Base>(y_bar.expect(COTANGENT));
        let weights_dot = numbers::<F::ReturnValue, G::Base, A>(y_bar_dot.expect(COTANGENT));
        popped::<S, _, _>(&mut jacobian, weights.len() * row.len(), ws);
        let mut image = vec![<G::Base as Base>::ZERO; row.len()];
        let [mut image_dot, mut bent] = [vec![A::ZERO; row.len()], vec![A::ZERO; row.len()]];
        transposed_times(&jacobian, &weights, &mut image);
        transposed_times(&jacobian, &weights_dot, &mut image_dot);
        times(&B::Second::curvature(with, args.at(), &weights), &row, &mut bent);
        image_dot.iter_mut().zip(&bent).for_each(|(dot, bent)| *dot += *bent);
        args.add_both(&mut &image[..], &mut &image_dot[..]);
    } else {
        ws.floats.push_slice(&jacobian);
    }
    value
}

const COTANGENT: &str = "the reverse sweep takes a cotangent";

/// The Jacobian that a forward sweep left, if that one was apart.
fn popped<S: Sweeps, F: Base, A: LinearSpace<F>>(jacobian: &mut Vec<F>, entries: usize, ws: &mut Workspace<F, A>) {
    if !S::FORWARD {
        jacobian.resize(entries, <F as Base>::ZERO);
        ws.floats.pop_slice(jacobian);
    }
}
