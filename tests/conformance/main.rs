//! Facts about derivatives, most of them DifferentiationInterface.jl's own, on every backend that can: `tests/data/conformance.json`.
//!
//! A backend is one line of [`cells`], here those of derivative code and of differences; `overloading.rs` has those that overload numbers.
//! A fact is one line of `rows`. What a backend cannot do does not compile, and so is found out by asking the compiler; the table says why.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

mod applicable;
mod behaviour;
mod facts;
mod functions;

const FIRST: &str = "the backend has no way to do it";
const SECOND: &str = "of second order: `SecondOrder(outer, inner)` finds no first derivatives";
const DIRECTION: &str = "made for operators of first order";

/// Runs a scenario on every backend. A line: the backend, and why it does not find some things.
macro_rules! cells {
    ($scenario:ident, $table:ident) => {
        $crate::applicable::cell! { $scenario, $table;
            AutoForward, FIRST;
            AutoReverse, FIRST;
            AutoFiniteDiff, FIRST;
            AutoFiniteDifferences::default(), FIRST;
            MixedMode(AutoForward, AutoReverse), DIRECTION;
            AutoForwardFromPrimitive(AutoForward), DIRECTION;
            AutoReverseFromPrimitive(AutoReverse), DIRECTION;
            SecondOrder(AutoForward, AutoReverse), SECOND;
            SecondOrder(AutoReverse, AutoForward), SECOND;
            SecondOrder(AutoFiniteDiff, AutoReverse), SECOND;
        }
    };
}

mod rows;
