//! Questions about the syntax of the user's code.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;

/// The expression inside redundant parentheses.
pub fn strip_parens(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(p) => strip_parens(&p.expr),
        syn::Expr::Group(g) => strip_parens(&g.expr),
        other => other,
    }
}

/// Whether an attribute is ours.
pub fn is_attribute(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|s| s.ident == "differentiable")
}

/// Whether the attribute is among these, be it under a condition.
pub fn is_annotated(attrs: &[syn::Attribute]) -> bool {
    let ours = Ident::new("differentiable", Span::call_site());
    let under_condition = |a: &syn::Attribute| a.path().is_ident("cfg_attr") && mentions(&a.to_token_stream(), &ours);
    attrs.iter().any(|a| is_attribute(a) || under_condition(a))
}

/// Whether a path may name a constant.
pub fn is_constant(path: &syn::Path) -> bool {
    let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    last.len() > 1 && last.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Whether an expression is `self`.
pub fn is_self(expr: &syn::Expr) -> bool {
    matches!(strip_parens(expr), syn::Expr::Path(p) if p.path.is_ident("self"))
}

/// Whether a closure's body returns early.
pub fn has_return(body: &syn::Expr) -> bool {
    struct Returns(bool);
    impl<'a> syn::visit::Visit<'a> for Returns {
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut returns = Returns(false);
    syn::visit::Visit::visit_expr(&mut returns, body);
    returns.0
}

/// `value; len` of `vec![value; len]`.
pub struct VecRepeat {
    /// The element.
    pub value: syn::Expr,
    /// How many.
    pub len: syn::Expr,
}

impl syn::parse::Parse for VecRepeat {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(VecRepeat { value, len: input.parse()? })
    }
}

/// The arguments of a macro, if all are expressions: `vec![value; len]` has two.
pub fn macro_arguments(mac: &syn::Macro) -> Option<Vec<syn::Expr>> {
    let listed = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    if let Ok(all) = mac.parse_body_with(listed) {
        return Some(all.into_iter().collect());
    }
    mac.parse_body().ok().map(|VecRepeat { value, len }| vec![value, len])
}

/// The variant that a path names, if it is one: its last segment stands behind a type.
pub fn variant(path: &syn::Path) -> Option<&Ident> {
    let (last, owner) = (path.segments.last()?, path.segments.iter().rev().nth(1)?);
    let upper = |name: &Ident| name.unraw().to_string().starts_with(char::is_uppercase);
    (upper(&last.ident) && upper(&owner.ident)).then_some(&last.ident)
}

/// Whether a path names a struct or a variant, as names are given in Rust: `Vec3`, `Shape::Circle`. `B23_T2p` is a function, since a
/// type's name has no `_`.
pub fn makes(path: &syn::Path) -> bool {
    variant(path).is_some() || path.segments.last().is_some_and(|s| is_type_name(&s.ident))
}

/// Whether a name is that of a type.
pub fn is_type_name(name: &Ident) -> bool {
    let name = name.unraw().to_string();
    name.starts_with(char::is_uppercase) && !name.contains('_')
}

/// The name that an expression is, seen through references.
pub fn referred_name(expr: &syn::Expr) -> Option<&Ident> {
    match strip_parens(expr) {
        syn::Expr::Path(p) => p.path.get_ident(),
        syn::Expr::Reference(r) => referred_name(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => referred_name(&u.expr),
        _ => None,
    }
}

/// Whether tokens mention a name, or may do so in a text.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    let in_text = |text: String| text.contains('"') && text.contains(&name.to_string());
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        TokenTree::Literal(l) => in_text(l.to_string()),
        TokenTree::Punct(_) => false,
    })
}

/// Whether a call is `Box::new(value)`, or that of a shared box.
pub fn is_box(c: &syn::ExprCall) -> bool {
    let syn::Expr::Path(p) = strip_parens(&c.func) else { return false };
    let names: Vec<String> = p.path.segments.iter().rev().take(2).map(|s| s.ident.to_string()).collect();
    c.args.len() == 1 && names.len() == 2 && names[0] == "new" && ["Box", "Rc", "Arc"].contains(&&*names[1])
}
