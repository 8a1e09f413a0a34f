//! What the caller makes of each argument: differentiated, constant, scratch, output. Decided by the types at the call.

use crate::number::active::{Member, Place};
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::flag::{Flag, Off, On};
use crate::number::hlist::{Cons, List, Nil};
use crate::number::linear_space::LinearSpace;
use crate::number::shape::Shape;
use crate::number::tangent::Tangent;
use crate::signature::param_kinds::{Own, ParamKind, Shadow, Signature};
use crate::signature::shadow_slots::{Bar, Dot};
use std::fmt::Debug;
use std::marker::PhantomData;

/// Differentiated.
#[derive(Clone, Copy, Debug)]
pub struct Input;
/// `Constant(..)`.
#[derive(Clone, Copy, Debug)]
pub struct Passed;
/// `Cache(&mut ..)`: derivatives flow through it.
#[derive(Clone, Copy, Debug)]
pub struct Scratch;
/// `&mut y` that is written before it is read: an output.
#[derive(Clone, Copy, Debug)]
pub struct Output;
/// `&mut y` that is read and written: an input and an output.
#[derive(Clone, Copy, Debug)]
pub struct InOut;

/// What an argument is for.
pub trait Role: Debug + Send + 'static {
    /// Whether it is an input.
    type In: Put;
    /// Whether it is an output.
    type Out: Put;
    /// Whether derivatives flow through it.
    type Flows: Flag;
}

macro_rules! roles {
    ($($Role:ident: $In:ident $Out:ident $Flows:ident;)+) => { $(
        impl Role for $Role {
            type In = $In;
            type Out = $Out;
            type Flows = $Flows;
        }
    )+ };
}
roles! {
    Input:   On  Off On;
    Passed:  Off Off Off;
    Scratch: Off Off On;
    Output:  Off On  On;
    InOut:   On  On  On;
}

/// Whether a place is put on a list.
pub trait Put: Flag {
    /// The list `L`, with `P` in front if this is `On`.
    type Push<P: Member + ?Sized, L: List<Base = P::Base>>: List<Base = P::Base>;
    /// Puts a reference in front.
    fn push<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        first: &'a mut P::Shadow<A>,
        rest: L::Muts<'a, A>,
    ) -> Muts<'a, Self::Push<P, L>, A>;
    /// Takes the first reference off; the list itself with `own` if this is `Off`.
    fn pop<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        list: Muts<'a, Self::Push<P, L>, A>,
        own: &'a mut P::Shadow<A>,
    ) -> (Popped<'a, P, A>, L::Muts<'a, A>);
    /// Puts an owned shadow in front.
    fn store<P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        first: impl FnOnce() -> P::Store<A>,
        rest: L::Stores<A>,
    ) -> <Self::Push<P, L> as List>::Stores<A>;
    /// Puts an owned value in front.
    fn own<P: Member + ?Sized, L: List<Base = P::Base>>(
        first: impl FnOnce() -> P::Own,
        rest: L::Owns,
    ) -> <Self::Push<P, L> as List>::Owns;
}

type Muts<'a, L, A> = <L as List>::Muts<'a, A>;

/// A reference from a list, and the one that the operator has itself.
pub struct Popped<'a, P: Place + ?Sized, A: LinearSpace<P::Base>> {
    listed: Option<&'a mut P::Shadow<A>>,
    own: &'a mut P::Shadow<A>,
}

impl Put for On {
    type Push<P: Member + ?Sized, L: List<Base = P::Base>> = Cons<P, L>;
    #[inline]
    fn push<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        first: &'a mut P::Shadow<A>,
        rest: L::Muts<'a, A>,
    ) -> Muts<'a, Cons<P, L>, A> {
        (first, rest)
    }
    #[inline]
    fn pop<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        (first, rest): Muts<'a, Cons<P, L>, A>,
        own: &'a mut P::Shadow<A>,
    ) -> (Popped<'a, P, A>, L::Muts<'a, A>) {
        (Popped { listed: Some(first), own }, rest)
    }
    #[inline]
    fn store<P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        first: impl FnOnce() -> P::Store<A>,
        rest: L::Stores<A>,
    ) -> (P::Store<A>, L::Stores<A>) {
        (first(), rest)
    }
    #[inline]
    fn own<P: Member + ?Sized, L: List<Base = P::Base>>(
        first: impl FnOnce() -> P::Own,
        rest: L::Owns,
    ) -> (P::Own, L::Owns) {
        (first(), rest)
    }
}

impl Put for Off {
    type Push<P: Member + ?Sized, L: List<Base = P::Base>> = L;
    #[inline]
    fn push<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        _: &'a mut P::Shadow<A>,
        rest: L::Muts<'a, A>,
    ) -> L::Muts<'a, A> {
        rest
    }
    #[inline]
    fn pop<'a, P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        rest: L::Muts<'a, A>,
        own: &'a mut P::Shadow<A>,
    ) -> (Popped<'a, P, A>, L::Muts<'a, A>) {
        (Popped { listed: None, own }, rest)
    }
    #[inline]
    fn store<P: Member + ?Sized, L: List<Base = P::Base>, A: LinearSpace<P::Base>>(
        _: impl FnOnce() -> P::Store<A>,
        rest: L::Stores<A>,
    ) -> L::Stores<A> {
        rest
    }
    #[inline]
    fn own<P: Member + ?Sized, L: List<Base = P::Base>>(_: impl FnOnce() -> P::Own, rest: L::Owns) -> L::Owns {
        rest
    }
}

/// The slots of parameters, made by functions without written types, which rustc checks in less time.
macro_rules! masked_slots {
    ($($P:ident $dot:ident $bar:ident),+) => { $(
        /// The slot of this parameter's tangent.
        #[inline]
        fn $dot<R>(tangent: R) -> Dot<Self::$P, R> {
            Dot::new(tangent)
        }
        /// The slot of its adjoint, if it is not written to.
        #[inline]
        fn $bar<R>(adjoint: R) -> Bar<Self::$P, Self::Fresh, R> {
            Bar::new(adjoint)
        }
    )+ };
}

/// Which parameters have a shadow, and whether pullbacks find their adjoints initialised.
pub trait ActivityMask: 'static {
    /// Whether the first parameter has a shadow; and so on.
    type P0: Flag;
    /// The second.
    type P1: Flag;
    /// The third.
    type P2: Flag;
    /// The fourth.
    type P3: Flag;
    /// The fifth.
    type P4: Flag;
    /// The sixth.
    type P5: Flag;
    /// The seventh.
    type P6: Flag;
    /// The eighth.
    type P7: Flag;
    /// The ninth.
    type P8: Flag;
    /// The tenth.
    type P9: Flag;
    /// The eleventh.
    type P10: Flag;
    /// The twelfth.
    type P11: Flag;
    /// Whether the adjoints of parameters that are not written to hold garbage: see [`BarSlot::FRESH`](crate::signature::shadow_slots::BarSlot::FRESH).
    type Fresh: Flag;
    masked_slots! {
        P0 dot0 bar0, P1 dot1 bar1, P2 dot2 bar2, P3 dot3 bar3, P4 dot4 bar4, P5 dot5 bar5, P6 dot6 bar6, P7 dot7 bar7, P8 dot8 bar8,
        P9 dot9 bar9, P10 dot10 bar10, P11 dot11 bar11
    }
}

/// The mask `M` with garbage in the adjoints.
#[derive(Debug)]
pub struct Fresh<M>(PhantomData<M>);

impl<M: ActivityMask> ActivityMask for Fresh<M> {
    type P0 = M::P0;
    type P1 = M::P1;
    type P2 = M::P2;
    type P3 = M::P3;
    type P4 = M::P4;
    type P5 = M::P5;
    type P6 = M::P6;
    type P7 = M::P7;
    type P8 = M::P8;
    type P9 = M::P9;
    type P10 = M::P10;
    type P11 = M::P11;
    type Fresh = On;
}

/// The roles of all arguments of a function with the signature `G`: a tuple.
pub trait ArgRoles<G: Signature>: ActivityMask + Debug + Send {
    /// The inputs.
    type In: List<Base = G::Base>;
    /// The outputs among the parameters.
    type Outs: List<Base = G::Base>;
    /// Whether there are outputs among the parameters.
    type Writes: Flag;
    /// Whether there are outputs among the parameters.
    const OUTPUTS: bool = Self::Writes::ON;
    /// Whether a parameter is input and output.
    const IN_OUT: bool;
    /// Whether the function can change how many numbers an output among the parameters has.
    const RESIZES: bool;
    /// Whether there are constants among the arguments.
    const CONSTANTS: bool;

    /// The shadows of all parameters: the operator's own. Inputs only if they are wanted.
    fn stores<A: LinearSpace<G::Base>>(at: &G::At<'_>, inputs: bool) -> G::Stores<A>;
    /// Clears the shadows of scratch and outputs.
    fn clear<A: LinearSpace<G::Base>>(own: &mut G::Stores<A>);
    /// Gives the shadows of outputs the shape that the outputs have by now: a `Vec` may have become longer or shorter.
    fn fit<A: LinearSpace<G::Base>>(at: &G::At<'_>, own: &mut G::Stores<A>);
    /// Clears the shadows of scratch and of what is an output alone.
    fn clear_dots<A: LinearSpace<G::Base>>(own: &mut G::Stores<A>);
    /// Zero for the inputs.
    fn zero_inputs<A: LinearSpace<G::Base>>(at: &G::At<'_>) -> <Self::In as List>::Stores<A>;
    /// Zero for the outputs among the parameters.
    fn zero_outputs<A: LinearSpace<G::Base>>(at: &G::At<'_>) -> <Self::Outs as List>::Stores<A>;
    /// The inputs' part of the operator's shadows.
    fn inputs<A: LinearSpace<G::Base>>(own: &mut G::Stores<A>) -> Muts<'_, Self::In, A>;
    /// The outputs' part of the operator's shadows.
    fn outputs<A: LinearSpace<G::Base>>(own: &mut G::Stores<A>) -> Muts<'_, Self::Outs, A>;
    /// Adjoints for all parameters: `x_bar` for the inputs, the operator's own for the rest. What is input and output
    /// goes in with the output's adjoint.
    fn bars<'a, A: LinearSpace<G::Base>>(x_bar: Muts<'a, Self::In, A>, own: &'a mut G::Stores<A>) -> G::Bars<'a, A>;
    /// Passes on the lengths of all that has a shadow.
    fn shape(at: &G::At<'_>, dim: &mut dyn FnMut(usize));
    /// The number, from 1, of the argument whose shadow is the `member`th.
    fn argument(member: usize) -> usize;
    /// Passes on the lengths of the inputs.
    fn input_shape(at: &G::At<'_>, dim: &mut dyn FnMut(usize));
    /// Passes on how many numbers each input has.
    fn input_sizes(at: &G::At<'_>, size: &mut dyn FnMut(usize));
    /// Copies the inputs and the outputs.
    fn save(at: &G::At<'_>, owns: &mut G::Owns);
    /// Copies the outputs.
    fn save_outputs(at: &G::At<'_>, owns: &mut G::Owns);
    /// The outputs' values.
    fn own_outputs(at: &G::At<'_>) -> <Self::Outs as List>::Owns;
    /// Puts copies of outputs back.
    fn restore_outputs(at: &mut G::At<'_>, owns: &mut G::Owns);
    /// Passes on the numbers of the inputs among the copies.
    fn each_input(owns: &mut G::Owns, f: &mut impl FnMut(&mut G::Base));
    /// Passes on the numbers of the outputs among the copies.
    fn each_output(owns: &mut G::Owns, f: &mut impl FnMut(&mut G::Base));
}

/// The list of the places in role `$side`.
macro_rules! listed {
    ($F:ident $side:ident;) => { Nil<$F> };
    ($F:ident $side:ident; $K:ident $P:ident $($rest:ident)*) => {
        <<$P as Role>::$side as Put>::Push<<$K as ParamKind>::Place, listed!($F $side; $($rest)*)>
    };
}

/// Whether a role is an output.
macro_rules! any {
    () => { Off };
    ($P:ident $($rest:ident)*) => { <<$P as Role>::Out as Flag>::Or<any!($($rest)*)> };
}

/// Builds a list of references or stores, last member first.
macro_rules! build {
    ($F:ident $side:ident $method:ident;) => { () };
    ($F:ident $side:ident $method:ident; $K:ident $P:ident $first:expr, $($rest:tt)*) => {
        <<$P as Role>::$side as Put>::$method::<<$K as ParamKind>::Place, build!(@list $F $side; $($rest)*), A>(
            $first,
            build!($F $side $method; $($rest)*),
        )
    };
    (@list $F:ident $side:ident;) => { Nil<$F> };
    (@list $F:ident $side:ident; $K:ident $P:ident $first:expr, $($rest:tt)*) => {
        <<$P as Role>::$side as Put>::Push<<$K as ParamKind>::Place, build!(@list $F $side; $($rest)*)>
    };
}

/// Builds a list of owned values of the outputs, last member first.
macro_rules! owned {
    ($F:ident;) => { () };
    ($F:ident; $K:ident $P:ident $first:expr, $($rest:tt)*) => {
        <<$P as Role>::Out as Put>::own::<<$K as ParamKind>::Place, build!(@list $F Out; $($rest)*)>($first, owned!($F; $($rest)*))
    };
}

/// `let x0 = adjoint of the first parameter; ..`, taking references off the list.
macro_rules! bars {
    ($F:ident $A:ident $list:ident $own:ident;) => { let () = $list; };
    ($F:ident $A:ident $list:ident $own:ident; $K:ident $P:ident $x:ident $i:tt $(, $Ks:ident $Ps:ident $xs:ident $is:tt)*) => {
        let own = <<$K as ParamKind>::Place as Member>::shadow(&mut $own.$i);
        let (popped, $list) = <<$P as Role>::In as Put>::pop::<<$K as ParamKind>::Place, listed!($F In; $($Ks $Ps)*), $A>($list, own);
        let $x = $K::bar(chosen::<$K, $P, $A>(popped));
        bars!($F $A $list $own; $($Ks $Ps $xs $is),*);
    };
}

/// The adjoint that the function receives: the caller's, which for an input and output starts as the operator's own.
#[inline]
fn chosen<'a, K: ParamKind, P: Role, A: LinearSpace<K::Base>>(popped: Popped<'a, K::Place, A>) -> &'a mut Shadow<K, A> {
    match popped.listed {
        Some(listed) => {
            if P::Out::ON {
                listed.set(popped.own);
            }
            listed
        }
        None => popped.own,
    }
}

/// The lengths of all containers in one number.
#[inline]
fn digest(walk: impl FnOnce(&mut dyn FnMut(usize))) -> u64 {
    let mut digest = 0u64;
    walk(&mut |n| digest = (digest ^ n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    digest
}

/// A copy of an argument.
fn copy<K: ParamKind>(at: &K::At<'_>) -> Own<K> {
    let mut own = None;
    K::save(at, &mut own);
    own.expect("what is an output can be copied")
}

#[inline]
fn each_own<K: ParamKind>(own: &mut Option<<K::Place as Member>::Own>, f: &mut impl FnMut(&mut K::Base)) {
    if let Some(own) = own {
        <K::Place as Member>::lend(own).each_mut(f);
    }
}

macro_rules! call {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ParamKind<Base = F>, $P: Role),+> ArgRoles<($($K,)+)> for ($($P,)+)
        where
            Self: ActivityMask,
        {
            type In = listed!(F In; $($K $P)+);
            type Outs = listed!(F Out; $($K $P)+);
            type Writes = any!($($P)+);
            const IN_OUT: bool = $((<$P::Out as Flag>::ON && <$P::In as Flag>::ON))||+;
            const RESIZES: bool = $((<$P::Out as Flag>::ON && <$K::Place as Member>::RESIZES))||+;
            const CONSTANTS: bool = $(!<$P::Flows as Flag>::ON)||+;

            #[inline]
            fn stores<A: LinearSpace<F>>(at: &<($($K,)+) as Signature>::At<'_>, inputs: bool) -> <($($K,)+) as Signature>::Stores<A> {
                ($(match $P::Flows::ON && (inputs || $P::Out::ON || !$P::In::ON) {
                    true => $K::zero(&at.$i),
                    false => <$K::Place as Member>::empty(),
                },)+)
            }
            #[inline]
            fn clear<A: LinearSpace<F>>(own: &mut <($($K,)+) as Signature>::Stores<A>) {
                $(if $P::Flows::ON && ($P::Out::ON || !$P::In::ON) {
                    <$K::Place as Member>::shadow(&mut own.$i).clear();
                })+
            }
            #[inline]
            fn fit<A: LinearSpace<F>>(at: &<($($K,)+) as Signature>::At<'_>, own: &mut <($($K,)+) as Signature>::Stores<A>) {
                $(if $P::Out::ON
                    && digest(|dim| $K::shape(&at.$i, dim))
                        != digest(|dim| <$K::Place as Member>::shadow(&mut own.$i).shape(dim))
                {
                    own.$i = $K::zero(&at.$i);
                })+
            }
            #[inline]
            fn clear_dots<A: LinearSpace<F>>(own: &mut <($($K,)+) as Signature>::Stores<A>) {
                $(if $P::Flows::ON && !$P::In::ON {
                    <$K::Place as Member>::shadow(&mut own.$i).clear();
                })+
            }
            #[inline]
            fn zero_inputs<A: LinearSpace<F>>(at: &<($($K,)+) as Signature>::At<'_>) -> <Self::In as List>::Stores<A> {
                build!(F In store; $($K $P || $K::zero(&at.$i),)+)
            }
            #[inline]
            fn zero_outputs<A: LinearSpace<F>>(at: &<($($K,)+) as Signature>::At<'_>) -> <Self::Outs as List>::Stores<A> {
                build!(F Out store; $($K $P || $K::zero(&at.$i),)+)
            }
            #[inline]
            fn inputs<A: LinearSpace<F>>(own: &mut <($($K,)+) as Signature>::Stores<A>) -> Muts<'_, Self::In, A> {
                build!(F In push; $($K $P <$K::Place as Member>::shadow(&mut own.$i),)+)
            }
            #[inline]
            fn outputs<A: LinearSpace<F>>(own: &mut <($($K,)+) as Signature>::Stores<A>) -> Muts<'_, Self::Outs, A> {
                build!(F Out push; $($K $P <$K::Place as Member>::shadow(&mut own.$i),)+)
            }
            #[inline]
            fn bars<'a, A: LinearSpace<F>>(
                list: Muts<'a, Self::In, A>,
                own: &'a mut <($($K,)+) as Signature>::Stores<A>,
            ) -> <($($K,)+) as Signature>::Bars<'a, A> {
                bars!(F A list own; $($K $P $x $i),+);
                ($($x,)+)
            }
            #[inline]
            fn shape(at: &<($($K,)+) as Signature>::At<'_>, dim: &mut dyn FnMut(usize)) {
                $(if $P::Flows::ON {
                    $K::shape(&at.$i, dim);
                    Shape::next(dim);
                })+
            }
            fn argument(member: usize) -> usize {
                let shadows = [$($P::Flows::ON),+];
                let mut places = (1..).zip(shadows).filter(|(_, on)| *on).map(|(place, _)| place);
                places.nth(member).unwrap_or(0)
            }
            #[inline]
            fn input_shape(at: &<($($K,)+) as Signature>::At<'_>, dim: &mut dyn FnMut(usize)) {
                $(if $P::In::ON {
                    $K::shape(&at.$i, dim);
                    Shape::next(dim);
                })+
            }
            #[inline]
            fn input_sizes(at: &<($($K,)+) as Signature>::At<'_>, size: &mut dyn FnMut(usize)) {
                $(if $P::In::ON {
                    size($K::count(&at.$i));
                })+
            }
            #[inline]
            fn save(at: &<($($K,)+) as Signature>::At<'_>, owns: &mut <($($K,)+) as Signature>::Owns) {
                $(if $P::In::ON || $P::Out::ON {
                    $K::save(&at.$i, &mut owns.$i);
                })+
            }
            #[inline]
            fn save_outputs(at: &<($($K,)+) as Signature>::At<'_>, owns: &mut <($($K,)+) as Signature>::Owns) {
                $(if $P::Out::ON {
                    $K::save(&at.$i, &mut owns.$i);
                })+
            }
            fn own_outputs(at: &<($($K,)+) as Signature>::At<'_>) -> <Self::Outs as List>::Owns {
                owned!(F; $($K $P || copy::<$K>(&at.$i),)+)
            }
            #[inline]
            fn restore_outputs(at: &mut <($($K,)+) as Signature>::At<'_>, owns: &mut <($($K,)+) as Signature>::Owns) {
                $(if $P::Out::ON {
                    $K::restore(&mut at.$i, &mut owns.$i);
                })+
            }
            #[inline]
            fn each_input(owns: &mut <($($K,)+) as Signature>::Owns, f: &mut impl FnMut(&mut F)) {
                $(if $P::In::ON {
                    each_own::<$K>(&mut owns.$i, f);
                })+
            }
            #[inline]
            fn each_output(owns: &mut <($($K,)+) as Signature>::Owns, f: &mut impl FnMut(&mut F)) {
                $(if $P::Out::ON {
                    each_own::<$K>(&mut owns.$i, f);
                })+
            }
        }
    };
}
arities!(call);

macro_rules! mask {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        mask!(@ [$($P)+] [] [P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11] $($P)+);
    };
    (@ $all:tt [$($done:tt)*] [$Flag:ident $($flags:ident)*] $P:ident $($rest:ident)*) => {
        mask!(@ $all [$($done)* type $Flag = $P::Flows;] [$($flags)*] $($rest)*);
    };
    (@ [$($P:ident)+] [$($done:tt)*] [$($Flag:ident)*]) => {
        impl<$($P: Role),+> ActivityMask for ($($P,)+) {
            $($done)*
            $(type $Flag = Off;)*
            type Fresh = Off;
        }
    };
}
arities!(mask);
