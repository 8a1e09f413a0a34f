//! Facts about derivatives, most of them DifferentiationInterface.jl's own, on every backend that can: `tests/data/conformance.json`.
//!
//! A backend is one line of [`cells`], here those that overload numbers; `main.rs` has the others.
//! A fact is one line of `rows`. What a backend cannot do does not compile, and so is found out by asking the compiler; the table says why.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

mod applicable;
mod behaviour;
mod facts;
mod functions;

const GENERIC: &str = "the function has no body over any number type, or the operator is of second order";
#[cfg(feature = "external")]
const PACKAGE: &str = "the function has no body over any number type, or the package has no second order";

/// Runs a scenario on every backend. A line: the backend, and why it does not find some things.
macro_rules! cells {
    ($scenario:ident, $table:ident) => {
        $crate::applicable::cell! { $scenario, $table;
            AutoDual, GENERIC;
            AutoHyperDual, GENERIC;
            AutoTape, GENERIC;
            AutoTape.replayed(), GENERIC;
            @cfg(feature = "compiled") AutoTape.compiled(), GENERIC;
            @cfg(feature = "compiled") AutoSymbolic.compiled(), GENERIC;
            @cfg(feature = "rayon") AutoDualThreads, GENERIC;
            @cfg(feature = "external") AutoNumDual, PACKAGE;
            @cfg(feature = "external") AutoHyperdualCrate, PACKAGE;
            @cfg(feature = "external") AutoAutodiff, PACKAGE;
            @cfg(feature = "ad-trait") AutoAdTrait, PACKAGE;
            @cfg(feature = "external") AutoEchidna, PACKAGE;
            @cfg(feature = "external") AutoEchidna.replayed(), PACKAGE;
            AutoTaylor, GENERIC;
            AutoSymbolic, GENERIC;
            AutoComplexStep, GENERIC;
        }
    };
}

mod rows;
