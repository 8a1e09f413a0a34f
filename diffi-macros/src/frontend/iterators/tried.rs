//! `try_fold`: a loop that is left where there is no next value.

use crate::frontend::lower::exit_values::{Look, results_of};
use crate::frontend::syntax::heads::head;
use crate::frontend::syntax::unused::unused;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// `chain.try_fold(start, f)` or `chain.try_for_each(f)` as the loop that it is, in a block with a label; what to write instead
/// where that is not known.
pub fn written_out(m: &syn::ExprMethodCall, lent: bool) -> Option<Result<syn::Expr, &'static str>> {
    let args: Vec<&syn::Expr> = m.args.iter().collect();
    let (start, f) = match (m.method.to_string().as_str(), &args[..]) {
        ("try_fold", [start, f]) => (Some(*start), *f),
        ("try_for_each", [f]) => (None, *f),
        _ => return None,
    };
    let fails = match gives(f) {
        Some(fails) => fails,
        None => return Some(Err("write a `for` loop that is left by `break`")),
    };
    let names = Names::unused(m);
    let (chain, by_ref) = (head(&m.receiver), lent.then(|| quote!(.by_ref())));
    let chain = quote!(#chain #by_ref);
    Some(Ok(match start {
        Some(start) => names.fold(&chain, start, f, fails),
        None => names.for_each(&chain, f, fails),
    }))
}

/// Names that the call does not mention.
struct Names {
    span: Span,
    folded: Ident,
    item: Ident,
    next: Ident,
    label: syn::Lifetime,
}

impl Names {
    fn unused(m: &syn::ExprMethodCall) -> Self {
        let (span, tokens) = (m.method.span(), m.to_token_stream());
        let [folded, item, next] = ["folded", "item", "next"].map(|name| unused(name, &tokens, span));
        let label = syn::Lifetime { apostrophe: span, ident: unused("folding", &tokens, span) };
        Names { span, folded, item, next, label }
    }

    fn fold(&self, chain: &TokenStream, start: &syn::Expr, f: &syn::Expr, fails: bool) -> syn::Expr {
        let Names { span, folded, item, next, label } = self;
        let whole = match strip_parens(start) {
            syn::Expr::Tuple(t) => {
                let members = (0..t.elems.len()).map(syn::Index::from);
                quote!((#(#folded.#members),*))
            }
            _ => quote!(#folded),
        };
        let (some, left) = self.arms(&quote!(#next), &quote!(#folded = #next), fails);
        let span = *span;
        let found = self.found(&whole, fails);
        syn::parse_quote_spanned!(span=> #label: {
            let mut #folded = #start;
            for #item in #chain {
                match (#f)(#folded, #item) { #some #left }
            }
            #found
        })
    }

    fn for_each(&self, chain: &TokenStream, f: &syn::Expr, fails: bool) -> syn::Expr {
        let Names { span, item, label, .. } = self;
        let (some, left) = self.arms(&quote!(_), &quote!({}), fails);
        let (span, found) = (*span, self.found(&quote!(()), fails));
        syn::parse_quote_spanned!(span=> #label: {
            for #item in #chain {
                match (#f)(#item) { #some #left }
            }
            #found
        })
    }

    fn arms(&self, content: &TokenStream, next: &TokenStream, fails: bool) -> (TokenStream, TokenStream) {
        let label = &self.label;
        match fails {
            true => (quote!(Ok(#content) => #next,), quote!(Err(error) => break #label Err(error),)),
            false => (quote!(Some(#content) => #next,), quote!(None => break #label None,)),
        }
    }

    fn found(&self, whole: &TokenStream, fails: bool) -> TokenStream {
        if fails { quote!(Ok(#whole)) } else { quote!(Some(#whole)) }
    }
}

/// Whether a closure gives `Result`s, or else `Option`s; nothing where neither is seen in a closure.
fn gives(f: &syn::Expr) -> Option<bool> {
    match strip_parens(f) {
        syn::Expr::Closure(c) => match Look::of_all(&results_of(&c.body)) {
            Look::Maybe { fails, .. } => Some(fails),
            _ if mentions(&c.body.to_token_stream(), &Ident::new("ControlFlow", Span::call_site())) => None,
            _ => Some(false),
        },
        _ => Some(false),
    }
}
