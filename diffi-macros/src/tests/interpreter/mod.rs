//! An interpreter of programs and of their derivative code, which tests the compiler without rustc.
//!
//! One machine runs the text of a program as it is written, over numbers that carry two derivatives and a second one
//! (`diffi_random::number`), and the bodies of its derivative code as the IR has them, over the same numbers without derivatives. The
//! first knows nothing of lowering, transforms and passes; so what the second gives has to agree with it. `checks.rs` lists what is
//! compared. What the interpreter does not know is counted, and never taken for right.
//!
//! Enters: the text of a program and its arguments. Leaves: a verdict. Imports: every floor below `item`, in tests only.

mod bodies;
mod checks;
mod corpus;
mod iterators;
mod library;
mod machine;
mod memory;
mod passes;
mod program;
mod report;
mod rust;
mod special_values;
mod stop;
mod tests;
mod value;
