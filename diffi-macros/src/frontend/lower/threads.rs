//! Work for several threads: derivative code runs on one, so that active values may not go there.

use crate::frontend::state::context::Lower;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;

/// Functions that run closures on other threads, by the two last segments of their paths.
const RUNNERS: &[(&str, &str)] = &[
    ("rayon", "join"),
    ("rayon", "scope"),
    ("rayon", "in_place_scope"),
    ("rayon", "spawn"),
    ("thread", "spawn"),
    ("thread", "scope"),
];

impl Lower {
    /// Refuses an iterator of `rayon` over active values.
    pub fn refuses_parallel_iterator(&mut self, m: &syn::ExprMethodCall) -> bool {
        let Some((span, name)) = parallel(m) else { return false };
        let whole = self.opaque(&syn::Expr::MethodCall(m.clone()));
        let active = self.mentions_active(&whole);
        if active {
            self.refuse_threads(span, &name);
        }
        active
    }

    /// Refuses a function that runs closures over active values on other threads.
    pub fn refuses_thread(&mut self, c: &syn::ExprCall) -> bool {
        let syn::Expr::Path(p) = strip_parens(&c.func) else { return false };
        let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
        let (Some(name), Some(of)) = (names.next(), names.next()) else { return false };
        if !RUNNERS.contains(&(of.as_str(), name.as_str())) {
            return false;
        }
        let whole = self.opaque(&syn::Expr::Call(c.clone()));
        let active = self.mentions_active(&whole);
        if active {
            let last = p.path.segments.last().expect("a path has a segment");
            self.refuse_threads(last.ident.span(), &format!("{of}::{name}"));
        }
        active
    }

    fn refuse_threads(&mut self, span: Span, name: &str) {
        let what = format!("`{name}` on several threads");
        let instead = "write the iterator or the calls in sequence; `AutoThreads` computes columns on several threads";
        self.errors.unsupported(span, &what, instead);
    }
}

/// The method of a chain that makes it parallel.
fn parallel(m: &syn::ExprMethodCall) -> Option<(Span, String)> {
    let name = m.method.to_string();
    if name.starts_with("par_") || name == "into_par_iter" {
        return Some((m.method.span(), name));
    }
    match strip_parens(&m.receiver) {
        syn::Expr::MethodCall(receiver) => parallel(receiver),
        _ => None,
    }
}
