//! The front end: from the user's syntax to the IR.
//!
//! Enters: a `syn` item and the attribute's options. Leaves: `ir::Function`, or every error that was found.
//! Imports: `analysis`, `ir`, `support`.
//!
//! [`lower`] runs the rounds of lowering. [`iterators`], [`containers`], [`option_result`] and [`arrays`] lower one subject each,
//! [`projections`] makes places of methods that return references,
//! [`infer`] holds the facts that rounds find out, [`syntax`] answers questions without state, [`inline`] reads functions that stand
//! beside their callers, and [`macros`] macros by example.

pub mod arrays;
pub mod containers;
pub mod implicit;
pub mod infer;
pub mod inline;
pub mod iterators;
pub mod leaks;
pub mod lower;
pub mod macros;
pub mod option_result;
pub mod projections;
pub mod state;
pub mod syntax;
pub mod unannotated;
