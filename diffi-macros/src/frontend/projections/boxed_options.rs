//! Options of boxes lent as arguments: `sum(n.next.as_deref())` of a field `next: Option<Box<Node>>`.
//!
//! What a function takes as `Option<&Node>` has another shadow than the field. The argument is written as the option of what is in the box,
//! `match &n.next { Some(inner) => Some(&**inner), None => None }`, which is what `as_deref` gives. The files around tell the field's type.

use super::defined::beside;
use crate::support::syntax::strip_parens;
use crate::support::tokens::position;
use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};

/// The function with such arguments written out.
pub fn with_boxed_options(mut item: syn::ItemFn) -> syn::ItemFn {
    Arguments.visit_block_mut(&mut item.block);
    item
}

struct Arguments;

impl VisitMut for Arguments {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        call.args.iter_mut().for_each(write_out);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        call.args.iter_mut().for_each(write_out);
    }
}

fn write_out(argument: &mut syn::Expr) {
    let syn::Expr::MethodCall(m) = strip_parens(argument) else { return };
    let syn::Expr::Field(f) = strip_parens(&m.receiver) else { return };
    let syn::Member::Named(name) = &f.member else { return };
    if m.method == "as_deref" && is_boxed_option(name) {
        let (inner, field) = (Ident::new("inner", m.method.span()), &m.receiver);
        *argument = syn::parse_quote!(match &#field {
            ::core::option::Option::Some(#inner) => ::core::option::Option::Some(&**#inner),
            ::core::option::Option::None => ::core::option::Option::None,
        });
    }
}

/// Whether all fields of a name are `Option<Box<T>>`.
fn is_boxed_option(name: &Ident) -> bool {
    let Some(at) = position() else { return false };
    let files = beside(&at.file);
    let mut fields = files.iter().filter_map(|file| file.fields.get(&name.to_string())).flatten().peekable();
    fields.peek().is_some() && fields.all(|field| field.boxed_option)
}
