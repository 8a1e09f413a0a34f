//! The operators: for each one the trait of its strategies, its four variants, and its prepared object with the same variants.
#![allow(clippy::type_complexity, reason = "what an operator returns depends on function, roles and number of seeds")]

pub mod check_rule;
pub mod columns;
pub mod derivative;
pub mod entries;
pub mod gradient;
pub mod hessian;
pub mod hvp;
pub mod jacobian;
pub mod pullback;
pub mod pushforward;
pub mod rows;
pub mod same_point;
pub mod second_derivative;
pub mod series;

/// A strategy that finds dense matrices, entry by entry.
pub trait Dense {}

impl<K> Dense for crate::second_order::Nested<K> {}

macro_rules! dense {
    ($($Strategy:ty)+) => { $(impl Dense for $Strategy {})+ };
}
dense! {
    crate::backend::ByPushes
    crate::backend::ByPulls
    crate::backend::ByDirections
    crate::backend::ByCost
    crate::backend::OnlyMatrices
    crate::backend::Zeros
    crate::second_order::Generated
    crate::second_order::Differenced
    crate::second_order::Retraced
    crate::second_order::Truncated
    crate::backend::symbolic::Symbolic
    crate::second_order::NoFirstOrder
    crate::second_order::NoSecondOrder
}

/// The variants of an operator of first order.
///
/// In the operator's own file stand two functions: `owned` returns the result, `into` writes it into the caller's buffer; both
/// give the value besides, if they are asked for it.
macro_rules! operator {
    (
        $(#[$doc:meta])*
        $op:ident, $op_into:ident, $value_and_op:ident, $value_and_op_into:ident -> $T:ty, into [$($Buffers:tt)*];
        $(#[$prep_doc:meta])*
        $prepare:ident -> $Prep:ident: $Backend:ident, $Strategy:ident by $By:ident;
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
            fn $op() -> $T = |parts, at| owned::<Off, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?).map(|(_, result)| result);

            #[doc = concat!("As [`", stringify!($op), "`], into `result`.")]
            fn $op_into(result: Y [$($Buffers)*]) -> () =
                |parts, at| into::<Off, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?, &mut result).map(|_| ());

            #[doc = concat!("The value, and what [`", stringify!($op), "`] gives.")]
            fn $value_and_op() -> (F::Ret, $T) =
                |parts, at| owned::<On, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?).map(|(y, result)| (asked(y), result));

            #[doc = concat!("The value, and what [`", stringify!($op), "`] gives, that into `result`.")]
            fn $value_and_op_into(result: Y [$($Buffers)*]) -> F::Ret =
                |parts, at| into::<On, F, B, G, R $(, $W)?>(parts, at $(, &$seeds)?, &mut result).map(asked);
        }
    };
}
use operator;

/// The prepared object of an operator, and its variants: as methods, and as functions that prepare for one call.
macro_rules! variants {
    ($operator:tt $($(#[$doc:meta])* fn $name:ident($($buffers:tt)*) -> $T:ty = |$parts:ident, $at:ident| $body:expr;)+) => {
        preparation! { $operator }
        $(variant! {
            $operator
            $(#[$doc])*
            fn $name($($buffers)*) -> $T = |$parts, $at| $body
        })+
    };
}
use variants;

/// The prepared object of an operator, without its variants.
macro_rules! preparation {
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

        #[doc = concat!("Prepares a [`", stringify!($Prep), "`] for arguments of these sizes. May call the function once.")]
        pub fn $prepare<F, B, G, R, X $(, D, $W)?>(f: F, backend: B, mut args: X $(, $seeds: D)?) -> Result<$Prep<F, B, G, R $(, $W)?>>
        where
            F: Func<G>,
            $($bound: $($trait)*,)*
            G: Sig,
            X: Args<G, R>,
            R: Call<G>,
            B: $Backend<F, G, R $(, $W)?>,
            $($W: Width, D: $($Seeds)*,)?
        {
            $(let _ = $seeds;)?
            $Prep::new(f, backend, args.at())
        }
    };
}
use preparation;

/// One variant of an operator.
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
    ) => {
        $(#[$doc])*
        #[inline]
        pub fn $name<F, B, G, R, X $(, $Y)* $(, D, $W)?>(f: F, backend: B, $($buffer: $Y,)* mut args: X $(, $seeds: D)?) -> Result<$T>
        where
            F: Func<G>,
            $($bound: $($trait)*,)*
            G: Sig,
            X: Args<G, R>,
            R: Call<G>,
            B: $Backend<F, G, R $(, $W)?>,
            $($Y: $($Buffers)*,)*
            $($W: Width, D: $($Seeds)*,)?
        {
            $Prep::once(f, backend, args.at()).$name($($buffer,)* args $(, $seeds)?)
        }

        impl<F, B, G, R $(, $W: Width)?> $Prep<F, B, G, R $(, $W)?>
        where
            F: Func<G>,
            $($bound: $($trait)*,)*
            G: Sig,
            R: Call<G>,
            B: $Backend<F, G, R $(, $W)?>,
        {
            $(#[$doc])*
            #[inline]
            pub fn $name<X: Args<G, R> $(, $Y: $($Buffers)*)* $(, D: $($Seeds)*)?>(
                &mut self,
                $(mut $buffer: $Y,)*
                mut args: X
                $(, $seeds: D)?
            ) -> Result<$T> {
                let ($parts, $at) = (&mut self.parts, args.at());
                check::<F, G, R>(&$parts.shape, &$at)?;
                $body
            }
        }
    };
}
use variant;

/// A value that was asked for, and so is there.
#[inline]
fn asked<T>(y: Option<T>) -> T {
    y.expect("a backend gives the value when it is asked for it")
}
