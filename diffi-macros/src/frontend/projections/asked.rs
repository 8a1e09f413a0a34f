//! The calls that a call of a method which returns a reference becomes: the one that finds where that leads, and the call itself.
//!
//! A function that returns a reference into one of its arguments is called in the same way: its name stands in front of its arguments.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;

/// Stands for a method where a function is called.
pub const FUNCTION: &str = "__function";

/// Stands for the argument that the reference leads into.
pub const ARGUMENT: &str = "__argument";

/// The arguments of a call.
pub type Arguments = Punctuated<syn::Expr, syn::Token![,]>;

/// A method, or a function and which of its arguments stands for the receiver.
pub enum Asked<'a> {
    Method(&'a Ident),
    Function { path: &'a syn::Path, at: usize },
}

impl<'a> Asked<'a> {
    /// What is called, and the arguments besides the receiver.
    pub fn of(method: &'a Ident, args: &'a Arguments) -> (Self, Vec<&'a syn::Expr>) {
        let is_argument = |e: &&syn::Expr| matches!(e, syn::Expr::Path(p) if p.path.is_ident(ARGUMENT));
        match args.first() {
            Some(syn::Expr::Path(path)) if method == FUNCTION => {
                let at = args.iter().skip(1).position(|e| is_argument(&e)).unwrap_or_default();
                let rest = args.iter().skip(1).filter(|e| !is_argument(e));
                (Asked::Function { path: &path.path, at }, rest.collect())
            }
            _ => (Asked::Method(method), args.iter().collect()),
        }
    }

    /// Its name.
    pub fn name(&self) -> Option<&Ident> {
        match self {
            Asked::Method(method) => Some(method),
            Asked::Function { path, .. } => path.segments.last().map(|s| &s.ident),
        }
    }

    /// The call that finds where the reference leads.
    pub fn find(&self, on: &TokenStream, args: &[TokenStream]) -> TokenStream {
        match self {
            Asked::Method(method) => {
                let function = where_function(method);
                quote!(#on.#function(#(#args),*))
            }
            Asked::Function { path, at } => {
                let (before, behind) = args.split_at(*at);
                quote!(#path::__where(#(#before,)* &#on, #(#behind),*))
            }
        }
    }

    /// The call itself.
    pub fn call(&self, on: &TokenStream, args: &[TokenStream], exclusive: bool) -> TokenStream {
        match self {
            Asked::Method(method) if *method == "deref" && args.is_empty() => quote!((&*#on)),
            Asked::Method(method) if is_index(method) && args.len() == 1 => quote!((&#on[#(#args)*])),
            Asked::Method(method) => quote!(#on.#method(#(#args),*)),
            Asked::Function { path, at } => {
                let (before, behind) = args.split_at(*at);
                let on = if exclusive { quote!(&mut #on) } else { quote!(&#on) };
                quote!(#path(#(#before,)* #on, #(#behind),*))
            }
        }
    }
}

/// Whether a method stands for an index.
fn is_index(method: &Ident) -> bool {
    method == "index" || method.to_string().starts_with("index_of_")
}

/// The function that says where a method leads.
pub fn where_function(method: &Ident) -> Ident {
    let plain = method.to_string();
    format_ident!("{}__where", plain.trim_start_matches("r#"), span = method.span())
}
