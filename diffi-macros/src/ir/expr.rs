//! Expressions: operations, calls, and passive code.

use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream};
use std::ops::Range;
use std::rc::Rc;

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
    /// A clone of such a value is a copy, by all that the module shows.
    pub copies: bool,
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

/// What begins the name of the type in place of a handle that a method or an associated function does not have.
pub const WITHOUT_HANDLE: &str = "__unannotated_";

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
    /// Which of the `&mut` arguments change later: the callee has to be one that takes them so.
    pub changing: Vec<usize>,
    /// It is known to give nothing.
    pub gives_nothing: bool,
}

impl Call {
    /// A call without functions among its arguments.
    pub fn new(callee: Callee, written: TokenStream, args: Vec<CallArg>) -> Self {
        Call { callee, written, args, linear: false, handed: Vec::new(), changing: Vec::new(), gives_nothing: false }
    }

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
    /// Another backend: the first argument is the function and the backend.
    With(With),
}

/// What another backend does to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Differentiates it: `differentiate_with(f::D, backend).call(..)`.
    Function,
    /// Gives its derivative, `gradient(f::D, backend, ..)`: what is differentiated is the operator.
    Operator,
}

impl With {
    /// How the names of the runtime's functions begin.
    pub fn prefix(self) -> &'static str {
        match self {
            With::Function => "with",
            With::Operator => "operator",
        }
    }
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
