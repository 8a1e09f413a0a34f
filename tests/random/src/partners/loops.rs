//! Loops in other forms.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, parse_quote};

/// The first iteration of loops over a range stands before the loop.
pub fn peeled(file: &mut syn::File) {
    rewrite(file, |on, _| {
        let (lo, hi) = ends(on)?;
        if leaves(&on.body, &["break", "continue"]) {
            return None;
        }
        let (pat, body, mut rest) = (&on.pat, &on.body, on.clone());
        rest.expr = parse_quote!((#lo + 1)..#hi);
        rest.label = None;
        Some(parse_quote!({ if #lo < #hi { let #pat = #lo; #body } #rest }))
    });
}

/// Loops over a range as `while`.
pub fn with_conditions(file: &mut syn::File) {
    rewrite(file, |on, number| {
        let (lo, hi) = ends(on)?;
        let (pat, label, attrs, stmts) = (&on.pat, &on.label, &on.attrs, &on.body.stmts);
        let at = quote::format_ident!("at_{number}");
        Some(
            parse_quote!({ let mut #at = #lo; #(#attrs)* #label while #at < #hi { let #pat = #at; #at += 1; #(#stmts)* } }),
        )
    });
}

/// Loops as calls of `for_each`.
pub fn as_calls(file: &mut syn::File) {
    rewrite(file, |on, _| {
        if leaves(&on.body, &["break", "continue", "return", "?"]) {
            return None;
        }
        let (pat, over, body) = (&on.pat, &on.expr, &on.body);
        Some(parse_quote!((#over).into_iter().for_each(|#pat| #body)))
    });
}

/// Another form of a loop, given its number; `None` where it has none.
type Form = fn(&syn::ExprForLoop, usize) -> Option<Expr>;

/// Writes loops in another form, from the innermost outwards.
fn rewrite(file: &mut syn::File, form: Form) {
    Rewrite { form, count: 0 }.visit_file_mut(file);
}

struct Rewrite {
    form: Form,
    count: usize,
}

impl VisitMut for Rewrite {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        visit_mut::visit_stmt_mut(self, stmt);
        let syn::Stmt::Expr(Expr::ForLoop(on), _) = stmt else { return };
        self.count += 1;
        if let Some(other) = (self.form)(on, self.count) {
            *stmt = syn::Stmt::Expr(other, Some(Default::default()));
        }
    }
}

/// The ends of a range that are the same in every iteration.
fn ends(on: &syn::ExprForLoop) -> Option<(&Expr, &Expr)> {
    let mut over = &*on.expr;
    while let Expr::Paren(inner) = over {
        over = &inner.expr;
    }
    let Expr::Range(syn::ExprRange { start: Some(lo), end: Some(hi), limits: syn::RangeLimits::HalfOpen(_), .. }) =
        over
    else {
        return None;
    };
    let fixed = |e: &Expr| matches!(e, Expr::Lit(_) | Expr::Path(_));
    (fixed(lo) && fixed(hi)).then_some((&**lo, &**hi))
}

/// Whether one of these words stands somewhere within a block.
fn leaves(block: &syn::Block, words: &[&str]) -> bool {
    let text = block.to_token_stream().to_string();
    text.split_whitespace().any(|word| words.contains(&word.trim_end_matches(';')))
}
