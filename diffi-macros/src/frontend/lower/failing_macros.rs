//! Macros that make an error of text, `anyhow!`, or return one, `bail!` and `ensure!`, as `anyhow` and `eyre` have them.
//!
//! Text carries no derivative, so it is made first: the macro itself is given that text alone. A macro that returns stands in a
//! closure whose only way out is an error, which rustc confirms.

use crate::frontend::syntax::heads::head;
use crate::frontend::syntax::passive_code::captured;
use crate::support::names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;

type Args = Punctuated<syn::Expr, syn::Token![,]>;

/// The expression that a macro which makes or returns an error stands for; none where it is not known, or needs no opening.
pub fn failing(mac: &syn::Macro) -> Option<syn::Expr> {
    let (path, name) = (&mac.path, mac.path.segments.last()?.ident.to_string());
    let args: Vec<syn::Expr> = mac.parse_body_with(Args::parse_terminated).ok()?.into_iter().collect();
    let span = name_span(mac);
    let returned = |made: TokenStream| {
        quote_spanned!(span=> return ::core::result::Result::Err(__d::error_of(|| {
            #made;
            ::core::unreachable!()
        })))
    };
    match (name.as_str(), &args[..]) {
        (name, all) if names::is_error(name) => {
            let told = Told::of(mac, all)?;
            Some(told.before(quote_spanned!(span=> #path!), TokenStream::new(), |made| quote!(#made)))
        }
        ("bail", all) => Some(match Told::of(mac, all) {
            Some(told) => told.before(quote_spanned!(span=> #path!), TokenStream::new(), returned),
            None => syn::parse2(returned(mac.to_token_stream())).ok()?,
        }),
        ("ensure", [holds, all @ ..]) => {
            let fails = match (Told::of(mac, all), all) {
                (Some(told), _) => told.before(quote_spanned!(span=> #path!), quote!(false,), returned),
                (None, []) => {
                    let text = format!("Condition failed: `{}`", holds.to_token_stream());
                    syn::parse2(returned(quote_spanned!(span=> #path!(false, "{}", #text)))).ok()?
                }
                (None, all) => syn::parse2(returned(quote_spanned!(span=> #path!(false, #(#all),*)))).ok()?,
            };
            let holds = head(holds);
            Some(syn::parse_quote_spanned!(span=> if !(#holds) { #fails }))
        }
        _ => None,
    }
}

/// Whether a macro stands here in the closure that it may leave: it is opened already.
pub fn is_opened(expr: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = expr else { return false };
    matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "error_of"))
}

fn name_span(mac: &syn::Macro) -> proc_macro2::Span {
    mac.path.segments.last().map_or_else(proc_macro2::Span::call_site, |s| s.ident.span())
}

/// Text that shows values.
struct Told<'a> {
    args: &'a [syn::Expr],
    name: proc_macro2::Ident,
}

impl<'a> Told<'a> {
    /// A format and what it shows; none if it shows nothing, or is none.
    fn of(mac: &syn::Macro, args: &'a [syn::Expr]) -> Option<Self> {
        let Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(format), .. })) = args.first() else { return None };
        let name = proc_macro2::Ident::new("__error_text", name_span(mac));
        let shows = args.len() > 1 || !captured(&format.value()).is_empty();
        let is_made = args.iter().any(|arg| matches!(arg, syn::Expr::Path(p) if p.path.is_ident(&name)));
        (shows && !is_made).then_some(Told { args, name })
    }

    /// `{ let text = format!(..); macro!(first "{}", text) }`, with what is done with the macro.
    fn before(&self, mac: TokenStream, first: TokenStream, done: impl Fn(TokenStream) -> TokenStream) -> syn::Expr {
        let (name, args) = (&self.name, self.args);
        let done = done(quote!(#mac(#first "{}", #name)));
        syn::parse_quote_spanned!(name.span()=> { let #name = ::std::format!(#(#args),*); #done })
    }
}
