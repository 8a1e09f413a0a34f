//! Several products at one point: what does not depend on the seed is done once, at preparation.
//!
//! `AutoReverse` keeps the tape for pullbacks. A backend that goes the other way than the operator finds the whole Jacobian at
//! preparation. Where nothing can be shared, as between tangents, each product is found anew.

mod dense;
mod hvp;
mod pullback;
mod pushforward;

pub use hvp::HeldHvpBy;
pub use pullback::HeldPullbackBy;
pub use pushforward::HeldPushforwardBy;

use super::AuxOf;
use super::pushforward::{Callers, Made};
use crate::error::Result;
use crate::number::hlist::{Flat, List};
use crate::number::shape::Shape;
use crate::number::width::{BatchWidth, One};
use crate::operators::strategy::{Backend, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Number, ReturnValue, Shown, result_bytes};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers;
use crate::signature::result_buffers::{Buffers, Owned};
use crate::signature::seeds::Seeds;
use crate::stack::memory_report::{Parts, names};
use crate::stack::tape::Recorder;
use std::fmt::{self, Debug, Formatter};

type Tuple<L, G> = <L as Flat>::Tuple<<G as Signature>::Base>;

/// An operator at one point: its prepared object, how that is made, and its two variants.
macro_rules! same_point {
    (
        $(#[$doc:meta])*
        $prepare:ident -> $Held:ident: $Slot:ident by $By:ident;
        where $($bound:ty: [$($trait:tt)*]),*;
        seeds $seeds:ident: [$($Seeds:tt)*];

        $(#[$owned_doc:meta])*
        fn $op:ident() -> $T:ty = |$point:ident| $owned:expr;
        $(#[$into_doc:meta])*
        fn $op_into:ident($result:ident: [$($Buffers:tt)*]) = |$target:ident| $into:expr;
    ) => {
        #[doc = concat!(
            "Prepares [`", stringify!($Held), "::", stringify!($op), "`] at this point, with seeds like `", stringify!($seeds), "`: `",
            stringify!($prepare), "(f, backend, args, ", stringify!($seeds), ")`.\n\n",
            "# Errors\n\nWhat the backend reports ([`Error`](crate::error::Error)).",
        )]
        pub fn $prepare<F, B, G, R, X, D, W>(f: F, backend: B, mut args: X, $seeds: D) -> Result<$Held<F, B, G, R, X, W>>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            X: Args<G, R>,
            R: ArgRoles<G>,
            B: Backend<$Slot: $By<B, F, G, R, W>>,
            W: BatchWidth,
            D: $($Seeds)*,
        {
            let _ = $seeds;
            let (state, y) = B::$Slot::hold(&backend, &f, args.at())?;
            let outputs = R::own_outputs(&args.at());
            Ok($Held { function: f, backend, args, state, y, outputs })
        }

        $(#[$doc])*
        pub struct $Held<F: Function<G>, B: Backend<$Slot: $By<B, F, G, R, W>>, G: Signature, R: ArgRoles<G>, X, W: BatchWidth = One> {
            function: F,
            backend: B,
            args: X,
            state: <B::$Slot as $By<B, F, G, R, W>>::State,
            y: F::ReturnValue,
            outputs: <R::Outs as List>::Owns,
        }

        impl<F, B, G, R, X, W> $Held<F, B, G, R, X, W>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            X: Args<G, R>,
            R: ArgRoles<G>,
            B: Backend<$Slot: $By<B, F, G, R, W>>,
            W: BatchWidth,
        {
            /// The value at the point: the result, and the outputs among the arguments.
            pub fn value(&self) -> <Outputs<F, G, R> as Flat>::Values
            where
                Outputs<F, G, R>: Flat,
            {
                <Outputs<F, G, R>>::values(self.y.owns(<R::Outs as List>::duplicate(&self.outputs)))
            }

            /// What the function gives beside its result, if it has an auxiliary output.
            pub fn aux(&self) -> AuxOf<F, G> {
                self.y.beside()
            }

            /// The peak number of bytes that this object keeps for reverse sweeps.
            pub fn tape_bytes(&self) -> usize {
                self.state.tape_bytes()
            }

            /// How many bytes this object keeps, as for other prepared objects; its arguments, which it borrows, left out.
            pub fn bytes(&self) -> usize {
                self.kept().bytes()
            }

            fn kept(&self) -> Parts {
                let mut parts = Parts::of(&self.state);
                parts.add(names::RESULTS, result_bytes(&self.y) + R::Outs::bytes(&self.outputs));
                parts
            }

            $(#[$owned_doc])*
            pub fn $op<D: $($Seeds)*>(&mut self, $seeds: D) -> Result<$T> {
                let $point = self;
                $owned
            }

            $(#[$into_doc])*
            pub fn $op_into<Y: $($Buffers)*, D: $($Seeds)*>(&mut self, mut $result: Y, $seeds: D) -> Result<()> {
                let $target = self;
                $into
            }
        }

        impl<F, B, G, R, X, W> Debug for $Held<F, B, G, R, X, W>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            X: Args<G, R>,
            R: ArgRoles<G>,
            B: Backend<$Slot: $By<B, F, G, R, W>>,
            W: BatchWidth,
        {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Held))
                    .field("backend", &self.backend)
                    .field("cached", &self.kept())
                    .field("bytes", &self.bytes())
                    .field("tape_bytes", &self.tape_bytes())
                    .finish_non_exhaustive()
            }
        }
    };
}

same_point! {
    #[doc = include_str!("../docs/pullback_same_point.md")]
    prepare_pullback_same_point -> PullbackSamePoint: Pullback by HeldPullbackBy;
    where R::In: [Flat];
    seeds dy: [Seeds<Outputs<F, G, R>, W>];

    /// The product of the transposed Jacobian with `dy`.
    fn pullback() -> W::Of<Tuple<R::In, G>> = |point| {
        let PullbackSamePoint { function, backend, args, state, y, .. } = point;
        let at = args.at();
        let mut dx = Owned::<R::In, W>(W::make(|| R::zero_inputs(&at)));
        B::Pullback::run_held(backend, function, at, state, y, &dy, &mut dx)?;
        Ok(W::map(dx.0, R::In::flat))
    };
    /// As [`pullback`](Self::pullback), into `result`.
    fn pullback_into(result: [Buffers<R::In, W>]) = |point| {
        let PullbackSamePoint { function, backend, args, state, y, .. } = point;
        let at = args.at();
        result_buffers::check(&mut result, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        B::Pullback::run_held(backend, function, at, state, y, &dy, &mut result)
    };
}

same_point! {
    #[doc = include_str!("../docs/pushforward_same_point.md")]
    prepare_pushforward_same_point -> PushforwardSamePoint: Pushforward by HeldPushforwardBy;
    where Outputs<F, G, R>: [Flat];
    seeds dx: [Seeds<R::In, W>];

    /// The product of the Jacobian with `dx`.
    fn pushforward() -> W::Of<Tuple<Outputs<F, G, R>, G>> = |point| {
        let PushforwardSamePoint { function, backend, args, state, y, .. } = point;
        let at = args.at();
        let mut dy = Made::new(&at);
        B::Pushforward::run_held(backend, function, at, state, y, &dx, &mut dy)?;
        Ok(dy.tuples())
    };
    /// As [`pushforward`](Self::pushforward), into `result`.
    fn pushforward_into(result: [Buffers<Outputs<F, G, R>, W>]) = |point| {
        let PushforwardSamePoint { function, backend, args, state, y, .. } = point;
        B::Pushforward::run_held(backend, function, args.at(), state, y, &dx, &mut Callers(&mut result))
    };
}

same_point! {
    #[doc = include_str!("../docs/hvp_same_point.md")]
    prepare_hvp_same_point -> HvpSamePoint: Second by HeldHvpBy;
    where F::ReturnValue: [Number<G::Base, R::Outs>], R::In: [Flat];
    seeds v: [Seeds<R::In, W>];

    /// The product of the Hessian with `v`.
    fn hvp() -> W::Of<Tuple<R::In, G>> = |point| {
        let HvpSamePoint { function, backend, args, state, .. } = point;
        let at = args.at();
        let mut hv = Owned::<R::In, W>(W::make(|| R::zero_inputs(&at)));
        B::Second::run_held(backend, function, at, state, &v, &mut hv)?;
        Ok(W::map(hv.0, R::In::flat))
    };
    /// As [`hvp`](Self::hvp), into `result`.
    fn hvp_into(result: [Buffers<R::In, W>]) = |point| {
        let HvpSamePoint { function, backend, args, state, .. } = point;
        let at = args.at();
        result_buffers::check(&mut result, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        B::Second::run_held(backend, function, at, state, &v, &mut result)
    };
}

impl<F, B, G, R, X, W> HvpSamePoint<F, B, G, R, X, W>
where
    F: Function<G>,
    G: Signature,
    R: ArgRoles<G, In: Flat>,
    B: Backend<Second: HeldHvpBy<B, F, G, R, W>>,
    W: BatchWidth,
{
    /// The gradient at the point.
    pub fn gradient(&self) -> Tuple<R::In, G> {
        R::In::flat(B::Second::gradient(&self.state))
    }
}
