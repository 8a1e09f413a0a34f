//! Whether the text of a `fn clone` shows that it copies: `*self`, or each field from itself.

use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// Whether the body of a `clone` copies a value of this type.
pub fn copies(body: &syn::Block, owner: &Ident) -> bool {
    let [syn::Stmt::Expr(value, None)] = &body.stmts[..] else { return false };
    match strip_parens(value) {
        syn::Expr::Match(m) => m.arms.iter().all(|arm| arm.guard.is_none() && is_copy_of_pattern(&arm.pat, &arm.body)),
        value => is_self(value) || is_copy_of_fields(value, owner),
    }
}

fn is_self(value: &syn::Expr) -> bool {
    value.to_token_stream().to_string() == "* self"
}

/// `Self { a: self.a.clone(), b: self.b }`, `Self(self.0)`.
fn is_copy_of_fields(value: &syn::Expr, owner: &Ident) -> bool {
    let makes = |path: &syn::Path| path.get_ident().is_some_and(|name| name == "Self" || name == owner);
    match value {
        syn::Expr::Struct(s) => {
            let rest = s.rest.as_ref().is_none_or(|rest| is_self(rest));
            makes(&s.path) && rest && s.fields.iter().all(|field| is_copy_of_field(&field.expr, &field.member))
        }
        syn::Expr::Call(c) => {
            let maker = matches!(&*c.func, syn::Expr::Path(p) if makes(&p.path));
            maker && c.args.iter().enumerate().all(|(k, arg)| is_copy_of_field(arg, &syn::Member::from(k)))
        }
        _ => false,
    }
}

fn is_copy_of_field(value: &syn::Expr, member: &syn::Member) -> bool {
    match strip_parens(value) {
        syn::Expr::Field(f) => f.member == *member && f.base.to_token_stream().to_string() == "self",
        syn::Expr::MethodCall(m) => m.method == "clone" && m.args.is_empty() && is_copy_of_field(&m.receiver, member),
        syn::Expr::Call(c) => {
            let clone =
                matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "clone"));
            matches!(c.args.first(), Some(syn::Expr::Reference(of)) if clone && is_copy_of_field(&of.expr, member))
        }
        syn::Expr::Path(p) => p.path.segments.last().is_some_and(|name| name.ident == "PhantomData"),
        _ => false,
    }
}

/// `Shape::Circle(r) => Shape::Circle(r.clone())`: what is made is what the pattern takes apart.
fn is_copy_of_pattern(pattern: &syn::Pat, value: &syn::Expr) -> bool {
    let plain = matches!(value, syn::Expr::Path(_) | syn::Expr::Call(_) | syn::Expr::Struct(_));
    plain && names_of(pattern.to_token_stream()) == names_of(value.to_token_stream())
}

/// The tokens without references and calls of `clone`.
fn names_of(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Punct(p) if ['*', '&', '.'].contains(&p.as_char()) => {}
            TokenTree::Ident(name) if name == "ref" || name == "clone" => {}
            TokenTree::Group(group) if group.stream().is_empty() => {}
            TokenTree::Group(group) => names.extend(names_of(group.stream())),
            tree => names.push(tree.to_string()),
        }
    }
    names
}
