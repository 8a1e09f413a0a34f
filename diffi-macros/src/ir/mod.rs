//! The intermediate representation: the types that all floors above share.
//!
//! One function, as structured statements over *variables* and *places*. A variable is what the
//! user declared (or a temporary); a place is a variable and a path into it. References do not
//! exist here: a reference is a name for a place, and the front end has already replaced it.
//!
//! ```text
//! function  ::= params vars block result
//! block     ::= stmt*
//! stmt      ::= let v = expr                      one operation, v is new
//!             | declare v                         assigned later, on every path
//!             | place (= | += | -=) operand
//!             | push place operand                Vec::push
//!             | swap place place                  their values, without copies
//!             | if passive block else block
//!             | switch passive (pattern => block)*
//!             | for v in lo..hi (step) (down) block [until flag]
//!             | while block passive block
//!             | effect tokens                     asserts, prints, passive mutation
//! expr      ::= operand | op operand* | call | aggregate | pop place | passive
//! operand   ::= place | passive
//! place     ::= v (.field | [index] | [range] | as variant.field | *)*
//! passive   ::= Rust tokens that carry no derivative, and the variables that they read
//! ```
//!
//! Enters: nothing; the types stand here, beside traversals ([`visit`]), index expressions ([`affine`]) and the text of the IR ([`mod@print`]).
//! Imports: `support`.

pub mod affine;
pub mod carriers;
pub mod clone;
mod derived;
pub mod divisors;
mod expr;
pub mod formulas;
pub mod frames;
mod function;
pub mod lanes;
pub mod made_again;
pub mod members;
pub mod place;
pub mod plain_places;
pub mod print;
pub mod purity;
pub mod symbols;
pub mod var_bits;
pub mod var_set;
mod variables;
pub mod visit;

pub use derived::*;
pub use expr::*;
pub use function::*;
pub use variables::*;

use crate::ir::formulas::Formulas;
use crate::ir::var_set::Vars;
use proc_macro2::{Ident, Span, TokenStream};

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In execution order.
    pub stmts: Vec<Stmt>,
}

/// How an assignment combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    /// `=`.
    Set,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
    /// `+=` to an element of this parameter's cotangent, or `=` where the callee initialises that: it is the first that the element gets.
    Begin(Var),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let var = expr`: exactly one operation.
    Let { var: Var, expr: Expr },
    /// `let var;`, assigned on every path later (values of `if`, `match` and blocks).
    Declare { var: Var },
    /// `place op= value`. Sub and Add only for floats. For a passive variable: `Set` of passive code.
    Assign { place: Place, op: Assign, value: Operand, span: Span },
    /// `place.push(value)`; value is a float operand or a whole place (cloned).
    Push { place: Place, value: Operand, span: Span },
    /// The two places exchange their values: of one type, and not the same place.
    Swap { a: Place, b: Place, span: Span },
    /// Branch on a passive condition.
    If { cond: PassiveCode, then: Block, els: Block },
    /// `match scrutinee`: patterns bind passive variables only.
    Switch { scrutinee: PassiveCode, arms: Vec<Arm> },
    /// A counted loop.
    For(For),
    /// `loop { prelude; if !cond { break } body }`.
    While { prelude: Block, cond: PassiveCode, body: Block, checkpoint: Option<Checkpoint> },
    /// Run once, in the primal only: asserts, prints, mutation of passive containers.
    Effect { tokens: PassiveCode, writes: Vars },
    /// What only derivative code contains.
    Derived(Derived),
}

/// An arm of a [`Stmt::Switch`].
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern, with placeholders for what it binds.
    pub pattern: TokenStream,
    /// The guard, if any.
    pub guard: Option<PassiveCode>,
    /// The passive variables that the pattern binds (in scope in guard and body).
    pub binds: Vec<Var>,
    /// What is done.
    pub body: Block,
}

/// A counted loop: `for var in (lo..hi).step_by(step)`, or its reverse.
#[derive(Clone, Debug)]
pub struct For {
    /// Passive loop variable.
    pub var: Var,
    /// First value of the range. Already evaluated: a literal or an immutable variable.
    pub lo: PassiveCode,
    /// End of the range (exclusive, or inclusive if the flag is set), likewise.
    pub hi: PassiveCode,
    /// `..=`.
    pub inclusive: bool,
    /// `step_by`, likewise.
    pub step: Option<PassiveCode>,
    /// `.rev()`, applied after `step_by` is not allowed; `(lo..hi).rev()` only, or
    /// `(lo..hi).rev().step_by(s)` and `(lo..hi).step_by(s).rev()` by index arithmetic instead.
    pub down: bool,
    /// A passive bool variable: leave after the iteration in which it became true.
    pub until: Option<Var>,
    /// Whether only some of its states are kept.
    pub checkpoint: Option<Checkpoint>,
    /// The body.
    pub body: Block,
}

/// `#[checkpoint]` on a loop: the reverse sweep runs its iterations again, from states that were kept.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Which states are kept.
    pub keep: CheckpointPolicy,
    /// The attribute's number.
    pub id: usize,
}

/// Which states of a loop are kept. Numbers are already evaluated: literals or immutable variables.
#[derive(Clone, Debug)]
pub enum CheckpointPolicy {
    /// About as many as iterations are recorded at a time.
    Root,
    /// Every so many iterations.
    Every(PassiveCode),
    /// So many at a time.
    Snapshots(PassiveCode),
}

/// A variable and a path into it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Var,
    /// From the outside in.
    pub path: Vec<Proj>,
}

/// One step of a path.
#[derive(Clone, Debug)]
pub enum Proj {
    /// `.name` or `.0`.
    Field(syn::Member),
    /// `[index]`; the index is simple passive code: arithmetic over immutable passive variables.
    Index(PassiveCode),
    /// `[lo..hi]`, either end may be missing (exclusive ends only).
    Range(Option<PassiveCode>, Option<PassiveCode>),
    /// A member of a variant of an enum, which is there.
    Payload(Ident, syn::Member),
    /// What a `Box` holds.
    Deref,
}
