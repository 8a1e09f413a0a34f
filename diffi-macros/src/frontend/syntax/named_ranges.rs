//! Ranges that have a name before elements are taken by them: `let row = ends[r]..ends[r + 1]; x[row.clone()].iter()`.
//!
//! Whether `x[row]` is one element or several, the IR knows from the syntax. So the ends get names instead, and the range is written where
//! its name stood. A parameter that is a range stands for its ends where elements are taken by it.

use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// The function with its ranges where elements are taken.
pub fn with_written_ranges(mut item: syn::ItemFn) -> syn::ItemFn {
    let params: Vec<Ident> = item.sig.inputs.iter().filter_map(range_param).cloned().collect();
    for name in params {
        let mut uses = Uses::of(&name);
        uses.visit_block(&item.block);
        if uses.indices > 0 && !uses.bound {
            OfParam(&name).visit_block_mut(&mut item.block);
        }
    }
    Written.visit_block_mut(&mut item.block);
    item
}

/// The parameter of an argument that is a range of integers.
fn range_param(arg: &syn::FnArg) -> Option<&Ident> {
    let syn::FnArg::Typed(syn::PatType { pat, ty, .. }) = arg else { return None };
    let syn::Pat::Ident(syn::PatIdent { ident, mutability: None, .. }) = &**pat else { return None };
    let inner = match &**ty {
        syn::Type::Reference(lent) if lent.mutability.is_none() => &*lent.elem,
        other => other,
    };
    let syn::Type::Path(path) = inner else { return None };
    path.path.segments.last().filter(|last| last.ident == "Range").map(|_| ident)
}

/// How a name is used.
struct Uses<'a> {
    name: &'a Ident,
    /// Where elements are taken by it.
    indices: usize,
    /// Something else gets the name.
    bound: bool,
    /// A macro may mention it.
    hidden: bool,
}

impl<'a> Uses<'a> {
    fn of(name: &'a Ident) -> Self {
        Uses { name, indices: 0, bound: false, hidden: false }
    }
}

/// Whether an expression is the name, or a copy of what it names.
fn is_named(e: &syn::Expr, name: &Ident) -> bool {
    match strip_parens(e) {
        syn::Expr::Path(p) => p.path.is_ident(name),
        syn::Expr::MethodCall(m) => m.method == "clone" && m.args.is_empty() && is_named(&m.receiver, name),
        _ => false,
    }
}

/// Whether a method takes elements by its argument, as an index does.
fn takes_elements(m: &syn::ExprMethodCall) -> bool {
    ["get", "get_mut", "drain"].iter().any(|name| m.method == name) && m.args.len() == 1
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr_index(&mut self, i: &'ast syn::ExprIndex) {
        self.indices += usize::from(is_named(&i.index, self.name));
        visit::visit_expr_index(self, i);
    }

    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        self.indices += usize::from(takes_elements(m) && is_named(&m.args[0], self.name));
        visit::visit_expr_method_call(self, m);
    }

    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bound |= p.ident == *self.name;
        visit::visit_pat_ident(self, p);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.hidden |= mentions(&mac.tokens, self.name);
    }
}

/// The range that a statement gives a name.
fn named_range(stmt: &syn::Stmt) -> Option<(&Ident, &syn::ExprRange)> {
    let syn::Stmt::Local(syn::Local { pat, init: Some(init), attrs, .. }) = stmt else { return None };
    let pattern = match pat {
        syn::Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    let syn::Pat::Ident(syn::PatIdent { ident, mutability: None, by_ref: None, subpat: None, .. }) = pattern else {
        return None;
    };
    let syn::Expr::Range(range) = strip_parens(&init.expr) else { return None };
    (attrs.is_empty() && init.diverge.is_none()).then_some((ident, range))
}

struct Written;

impl VisitMut for Written {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = stmts.into_iter().flat_map(with_ranges_alone).collect();
        let mut at = 0;
        while at < block.stmts.len() {
            at += written(&mut block.stmts, at);
        }
        visit_mut::visit_block_mut(self, block);
    }
}

/// `let (a, b) = (0..n, n..m);` as a statement for each name.
fn with_ranges_alone(stmt: syn::Stmt) -> Vec<syn::Stmt> {
    apart(&stmt).unwrap_or_else(|| vec![stmt])
}

fn apart(stmt: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
    let syn::Stmt::Local(syn::Local { pat: syn::Pat::Tuple(names), init: Some(init), .. }) = stmt else { return None };
    let syn::Expr::Tuple(values) = strip_parens(&init.expr) else { return None };
    let ranges = values.elems.iter().any(|value| matches!(strip_parens(value), syn::Expr::Range(_)));
    let plain = |pattern: &syn::Pat| match pattern {
        syn::Pat::Ident(name) if name.subpat.is_none() => !mentions(&values.to_token_stream(), &name.ident),
        other => matches!(other, syn::Pat::Wild(_)),
    };
    (ranges && names.elems.len() == values.elems.len() && names.elems.iter().all(plain)).then(|| {
        let pairs = names.elems.iter().zip(&values.elems);
        pairs.map(|(name, value)| syn::parse_quote!(let #name = #value;)).collect()
    })
}

/// Names for the ends of a range instead of it, and the range where elements are taken by it. How many statements it is then.
fn written(stmts: &mut Vec<syn::Stmt>, at: usize) -> usize {
    let Some((name, range)) = named_range(&stmts[at]) else { return 1 };
    let (name, mut range) = (name.clone(), range.clone());
    let mut uses = Uses::of(&name);
    scope(&mut stmts[at + 1..], &name, |part| match part {
        Part::Stmt(stmt) => uses.visit_stmt(stmt),
        Part::Value(value) => uses.visit_expr(value),
    });
    if uses.indices == 0 || uses.bound || uses.hidden {
        return 1;
    }
    let mut ends: Vec<syn::Stmt> = Vec::new();
    for (end, label) in [(&mut range.start, "from"), (&mut range.end, "to")] {
        let Some(end) = end else { continue };
        let of_end = format_ident!("__{name}_{label}", span = name.span());
        ends.push(syn::parse_quote!(let #of_end = #end;));
        **end = syn::parse_quote!(#of_end);
    }
    let mut place = InPlace { name: &name, range: syn::Expr::Range(range) };
    scope(&mut stmts[at + 1..], &name, |part| match part {
        Part::Stmt(stmt) => place.visit_stmt_mut(stmt),
        Part::Value(value) => place.visit_expr_mut(value),
    });
    let count = ends.len();
    stmts.splice(at..=at, ends);
    count
}

/// What a name may stand in.
enum Part<'a> {
    Stmt(&'a mut syn::Stmt),
    /// What is bound to the same name.
    Value(&'a mut syn::Expr),
}

/// The statements in which a name is what it is now: up to one that gives it to something else.
fn scope(stmts: &mut [syn::Stmt], name: &Ident, mut f: impl FnMut(Part)) {
    for stmt in stmts {
        match stmt {
            syn::Stmt::Local(local) if binds(&local.pat, name) => {
                return local.init.iter_mut().for_each(|init| f(Part::Value(&mut init.expr)));
            }
            stmt => f(Part::Stmt(stmt)),
        }
    }
}

fn binds(pattern: &syn::Pat, name: &Ident) -> bool {
    let mut uses = Uses::of(name);
    uses.visit_pat(pattern);
    uses.bound
}

/// A range where its name stood.
struct InPlace<'a> {
    name: &'a Ident,
    range: syn::Expr,
}

impl VisitMut for InPlace<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if is_named(e, self.name) {
            let range = &self.range;
            *e = syn::parse_quote!((#range));
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_index_mut(&mut self, i: &mut syn::ExprIndex) {
        if is_named(&i.index, self.name) {
            *i.index = self.range.clone();
        }
        visit_mut::visit_expr_index_mut(self, i);
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        for arg in m.args.iter_mut().filter(|arg| is_named(arg, self.name)) {
            *arg = self.range.clone();
        }
        visit_mut::visit_expr_method_call_mut(self, m);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        if is_named(&field.expr, self.name) {
            field.colon_token.get_or_insert_default();
        }
        visit_mut::visit_field_value_mut(self, field);
    }
}

/// The ends of a parameter where elements are taken by it.
struct OfParam<'a>(&'a Ident);

impl OfParam<'_> {
    fn ends(&self, at: &mut syn::Expr) {
        let name = self.0;
        if is_named(at, name) {
            *at = syn::parse_quote!(#name.start..#name.end);
        }
    }
}

impl VisitMut for OfParam<'_> {
    fn visit_expr_index_mut(&mut self, i: &mut syn::ExprIndex) {
        self.ends(&mut i.index);
        visit_mut::visit_expr_index_mut(self, i);
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        if takes_elements(m) {
            self.ends(&mut m.args[0]);
        }
        visit_mut::visit_expr_method_call_mut(self, m);
    }
}
