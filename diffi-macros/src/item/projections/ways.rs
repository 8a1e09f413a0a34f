//! Ways through a method's body, each to a reference: the body with words in the place of its references.

use super::routes::{Found, Names, Route, Step, of_place, of_reference};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::writes::is_assignment;
use crate::ir::Target;
use crate::support::errors;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, TokenStream};
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
    /// Those of a method that returns a reference, or an option of one; or of a function that returns one into an argument.
    pub fn of(item: &syn::ItemFn, maybe: bool, argument: Option<&Ident>) -> syn::Result<Self> {
        let mut body = (*item.block).clone();
        let names = argument.map(|name| (name.to_string(), Route::default()));
        let mut found = Walk { maybe, names: names.into_iter().collect(), routes: Vec::new(), error: None };
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

    /// The code that finds where the reference leads.
    pub fn found(&self, target: Target) -> TokenStream {
        let (ways, width, body) = (self.routes.len().max(1), self.width(), &self.body);
        let at =
            quote!(fn __where(way: usize, indices: &[usize]) -> At { At(__d::packed(way, #ways, #width, indices)) });
        match target {
            Target::Maybe => quote! {
                #at
                let found = || -> ::core::option::Option<At> #body;
                found().unwrap_or(At(u64::MAX))
            },
            _ => quote!(#at #body),
        }
    }

    /// The code that leads there, by a word.
    pub fn part(&self, exclusive: bool) -> TokenStream {
        let (ways, width) = (self.routes.len().max(1), self.width());
        let places = self.routes.iter().enumerate().map(|(way, route)| {
            let place = route.place(exclusive);
            quote!(#way => #place)
        });
        quote! {
            let (way, words) = __d::unpacked::<#width>(at.0, #ways);
            match way {
                #(#places,)*
                _ => ::core::unreachable!(),
            }
        }
    }

    /// How many words the longest way has.
    fn width(&self) -> usize {
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
        let around = self.names.clone();
        let span = block.span();
        let count = block.stmts.len();
        for (k, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                syn::Stmt::Expr(tail, None) if k + 1 == count => self.value(tail),
                stmt => self.visit_stmt_mut(stmt),
            }
        }
        match block.stmts.last() {
            Some(syn::Stmt::Expr(syn::Expr::Return(_), _) | syn::Stmt::Expr(_, None) | syn::Stmt::Macro(_)) => {}
            _ => self.fail(errors::reference_of_unknown_origin(span)),
        }
        self.names = around;
    }

    fn value(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Paren(p) => self.value(&mut p.expr),
            syn::Expr::If(i) => {
                let around = self.names.clone();
                self.visit_expr_mut(&mut i.cond);
                self.value_of_block(&mut i.then_branch);
                self.names = around;
                i.else_branch.iter_mut().for_each(|(_, other)| self.value(other));
            }
            syn::Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    let around = self.names.clone();
                    self.binds(&arm.pat, &m.expr);
                    self.value(&mut arm.body);
                    self.names = around;
                }
            }
            syn::Expr::Block(b) => self.value_of_block(&mut b.block),
            syn::Expr::Return(_) => self.visit_expr_mut(e),
            syn::Expr::Macro(_) => {}
            e => {
                let word = if self.maybe { self.option(e) } else { of_reference(e, &self.names).map(|r| self.word(r)) };
                match word {
                    Ok(word) => *e = syn::Expr::Verbatim(word),
                    Err(error) => self.fail(error),
                }
            }
        }
    }

    /// `Some(name)` of an option in `self` names what it holds; other names stand for something else now.
    fn binds(&mut self, pattern: &syn::Pat, of: &syn::Expr) {
        let content = match (pattern, strip_parens(of)) {
            (syn::Pat::TupleStruct(some), syn::Expr::Reference(r))
                if is_some_path(&some.path) && some.elems.len() == 1 =>
            {
                match &some.elems[0] {
                    syn::Pat::Ident(name) if name.by_ref.is_none() => Some((name.ident.to_string(), &*r.expr)),
                    _ => None,
                }
            }
            _ => None,
        };
        let route = content.and_then(|(name, option)| Some((name, of_place(option, &self.names).ok()?)));
        self.hides(pattern);
        self.names.extend(route.map(|(name, route)| (name, route.and(Step::Content))));
    }

    /// Names of a pattern stand for something else now.
    fn hides(&mut self, pattern: &syn::Pat) {
        names_of(pattern).iter().for_each(|name| _ = self.names.remove(&name.to_string()));
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
        let reference = |init: &&syn::LocalInit| matches!(strip_parens(&init.expr), syn::Expr::Reference(_));
        let init = local.init.as_ref().filter(reference);
        let route = init.and_then(|init| of_reference(&init.expr, &self.names).ok());
        self.hides(&local.pat);
        if let (syn::Pat::Ident(name), Some(route)) = (&local.pat, route) {
            self.names.insert(name.ident.to_string(), route);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let around = self.names.clone();
        visit_mut::visit_block_mut(self, block);
        self.names = around;
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let around = self.names.clone();
        self.hides(&arm.pat);
        visit_mut::visit_arm_mut(self, arm);
        self.names = around;
    }

    fn visit_expr_let_mut(&mut self, e: &mut syn::ExprLet) {
        visit_mut::visit_expr_let_mut(self, e);
        self.binds(&e.pat, &e.expr);
    }

    /// `for item in &self.items` has a counter.
    fn visit_expr_for_loop_mut(&mut self, on: &mut syn::ExprForLoop) {
        let around = self.names.clone();
        let list = counted(on).and_then(|(list, ..)| of_place(&list, &self.names).ok());
        self.hides(&on.pat);
        if let (Some((list, counter, item)), Some(mut route)) = (counted(on), list) {
            route.0.push(Step::Index(Box::new(syn::Expr::Verbatim(quote!(#counter)))));
            self.names.insert(item.to_string(), route);
            *on.pat = syn::Pat::Verbatim(quote!((#counter, #item)));
            *on.expr = syn::Expr::Verbatim(quote!(#list.iter().enumerate()));
        }
        self.visit_block_mut(&mut on.body);
        self.names = around;
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
    matches!(function, syn::Expr::Path(p) if is_some_path(&p.path))
}

fn is_some_path(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident == "Some")
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
