//! Constants and functions of a generic float's traits by their whole paths: `<T as Real>::ZERO` for `T::ZERO`.
//!
//! In derivative code `T` has traits of diffi's as well, with items of the same names. What is called on a value, `T::sqrt(x)`, becomes
//! a method, `x.sqrt()`.

use super::number_traits::NumberTraits;
use crate::frontend::syntax::bases::base_of;
use crate::ir::{Base, Owner};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// The function with such paths.
pub fn with_qualified_numbers(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let Base::Generic(float) = base_of(&item.sig, owner) else { return item };
    let traits = NumberTraits::of_function(&item, owner);
    if traits.is_empty() {
        return item;
    }
    let qualified = Qualified { float: &float, traits: &traits, methods: true };
    Methods(&qualified).visit_block_mut(&mut item.block);
    let block = qualified.tokens(item.block.to_token_stream());
    item.block = syn::parse2(block).map_or(item.block, Box::new);
    item
}

/// An expression with such paths; `methods` of floats are the traits'.
pub fn qualified(mut value: syn::Expr, float: &Ident, traits: &NumberTraits, methods: bool) -> syn::Expr {
    let qualified = Qualified { float, traits, methods };
    if methods {
        Methods(&qualified).visit_expr_mut(&mut value);
    }
    syn::parse2(qualified.tokens(value.to_token_stream())).unwrap_or(value)
}

struct Qualified<'t> {
    float: &'t Ident,
    traits: &'t NumberTraits,
    /// Paths of methods are qualified, too.
    methods: bool,
}

impl Qualified<'_> {
    /// The tokens with each `T::NAME` of a trait.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut k) = (TokenStream::new(), 0);
        while k < trees.len() {
            let follows = k > 0 && matches!(&trees[k - 1], TokenTree::Punct(p) if p.as_char() == ':');
            let path = if follows { None } else { self.path(&trees[k..]) };
            k += if path.is_some() { 4 } else { 1 };
            out.extend(path.unwrap_or_else(|| match &trees[k - 1] {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::from(inner).into()
                }
                other => other.clone().into(),
            }));
        }
        out
    }

    /// `T::NAME` at the beginning of tokens, by its whole path.
    fn path(&self, trees: &[TokenTree]) -> Option<TokenStream> {
        let [TokenTree::Ident(float), TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(name), ..] = trees
        else {
            return None;
        };
        (float == self.float && a.as_char() == ':' && b.as_char() == ':').then_some(())?;
        let (_, is_method) = self.traits.declares(&name.to_string())?;
        let of = self.traits.path_to(&name.to_string()).filter(|_| self.methods || !is_method)?;
        Some(quote_spanned!(float.span()=> <#float as #of>::#name))
    }

    /// Whether a path is that of a method of the float's traits.
    fn is_method(&self, path: &syn::ExprPath) -> bool {
        let segments = &path.path.segments;
        let name = segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let of_float = match &path.qself {
            Some(of) => {
                let before: Vec<String> = segments.iter().take(of.position).map(|s| s.ident.to_string()).collect();
                let known =
                    self.traits.path_to(&name).map(|of| of.segments.iter().map(|s| s.ident.to_string()).collect());
                is_name(&of.ty, self.float) && known == Some(before)
            }
            None => segments.len() == 2 && segments[0].ident == *self.float,
        };
        of_float && self.traits.declares(&name).is_some_and(|(_, is_method)| is_method)
    }
}

fn is_name(ty: &syn::Type, name: &Ident) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident(name))
}

/// Makes method calls of calls by paths.
struct Methods<'q>(&'q Qualified<'q>);

impl VisitMut for Methods<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        let syn::Expr::Call(call) = &*e else { return };
        let syn::Expr::Path(path) = &*call.func else { return };
        let Some(first) = call.args.first().filter(|_| self.0.is_method(path)) else { return };
        let (name, rest) = (&path.path.segments[path.path.segments.len() - 1].ident, call.args.iter().skip(1));
        let span: Span = call.span();
        if let Ok(method) = syn::parse2(quote_spanned!(span=> (#first).#name(#(#rest),*))) {
            *e = method;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
