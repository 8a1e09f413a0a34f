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
        parallel(m).is_some_and(|(span, name)| self.refuses_threads(&syn::Expr::MethodCall(m.clone()), span, &name))
    }

    /// Refuses a function that runs closures over active values on other threads.
    pub fn refuses_thread(&mut self, c: &syn::ExprCall) -> bool {
        runner(c).is_some_and(|(span, name)| self.refuses_threads(&syn::Expr::Call(c.clone()), span, &name))
    }

    fn refuses_threads(&mut self, whole: &syn::Expr, span: Span, name: &str) -> bool {
        let whole = self.passive_code(whole);
        let active = self.mentions_active(&whole);
        if active {
            let what = format!("`{name}` on several threads");
            let instead =
                "write the iterator or the calls in sequence; `AutoThreads` computes columns on several threads";
            self.errors.unsupported(span, &what, instead);
        }
        active
    }
}

/// The function that a call runs closures by, on other threads.
fn runner(c: &syn::ExprCall) -> Option<(Span, String)> {
    let syn::Expr::Path(p) = strip_parens(&c.func) else { return None };
    let mut segments = p.path.segments.iter().rev();
    let (last, of) = (&segments.next()?.ident, &segments.next()?.ident);
    RUNNERS.iter().any(|(a, b)| of == a && last == b).then(|| (last.span(), format!("{of}::{last}")))
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
