//! Ways through a method's body, each to a reference: the body with words in the place of its references.

use super::routes::{Found, Names, Route, Step, of_place, of_reference};
use crate::frontend::syntax::writes::is_assignment;
use crate::support::errors;
use crate::support::syntax::strip_parens;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// The ways.
pub struct Ways {
    /// The body, whose value is a word.
    pub body: syn::Block,
    /// Where each way leads.
    pub routes: Vec<Route>,
}

impl Ways {
    /// Those of a method that returns a reference, or an option of one.
    pub fn of(item: &syn::ItemFn, maybe: bool) -> syn::Result<Self> {
        let mut body = (*item.block).clone();
        let mut found = Walk { maybe, names: Names::new(), routes: Vec::new(), error: None };
        found.visit_block_mut(&mut body);
        found.value_of_block(&mut body);
        match found.error {
            Some(error) => Err(error),
            None => {
                Shared.visit_block_mut(&mut body);
                Ok(Ways { body, routes: found.routes })
            }
        }
    }

    /// None, of a method that is refused.
    pub fn none() -> Self {
        Ways { body: syn::parse_quote!({ ::core::unreachable!() }), routes: Vec::new() }
    }

    /// How many words the longest way has.
    pub fn width(&self) -> usize {
        self.routes.iter().map(|route| route.words().len()).max().unwrap_or_default()
    }
}

/// The walk through a body for its references.
struct Walk {
    maybe: bool,
    names: Names,
    routes: Vec<Route>,
    error: Option<syn::Error>,
}

impl Walk {
    /// The value of a block, which is the method's.
    fn value_of_block(&mut self, block: &mut syn::Block) {
        match block.stmts.last_mut() {
            Some(syn::Stmt::Expr(syn::Expr::Return(_), _)) => {}
            Some(syn::Stmt::Expr(tail, None)) => self.value(tail),
            Some(syn::Stmt::Macro(_)) => {}
            _ => self.fail(errors::reference_of_unknown_origin(block.span())),
        }
    }

    fn value(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Paren(p) => self.value(&mut p.expr),
            syn::Expr::If(i) => {
                self.value_of_block(&mut i.then_branch);
                i.else_branch.iter_mut().for_each(|(_, other)| self.value(other));
            }
            syn::Expr::Match(m) => m.arms.iter_mut().for_each(|arm| self.value(&mut arm.body)),
            syn::Expr::Block(b) => self.value_of_block(&mut b.block),
            syn::Expr::Macro(_) | syn::Expr::Return(_) => {}
            e => {
                let word = if self.maybe { self.option(e) } else { of_reference(e, &self.names).map(|r| self.word(r)) };
                match word {
                    Ok(word) => *e = syn::Expr::Verbatim(word),
                    Err(error) => self.fail(error),
                }
            }
        }
    }

    /// An option of a reference, as one of a word.
    fn option(&mut self, e: &syn::Expr) -> syn::Result<TokenStream> {
        match strip_parens(e) {
            syn::Expr::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "None") => Ok(quote!(#e)),
            syn::Expr::Call(call) if is_some(&call.func) && call.args.len() == 1 => {
                let word = match strip_parens(&call.args[0]) {
                    syn::Expr::Try(found) => return self.option(&found.expr),
                    e => of_reference(e, &self.names).map(|route| self.word(route))?,
                };
                Ok(quote!(::core::option::Option::Some(#word)))
            }
            e => {
                let Found { route, at } = Found::of(e, &self.names)?;
                match at {
                    Some(at) => {
                        let word = self.word_at(route, quote!(found));
                        Ok(quote!(#at.map(|found| #word)))
                    }
                    None => self.content(route),
                }
            }
        }
    }

    fn content(&mut self, route: Route) -> syn::Result<TokenStream> {
        let Some(at) = route.0.iter().rposition(|step| matches!(step, Step::Content)) else {
            return Ok(self.word(route));
        };
        let before = Route(route.0[..at].to_vec()).in_value();
        let word = self.word(route);
        Ok(quote!(#before.is_some().then(|| #word)))
    }

    /// The word of a way.
    fn word(&mut self, route: Route) -> TokenStream {
        let (at, words) = (self.routes.len(), route.words());
        self.routes.push(route);
        quote!(__where(#at, &[#(#words),*]))
    }

    /// The same, to an element.
    fn word_at(&mut self, mut route: Route, index: TokenStream) -> TokenStream {
        route.0.push(Step::Index(Box::new(syn::Expr::Verbatim(index))));
        self.word(route)
    }

    fn changes(&mut self, place: &syn::Expr) {
        if of_place(place, &self.names).is_ok() {
            self.fail(errors::change_before_reference(place.span()));
        }
    }

    fn fail(&mut self, error: syn::Error) {
        self.error.get_or_insert(error);
    }
}

impl VisitMut for Walk {
    fn visit_expr_assign_mut(&mut self, a: &mut syn::ExprAssign) {
        self.changes(&a.left);
        visit_mut::visit_expr_assign_mut(self, a);
    }

    fn visit_expr_binary_mut(&mut self, b: &mut syn::ExprBinary) {
        if is_assignment(&b.op) {
            self.changes(&b.left);
        }
        visit_mut::visit_expr_binary_mut(self, b);
    }

    /// What is called for nothing but its effect changes its receiver.
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        if let syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) = &*stmt {
            self.changes(&m.receiver);
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_return_mut(&mut self, r: &mut syn::ExprReturn) {
        if let Some(value) = &mut r.expr {
            self.value(value);
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return };
        let reference = matches!(strip_parens(&init.expr), syn::Expr::Reference(_));
        if let Some(route) = reference.then(|| of_reference(&init.expr, &self.names).ok()).flatten() {
            self.names.insert(name.ident.to_string(), route);
        }
    }

    /// `for item in &self.items` has a counter.
    fn visit_expr_for_loop_mut(&mut self, on: &mut syn::ExprForLoop) {
        if let Some((list, counter, item)) = counted(on) {
            let index = Box::new(syn::Expr::Verbatim(quote!(#counter)));
            if let Ok(mut route) = of_place(&list, &self.names) {
                route.0.push(Step::Index(index));
                self.names.insert(item.to_string(), route);
                *on.pat = syn::Pat::Verbatim(quote!((#counter, #item)));
                *on.expr = syn::Expr::Verbatim(quote!(#list.iter().enumerate()));
            }
        }
        self.visit_block_mut(&mut on.body);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The list that a loop goes through by references, the name of the counter, and that of the element.
fn counted(on: &syn::ExprForLoop) -> Option<(syn::Expr, proc_macro2::Ident, proc_macro2::Ident)> {
    let named = |pattern: &syn::Pat| match pattern {
        syn::Pat::Ident(name) => Some(name.ident.clone()),
        _ => None,
    };
    let list = |e: &syn::Expr| match strip_parens(e) {
        syn::Expr::Reference(r) => Some((*r.expr).clone()),
        syn::Expr::MethodCall(m) if m.method == "iter" || m.method == "iter_mut" => Some((*m.receiver).clone()),
        _ => None,
    };
    match (&*on.pat, strip_parens(&on.expr)) {
        (syn::Pat::Tuple(pair), syn::Expr::MethodCall(m)) if m.method == "enumerate" && pair.elems.len() == 2 => {
            Some((list(&m.receiver)?, named(&pair.elems[0])?, named(&pair.elems[1])?))
        }
        (pattern, e) => {
            let item = named(pattern)?;
            Some((list(e)?, quote::format_ident!("{item}_at"), item))
        }
    }
}

fn is_some(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Some"))
}

/// The body looks at `self` alone.
struct Shared;

impl VisitMut for Shared {
    fn visit_expr_reference_mut(&mut self, r: &mut syn::ExprReference) {
        visit_mut::visit_expr_reference_mut(self, r);
        r.mutability = None;
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, m);
        const SHARED: &[(&str, &str)] = &[
            ("iter_mut", "iter"),
            ("get_mut", "get"),
            ("first_mut", "first"),
            ("last_mut", "last"),
            ("as_mut", "as_ref"),
            ("as_deref_mut", "as_deref"),
            ("as_mut_slice", "as_slice"),
        ];
        if let Some((_, shared)) = SHARED.iter().find(|(exclusive, _)| m.method == exclusive) {
            m.method = proc_macro2::Ident::new(shared, m.method.span());
        }
    }
}
