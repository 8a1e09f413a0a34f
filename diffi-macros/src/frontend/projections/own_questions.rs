//! Methods of the user's own that have the name of a question, `len` of a vector of the plane: `self.len()`, `v.len()`.
//!
//! What `len`, `dim` or `position` give is an integer, as far as names tell. Where the type of a receiver is known, and its block has the attribute and
//! such a method that gives a number, the call is written with a raw name, `v.r#len()`, which is the same to rustc, and no question.

use super::defined::{Defined, beside};
use super::receivers::Receivers;
use crate::frontend::syntax::types;
use crate::ir::Owner;
use crate::support::names::QUERIES;
use crate::support::syntax::strip_parens;
use crate::support::tokens::position;
use proc_macro2::Ident;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};

/// The function with such calls by raw names.
pub fn with_own_questions(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let mut asks = Asks(false);
    asks.visit_block_mut(&mut item.block);
    if asks.0 {
        let receivers = Receivers::of(&item, owner);
        let files = position().map(|at| beside(&at.file)).unwrap_or_default();
        OwnQuestions { owner, receivers, files }.visit_block_mut(&mut item.block);
    }
    item
}

fn is_question(name: &Ident) -> bool {
    QUERIES.iter().any(|question| name == question)
}

/// Whether a method has the name of a question.
struct Asks(bool);

impl VisitMut for Asks {
    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        self.0 |= is_question(&m.method);
        visit_mut::visit_expr_method_call_mut(self, m);
    }
}

struct OwnQuestions<'o> {
    owner: Option<&'o Owner>,
    receivers: Receivers,
    /// What is known of the types of the files around.
    files: Vec<Rc<Defined>>,
}

impl OwnQuestions<'_> {
    /// Whether a method is one of the user's, and gives a number.
    fn is_own(&self, m: &syn::ExprMethodCall) -> bool {
        let name = m.method.to_string();
        let Some(ty) = self.type_of(&m.receiver, &name) else { return false };
        let this = syn::parse_quote!(self);
        let sibling = self.owner.filter(|_| self.receivers.type_of(&this) == Some(&ty));
        if let Some(sibling) = sibling.and_then(|owner| owner.functions.get(&name)) {
            return !sibling.passive && sibling.projection.is_none() && !types::is_passive(&sibling.ty);
        }
        let method = (ty, name);
        self.files.iter().any(|file| file.numbers.contains(&method))
    }

    /// The name of a receiver's type: of a variable, a new value, a field, an element, or of what arithmetic gives.
    fn type_of(&self, e: &syn::Expr, method: &str) -> Option<String> {
        let e = strip_parens(e);
        match (self.receivers.made(e), e) {
            (Some(ty), _) => Some(ty),
            (None, syn::Expr::Field(f)) => self.field(self.type_of(&f.base, method), &f.member),
            (None, syn::Expr::Index(i)) => match strip_parens(&i.expr) {
                syn::Expr::Path(p) => self.receivers.element_of(&p.path.get_ident()?.to_string(), 1).map(str::to_owned),
                _ => None,
            },
            (None, syn::Expr::Binary(_)) => {
                let owners = self.files.iter().flat_map(|file| &file.numbers).filter(|(_, name)| name == method);
                one_of(owners.map(|(ty, _)| ty))
            }
            _ => None,
        }
    }

    /// The name of a field's type, where all types that may be meant agree.
    fn field(&self, of: Option<String>, member: &syn::Member) -> Option<String> {
        let syn::Member::Named(name) = member else { return None };
        let fields = self.files.iter().filter_map(|file| file.fields.get(&name.to_string())).flatten();
        one_of(fields.filter(|field| of.as_ref().is_none_or(|of| *of == field.owner)).map(|field| &field.ty))
    }
}

/// The one name among these.
fn one_of<'n>(mut names: impl Iterator<Item = &'n String>) -> Option<String> {
    let first = names.next()?;
    names.all(|name| name == first).then(|| first.clone())
}

impl VisitMut for OwnQuestions<'_> {
    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, m);
        if is_question(&m.method) && self.is_own(m) {
            m.method = Ident::new_raw(&m.method.to_string(), m.method.span());
        }
    }
}
