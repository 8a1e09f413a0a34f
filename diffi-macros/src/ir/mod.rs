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
//!             | if opaque block else block
//!             | switch opaque (pattern => block)*
//!             | for v in lo..hi (step) (down) block [until flag]
//!             | while block opaque block
//!             | effect tokens                     asserts, prints, passive mutation
//! expr      ::= operand | op operand* | call | aggregate | pop place | opaque
//! operand   ::= place | opaque
//! place     ::= v (.field | [index] | [range] | as variant.field | *)*
//! opaque    ::= Rust tokens that carry no derivative, and the variables that they read
//! ```
//!
//! Enters: nothing; the types stand here, beside traversals ([`visit`]), index expressions ([`affine`]) and the text of the IR ([`mod@print`]).
//! Imports: `support`.

pub mod affine;
pub mod carriers;
pub mod clone;
pub mod divisors;
pub mod formulas;
pub mod frames;
pub mod lanes;
pub mod place;
pub mod print;
pub mod purity;
pub mod symbols;
pub mod var_set;
pub mod visit;

use crate::ir::formulas::Formulas;
use crate::ir::var_set::Vars;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// A variable of one function: an index into [`Function::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// What the compiler knows of a variable's type; rustc knows the rest.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// The function's base float: f64, f32, or its generic float.
    Float,
    /// Carries no derivative; any Rust type.
    Passive,
    /// `Vec<T>`.
    Vec(Box<Ty>),
    /// `[T; N]`.
    Array(Box<Ty>),
    /// `[T]` behind a reference.
    Slice(Box<Ty>),
    /// A tuple.
    Tuple(Vec<Ty>),
    /// A struct, and what is known of its fields.
    Struct(BTreeMap<String, Ty>),
    /// An array of floats, of a library's type (`Array2<f64>`): its operations have rules that rustc finds.
    Library,
    /// Active, and of a type that only rustc knows (a call's result, a struct, an ndarray).
    Unknown,
}

/// A declared name or a temporary.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The placeholder by which opaque tokens mention it: unique in the function.
    pub name: Ident,
    /// The user's name (or a name made for a temporary): what generated code shows.
    pub hint: String,
    /// What is known of its type.
    pub ty: Ty,
    /// The type as the user wrote it at the `let`, if so.
    pub written: Option<TokenStream>,
    /// Assigned, pushed to or passed by `&mut` after its declaration.
    pub mutable: bool,
    /// Declared `mut`, or behind `&mut`: methods may change it unseen.
    pub changes: bool,
    /// The result of a call to which the user gave a name: a value, and not `()`.
    pub named: bool,
    /// How calls see it.
    pub seen: ViewForm,
    /// Where the user declared it.
    pub span: Span,
}

/// How calls that take an array see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewForm {
    /// As it is.
    #[default]
    Whole,
    /// `array.view()`.
    View,
    /// `&array.view()`.
    BorrowedView,
    /// `list.iter()`.
    Elements,
    /// `list.iter().cloned()`.
    Copies,
    /// An option of a reference to what it holds.
    Lent,
    /// A copy of what carries no derivative, which a call changes.
    Left,
}

/// How derivative code copies a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copying {
    /// An option of a reference becomes one of a value.
    Lent,
    /// `impl Into<f64>` becomes a number.
    Converted,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// `x: T`.
    Value,
    /// `x: &T`.
    Ref,
    /// `x: &mut T`, read and written.
    Mut,
    /// `x: &mut T`, written before it is read (`output(x)`).
    Out,
}

/// A parameter of the function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its variable; for a parameter pattern, the variable of the whole argument.
    pub var: Var,
    /// The type as written, without the reference.
    pub ty: TokenStream,
    /// The type as written, with the reference.
    pub full: TokenStream,
    /// By value or by which reference.
    pub passing: Passing,
    /// Whether it can carry a derivative: not constant, not of a passive type.
    pub active: bool,
    /// Declared `cache(..)`.
    pub cache: bool,
    /// It is `self`.
    pub receiver: bool,
    /// It is not written: a closure captures it.
    pub captured: bool,
    /// It is an iterator, of whose elements derivative code has a list; how the user's function sees that.
    pub list: Option<ViewForm>,
    /// Derivative code makes a value of its own of it: it is another one than in the user's function.
    pub copying: Option<Copying>,
    /// It is a function, which callers hand over with its derivative code.
    pub function: Option<FunctionType>,
    /// It is constant for its type alone: floats of another type than the function's generic one.
    pub other_float: bool,
}

/// The type of a parameter that is a function, as its bound is written.
#[derive(Clone, Debug)]
pub struct FunctionType {
    /// The types of its arguments.
    pub inputs: Vec<syn::Type>,
    /// The type of what it gives.
    pub output: syn::Type,
    /// Derivatives are followed through it: its own type is known (`impl Fn`, and no `dyn Fn`), and it gives numbers.
    pub followed: bool,
    /// It is applied to active values, or handed on: there are no operators for a function that callers choose.
    pub asked: bool,
}

/// The float type that derivatives are taken in.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// f32 or f64, written in the signature.
    Concrete(Ident),
    /// A type parameter bounded by a float trait.
    Generic(Ident),
}

/// What a method or an associated function stands in: an `impl` block or a trait.
#[derive(Clone, Debug)]
pub struct Owner {
    /// Which.
    pub kind: OwnerKind,
    /// Generics and where clause of the block, verbatim.
    pub generics: syn::Generics,
    /// The type that the block is for; in a trait, `Self`.
    pub ty: syn::Type,
    /// The functions in the block, by their names.
    pub functions: BTreeMap<String, Sibling>,
    /// The floats of functions whose signatures name none, where the block tells.
    pub floats: BTreeMap<String, Ident>,
    /// Whether arrays of a library occur anywhere in the block: in its type's fields, then.
    pub library: bool,
}

/// Kinds of blocks.
#[derive(Clone, Debug)]
pub enum OwnerKind {
    /// `impl Type`.
    Inherent,
    /// `impl Trait for Type`, and the trait.
    Implementation(syn::Path),
    /// `impl Trait for Type` of a trait that has no derivative functions, one of std's: they are the type's own.
    Conversion(syn::Path),
    /// `trait Trait`.
    Trait(Ident),
}

/// What is known of a function in the same block.
#[derive(Clone, Debug)]
pub struct Sibling {
    /// What is known of its result.
    pub ty: Ty,
    /// It takes `&mut self`.
    pub exclusive: bool,
    /// It carries no derivative, by its signature.
    pub passive: bool,
    /// It returns a reference into `self`.
    pub projection: Option<Projection>,
}

/// A method that returns a reference into `self`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// What the reference leads to.
    pub target: Target,
    /// It is `&mut`.
    pub exclusive: bool,
    /// What is known of the type of that, as [`place::type_name`] writes it.
    pub to: Option<String>,
}

/// What the reference leads to that a method returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A part of the receiver.
    Part,
    /// One that may be missing: an `Option` of a reference.
    Maybe,
    /// The receiver itself.
    Receiver,
}

/// One annotated function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The user's name.
    pub name: Ident,
    /// The block that it stands in, if it is a method or an associated function.
    pub owner: Option<Owner>,
    /// Generics and where clause, verbatim.
    pub generics: syn::Generics,
    /// The float type.
    pub base: Base,
    /// The name that stands for the float of a type, and the type.
    pub projected: Option<(Ident, syn::Type)>,
    /// In the function's own order.
    pub params: Vec<Param>,
    /// The return type as written (`()` if none).
    pub ret: TokenStream,
    /// The user's function gives an iterator, and derivative code a list of its elements.
    pub listed: bool,
    /// All variables, parameters included.
    pub vars: Vec<VarInfo>,
    /// Items declared inside the body (`const`, `use`, nested `fn`), emitted first.
    pub items: Vec<TokenStream>,
    /// What rustc is to confirm of names in the function: calls that compile only if they mean what they are taken for.
    pub checks: Vec<TokenStream>,
    /// The statements.
    pub body: Block,
    /// What the function returns, over variables of the outermost block.
    pub result: Output,
    /// The lines of the derivative table that its operations were looked up in.
    pub formulas: Formulas,
    /// Sums may be added in any order, the user's own too.
    pub reassociate: bool,
    /// Functions of several iterations of a loop may be computed at once.
    pub vector_math: bool,
}

/// A value built at the function's end.
#[derive(Clone, Debug)]
pub enum Output {
    /// A float.
    Float(Operand),
    /// A whole active variable, moved out (or a place, cloned).
    Place(Place),
    /// Member by member.
    Tuple(Vec<Output>),
    /// Element by element.
    Array(Vec<Output>),
    /// Carries no derivative.
    Passive(PassiveCode),
    /// An auxiliary output stands beside it.
    Beside(Box<Output>, PassiveCode),
    /// A value that may be missing.
    Maybe(Box<MaybeOutput>),
    /// `()`.
    Unit,
}

/// An `Option`, or a `Result`.
#[derive(Clone, Debug)]
pub struct MaybeOutput {
    /// Whether the value is there.
    pub present: PassiveCode,
    /// Of a `Result`: the error, an `Option` that is `Some` where the value is not.
    pub failure: Option<PassiveCode>,
    /// The value; anything where it is not there.
    pub content: Output,
    /// The value's type, as written.
    pub ty: TokenStream,
}

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
    /// `place op= value`. Sub and Add only for floats. For a passive variable: `Set` of an opaque.
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
    /// `[index]`; the index is a simple opaque: arithmetic over immutable passive variables.
    Index(PassiveCode),
    /// `[lo..hi]`, either end may be missing (exclusive ends only).
    Range(Option<PassiveCode>, Option<PassiveCode>),
    /// A member of a variant of an enum, which is there.
    Payload(Ident, syn::Member),
    /// What a `Box` holds.
    Deref,
}

/// Rust tokens that carry no derivative.
#[derive(Clone, Debug)]
pub struct PassiveCode {
    /// With placeholders for variables.
    pub tokens: TokenStream,
    /// Variables whose value they read.
    pub reads: Vars,
    /// Variables of which they read only the shape (`x.len()`).
    pub shapes: Vars,
    /// For messages.
    pub span: Span,
}

/// What an operation is applied to.
#[derive(Clone, Debug)]
pub enum Operand {
    /// An active place (a variable, an element, a field).
    Place(Place),
    /// A passive value: a float, or an integer where the operation takes one.
    Passive(PassiveCode),
    /// What an operation gives, written where it is read: only [`forward_substitute`](crate::opt::scalar::forward_substitute) makes them.
    Made { op: Op, args: Vec<Operand> },
}

/// The right-hand side of a `let`: one operation.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A copy of one float, or (for aggregates) a clone of the place.
    Operand(Operand),
    /// A scalar operation.
    Op { op: Op, args: Vec<Operand>, span: Span },
    /// A call of an annotated function.
    Call(Call),
    /// `[a, b, c]`.
    Array(Vec<Operand>),
    /// `[value; len]`; `written` is the length.
    Repeat { value: Operand, len: PassiveCode },
    /// `vec![value; len]` or a `collect` into a `Vec` of floats that is filled afterwards.
    VecRepeat { value: Operand, len: PassiveCode },
    /// `vec![a, b, c]`.
    VecOf(Vec<Operand>),
    /// An empty `Vec` (`Vec::new()`, `Vec::with_capacity(..)`), tokens as written.
    VecNew(PassiveCode),
    /// `place.pop()`: the last element leaves the `Vec`, which is not empty.
    Pop(Place),
    /// What an `Option` or `Result` holds, where it holds something.
    Content(Place),
    /// `place.to_vec()`, `place.clone()` of a slice, array or `Vec`: an owned copy.
    ToVec(Place),
    /// `(a, b)`; operands may be whole aggregates.
    Tuple(Vec<Operand>),
    /// A struct or a variant, from all its fields.
    Struct(Literal),
    /// `Box::new(value)`.
    Boxed(Operand),
    /// No derivative.
    Passive(PassiveCode),
    /// A `Vec` of this many floats of any value: all are set before they are read.
    Scratch { len: PassiveCode },
    /// The neutral element of `+` in the variable's own space (derivative code only).
    Zero,
    /// The element if the condition holds (so that it exists), else zero.
    If { cond: PassiveCode, place: Place },
    /// An element of a parameter's cotangent `bar`, or zero where the callee initialises that.
    Fresh { place: Place, bar: Var },
}

/// `Path { a: x }`, `Path(x)` or `Path`.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The path as written.
    pub path: TokenStream,
    /// Whether the fields have numbers.
    pub tuple: bool,
    /// Where each field lies ([`Proj::Field`] or [`Proj::Payload`]), and its value.
    pub fields: Vec<(Proj, Operand)>,
}

/// A scalar operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `-a`.
    Neg,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// `a * b`, and zero where this one of them is zero, even if the other is infinite or no number (derivative code only).
    StrongMul(StrongZero),
    /// `1 / a`, and zero where `a` is zero: the pseudoinverse of Moore and Penrose of one number (derivative code only).
    PseudoInverse,
    /// A function of the derivative table, by its name (`sin`, `powf`, `powi`, `mul_add`, ...).
    Fn(&'static str),
}

/// Whose zero no infinite number outweighs in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrongZero {
    /// That of the tangent or cotangent.
    Vector,
    /// That of the partial derivative.
    Factor,
    /// That of either.
    Either,
}

/// A call of an annotated function.
#[derive(Clone, Debug)]
pub struct Call {
    /// Whose derivative code is called.
    pub callee: Callee,
    /// As written, for the primal call: `m::h::<f64>`; of a method, what stands behind the dot.
    pub written: TokenStream,
    /// In order.
    pub args: Vec<CallArg>,
    /// Its reverse sweep asks only for the shapes of its arguments.
    pub linear: bool,
    /// Which of the arguments are functions.
    pub handed: Vec<FunctionArg>,
}

impl Call {
    /// Whether it is that of an operation whose rule rustc finds, with a result.
    pub fn is_rule(&self) -> bool {
        let Callee::Function(path) = &self.callee else { return false };
        matches!(path.to_string().replace(' ', "").as_str(), "__d::library::One" | "__d::library::Two")
    }
}

/// A function among the arguments of a call.
#[derive(Clone, Debug)]
pub struct FunctionArg {
    /// Which argument it is.
    pub at: usize,
    /// Where its derivative code comes from.
    pub code: FunctionArgCode,
}

/// Where the derivative code of a function comes from that is handed over.
#[derive(Clone, Debug)]
pub enum FunctionArgCode {
    /// A parameter of the function around, handed on.
    Parameter(Var),
    /// A closure, as a function whose first parameters are what it captures. These stand behind the arguments of the call.
    Closure { function: Rc<Function>, captures: Range<usize> },
    /// Nowhere: it captures no active value, and its body cannot be followed. So many arguments does it take.
    Unknown(usize),
}

/// Where the derivative code of a call's function is found.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function: the path of its handle.
    Function(TokenStream),
    /// `Type::name`, without generic arguments of the name.
    Associated(syn::ExprPath),
    /// A method of the first argument.
    Method(Ident),
    /// A parameter that is a function.
    Parameter(Var),
    /// Another backend: the first argument is `differentiate_with(f::D, backend)`.
    With,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum CallArg {
    /// `&place`, active.
    Ref(Place),
    /// `&mut place`, active.
    Mut(Place),
    /// By value, active: a float or a whole place (copied or cloned).
    Value(Operand),
    /// Passive, as written (reference included).
    Passive(PassiveCode),
    /// A variable that carries no derivative as far as is known, by `&mut`: rustc is asked whether the callee declares the parameter
    /// `constant(..)`.
    Lent(PassiveCode),
}

/// A set of the function's parameters: the ones that a variable's derivative may come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParamSet(pub u64);

impl ParamSet {
    /// The set of one parameter.
    pub fn one(index: usize) -> Self {
        ParamSet(1 << index)
    }

    /// Either's.
    pub fn or(self, other: Self) -> Self {
        ParamSet(self.0 | other.0)
    }

    /// Nobody's.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The parameters in it, by index.
    pub fn members(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |i| self.0 >> i & 1 == 1)
    }
}

/// Statements that the transformations add.
///
/// ```text
/// derived ::= zero v like w | unset v like w | release v | acc place place
///           | clear place | view v place | cut v v place | alone v* block | cells v place | chunks v place | parted v* place | fresh v lo hi | let v = pop place | guard params block
///           | save vars | restore vars                  one record on the tape
///           | loop for [iterations] [record] | times v block | records for
///           | keep vars | replay vars                   one record of the loop around
///           | sweep call
///           | either place operand
///           | move v w                            let v = w, or v = w
/// ```
#[derive(Clone, Debug)]
pub enum Derived {
    /// `let mut var = ` a shadow of `like`'s shape, all zero.
    Zero { var: Var, like: ShapeOf },
    /// The same, but to be initialised by the sweep that is the next to see it; in the array of another shadow of this type.
    Unset { var: Var, like: ShapeOf, of: Option<Var> },
    /// Give the buffers of an owned local back to the workspace.
    Release { var: Var },
    /// `place += value`, both aggregates.
    Acc { place: Place, value: Place, how: AddKind },
    /// `place = 0`.
    Clear { place: Place, whole: bool },
    /// `let var = place.pop()`, of a shadow.
    Pop { var: Var, place: Place },
    /// A vector that outlives the loop starts another iteration, with so many elements again.
    Refill { var: Var, len: Option<PassiveCode>, with: Refill },
    /// `let var = &place`, or `&mut`: a slice that the code after it walks through; nothing where
    /// the guard is off.
    View { var: Var, place: Place, exclusive: bool, on: Option<ParamSet> },
    /// Likewise a slice of so many elements, if one is wanted; a slice of so many pairs behind it; and a slice of what is left
    /// of `place`.
    Cut { head: Option<(Var, usize)>, vars: [Var; 2], place: Place, pairs: Var, exclusive: bool, on: Option<ParamSet> },
    /// The body over these slices to be written, of which nothing else in it is a part: rustc tells LLVM so of parameters,
    /// and never of variables.
    NoAlias { slices: Vec<Var>, body: Block },
    /// `let var = ` the slice as cells, so that several elements of it can be at hand at once; of rows that are each other's neighbours.
    Cells { var: Var, place: Place, neighbours: bool },
    /// `let var = ` the slice as arrays of `width` elements each, so many as the count says; nothing where the guard is off.
    Chunks { var: Var, place: Place, width: usize, count: PassiveCode, exclusive: bool, on: Option<ParamSet> },
    /// Slices to be written, parts of `place` that are in order and do not overlap.
    Parted { vars: Vec<Var>, place: Place, starts: Vec<PassiveCode>, lengths: Vec<PassiveCode>, on: Option<ParamSet> },
    /// The block of records of a loop whose iterations name theirs by [`TapeFrame::at`], to be read or not.
    FrameBlock(Box<Loop>),
    /// From here on [`TapeFrame::at`] counts from the record `from` of the block, and there are so many.
    FrameWindow { widths: Widths, from: PassiveCode, count: PassiveCode },
    /// If the callee initialises this cotangent: clears what lies outside `lo..hi`, which the
    /// loop that follows initialises.
    Fresh { bar: Var, lo: PassiveCode, hi: PassiveCode },
    /// Only if one of these parameters is active in the call at hand.
    Guard { on: ParamSet, body: Block },
    /// Push one record.
    PushFrame(TapeFrame),
    /// Pop one record; declares its variables.
    PopFrame(TapeFrame),
    /// A counted loop of derivative code.
    Loop(Box<Loop>),
    /// `for _ in 0..iterations`.
    Times { iterations: Var, body: Block },
    /// A loop whose iterations find these arrays of theirs as the iteration before left them: places that last as long as the loop.
    LoopBuffers { vars: Vec<Var>, body: Block },
    /// Write the record of this iteration.
    StoreFrame(TapeFrame),
    /// Read the record of this iteration; declares its variables.
    LoadFrame(TapeFrame),
    /// A sweep of a called function.
    Sweep(Box<Sweep>),
    /// `let to = from`, or `to = from`: a whole value that nothing reads any more where it was.
    Move { to: Var, from: Var, declares: bool },
    /// In traces: what one way through the function gives to a place, which depends on what it was, too.
    Either { place: Place, value: Operand },
}

/// How aggregates are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddKind {
    /// As they are.
    Whole,
    /// Element by element: their containers differ.
    Elementwise,
    /// The value to what the place holds, an `Option`.
    Content,
}

/// What gives a shadow its shape.
#[derive(Clone, Debug)]
pub enum ShapeOf {
    /// A value that is at hand.
    Value(Place),
    /// A passive value.
    Passive(PassiveCode),
    /// A `Vec` of this length, whose elements are floats or [`Fixed`](ShapeOf::Fixed).
    Len(PassiveCode),
    /// The type alone: a tuple of floats and of what carries none.
    Fixed,
}

/// What a vector that is used again holds at first.
#[derive(Clone, Debug)]
pub enum Refill {
    /// As many times this value as it is long.
    Value(Operand),
    /// Zeros.
    Zero,
    /// Any values: all are set before they are read.
    Anything,
    /// A copy of the place.
    Copy(Place),
}

/// Tells the tape frames of a function apart: frames of one identity are pushed and popped by each other, and have the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub usize);

/// The values of one record, in order.
#[derive(Clone, Debug, Default)]
pub struct TapeFrame {
    /// Which frame it is.
    pub id: FrameId,
    /// Floats, on the float stack (and their tangents on the tangent stack, second order).
    pub floats: Vec<Var>,
    /// Passive words.
    pub words: Vec<Var>,
    /// Whole aggregates.
    pub wholes: Vec<Var>,
    /// Of these: the ones that are read for their shapes only.
    pub shapes: Vars,
    /// The tangents of whole aggregates, each with its value.
    pub whole_dots: Vec<(Var, Var)>,
    /// Of the wholes: the ones that nothing reads afterwards, so that they can be moved to the tape.
    pub given: Vars,
    /// It may be popped more than once, so that nothing can be moved from the tape.
    pub again: bool,
    /// Of the wholes and their tangents: the ones that are restored into a vector that is there.
    pub into: Vars,
    /// Floats of the record before this one in a block, under the names that they have by now.
    pub carried: Vec<Carried>,
    /// Which record of the block it is, where the loop does not say so.
    pub at: Option<PassiveCode>,
}

/// A float that an iteration takes over from the iteration before.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The variable that carries it.
    pub cell: Var,
    /// Its value at the beginning of the iteration.
    pub value: Var,
    /// The float of the record that it was in the iteration before.
    pub was: Var,
}

/// A [`For`] of derivative code.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop; `down` is the direction that is meant here.
    pub on: For,
    /// Run only the first so many iterations (of the primal's order); of a forward loop that may be left before all records of
    /// its block are filled: how many are.
    pub iterations: Option<Var>,
    /// Widths of a block of records, one per iteration: `Keep` fills it, `Replay` reads it.
    pub record: Option<Widths>,
    /// Which way the iterations go.
    pub sweep: LoopSweep,
    /// The sums that are made in several parts at once.
    pub lanes: Vec<Var>,
    /// What the first iteration takes over: for it there is one record more, in front.
    pub first: Vec<Carried>,
    /// The slices that it walks along.
    pub walks: Vec<Walk>,
    /// Its records are there before it: a [`Derived::FrameBlock`] stands in front.
    pub opened: bool,
}

/// A slice that a loop over whole ranges walks along: each iteration has its own element.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The element, by reference.
    pub element: Var,
    /// The slice, with an element for every iteration.
    pub slice: Place,
    /// How many elements an iteration has to itself, if not one: a slice of them stands for the element.
    pub by: Option<PassiveCode>,
    /// What is done to the elements.
    pub how: Walked,
}

/// What a loop does to the elements that it walks along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walked {
    /// They are read.
    Read,
    /// They are written, and nothing else of the array is used.
    Written,
    /// They are cells, since other iterations have them too.
    Shared,
}

/// How a loop's iterations relate to the primal's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopSweep {
    /// They are the primal's (and more).
    Primal,
    /// Their adjoints, in the primal's order: no iteration depends on another.
    AdjointForward,
    /// Their adjoints, from the last to the first.
    AdjointReversed,
}

/// How many values of each kind a record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Floats.
    pub floats: usize,
    /// Words.
    pub words: usize,
    /// Tangents (second order).
    pub tangents: usize,
}

/// One sweep of a called function.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Which.
    pub kind: SweepKind,
    /// The callee and its arguments.
    pub call: Call,
    /// The result's variable (forward, both).
    pub result: Option<Var>,
    /// Per argument, where its cotangent goes.
    pub bars: Vec<Option<(Place, ParamSet)>>,
    /// The result's cotangent (reverse, both).
    pub result_bar: Option<Var>,
    /// The cotangents of arguments that the callee initialises.
    pub fresh: Vars,
    /// In second order: every variable above also stands for its tangent.
    pub tangents: Option<SweepTangents>,
}

impl Sweep {
    /// What it gives: the callee's result, and its tangent.
    pub fn results(&self) -> impl Iterator<Item = Var> {
        self.result.into_iter().chain(self.tangents.as_ref().and_then(|tangents| tangents.result))
    }
}

/// What second order adds to a [`Sweep`].
#[derive(Clone, Debug)]
pub struct SweepTangents {
    /// Per argument.
    pub args: Vec<Option<(Place, ParamSet)>>,
    /// Of the result.
    pub result: Option<Var>,
    /// Per argument, of its cotangent.
    pub bars: Vec<Option<Place>>,
    /// Of the result's cotangent.
    pub result_bar: Option<Var>,
}

/// Which sweep of a called function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepKind {
    /// Tangents (first order forward mode).
    Push,
    /// The forward sweep alone.
    Forward,
    /// The reverse sweep alone.
    Reverse,
    /// Both in one: the result's cotangent is known beforehand.
    Both,
}
