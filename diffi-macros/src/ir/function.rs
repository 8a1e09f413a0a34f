//! A function: its parameters, its result, and the block of methods that it stands in.

use crate::ir::*;
use proc_macro2::{Ident, TokenStream};
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// It is a struct, or a list of structs, that derive `Clone`: their clones are copies.
    pub copies: bool,
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
    /// It returns a value of the block's type.
    pub gives_own: bool,
    /// The text of a small one, which may be inlined.
    pub text: Option<Rc<syn::ItemFn>>,
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
