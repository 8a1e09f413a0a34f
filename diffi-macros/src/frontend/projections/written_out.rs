//! Calls of methods that return references, written out as what the front end lowers: `*m.at(i)` is `m[__place::..::at(i)]`.

use super::accesses::{Access, method_for};
use super::asked::{ARGUMENT, Arguments, FUNCTION};
use super::definitions::{Definitions, Known};
use super::receivers::Receivers;
use crate::ir::{Owner, Projection, Target};
use crate::support::names::{self, is_macro_of_std};
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use std::cell::Cell;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

/// Where a method leads: `__place::shared::number::at(..)`, with the method's name at the end, and the type's in front of it.
const PLACE: &str = "__place";

/// What begins the name of a receiver that had none.
const RECEIVER: &str = "__receiver_";

/// The function with its calls of such methods written out.
pub fn written_out(mut item: syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let definitions = Definitions::around(owner);
    if !definitions.is_empty() {
        let receivers = Receivers::of(&item, owner);
        let named = Cell::new(0);
        Calls { definitions, receivers, named }.visit_block_mut(&mut item.block);
    }
    item
}

struct Calls {
    definitions: Definitions,
    receivers: Receivers,
    /// How many receivers got a name.
    named: Cell<usize>,
}

impl Calls {
    fn known(&self, method: &Ident, receiver: &syn::Expr) -> Option<Known> {
        self.definitions.of(method, self.type_of(receiver))
    }

    /// The type of an expression, which is that of the receiver where a method returns that.
    fn type_of<'s>(&'s self, e: &syn::Expr) -> Option<&'s str> {
        match (strip_parens(e), change(e)) {
            (_, Some((_, receiver))) => self.type_of(receiver),
            (syn::Expr::MethodCall(m), None) => match self.known(&m.method, &m.receiver) {
                Some(known) if known.projection.target == Target::Receiver => self.type_of(&m.receiver),
                _ => self.receivers.type_of(e),
            },
            _ => self.receivers.type_of(e),
        }
    }

    /// What a call is, if it is one of such a method.
    fn call(&self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let known = self.known(&m.method, &m.receiver)?;
        let projection = &known.projection;
        let receiver = place(&m.receiver);
        match projection.target {
            Target::Part => Some(part(receiver, &m.method, &m.args, &known)),
            _ if !known.annotated => None,
            Target::Maybe => Some(maybe(receiver, m, projection)),
            Target::Receiver => Some(self.changed(receiver, m)),
        }
    }

    /// `function(.., &mut argument, ..)`, of a function that returns a reference into this argument.
    fn function(&self, call: &syn::ExprCall) -> Option<syn::Expr> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        let name = &path.path.segments.last().filter(|_| path.qself.is_none())?.ident;
        let own = path.path.get_ident().is_some_and(|name| self.receivers.binds(name));
        let (projection, from) = self.definitions.of_function(name).filter(|_| !own)?;
        let receiver = place(call.args.get(from)?).clone();
        let mut args = call.args.clone();
        let argument = Ident::new(ARGUMENT, name.span());
        let argument = syn::parse_quote!(#argument);
        args[from] = argument;
        args.insert(0, syn::Expr::Path(path.clone()));
        let plain = syn::ExprMethodCall {
            attrs: Vec::new(),
            receiver: Box::new(receiver.clone()),
            dot_token: Default::default(),
            method: Ident::new(FUNCTION, name.span()),
            turbofish: None,
            paren_token: Default::default(),
            args,
        };
        Some(match projection.target {
            Target::Maybe => maybe(&receiver, &plain, &projection),
            _ => {
                let known = Known { projection, annotated: true, of_trait: false, equal: true };
                part(&receiver, &plain.method, &plain.args, &known)
            }
        })
    }

    /// `Type::method(&mut receiver, ..)`.
    fn associated(&self, call: &syn::ExprCall) -> Option<syn::Expr> {
        let syn::Expr::Path(path) = &*call.func else { return None };
        let segments = &path.path.segments;
        let of = segments.iter().nth_back(1).filter(|_| path.qself.is_none())?.ident.to_string();
        let method = &segments.last()?.ident;
        let known = self.definitions.of(method, Some(&of)).filter(|known| known.projection.target == Target::Part)?;
        let receiver = call.args.first()?;
        let rest = call.args.iter().skip(1).cloned().collect();
        Some(part(place(receiver), method, &rest, &known))
    }
}

impl VisitMut for Calls {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let typed = match e {
            syn::Expr::MethodCall(m) => self.known(&m.method, &m.receiver).is_some(),
            _ => false,
        };
        visit_mut::visit_expr_mut(self, e);
        let new = match e {
            syn::Expr::MethodCall(m) if typed => self.call_written(m),
            syn::Expr::MethodCall(m) => on_changed(m).or_else(|| {
                let receiver = opened(&m.receiver).cloned().or_else(|| self.lent_to_method(m))?;
                Some(syn::Expr::MethodCall(syn::ExprMethodCall { receiver: Box::new(receiver), ..m.clone() }))
            }),
            syn::Expr::Call(call) => self.associated(call).or_else(|| self.function(call)),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                opened(&u.expr).cloned().or_else(|| self.lent_by_value(&u.expr))
            }
            syn::Expr::Field(f) => opened(&f.base)
                .cloned()
                .map(|base| syn::Expr::Field(syn::ExprField { base: Box::new(base), ..f.clone() })),
            syn::Expr::Index(i) if self.lent_by_index(i).is_some() => self.lent_by_index(i),
            syn::Expr::Index(i) => opened(&i.expr)
                .cloned()
                .or_else(|| self.lent_to_index(i))
                .map(|base| syn::Expr::Index(syn::ExprIndex { expr: Box::new(base), ..i.clone() })),
            _ => None,
        };
        if let Some(new) = new {
            *e = new;
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let statements = std::mem::take(&mut block.stmts).into_iter().flat_map(|stmt| match stmt {
            syn::Stmt::Expr(e, Some(semicolon)) => match change(&e) {
                Some((stmts, _)) => stmts.to_vec(),
                None => vec![syn::Stmt::Expr(e, Some(semicolon))],
            },
            syn::Stmt::Local(local) => in_front(local),
            stmt => vec![stmt],
        });
        block.stmts = statements.collect();
    }

    /// The arguments of macros of std, where they are expressions.
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !mac.path.get_ident().is_some_and(|name| is_macro_of_std(&name.to_string())) {
            return;
        }
        let parsed = mac.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        if let Ok(mut arguments) = parsed {
            let before = arguments.to_token_stream().to_string();
            arguments.iter_mut().for_each(|e| self.visit_expr_mut(e));
            if arguments.to_token_stream().to_string() != before {
                mac.tokens = arguments.to_token_stream();
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Calls {
    /// What a value of a type lends by `Deref`.
    fn lent(&self, e: &syn::Expr, span: Span) -> Option<syn::Expr> {
        let owner = self.type_of(e)?;
        let known = lent_by(self.definitions.access(owner, "deref")?)?;
        let lent = part(place(e), &Ident::new("deref", span), &Arguments::new(), &known);
        opened(&lent).cloned()
    }

    /// The receiver of a method that a type does not have, but what it lends.
    fn lent_to_method(&self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        const OF_ALL: &[&str] = &[
            "clone",
            "clone_from",
            "to_owned",
            "eq",
            "ne",
            "partial_cmp",
            "cmp",
            "fmt",
            "to_string",
            "hash",
            "to_flat",
            "set_flat",
            "borrow",
            "as_ref",
            "as_mut",
            "into",
            "try_into",
            "deref",
            "deref_mut",
        ];
        let method = m.method.to_string();
        let own = self.definitions.has(self.type_of(&m.receiver)?, &method) || method.starts_with("__");
        (!own && !OF_ALL.contains(&method.as_str())).then(|| self.lent(&m.receiver, m.method.span()))?
    }

    /// What is indexed of a type that lends it.
    fn lent_to_index(&self, i: &syn::ExprIndex) -> Option<syn::Expr> {
        let owner = self.type_of(&i.expr)?;
        let own =
            ["index", "index_of_2", "index_of_3"].iter().any(|name| self.definitions.access(owner, name).is_some());
        (!own).then(|| self.lent(&i.expr, i.bracket_token.span.join()))?
    }

    /// `*value`, of a variable that holds the value itself.
    fn lent_by_value(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Path(path) = strip_parens(e) else { return None };
        let by_value = self.receivers.is_value(&path.path.get_ident()?.to_string());
        by_value.then(|| self.lent(e, path.path.segments[0].ident.span()))?
    }

    /// `m[i]` of a type that has an index which leads to no number.
    fn lent_by_index(&self, i: &syn::ExprIndex) -> Option<syn::Expr> {
        let (owner, method) = (self.type_of(&i.expr)?, method_for(&i.index));
        let access = self.definitions.access(owner, &method.to_string()).filter(|access| !access.is_number())?;
        let known = lent_by(access)?;
        let method = Ident::new(&method.to_string(), i.bracket_token.span.join());
        let lent = part(place(&i.expr), &method, &[(*i.index).clone()].into_iter().collect(), &known);
        opened(&lent).cloned()
    }

    /// `{ receiver.method(..); &mut receiver }`; what is no place gets a name, as an index does that may be another one the second time.
    fn changed(&self, receiver: &syn::Expr, m: &syn::ExprMethodCall) -> syn::Expr {
        if is_place(receiver) {
            let (mut receiver, mut indices) = (receiver.clone(), Vec::new());
            let steady = m.args.iter().all(only_reads);
            self.name_indices(&mut receiver, (steady, m.method.span()), &mut indices);
            let call = syn::ExprMethodCall { receiver: Box::new(receiver.clone()), ..m.clone() };
            return syn::parse_quote!({ #(#indices)* #call; &mut #receiver });
        }
        let name = self.new_name(m.method.span());
        let on = Box::new(syn::parse_quote!(#name));
        let call = syn::ExprMethodCall { receiver: on, ..m.clone() };
        syn::parse_quote!({ let mut #name = #receiver; #call; &mut #name })
    }

    fn new_name(&self, span: Span) -> Ident {
        format_ident!("{RECEIVER}{}", self.named.replace(self.named.get() + 1), span = span)
    }

    /// Names for the indices of a place, in the order in which they are evaluated, but for those that only read what is steady.
    fn name_indices(&self, place: &mut syn::Expr, (steady, span): (bool, Span), before: &mut Vec<syn::Stmt>) {
        match place {
            syn::Expr::Paren(p) => self.name_indices(&mut p.expr, (steady, span), before),
            syn::Expr::Field(f) => self.name_indices(&mut f.base, (steady, span), before),
            syn::Expr::Unary(u) => self.name_indices(&mut u.expr, (steady, span), before),
            syn::Expr::Index(i) => {
                self.name_indices(&mut i.expr, (steady, span), before);
                if !steady || !only_reads(&i.index) {
                    let (name, index) = (self.new_name(span), &i.index);
                    before.push(syn::parse_quote!(let #name = #index;));
                    i.index = syn::parse_quote!(#name);
                }
            }
            _ => {}
        }
    }

    /// A call on what another call gives that changes its receiver, too.
    fn call_written(&self, m: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let Some((before, receiver)) = change(&m.receiver) else { return self.call(m) };
        let own = syn::ExprMethodCall { receiver: Box::new(receiver.clone()), ..m.clone() };
        let written = self.call(&own)?;
        match change(&written) {
            Some((after, receiver)) => {
                let stmts = before.iter().chain(after);
                Some(syn::parse_quote!({ #(#stmts)* &mut #receiver }))
            }
            None => Some(syn::parse_quote!({ #(#before)* #written })),
        }
    }
}

/// What a use of a type by a trait of std leads to.
fn lent_by(access: &Access) -> Option<Known> {
    let unequal = access.is_unequal().then_some(Projection { target: Target::Part, exclusive: true, to: None });
    let (equal, projection) = (unequal.is_none(), access.projection().or(unequal)?);
    Some(Known { projection, annotated: true, of_trait: false, equal })
}

/// `receiver.__maybe_method::<number>(..)`.
fn maybe(receiver: &syn::Expr, m: &syn::ExprMethodCall, projection: &Projection) -> syn::Expr {
    let prefix = if projection.exclusive { names::MAYBE_MUT } else { names::MAYBE };
    let turbofish = projection.to.as_ref().map(|to| {
        let to = Ident::new(to, m.method.span());
        syn::parse_quote!(::<#to>)
    });
    let method = format_ident!("{prefix}{}", m.method, span = m.method.span());
    let receiver = Box::new(receiver.clone());
    syn::Expr::MethodCall(syn::ExprMethodCall { receiver, method, turbofish, ..m.clone() })
}

/// `&mut receiver[__place::exclusive::number::method(..)]`.
fn part(receiver: &syn::Expr, method: &Ident, args: &Arguments, known: &Known) -> syn::Expr {
    let projection = &known.projection;
    let place = Ident::new(PLACE, method.span());
    let to = Ident::new(projection.to.as_deref().unwrap_or("any"), method.span());
    let form = match projection.exclusive {
        _ if known.of_trait => "any_type",
        _ if !known.annotated => "unannotated",
        _ if !known.equal => "unequal",
        true => "exclusive",
        false => "shared",
    };
    let form = Ident::new(form, method.span());
    match projection.exclusive {
        true => syn::parse_quote!(&mut #receiver[#place::#form::#to::#method(#args)]),
        false => syn::parse_quote!(&#receiver[#place::#form::#to::#method(#args)]),
    }
}

/// A declaration, behind what happens to a receiver that has a name.
fn in_front(mut local: syn::Local) -> Vec<syn::Stmt> {
    let mut stmts = Vec::new();
    if let Some(init) = &mut local.init
        && let syn::Expr::Block(block) = &mut *init.expr
        && block.block.stmts.first().is_some_and(is_receiver)
        && let Some(syn::Stmt::Expr(value, None)) = block.block.stmts.pop()
    {
        stmts.append(&mut block.block.stmts);
        *init.expr = value;
    }
    stmts.push(syn::Stmt::Local(local));
    stmts
}

/// Whether a statement gives a name that [`Calls::changed`] made.
fn is_receiver(stmt: &syn::Stmt) -> bool {
    let syn::Stmt::Local(local) = stmt else { return false };
    matches!(&local.pat, syn::Pat::Ident(name) if name.ident.to_string().starts_with(RECEIVER))
}

/// Whether an index is the same as often as it is evaluated.
fn only_reads(index: &syn::Expr) -> bool {
    match strip_parens(index) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Field(f) => only_reads(&f.base),
        syn::Expr::Cast(c) => only_reads(&c.expr),
        syn::Expr::Unary(u) => only_reads(&u.expr),
        syn::Expr::Index(i) => only_reads(&i.expr) && only_reads(&i.index),
        syn::Expr::Tuple(t) => t.elems.iter().all(only_reads),
        syn::Expr::Binary(b) => only_reads(&b.left) && only_reads(&b.right),
        _ => false,
    }
}

fn is_place(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_place(&f.base),
        syn::Expr::Index(i) => is_place(&i.expr),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr),
        _ => false,
    }
}

/// The statements that change a receiver, and the receiver, of a block that [`changed`] made.
fn change(e: &syn::Expr) -> Option<(&[syn::Stmt], &syn::Expr)> {
    let syn::Expr::Block(block) = strip_parens(e) else { return None };
    let (last, before) = block.block.stmts.split_last().filter(|_| block.label.is_none())?;
    let syn::Stmt::Expr(syn::Expr::Reference(r), None) = last else { return None };
    let calls = before.iter().all(|stmt| match stmt {
        syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) => m.receiver == r.expr,
        stmt => is_receiver(stmt),
    });
    (r.mutability.is_some() && calls && !before.is_empty()).then_some((before, &r.expr))
}

/// A method of what such a block gives, in the block.
fn on_changed(m: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let (before, receiver) = change(&m.receiver)?;
    let call = syn::ExprMethodCall { receiver: Box::new(receiver.clone()), ..m.clone() };
    Some(syn::parse_quote!({ #(#before)* #call }))
}

/// What stands behind `&` in a call that is written out.
fn opened(e: &syn::Expr) -> Option<&syn::Expr> {
    let syn::Expr::Reference(r) = strip_parens(e) else { return None };
    is_written(&r.expr).then_some(&r.expr)
}

/// A receiver as a place.
fn place(e: &syn::Expr) -> &syn::Expr {
    match strip_parens(e) {
        syn::Expr::Reference(r) => &r.expr,
        e => e,
    }
}

fn is_written(e: &syn::Expr) -> bool {
    let syn::Expr::Index(i) = strip_parens(e) else { return false };
    called(&i.index).is_some()
}

/// A call that is written out as an index.
pub struct Called<'e> {
    /// The method.
    pub method: &'e Ident,
    /// `exclusive`, `shared`, or why it is not known where it leads.
    pub form: &'e Ident,
    /// The name of the type that it leads to.
    pub to: String,
    /// The arguments.
    pub args: &'e Arguments,
}

/// The call that an index is.
pub fn called(index: &syn::Expr) -> Option<Called<'_>> {
    let syn::Expr::Call(call) = index else { return None };
    let syn::Expr::Path(path) = &*call.func else { return None };
    let mut names = path.path.segments.iter().map(|s| &s.ident);
    names.next().filter(|first| *first == PLACE)?;
    let (form, to, method) = (names.next()?, names.next()?, names.next()?);
    Some(Called { method, form, to: to.to_string(), args: &call.args })
}
