//! The operators: for each one the trait of its strategies, its four variants, and its prepared object with the same variants.
//!
//! Enters: a function, a backend, arguments and seeds. Leaves: the derivative that the operator names, or an [`Error`](crate::error::Error).
//! May import: all that stands below, `backend` included.
#![allow(clippy::type_complexity, reason = "what an operator returns depends on function, roles and number of seeds")]

pub mod columns;
pub mod derivative;
pub mod entries;
pub mod gradient;
pub mod hessian;
pub mod hvp;
pub mod jacobian;
pub mod preparation;
pub mod pull;
pub mod pullback;
pub mod push;
pub mod pushforward;
pub mod rows;
pub mod same_point;
pub mod second_derivative;
pub mod second_order;
pub mod series;
pub mod strategy;

use crate::error::Result;
use crate::number::batch::Float;
use crate::signature::function::{Function, Shown};
use crate::signature::param_kinds::Signature;

/// A strategy that finds dense matrices, entry by entry.
pub trait Dense {}

impl Dense for strategy::ByPushes {}
impl Dense for strategy::ByPulls {}

/// The variants of an operator of first order.
///
/// In the operator's own file stand two functions: `owned` returns the result, `into` writes it into the caller's buffer; both
/// give the value besides, if they are asked for it.
macro_rules! operator {
    (
        $(#[$doc:meta])*
        $op:ident, $op_into:ident, $value_and_op:ident, $value_and_op_into:ident -> $T:ty, into [$($Buffers:tt)*];
        $(#[$prep_doc:meta])*
        $prepare:ident -> $Prep:ident: $Backend:ident, $Strategy:ident by $By:ident $(, without preparation: $once:ident)?;
        where $($bound:ty: [$($trait:tt)*]),*;
        $(seeds $seeds:ident: [$($Seeds:tt)*] of $W:ident;)?
    ) => {
        variants! {
            {
                $(#[$prep_doc])*
                $prepare -> $Prep: $Backend, $Strategy by $By;
                where $($bound: [$($trait)*]),*;
                $(seeds $seeds: [$($Seeds)*] of $W;)?
            }

            $(#[$doc])*
            fn $op() -> With<$T, F, G> =
                |parts, at| shown(owned::<HasAux<F, G>, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?))
                $(, once |f, b, args| shown(B::$Strategy::$once::<HasAux<F, G>, X>(b, f, args)))?;

            #[doc = concat!(
                "[`", stringify!($op), "`] into a buffer of the caller: `",
                stringify!($op_into), "(f, backend, &mut result, args" $(, ", ", stringify!($seeds))?, ")`.\n\n",
                "# Errors\n\nThose of [`", stringify!($op), "`], and [`BufferMismatch`](crate::error::Error::BufferMismatch) ",
                "if `result` has another size.",
            )]
            fn $op_into(result: Y [$($Buffers)*]) -> AuxOf<F, G> =
                |parts, at| into::<HasAux<F, G>, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?, &mut result).map(F::ReturnValue::aux);

            #[doc = concat!(
                "The function's value, and [`", stringify!($op), "`]: `",
                stringify!($value_and_op), "(f, backend, args" $(, ", ", stringify!($seeds))?, ")`. The value costs no further call.\n\n",
                "# Errors\n\nThose of [`", stringify!($op), "`].",
            )]
            fn $value_and_op() -> (Value<F, G>, $T) =
                |parts, at| valued(owned::<On, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?))
                $(, once |f, b, args| valued(B::$Strategy::$once::<On, X>(b, f, args)))?;

            #[doc = concat!(
                "The function's value, and [`", stringify!($op), "`] into a buffer of the caller: `",
                stringify!($value_and_op_into), "(f, backend, &mut result, args" $(, ", ", stringify!($seeds))?, ")`.\n\n",
                "# Errors\n\nThose of [`", stringify!($op_into), "`].",
            )]
            fn $value_and_op_into(result: Y [$($Buffers)*]) -> Value<F, G> =
                |parts, at| into::<On, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?, &mut result).map(value);
        }
    };
}
use operator;

/// The prepared object of an operator, and its variants: as methods, and as functions that prepare for one call.
macro_rules! variants {
    ($operator:tt $($(#[$doc:meta])* fn $name:ident($($buffers:tt)*) -> $T:ty =
        |$parts:ident, $at:ident| $body:expr $(, once |$f:ident, $b:ident, $args:ident| $once:expr)?;)+) => {
        prepare_operator! { $operator }
        $(variant! {
            $operator
            $(#[$doc])*
            fn $name($($buffers)*) -> $T = |$parts, $at| $body $(, once |$f, $b, $args| $once)?
        })+
    };
}
use variants;

/// The prepared object of an operator, without its variants.
macro_rules! prepare_operator {
    ({
        $(#[$prep_doc:meta])*
        $prepare:ident -> $Prep:ident: $Backend:ident, $Strategy:ident by $By:ident;
        where $($bound:ty: [$($trait:tt)*]),*;
        $(seeds $seeds:ident: [$($Seeds:tt)*] of $W:ident;)?
    }) => {
        prepared! {
            $(#[$prep_doc])*
            $Prep: $Backend, $Strategy by $By $(, $W)?
        }

        #[doc = concat!(
            "Prepares a [`", stringify!($Prep), "`] for arguments of these sizes: `",
            stringify!($prepare), "(f, backend, args" $(, ", ", stringify!($seeds))?, ")`. May call the function once.\n\n",
            "# Errors\n\nWhat the backend reports ([`Error`](crate::error::Error)).",
        )]
        pub fn $prepare<F, B, G, R, X $(, D, $W)?>(f: F, backend: B, mut args: X $(, $seeds: D)?) -> Result<$Prep<F, B, G, R $(, $W)?>>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            X: Args<G, R>,
            R: ArgRoles<G>,
            B: $Backend<F, G, R $(, $W)?>,
            $($W: BatchWidth, D: $($Seeds)*,)?
        {
            $(let _ = $seeds;)?
            $Prep::new(f, backend, args.at())
        }
    };
}
use prepare_operator;

/// What is between the braces, and what follows them if there is nothing.
macro_rules! either {
    ({} $($otherwise:tt)*) => { $($otherwise)* };
    ({ $($code:tt)+ } $($otherwise:tt)*) => { $($code)+ };
}
use either;

/// One variant of an operator. `once` is what it does where nothing was prepared.
macro_rules! variant {
    (
        {
            $(#[$prep_doc:meta])*
            $prepare:ident -> $Prep:ident: $Backend:ident, $Strategy:ident by $By:ident;
            where $($bound:ty: [$($trait:tt)*]),*;
            $(seeds $seeds:ident: [$($Seeds:tt)*] of $W:ident;)?
        }
        $(#[$doc:meta])*
        fn $name:ident($($buffer:ident: $Y:ident [$($Buffers:tt)*]),*) -> $T:ty = |$parts:ident, $at:ident| $body:expr
            $(, once |$f:ident, $b:ident, $args:ident| $once:expr)?
    ) => {
        $(#[$doc])*
        #[inline]
        pub fn $name<F, B, G, R, X $(, $Y)* $(, D, $W)?>(f: F, backend: B, $($buffer: $Y,)* args: X $(, $seeds: D)?) -> Result<$T>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            X: Args<G, R>,
            R: ArgRoles<G>,
            B: $Backend<F, G, R $(, $W)?>,
            $($Y: $($Buffers)*,)*
            $($W: BatchWidth, D: $($Seeds)*,)?
        {
            $crate::operators::either! {
                {$(
                    let $f = &f;
                    let $b = &backend;
                    let $args = args;
                    $once
                )?}
                $(let mut $buffer = $buffer;)*
                let mut args = args;
                let state = &mut B::$Strategy::state(&backend, &f, &mut args.at());
                let $parts = (&f, &backend, state);
                let $at = args.at();
                if !R::RESIZES {
                    return $body;
                }
                let before = before::<G, R>(&$at, <B::$Strategy as $By<B, F, G, R $(, $W)?>>::FOLLOWS_SIZES);
                let result = $body;
                unless_resized::<G, R, _>(before, &args.at(), F::PARAMETERS, result)
            }
        }

        impl<F, B, G, R $(, $W: BatchWidth)?> $Prep<F, B, G, R $(, $W)?>
        where
            F: Function<G>,
            $($bound: $($trait)*,)*
            G: Signature,
            R: ArgRoles<G>,
            B: $Backend<F, G, R $(, $W)?>,
        {
            #[doc = concat!(
                "The function [`", stringify!($name), "`] with the prepared memory: `",
                stringify!($name), "(" $(, "&mut ", stringify!($buffer), ", ")*, "args" $(, ", ", stringify!($seeds))?, ")`.\n\n",
                "# Errors\n\n[`PreparationMismatch`](crate::error::Error::PreparationMismatch) for arguments of other sizes than ",
                "those prepared for, and the errors of the function.",
            )]
            #[inline]
            pub fn $name<X: Args<G, R> $(, $Y: $($Buffers)*)* $(, D: $($Seeds)*)?>(
                &mut self,
                $(mut $buffer: $Y,)*
                mut args: X
                $(, $seeds: D)?
            ) -> Result<$T> {
                let (Prepared { function, backend, shape, state }, mut at) = (&mut self.parts, args.at());
                if !fits::<G, R>(shape, &at) {
                    return unfit::<G, R, _>(shape, G::again(&mut at), F::PARAMETERS);
                }
                let $at = at;
                let $parts = (&*function, &*backend, state);
                if !R::RESIZES {
                    return $body;
                }
                let before = before::<G, R>(&$at, <B::$Strategy as $By<B, F, G, R $(, $W)?>>::FOLLOWS_SIZES);
                let result = $body;
                unless_resized::<G, R, _>(before, &args.at(), F::PARAMETERS, result)
            }
        }
    };
}
use variant;

/// The value of `F`, as operators show it.
pub type Value<F, G> = <<F as Function<G>>::ReturnValue as Shown<<G as Signature>::Base>>::Value;

/// What `F` gives beside the result that is differentiated: `()`, unless it [has an auxiliary output](Shown).
pub type AuxOf<F, G> = <<F as Function<G>>::ReturnValue as Shown<<G as Signature>::Base>>::Aux;

/// The result `T` of an operator, and what `F` gives beside it.
pub type With<T, F, G> = <<F as Function<G>>::ReturnValue as Shown<<G as Signature>::Base>>::With<T>;

/// Whether a call has to give the value for the sake of the auxiliary output.
pub(crate) type HasAux<F, G> = <<F as Function<G>>::ReturnValue as Shown<<G as Signature>::Base>>::HasAux;

/// A value that was asked for, and so is there.
#[inline]
fn asked<T>(y: Option<T>) -> T {
    y.expect("a backend gives the value when it is asked for it")
}

/// The same, as operators show it.
#[inline]
fn value<Y: Shown<F>, F: Float>(y: Option<Y>) -> Y::Value {
    asked(y).shown()
}

/// What an operator found, as it shows it. Like [`valued`] no function of the differentiated function's type: rustc makes it once for
/// all functions that return alike.
#[inline]
fn shown<Y: Shown<F>, F: Float, T>(found: Result<(Option<Y>, T)>) -> Result<Y::With<T>> {
    found.map(|(y, result)| with(y, result))
}

/// The value, and what an operator found.
#[inline]
fn valued<Y: Shown<F>, F: Float, T>(found: Result<(Option<Y>, T)>) -> Result<(Y::Value, T)> {
    found.map(|(y, result)| (value(y), result))
}

/// A result, and what is beside it.
#[inline]
fn with<Y: Shown<F>, F: Float, T>(y: Option<Y>, result: T) -> Y::With<T> {
    Y::with(result, Y::aux(y))
}
