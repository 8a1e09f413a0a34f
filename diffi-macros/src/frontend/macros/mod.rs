//! Macros by example whose definitions stand in the function, or above it in its file: what they expand to is written in their place.
//!
//! The attribute sees a macro before rustc has expanded it. The text of its definition is enough to do the same: [`definitions`] finds it,
//! [`rules`] reads it, [`matching`] and [`transcription`] do what rustc does, and [`variables`] keeps names apart that rustc keeps apart.
//! The function itself keeps its macros. What is not understood without a doubt stays a macro, and is refused where it mentions active values.

mod definitions;
mod matching;
mod pieces;
mod rules;
mod transcription;
mod variables;

use crate::support::names::is_known_macro;
use crate::support::tokens::{self, position};
use definitions::Definition;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use variables::Marks;

/// The most macros that one stands for, and how deeply they call one another.
const MOST: usize = 2000;
const DEEPEST: usize = 60;

/// The function with such macros expanded.
pub fn expanded(item: syn::ItemFn) -> syn::ItemFn {
    if !calls_own(item.block.to_token_stream()) {
        return item;
    }
    let mut expander = Expander { marks: Marks::of(&item), inner: Vec::new(), depth: 0, count: 0 };
    let mut with = item.clone();
    expander.visit_block_mut(&mut with.block);
    if expander.count == 0 || expander.count > MOST || !expander.marks.resolve(&mut with) {
        return item;
    }
    variables::drop_definitions(&mut with.block);
    with
}

/// Whether a macro is called that may be the user's.
fn calls_own(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |at: usize| called(&trees[at..]).is_some_and(|mac| !is_known_macro(&mac));
    let within = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if calls_own(group.stream()));
    (0..trees.len()).any(is_call) || trees.iter().any(within)
}

/// The call of a macro at the head of tokens: `name!(..)`.
fn called(trees: &[TokenTree]) -> Option<syn::Macro> {
    let [TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Group(group), ..] = trees else { return None };
    if sign.as_char() != '!' || group.delimiter() == Delimiter::None {
        return None;
    }
    let mut call = TokenStream::new();
    call.extend([name.clone().into(), sign.clone().into(), TokenTree::Group(group.clone())]);
    syn::parse2(call).ok()
}

struct Expander {
    marks: Marks,
    /// By block around the place at hand: the macros that it has defined so far.
    inner: Vec<Vec<(String, Rc<Definition>)>>,
    depth: usize,
    count: usize,
}

impl Expander {
    /// What a macro stands for, if it is known. Names of the macro's own are marked.
    fn expansion(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        if self.depth > DEEPEST || self.count > MOST {
            return None;
        }
        let name = name_of(mac)?;
        let text = self.marks.unmarked(name);
        let inner = self.inner.iter().rev().flat_map(|block| block.iter().rev()).find(|(known, _)| *known == text);
        let definition = match inner {
            Some((_, definition)) => definition.clone(),
            None if is_known_macro(mac) || !is_users(name) => return None,
            None => definitions::above(&position()?, &text, mac.path.segments.len() > 1)?,
        };
        let rules = definition.rules.as_ref()?;
        let (rule, bindings) = matching::matched(rules, mac.tokens.clone(), &self.marks)?;
        self.count += 1;
        let marker = self.marks.marker(&text, definition.inner, name.span());
        transcription::transcribed(&rules[rule].body, &bindings, marker)
    }

    fn statements(&mut self, mac: &syn::Macro, semi: bool) -> Option<Vec<syn::Stmt>> {
        let tokens = self.expansion(mac)?;
        let parsed = |tokens| syn::Block::parse_within.parse2(tokens);
        let mut stmts = match parsed(tokens.clone()) {
            Ok(stmts) => stmts,
            Err(_) => parsed(quote!(#tokens;)).ok().filter(|_| semi)?,
        };
        match stmts.last_mut() {
            Some(syn::Stmt::Expr(_, end)) if semi => *end = Some(Default::default()),
            Some(syn::Stmt::Macro(last)) if semi => _ = last.semi_token.get_or_insert_default(),
            _ => {}
        }
        self.depth += 1;
        let stmts = self.all(stmts);
        self.depth -= 1;
        Some(stmts)
    }

    fn expression(&mut self, mac: &syn::Macro) -> Option<syn::Expr> {
        let mut expression: syn::Expr = syn::parse2(self.expansion(mac)?).ok()?;
        self.depth += 1;
        self.visit_expr_mut(&mut expression);
        self.depth -= 1;
        Some(match rules::is_whole(&expression) {
            true => expression,
            false => syn::Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: syn::token::Paren(mac.path.segments[0].ident.span()),
                expr: Box::new(expression),
            }),
        })
    }

    /// The statements of a block, those of macros in place of these.
    fn all(&mut self, stmts: Vec<syn::Stmt>) -> Vec<syn::Stmt> {
        let mut all = Vec::with_capacity(stmts.len());
        let last = stmts.len().saturating_sub(1);
        for (at, mut stmt) in stmts.into_iter().enumerate() {
            if let syn::Stmt::Item(syn::Item::Macro(item)) = &stmt {
                self.define(item);
            }
            let expanded = match &stmt {
                syn::Stmt::Macro(s) if s.attrs.is_empty() => {
                    self.statements(&s.mac, s.semi_token.is_some() || at < last)
                }
                syn::Stmt::Expr(syn::Expr::Macro(e), Some(_)) if e.attrs.is_empty() => self.statements(&e.mac, true),
                _ => None,
            };
            match expanded {
                Some(expanded) => all.extend(expanded),
                None => {
                    visit_mut::visit_stmt_mut(self, &mut stmt);
                    all.push(stmt);
                }
            }
        }
        all
    }

    fn define(&mut self, item: &syn::ItemMacro) {
        let Some(name) = item.ident.as_ref().filter(|_| item.mac.path.is_ident("macro_rules")) else { return };
        let definition = Definition::of(item.mac.tokens.clone(), item.attrs.is_empty(), true);
        let name = self.marks.unmarked(name);
        self.inner.iter_mut().next_back().into_iter().for_each(|block| block.push((name.clone(), definition.clone())));
    }

    /// The arguments of a macro that is known, with the user's macros in them expanded.
    fn arguments(&mut self, tokens: TokenStream) -> TokenStream {
        let mut rest: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            if let Some(value) = called(&rest).and_then(|mac| self.expression(&mac)) {
                out.extend(value.into_token_stream());
                rest.drain(..3);
                continue;
            }
            out.push(match rest.remove(0) {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.arguments(group.stream()));
                    inner.set_span(group.span());
                    inner.into()
                }
                tree => tree,
            });
        }
        out.into_iter().collect()
    }
}

impl VisitMut for Expander {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.inner.push(Vec::new());
        block.stmts = self.all(std::mem::take(&mut block.stmts));
        self.inner.pop();
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Macro(m) = e
            && m.attrs.is_empty()
            && let Some(value) = self.expression(&m.mac)
        {
            *e = value;
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if is_known_macro(mac) {
            mac.tokens = self.arguments(mac.tokens.clone());
        }
    }

    fn visit_item_macro_mut(&mut self, _: &mut syn::ItemMacro) {}
}

/// The name of a macro that is called by its name alone, or as one that this crate exports.
fn name_of(mac: &syn::Macro) -> Option<&Ident> {
    let of_crate = mac.path.segments.len() == 2 && mac.path.segments[0].ident == "crate";
    let plain = mac.path.leading_colon.is_none() && (of_crate || mac.path.segments.len() == 1);
    plain.then(|| &mac.path.segments.last().expect("a path has a segment").ident)
}

/// Whether no macro made a name, as far as rustc says.
fn is_users(name: &Ident) -> bool {
    tokens::context(name.span()).is_none_or(|context| context == tokens::USERS)
}

#[cfg(test)]
mod tests;
