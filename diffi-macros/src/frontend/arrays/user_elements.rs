//! Elements of users' types: `m[(i, j)]` is a call of what the attribute makes of `impl Index`, and an assignment to it one of `impl IndexMut`.
//! An array of a library may stand there, too, of which only rustc knows: the runtime has functions for its elements under the same names.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Active, Refs, Value};
use crate::frontend::syntax::floats;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

impl Lower {
    /// How many members the index has, if it can be no index of std's. Arrays are what `ndarray` is indexed by.
    fn index_members(&self, index: &syn::Expr) -> Option<usize> {
        match strip_parens(index) {
            syn::Expr::Tuple(t) => Some(t.elems.len()),
            syn::Expr::Path(p) => match self.scope.get(p.path.get_ident()?)? {
                Value::Tuple(all) => Some(all.len()),
                Value::Passive(p) => match &p.ty {
                    Ty::Tuple(all) => Some(all.len()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The element of a user's type that an expression names: where that is, how many members its index has, and the index.
    pub fn users_element<'e>(&mut self, expr: &'e syn::Expr) -> Option<(Value, usize, &'e syn::Expr)> {
        let syn::Expr::Index(i) = strip_parens(expr) else { return None };
        let members = self.index_members(&i.index).filter(|_| !self.library)?;
        let base = self.expr(&i.expr).dereferenced_fully();
        let unknown = |a: &Active| matches!(self.ty_of(&a.place), Ty::Unknown | Ty::Struct(_));
        match &base {
            Value::Active(a) if !unknown(a) => None,
            _ => Some((base, members, &i.index)),
        }
    }

    /// The index, whose members are integers.
    fn users_index(&mut self, index: &syn::Expr) -> CallArg {
        let syn::Expr::Tuple(t) = strip_parens(index) else { return self.call_arg(index) };
        let members: Vec<PassiveCode> = t.elems.iter().map(|e| self.integer(e)).collect();
        let tokens = members.iter().map(|m| &m.tokens);
        CallArg::Passive(gathered(quote!((#(#tokens,)*)), members.iter(), index.span()))
    }

    /// `m[(i, j)]`, read.
    pub fn users_element_read(&mut self, base: Value, members: usize, index: &syn::Expr, span: Span) -> Value {
        let name = function_name(members, false, span);
        let receiver = self.call_arg_of(base.behind(Refs::SHARED), span);
        let args = vec![receiver, self.users_index(index)];
        self.known_by_its_type(&name);
        let (written, callee) = (quote!(#name), Callee::Method(name));
        let call = Call { linear: true, ..Call::new(callee, written, args) };
        let var = self.bind("element", span, Ty::Float, Expr::Call(call));
        self.elements.insert(var);
        Value::place(Place::var(var))
    }

    /// `m[(i, j)] = value`; the value, if this is no such assignment.
    pub fn users_element_set(&mut self, left: &syn::Expr, value: Value, span: Span) -> Option<Value> {
        let Some((base, members, index)) = self.users_element(left) else { return Some(value) };
        match base {
            Value::Active(_) => {}
            Value::Passive(p) if value.is_active() => {
                match p.root {
                    Some(root) => self.activate(root, span),
                    None => self.errors.unknown_reference(span),
                }
                return None;
            }
            _ => return Some(value),
        }
        let name = function_name(members, true, span);
        let receiver = self.call_arg_of(base.behind(Refs::EXCLUSIVE), span);
        let index = self.users_index(index);
        let value = self.float(&value, "=", left.span())?;
        let value = match value {
            Operand::Passive(o) => CallArg::Passive(o),
            place => CallArg::Value(place),
        };
        self.known_by_its_type(&name);
        let (written, callee) = (quote!(#name), Callee::Method(name));
        let call = Call { linear: true, ..Call::new(callee, written, vec![receiver, index, value]) };
        self.bind("unit", span, Ty::Unknown, Expr::Call(call));
        None
    }

    /// Whether an expression is an element of a user's type, and what it has been lowered to.
    pub fn is_users_element(&self, expr: &syn::Expr, value: &Value) -> bool {
        let written = matches!(strip_parens(expr), syn::Expr::Index(_));
        written
            && matches!(value, Value::Active(a) if a.place.path.is_empty() && self.elements.contains(&a.place.root) && !self.info(a.place.root).named)
    }

    /// `m[(i, j)] += value`.
    pub fn update_users_element(&mut self, left: &syn::Expr, old: Value, op: &syn::BinOp, value: Value, span: Span) {
        let Some(op) = floats::operator(op) else { return self.errors.operator(span, "+=") };
        let new = self.operation(op, &[old, value.dereferenced_fully()], span);
        self.users_element_set(left, new, span);
    }
}

/// Whether a function reads or sets an element: its adjoint asks only for the shape of what holds it.
pub fn is_element(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with("index_") && (name.ends_with("__at") || name.ends_with("__set"))
}

/// The function that reads or sets an element, by how many members the index has.
pub fn function_name(members: usize, sets: bool, span: Span) -> Ident {
    format_ident!("index_{members}__{}", if sets { "set" } else { "at" }, span = span)
}

/// What brings the elements of libraries' arrays into scope, which are found under the same names.
pub fn import(name: &Ident) -> Option<TokenStream> {
    is_element(name).then(|| {
        quote!(
            use __d::library::indexed::{ByThree as _, ByTwo as _};
        )
    })
}
