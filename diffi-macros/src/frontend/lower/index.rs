//! Arithmetic on passive integers: loop bounds and the indices of places.

use crate::frontend::lower::context::{Lower, gathered};
use crate::ir::Opaque;
use crate::ir::affine::literal_index;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// A literal.
pub fn literal(n: usize) -> Opaque {
    let n = proc_macro2::Literal::usize_unsuffixed(n);
    Opaque::literal(quote!(#n))
}

/// A literal that is no float: `true`, `3`, `'a'`.
pub fn is_no_float(o: &Opaque) -> bool {
    match syn::parse2::<syn::Lit>(o.tokens.clone()) {
        Ok(syn::Lit::Int(n)) => !n.suffix().starts_with('f'),
        Ok(lit) => !matches!(lit, syn::Lit::Float(_)),
        Err(_) => false,
    }
}

/// `a + b`.
pub fn add(a: &Opaque, b: &Opaque) -> Opaque {
    match (literal_index(a), literal_index(b)) {
        (Some(a), Some(b)) => literal(a + b),
        (Some(0), _) => b.clone(),
        (_, Some(0)) => a.clone(),
        (Some(_), _) => sum_of(b, a),
        _ => sum_of(a, b),
    }
}

fn sum_of(a: &Opaque, b: &Opaque) -> Opaque {
    let (x, y) = (&a.tokens, factor(b));
    gathered(quote!(#x + #y), [a, b].into_iter(), a.span)
}

/// `a - b`.
pub fn sub(a: &Opaque, b: &Opaque) -> Opaque {
    if literal_index(b) == Some(0) {
        return a.clone();
    }
    let (x, y) = (&a.tokens, factor(b));
    gathered(quote!(#x - #y), [a, b].into_iter(), a.span)
}

/// `a * b`.
pub fn mul(a: &Opaque, b: &Opaque) -> Opaque {
    match (literal_index(a), literal_index(b)) {
        (Some(a), Some(b)) => literal(a * b),
        (Some(1), _) => b.clone(),
        (_, Some(1)) => a.clone(),
        _ => {
            let (x, y) = (factor(a), factor(b));
            gathered(quote!(#x * #y), [a, b].into_iter(), a.span)
        }
    }
}

/// `a.method(b)`.
pub fn method(a: &Opaque, name: &str, b: &Opaque) -> Opaque {
    let name = proc_macro2::Ident::new(name, a.span);
    let (x, y) = (factor(a), &b.tokens);
    let x = if literal_index(a).is_some() { quote!((#x as usize)) } else { x };
    gathered(quote!(#x.#name(#y)), [a, b].into_iter(), a.span)
}

/// The tokens, in parentheses unless they are one name, literal, path or group.
pub fn factor(o: &Opaque) -> TokenStream {
    let tokens = &o.tokens;
    let atomic = syn::parse2::<syn::Expr>(tokens.clone()).is_ok_and(|e| {
        matches!(
            e,
            syn::Expr::Path(_)
                | syn::Expr::Lit(_)
                | syn::Expr::Paren(_)
                | syn::Expr::MethodCall(_)
                | syn::Expr::Index(_)
                | syn::Expr::Field(_)
                | syn::Expr::Call(_)
                | syn::Expr::Tuple(_)
        )
    });
    if atomic { quote!(#tokens) } else { quote!((#tokens)) }
}

/// Only names, literals and arithmetic.
pub fn is_simple(o: &Opaque) -> bool {
    o.shapes.is_empty() && simple_tokens(o.tokens.clone())
}

fn simple_tokens(tokens: TokenStream) -> bool {
    let mut after_name = false;
    for tree in tokens {
        match &tree {
            TokenTree::Ident(name) if name == "as" => return false,
            TokenTree::Punct(p) if !"+-*/%,".contains(p.as_char()) => return false,
            TokenTree::Group(g) => {
                let call = after_name || g.delimiter() == Delimiter::Brace;
                if call || !simple_tokens(g.stream()) {
                    return false;
                }
            }
            _ => {}
        }
        after_name = matches!(tree, TokenTree::Ident(_));
    }
    true
}

impl Lower {
    /// The same value, fit to stand in a path: bound to a temporary unless it is simple.
    pub fn simple(&mut self, hint: &str, o: Opaque) -> Opaque {
        if is_simple(&o) { o } else { self.hold(hint, o) }
    }

    /// The same value, fit to stand in the path of a name: nothing that it reads can change.
    pub fn frozen(&mut self, hint: &str, o: Opaque) -> Opaque {
        if is_simple(&o) && self.is_stable(&o) { o } else { self.hold(hint, o) }
    }

    /// The same value as a literal or an immutable variable.
    pub fn atom(&mut self, hint: &str, o: Opaque) -> Opaque {
        let one = o.tokens.clone().into_iter().count() == 1;
        if one && is_simple(&o) && self.is_stable(&o) { o } else { self.hold(hint, o) }
    }
}
