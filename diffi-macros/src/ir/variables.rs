//! Variables, and what the compiler knows of their types.

use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeMap;

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
    /// The placeholder by which passive tokens mention it: unique in the function.
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
    /// An option or a result that passive code gave once: nothing but a reading of its content is made of it.
    pub carrier: bool,
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
