//! Functions that every backend differentiates by one that is named with them.
//!
//! Such a function has a Jacobian, found by its own backend, where others have derivative code. Tangents and cotangents in any
//! linear space are multiplied with it; between the sweeps it stands on the tape.

use crate::active::{Active, Member, Tangent};
use crate::arguments::{Args, Value};
use crate::backend::Backend;
use crate::base::Base;
use crate::function::{Func, Ret, Source, Tan};
use crate::kinds::{Kind, Pass, PassRef, Ref, Sig, Val, View, arities};
use crate::lanes::Float;
use crate::linear::Lin;
use crate::list::{Flat, List, Nil};
use crate::operators::jacobian::{DenseJacobianBackend, JacobianBy};
use crate::roles::{Call, Input, Mask, Passed, Role};
use crate::slots::{BarSlot, DotSlot, Flag, On};
use crate::sweeps::Sweeps;
use crate::workspace::Workspace;
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
/// arguments, and writes to none. Of its second derivatives nothing is known: asking for them does not compile.
///
/// Shapes: its Jacobian is found wherever the function around it is differentiated, with as many passes as the backend needs
/// for that. A function that cannot be annotated, like a closure, needs a backend that only calls it.
pub fn differentiate_with<F, B: Backend>(function: F, backend: B) -> DifferentiateWith<F, B> {
    DifferentiateWith { function, backend }
}

impl<F, B> DifferentiateWith<F, B> {
    /// Calls the function.
    pub fn call<G: Sig, R, X: Args<G, R>>(&self, mut args: X) -> F::Ret
    where
        F: Func<G>,
    {
        self.function.call(args.at())
    }
}

/// A parameter that is read: its shadow is a row of numbers.
#[diagnostic::on_unimplemented(
    message = "a function with a `{Self}` parameter cannot be differentiated by another backend",
    label = "writes to a parameter",
    note = "`differentiate_with` takes functions that return their results"
)]
pub trait Readable: Kind {
    /// Active, if the parameter can be.
    type Role: Role;
    /// Appends the numbers of a tangent.
    fn read<A: Lin<Self::Base>>(dot: &Self::Dot<'_, A>, row: &mut Vec<A>);
    /// Adds numbers to a cotangent, or writes them there, and takes them off the row.
    fn add<A: Lin<Self::Base>>(bar: &mut Self::Bar<'_, A>, fresh: bool, row: &mut &[A]);
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
            fn read<A: Lin<Self::Base>>(dot: &Self::Dot<'_, A>, row: &mut Vec<A>) {
                dot.each(&mut |v| row.push(v));
            }
            fn add<A: Lin<Self::Base>>(bar: &mut Self::Bar<'_, A>, fresh: bool, row: &mut &[A]) {
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
            type Role = Passed;
            fn read<A: Lin<Self::Base>>(_: &Self::Dot<'_, A>, _: &mut Vec<A>) {}
            fn add<A: Lin<Self::Base>>(_: &mut Self::Bar<'_, A>, _: bool, _: &mut &[A]) {}
        }
    )+ };
}
passive! {
    [T: Clone + 'static, F: Float] Pass<T, F>;
    [T: ?Sized + 'static, F: Float] PassRef<T, F>;
}

/// Parameters that are all read.
pub trait ReadableSig: Sig + Sized {
    /// All that can be active is.
    type Roles: Call<Self>;
    /// The numbers of all tangents; zeros for those that are switched off.
    fn read<A: Lin<Self::Base>, M: Mask>(at: &Self::At<'_>, dots: &Self::Dots<'_, A>, row: &mut Vec<A>);
    /// Adds the numbers of a row to the cotangents.
    fn add<A: Lin<Self::Base>, M: Mask>(at: &Self::At<'_>, bars: &mut Self::Bars<'_, A>, row: &mut &[A]);
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: Readable<Base = F>),+> ReadableSig for ($($K,)+) {
            type Roles = ($($K::Role,)+);
            fn read<A: Lin<F>, M: Mask>(at: &Self::At<'_>, dots: &Self::Dots<'_, A>, row: &mut Vec<A>) {
                $(match M::$P::ON {
                    true => $K::read(&dots.$i, row),
                    false => row.extend(std::iter::repeat_n(A::ZERO, $K::count(&at.$i))),
                })+
            }
            fn add<A: Lin<F>, M: Mask>(at: &Self::At<'_>, bars: &mut Self::Bars<'_, A>, row: &mut &[A]) {
                $(match M::$P::ON {
                    true => $K::add(&mut bars.$i, M::Fresh::ON, row),
                    false => *row = &row[$K::count(&at.$i)..],
                })+
            }
        }

        impl<F: Float, $($K: Kind<Base = F>, $X: Value<$K>, $P),+> Paired<($($K,)+)> for ($(($X, $P),)+) {
            fn at(&mut self) -> ($($K::At<'_>,)+) {
                ($(self.$i.0.at(),)+)
            }
        }

        impl<F: Float, A: Lin<F>, $($K: Kind<Base = F>, $X: Value<$K>, $P: DotSlot<$K::Place, A>),+> Dotted<($($K,)+), A>
            for ($(($X, $P),)+)
        {
            fn read(&mut self, row: &mut Vec<A>) {
                $(
                    let count = $K::count(&self.$i.0.at());
                    read_slot::<$K::Place, A, $P>(&self.$i.1, count, row);
                )+
            }
        }

        impl<F: Float, A: Lin<F>, $($K: Kind<Base = F>, $X: Value<$K>, $P: BarSlot<$K::Place, A>),+> Barred<($($K,)+), A>
            for ($(($X, $P),)+)
        {
            fn add(&mut self, row: &mut &[A]) {
                $(
                    let count = $K::count(&self.$i.0.at());
                    add_slot::<$K::Place, A, $P>(&mut self.$i.1, count, row);
                )+
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
    pub(crate) fn linear<G: ReadableSig>(&self, mut at: G::At<'_>) -> Linear<F::Ret, G::Base>
    where
        F: Func<G>,
        <G::Roles as Call<G>>::In: Flat,
        B: DenseJacobianBackend<F, G, G::Roles>,
    {
        let DifferentiateWith { function, backend } = self;
        let mut state = <B::Jacobian as JacobianBy<B, F, G, G::Roles>>::state(backend, function, &mut at);
        let found = <B::Jacobian as JacobianBy<B, F, G, G::Roles>>::owned::<On>(backend, function, at, &mut state);
        let (y, blocks) = found.expect("the memory fits the arguments that it was made for");
        let mut all: Vec<Array2<G::Base>> = Vec::new();
        <<G::Roles as Call<G>>::In as Flat>::each_block(blocks, |block| all.push(block));
        let rows = all.first().map_or(0, |block| block.nrows());
        let row = |k: usize| all.iter().flat_map(move |block| block.row(k).to_vec());
        Linear { y: y.expect("the value was asked for"), jacobian: (0..rows).flat_map(row).collect() }
    }
}

/// `to = J from`, the Jacobian row by row.
fn times<F: Base, A: Lin<F>>(jacobian: &[F], from: &[A], to: &mut [A]) {
    A::apply(from, to, &mut |from, to| {
        for (k, to) in to.iter_mut().enumerate() {
            let row = &jacobian[k * from.len()..][..from.len()];
            *to = row.iter().zip(from).map(|(j, v)| *j * *v).sum();
        }
    });
}

/// `to = Jᵀ from`.
fn transposed_times<F: Base, A: Lin<F>>(jacobian: &[F], from: &[A], to: &mut [A]) {
    A::apply(from, to, &mut |from, to| {
        to.fill(<F as Base>::ZERO);
        for (k, v) in from.iter().enumerate() {
            let row = &jacobian[k * to.len()..][..to.len()];
            to.iter_mut().zip(row).for_each(|(to, j)| *to += *j * *v);
        }
    });
}

type Onto<Y, F> = <Y as Ret<F>>::Onto<Nil<F>>;

/// The numbers of a result's shadow.
fn numbers<Y: Ret<F>, F: Float, A: Lin<F>>(shadow: &mut Y::Tangent<A>) -> Vec<A> {
    let mut row = Vec::new();
    <Onto<Y, F> as List>::each(Y::muts::<Nil<F>, A>(shadow, ()), &mut |v: &mut A| row.push(*v));
    row
}

/// The tangent of a result that is the Jacobian times a row.
fn pushed<Y: Ret<F>, F: Float, A: Lin<F>>(
    Linear { y, jacobian }: Linear<Y, F>,
    row: &[A],
    ws: &mut Workspace<F, A>,
) -> (Y, Y::Tangent<A>) {
    let mut y_dot = y.zero(&mut ws.shadows);
    let mut image = numbers::<Y, F, A>(&mut y_dot);
    times(&jacobian, row, &mut image);
    let mut image = image.iter();
    let write = &mut |v: &mut A| image.next().into_iter().for_each(|i| *v = *i);
    <Onto<Y, F> as List>::each(Y::muts::<Nil<F>, A>(&mut y_dot, ()), write);
    (y, y_dot)
}

/// The sweeps `S`: `linear` is asked for the Jacobian in the forward sweep, `add` gets a row of cotangents in the reverse one.
fn pulled<Y: Ret<F>, F: Float, A: Lin<F>, S: Sweeps>(
    linear: impl FnOnce() -> Linear<Y, F>,
    inputs: usize,
    y_bar: Option<&mut Y::Tangent<A>>,
    ws: &mut Workspace<F, A>,
    add: impl FnOnce(&[A]),
) -> Option<Y> {
    let (mut value, mut jacobian) = (None, Vec::new());
    if S::FORWARD {
        let found = linear();
        (value, jacobian) = (Some(found.y), found.jacobian);
        if !S::REVERSE {
            ws.floats.push_slice(&jacobian);
            return value;
        }
    }
    let row = numbers::<Y, F, A>(y_bar.expect("the reverse sweep takes a cotangent"));
    if !S::FORWARD {
        jacobian.resize(row.len() * inputs, <F as Base>::ZERO);
        ws.floats.pop_slice(&mut jacobian);
    }
    let mut image = vec![A::ZERO; inputs];
    transposed_times(&jacobian, &row, &mut image);
    add(&image);
    value
}

/// A compile error, as soon as second derivatives are asked for.
struct Refused<T>(T);

impl<T> Refused<T> {
    const NOW: () = panic!(
        "second derivatives of a function that `differentiate_with` gives to another backend are not known: differentiate it \
         itself, or find second derivatives by `SecondOrder(AutoFiniteDiff, ..)`"
    );
}

impl<G: Sig, F: Func<G>, B> Func<G> for DifferentiateWith<F, B> {
    type Ret = F::Ret;
    const PARAMETERS: &'static [&'static str] = F::PARAMETERS;
    #[inline]
    fn call(&self, at: G::At<'_>) -> F::Ret {
        self.function.call(at)
    }
}

impl<G, F, B> Source<G> for DifferentiateWith<F, B>
where
    G: ReadableSig,
    F: Func<G> + Copy + Send + 'static,
    <G::Roles as Call<G>>::In: Flat,
    B: DenseJacobianBackend<F, G, G::Roles> + Copy,
{
    fn push<A: Lin<G::Base>, M: Mask>(
        &self,
        mut at: G::At<'_>,
        dots: G::Dots<'_, A>,
        ws: &mut Workspace<G::Base, A>,
    ) -> (F::Ret, Tan<F::Ret, A, G::Base>) {
        let mut row = Vec::new();
        G::read::<A, M>(&at, &dots, &mut row);
        pushed(self.linear(G::again(&mut at)), &row, ws)
    }

    fn pull<A: Lin<G::Base>, M: Mask, S: Sweeps>(
        &self,
        mut at: G::At<'_>,
        mut bars: G::Bars<'_, A>,
        y_bar: &mut Tan<F::Ret, A, G::Base>,
        ws: &mut Workspace<G::Base, A>,
    ) -> Option<F::Ret> {
        let mut inputs = 0;
        G::Roles::input_sizes(&at, &mut |size| inputs += size);
        let mut image = Vec::new();
        let linear = || self.linear(G::again(&mut at));
        let value =
            pulled::<F::Ret, G::Base, A, S>(linear, inputs, Some(y_bar), ws, |row| image.extend_from_slice(row));
        if S::REVERSE {
            G::add::<A, M>(&at, &mut bars, &mut &image[..]);
        }
        value
    }

    fn pull_push<A: Lin<G::Base>, M: Mask, S: Sweeps>(
        &self,
        _: G::At<'_>,
        _: G::Dots<'_, A>,
        _: G::Bars<'_, G::Base>,
        _: G::Bars<'_, A>,
        _: &mut Tan<F::Ret, G::Base, G::Base>,
        _: &mut Tan<F::Ret, A, G::Base>,
        _: &mut Workspace<G::Base, A>,
    ) -> Option<(F::Ret, Tan<F::Ret, A, G::Base>)> {
        let () = Refused::<A>::NOW;
        None
    }
}

/// Arguments in generated code, each with its shadow: pairs of a value and a slot.
pub trait Paired<G: Sig> {
    /// What the function receives.
    fn at(&mut self) -> G::At<'_>;
}

/// Arguments with tangents.
pub trait Dotted<G: Sig, A: Lin<G::Base>>: Paired<G> {
    /// Appends the numbers of all tangents.
    fn read(&mut self, row: &mut Vec<A>);
}

/// Arguments with cotangents.
pub trait Barred<G: Sig, A: Lin<G::Base>>: Paired<G> {
    /// Adds the numbers of a row to all cotangents, and takes them off.
    fn add(&mut self, row: &mut &[A]);
}

fn read_slot<P: Member + ?Sized, A: Lin<P::Base>, S: DotSlot<P, A>>(slot: &S, count: usize, row: &mut Vec<A>) {
    let mut off = P::empty::<A>();
    match S::On::ON {
        true => slot.get(P::shadow(&mut off)).each(&mut |v| row.push(v)),
        false => row.extend(std::iter::repeat_n(A::ZERO, count)),
    }
}

fn add_slot<P: Member + ?Sized, A: Lin<P::Base>, S: BarSlot<P, A>>(slot: &mut S, count: usize, row: &mut &[A]) {
    let mut off = P::empty::<A>();
    match S::On::ON {
        true => add(slot.get(P::shadow(&mut off)), S::FRESH, row),
        false => *row = &row[count..],
    }
}

/// The call itself.
pub fn with_value<F: Func<G>, B, G: Sig>(with: &DifferentiateWith<F, B>, mut args: impl Paired<G>) -> F::Ret {
    with.function.call(args.at())
}

/// The value and its tangent.
pub fn with_push<F, B, G: ReadableSig, A: Lin<G::Base>>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Dotted<G, A>,
    ws: &mut Workspace<G::Base, A>,
) -> (F::Ret, Tan<F::Ret, A, G::Base>)
where
    F: Func<G>,
    <G::Roles as Call<G>>::In: Flat,
    B: DenseJacobianBackend<F, G, G::Roles>,
{
    let mut row = Vec::new();
    args.read(&mut row);
    pushed(with.linear(args.at()), &row, ws)
}

/// The sweeps `S` of the adjoint.
pub fn with_pull<S: Sweeps, F, B, G: ReadableSig, A: Lin<G::Base>>(
    with: &DifferentiateWith<F, B>,
    mut args: impl Barred<G, A>,
    y_bar: Option<&mut Tan<F::Ret, A, G::Base>>,
    ws: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<F::Ret>
where
    F: Func<G>,
    <G::Roles as Call<G>>::In: Flat,
    B: DenseJacobianBackend<F, G, G::Roles>,
{
    let (mut inputs, mut image) = (0, Vec::new());
    G::Roles::input_sizes(&args.at(), &mut |size| inputs += size);
    let linear = || with.linear(args.at());
    let value = pulled::<F::Ret, G::Base, A, S>(linear, inputs, y_bar, ws, |row| image.extend_from_slice(row));
    if S::REVERSE {
        args.add(&mut &image[..]);
    }
    value
}

/// The sweeps of the adjoint's tangent: not known.
#[expect(clippy::type_complexity, reason = "a value and its tangent")]
pub fn with_pull_push<S: Sweeps, F: Func<G>, B, G: Sig, A: Lin<G::Base>>(
    _: &DifferentiateWith<F, B>,
    _: impl Sized,
    _: Option<&mut Tan<F::Ret, G::Base, G::Base>>,
    _: Option<&mut Tan<F::Ret, A, G::Base>>,
    _: &mut Workspace<G::Base, A>,
    _: S,
) -> Option<(F::Ret, Tan<F::Ret, A, G::Base>)> {
    let () = Refused::<A>::NOW;
    None
}
