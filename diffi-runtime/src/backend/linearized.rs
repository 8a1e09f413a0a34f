//! Functions whose Jacobian is found besides, evaluated on other numbers: their values, and the linear part of what changes.
//!
//! Rules by hand know first derivatives at one point, and [`differentiate_with`] second ones, too. Numbers that carry more do not
//! compile; a recorded program that holds such a part is good for first derivatives alone.

use crate::backend::AutoReverse;
use crate::backend::differentiate_with::{
    CurvedBy, DifferentiateWith, Linear, Readable, ReadableSig, WithBackend, differentiate_with,
};
use crate::number::active::{Active, Member};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::hlist::Flat;
use crate::number::real::Real;
use crate::operators::jacobian::DenseJacobianBackend;
use crate::overload::over_signature::{OverKind, OverSignature};
use crate::overload::{Lifted, LiftedPlace, LiftedReturn, Over, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Value;
use crate::signature::function::Function;
use crate::signature::param_kinds::{Own, ParamKind, Passive, PassiveRef, Ref, Signature, Val, View};
use ndarray::Dimension;

/// A parameter that is read, made of other numbers.
pub trait ReadableOver: OverKind + Readable {
    /// Copies the value, and appends the numbers.
    fn read_over<S: Real<Base = Self::Base>>(over: &Self::Over<'_, S>, own: &mut Option<Own<Self>>, row: &mut Vec<S>);
    /// The copy, as the function receives it.
    fn plain<'s, S: Real<Base = Self::Base>>(
        own: &'s mut Option<Own<Self>>,
        over: &'s mut Self::Over<'_, S>,
    ) -> Self::At<'s>;
}

const COPIED: &str = "the value was copied";

impl<T: Lifted> ReadableOver for Val<T> {
    fn read_over<S: Real<Base = T::Base>>(over: &<T as Lifted>::Over<S>, own: &mut Option<T>, row: &mut Vec<S>) {
        T::each_over(over, &mut |s| row.push(s));
        *own = Some(T::lower(over));
    }
    fn plain<'s, S: Real<Base = T::Base>>(own: &'s mut Option<T>, _: &'s mut <T as Lifted>::Over<S>) -> T {
        own.clone().expect(COPIED)
    }
}

impl<P: LiftedPlace + ?Sized> ReadableOver for Ref<P> {
    fn read_over<S: Real<Base = P::Base>>(over: &&P::Over<S>, own: &mut Option<P::Own>, row: &mut Vec<S>) {
        P::numbers(over, &mut |s| row.push(s));
        *own = Some(P::observed(over));
    }
    fn plain<'s, S: Real<Base = P::Base>>(own: &'s mut Option<P::Own>, _: &'s mut &P::Over<S>) -> &'s P {
        P::lend(own.as_mut().expect(COPIED))
    }
}

impl<F: Lifted + Active, D: Dimension + 'static> ReadableOver for View<F, D> {
    fn read_over<S: Real<Base = F::Base>>(
        over: &Self::Over<'_, S>,
        own: &mut Option<ndarray::Array<F, D>>,
        row: &mut Vec<S>,
    ) {
        over.iter().for_each(|v| F::each_over(v, &mut |s| row.push(s)));
        *own = Some(over.map(F::lower));
    }
    fn plain<'s, S: Real<Base = F::Base>>(
        own: &'s mut Option<ndarray::Array<F, D>>,
        _: &'s mut Self::Over<'_, S>,
    ) -> Self::At<'s> {
        own.as_ref().expect(COPIED).view()
    }
}

macro_rules! passive {
    ($($ParamKind:ident [$($bound:tt)*];)+) => { $(
        impl<T: $($bound)* + 'static, F: Float> ReadableOver for $ParamKind<T, F> {
            fn read_over<S: Real<Base = F>>(_: &Self::Over<'_, S>, _: &mut Option<Own<Self>>, _: &mut Vec<S>) {}
            fn plain<'s, S: Real<Base = F>>(_: &'s mut Option<Own<Self>>, over: &'s mut Self::Over<'_, S>) -> Self::At<'s> {
                Self::again(over)
            }
        }
    )+ };
}
passive! {
    Passive [Clone];
    PassiveRef [?Sized];
}

/// Parameters that are all read, made of other numbers.
pub trait ReadableOverSig: OverSignature + ReadableSig {
    /// Copies the values, and appends the numbers.
    fn read_over<S: Real<Base = Self::Base>>(over: &Self::Over<'_, S>, owns: &mut Self::Owns, row: &mut Vec<S>);
    /// The copies, as the function receives them.
    fn plain<'s, S: Real<Base = Self::Base>>(owns: &'s mut Self::Owns, over: &'s mut Self::Over<'_, S>)
    -> Self::At<'s>;
}

macro_rules! sig {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ReadableOver<Base = F>),+> ReadableOverSig for ($($K,)+) {
            fn read_over<S: Real<Base = F>>(over: &Self::Over<'_, S>, owns: &mut Self::Owns, row: &mut Vec<S>) {
                $($K::read_over(&over.$i, &mut owns.$i, row);)+
            }
            fn plain<'s, S: Real<Base = F>>(owns: &'s mut Self::Owns, over: &'s mut Self::Over<'_, S>) -> Self::At<'s> {
                ($($K::plain(&mut owns.$i, &mut over.$i),)+)
            }
        }
    };
}
arities!(sig);

impl<F, B, G> Overload<G> for DifferentiateWith<F, B>
where
    G: ReadableOverSig,
    F: Function<G, ReturnValue: LiftedReturn<G::Base>>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: WithBackend<F, G>,
{
    fn over<S: Real<Base = G::Base>>(&self, mut at: G::Over<'_, S>) -> Over<F::ReturnValue, S> {
        let (mut owns, mut row) = (G::Owns::default(), Vec::new());
        G::read_over(&at, &mut owns, &mut row);
        with_expanded(self, row, G::plain(&mut owns, &mut at))
    }
}

/// The function of the other backend, expanded at a point.
fn with_expanded<F, B, G, S>(with: &DifferentiateWith<F, B>, row: Vec<S>, mut at: G::At<'_>) -> Over<F::ReturnValue, S>
where
    G: ReadableSig,
    S: Real<Base = G::Base>,
    F: Function<G, ReturnValue: LiftedReturn<G::Base>>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: WithBackend<F, G>,
{
    let linear = with.linear(G::again(&mut at));
    expanded(linear, row, |weights| B::Second::curvature(with, G::again(&mut at), weights))
}

/// The value at a point, the Jacobian times what changes there, and for numbers that carry second derivatives the quadratic part.
pub(crate) fn expanded<Y: LiftedReturn<F>, F: Float, S: Real<Base = F>>(
    Linear { y, jacobian }: Linear<Y, F>,
    mut row: Vec<S>,
    mut curvature: impl FnMut(&[F]) -> Vec<F>,
) -> Over<Y, S> {
    const { assert!(S::DERIVATIVES <= 2, "first and second derivatives are known at a point, and no third ones") }
    row.iter_mut().for_each(|x| *x -= S::from_base(x.frozen()));
    let (n, zero) = (row.len(), <F as Base>::ZERO);
    let mut rows = jacobian.chunks(n.max(1));
    let (mut output, outputs) = (0, jacobian.len() / n.max(1));
    y.lift_result(&mut |v| {
        let slopes = rows.next().unwrap_or_default().iter().zip(&row).filter(|(slope, _)| **slope != zero);
        let mut y = slopes.fold(S::from_base(v), |y, (slope, change)| y + change.scale(*slope));
        let curved = S::Curves::when(|| {
            let weights: Vec<_> = (0..outputs).map(|k| if k == output { Base::ONE } else { zero }).collect();
            curvature(&weights)
        });
        let half = <F as Base>::lit(0.5);
        for (k, bend) in curved.iter().flatten().enumerate().filter(|(_, bend)| **bend != zero) {
            y += (row[k / n] * row[k % n]).scale(half * *bend);
        }
        output += 1;
        y
    })
}

/// A function with a rule by hand, on other numbers.
pub fn linearized<F, G, S>(f: &F, mut at: G::Over<'_, S>) -> Over<F::ReturnValue, S>
where
    G: ReadableOverSig,
    S: Real<Base = G::Base>,
    F: Function<G, ReturnValue: LiftedReturn<G::Base>> + Copy,
    <G::Roles as ArgRoles<G>>::In: Flat,
    AutoReverse: DenseJacobianBackend<F, G, G::Roles>,
{
    const {
        assert!(
            S::DERIVATIVES <= 1,
            "rules by hand know first derivatives at a point: differentiate by `AutoDual`, `AutoTape`, `AutoForward` or \
             `AutoReverse`, and find second derivatives by `SecondOrder(AutoFiniteDiff, ..)`"
        );
    }
    let (mut owns, mut row) = (G::Owns::default(), Vec::new());
    G::read_over(&at, &mut owns, &mut row);
    let linear = differentiate_with(*f, AutoReverse).linear(G::plain(&mut owns, &mut at));
    expanded(linear, row, |_| Vec::new())
}

/// An argument in generated code that is made of numbers.
#[derive(Debug)]
pub struct OfNumbers<X>(pub X);
/// An argument in generated code that is not.
#[derive(Debug)]
pub struct OfFloats<X>(pub X);

/// An argument for a parameter of kind `K`, in code over the numbers `S`.
pub trait OverArg<K: ParamKind, S> {
    /// Copies the value, and appends the numbers.
    fn read(&mut self, own: &mut Option<Own<K>>, row: &mut Vec<S>);
    /// What the function receives.
    fn at<'s>(&'s mut self, own: &'s mut Option<Own<K>>) -> K::At<'s>;
}

impl<K: ParamKind, S: Real<Base = K::Base>, X: Value<K>> OverArg<K, S> for OfFloats<X> {
    fn read(&mut self, _: &mut Option<Own<K>>, row: &mut Vec<S>) {
        row.extend(std::iter::repeat_n(S::lit(0.0), K::count(&self.0.at())));
    }
    fn at<'s>(&'s mut self, _: &'s mut Option<Own<K>>) -> K::At<'s> {
        self.0.at()
    }
}

impl<T: Lifted, S: Real<Base = T::Base>> OverArg<Val<T>, S> for OfNumbers<<T as Lifted>::Over<S>> {
    fn read(&mut self, own: &mut Option<T>, row: &mut Vec<S>) {
        <Val<T> as ReadableOver>::read_over(&self.0, own, row);
    }
    fn at<'s>(&'s mut self, own: &'s mut Option<T>) -> T {
        own.clone().expect(COPIED)
    }
}

/// One line for each way to pass what a `&P` parameter takes.
macro_rules! of_numbers {
    ($([$($generics:tt)*] $P:ty: $X:ty;)+) => { $(
        impl<T: Lifted, S: Real<Base = T::Base>, $($generics)*> OverArg<Ref<$P>, S> for OfNumbers<&$X> {
            fn read(&mut self, own: &mut Option<Own<Ref<$P>>>, row: &mut Vec<S>) {
                let over: &<$P as LiftedPlace>::Over<S> = self.0;
                <Ref<$P> as ReadableOver>::read_over::<S>(&over, own, row);
            }
            fn at<'s>(&'s mut self, own: &'s mut Option<Own<Ref<$P>>>) -> &'s $P {
                <$P as Member>::lend(own.as_mut().expect(COPIED))
            }
        }
    )+ };
}
of_numbers! {
    [] T: <T as Lifted>::Over<S>;
    [] [T]: [<T as Lifted>::Over<S>];
    [] [T]: Vec<<T as Lifted>::Over<S>>;
    [const N: usize] [T]: [<T as Lifted>::Over<S>; N];
}

/// Arguments for all parameters, in code over the numbers `S`.
pub trait OverArgs<G: Signature, S> {
    /// Copies the values, and appends the numbers.
    fn read(&mut self, owns: &mut G::Owns, row: &mut Vec<S>);
    /// What the function receives.
    fn at<'s>(&'s mut self, owns: &'s mut G::Owns) -> G::At<'s>;
}

macro_rules! args {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, S, $($K: ParamKind<Base = F>, $X: OverArg<$K, S>),+> OverArgs<($($K,)+), S> for ($($X,)+) {
            fn read(&mut self, owns: &mut <($($K,)+) as Signature>::Owns, row: &mut Vec<S>) {
                $(self.$i.read(&mut owns.$i, row);)+
            }
            fn at<'s>(&'s mut self, owns: &'s mut <($($K,)+) as Signature>::Owns) -> ($($K::At<'s>,)+) {
                ($(self.$i.at(&mut owns.$i),)+)
            }
        }
    };
}
arities!(args);

/// The call of a function that another backend differentiates, in code over the numbers `S`.
pub fn with_over<S, F, B, G, X>(with: &DifferentiateWith<F, B>, mut args: X) -> Over<F::ReturnValue, S>
where
    G: ReadableSig,
    S: Real<Base = G::Base>,
    F: Function<G, ReturnValue: LiftedReturn<G::Base>>,
    <G::Roles as ArgRoles<G>>::In: Flat,
    B: WithBackend<F, G>,
    X: OverArgs<G, S>,
{
    let (mut owns, mut row) = (G::Owns::default(), Vec::new());
    args.read(&mut owns, &mut row);
    with_expanded(with, row, args.at(&mut owns))
}
