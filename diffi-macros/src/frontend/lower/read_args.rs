//! Exclusive references that are handed to functions which only read: `norm(v)`, where `v` is a `&mut [f64]`.
//!
//! The function's reverse sweep reads what the data was at the call. What such a function is given is a shared reference, as rustc makes one.

use crate::frontend::projections::passing::{Reach, only_reads, takes_integer};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use syn::spanned::Spanned;

impl Lower {
    /// The arguments of a function, or those of a method behind its receiver, as they are taken.
    pub fn as_taken(&self, function: &Ident, args: &[&syn::Expr], receiver: bool) -> Vec<syn::Expr> {
        let (name, first) = (function.to_string(), usize::from(receiver));
        let reads = |k: usize, reach| only_reads(&name, args.len() + first, k + first, reach);
        let one = |(k, arg): (usize, &&syn::Expr)| {
            let shared = self.shared(arg).filter(|(_, reach)| reads(k, *reach));
            shared.map_or_else(|| (*arg).clone(), |(shared, _)| shared)
        };
        args.iter().enumerate().map(one).collect()
    }

    /// Notes which parts of active values are given to parameters that are integers.
    pub fn note_integers(&mut self, function: &Ident, args: &[&syn::Expr], receiver: bool) {
        let (name, first) = (function.to_string(), usize::from(receiver));
        for (k, arg) in args.iter().enumerate() {
            if !is_part(arg) || !takes_integer(&name, args.len() + first, k + first) {
                continue;
            }
            let (_, value) = self.inside(|l| l.untyped(arg));
            self.is_used_as_integer(&value);
        }
    }

    /// A shared reference to what an exclusive one leads to, and where the function has to stand. Few write `&mut` for what is only read.
    fn shared(&self, arg: &syn::Expr) -> Option<(syn::Expr, Reach)> {
        match strip_parens(arg) {
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let of = &r.expr;
                Some((syn::parse_quote_spanned!(arg.span()=> &#of), Reach::File))
            }
            syn::Expr::Path(p) => {
                let refs = match self.scope.get(p.path.get_ident()?)? {
                    Value::Active(a) => a.refs,
                    Value::Passive(p) => p.refs,
                    _ => return None,
                };
                (refs.depth == 1 && refs.exclusive)
                    .then(|| (syn::parse_quote_spanned!(arg.span()=> &*#arg), Reach::Around))
            }
            _ => None,
        }
    }
}

/// Whether an argument is a variable or a part of one, perhaps behind a reference.
fn is_part(arg: &syn::Expr) -> bool {
    match strip_parens(arg) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_part(&f.base),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_part(&u.expr),
        _ => false,
    }
}
