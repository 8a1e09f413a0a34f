//! `#[checkpoint]` on loops: where it may stand, what may stand in it, and functions without it.

use crate::support::errors::{self, Errors};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// What `#[checkpoint]` says.
pub enum Written {
    /// Nothing more.
    Alone,
    /// `every = n`.
    Every(syn::Expr),
    /// `snapshots = n`.
    Snapshots(syn::Expr),
}

impl Parse for Written {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let key: syn::Ident = input.parse().map_err(|_| errors::unknown_checkpoint(input.span()))?;
        let make = match key.to_string().as_str() {
            "every" => Written::Every,
            "snapshots" => Written::Snapshots,
            _ => return Err(errors::unknown_checkpoint(key.span())),
        };
        let number = || {
            input.parse::<syn::Token![=]>()?;
            input.parse()
        };
        let number: syn::Expr = number().map_err(|error| errors::checkpoint_number(error.span(), &key))?;
        match input.is_empty() {
            true if counts(&number) => Ok(make(number)),
            true => Err(errors::checkpoint_number(number.span(), &key)),
            false => Err(errors::unknown_checkpoint(input.span())),
        }
    }
}

/// Whether an expression may be a number of iterations: no literal but a whole number above zero is.
fn counts(number: &syn::Expr) -> bool {
    match number {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse::<u64>().is_ok_and(|n| n > 0),
        syn::Expr::Lit(_) | syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), .. }) => false,
        _ => true,
    }
}

fn is_checkpoint(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("checkpoint")
}

/// The attribute of a loop.
pub fn checkpoint(attributes: &[syn::Attribute]) -> syn::Result<Option<Written>> {
    let mut all = attributes.iter().filter(|a| is_checkpoint(a));
    let Some(first) = all.next() else { return Ok(None) };
    if let Some(second) = all.next() {
        return Err(errors::second_checkpoint(second.path().span()));
    }
    match &first.meta {
        syn::Meta::Path(_) => Ok(Some(Written::Alone)),
        syn::Meta::List(list) => list.parse_args().map(Some),
        syn::Meta::NameValue(pair) => Err(errors::unknown_checkpoint(pair.eq_token.span)),
    }
}

/// Reports attributes that say something else, or stand on something else.
pub fn check(block: &syn::Block, errors: &mut Errors) {
    let mut rest = block.clone();
    strip(&mut rest, &mut |attributes| {
        if let Err(error) = checkpoint(attributes) {
            errors.push(error);
        }
    });
    Misplaced { errors }.visit_block(&rest);
}

struct Misplaced<'e> {
    errors: &'e mut Errors,
}

impl<'a> Visit<'a> for Misplaced<'_> {
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if is_checkpoint(attribute) {
            self.errors.misplaced_checkpoint(attribute.path().span());
        }
    }
}

/// The function as rustc may see it: without misplaced attributes too. What the others mention stays mentioned.
pub fn without(mut function: syn::ItemFn) -> syn::ItemFn {
    *function.block = without_in(*function.block);
    function
}

/// The same for a body.
pub fn without_in(mut block: syn::Block) -> syn::Block {
    Mention.visit_block_mut(&mut block);
    strip(&mut block, &mut |_| {});
    StripMisplaced.visit_block_mut(&mut block);
    block
}

/// Removes the attributes of all loops, which `each` is shown.
fn strip(block: &mut syn::Block, each: &mut dyn FnMut(&[syn::Attribute])) {
    Strip { each }.visit_block_mut(block);
}

/// Removes the attribute of this loop.
pub fn strip_loop(expr: &mut syn::Expr) {
    if let Some(attributes) = attributes_of(expr) {
        attributes.retain(|a| !is_checkpoint(a));
    }
}

fn attributes_of(expr: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    match expr {
        syn::Expr::ForLoop(f) => Some(&mut f.attrs),
        syn::Expr::While(w) => Some(&mut w.attrs),
        syn::Expr::Loop(l) => Some(&mut l.attrs),
        _ => None,
    }
}

struct Strip<'e> {
    each: &'e mut dyn FnMut(&[syn::Attribute]),
}

impl VisitMut for Strip<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let Some(attributes) = attributes_of(expr) {
            (self.each)(attributes);
        }
        strip_loop(expr);
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = unmarked(std::mem::take(&mut mac.tokens));
    }
}

/// The arguments of a macro, of which loops may be a part, without the attribute.
fn unmarked(tokens: TokenStream) -> TokenStream {
    let says =
        |group: &Group| matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == "checkpoint");
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let after = matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        match token {
            TokenTree::Group(g) if after && g.delimiter() == Delimiter::Bracket && says(&g) => {
                out.pop();
            }
            TokenTree::Group(g) => {
                let mut inside = Group::new(g.delimiter(), unmarked(g.stream()));
                inside.set_span(g.span());
                out.push(inside.into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// `let _ = n;` before a loop with `every = n`, so that rustc sees `n` used.
struct Mention;

impl VisitMut for Mention {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Expr(expr, _) = &mut stmt
                && let Some(attributes) = attributes_of(expr)
                && let Ok(Some(Written::Every(n) | Written::Snapshots(n))) = checkpoint(attributes)
                && !matches!(n, syn::Expr::Lit(_))
            {
                block.stmts.push(syn::parse_quote!(let _ = #n;));
            }
            block.stmts.push(stmt);
        }
    }
}

/// What was reported as misplaced need not be reported by rustc again.
struct StripMisplaced;

impl VisitMut for StripMisplaced {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        use syn::{Expr::*, Stmt};
        let attributes = match stmt {
            Stmt::Local(l) => Some(&mut l.attrs),
            Stmt::Macro(m) => Some(&mut m.attrs),
            Stmt::Expr(If(e), _) => Some(&mut e.attrs),
            Stmt::Expr(Match(e), _) => Some(&mut e.attrs),
            Stmt::Expr(Block(e), _) => Some(&mut e.attrs),
            Stmt::Expr(Call(e), _) => Some(&mut e.attrs),
            Stmt::Expr(MethodCall(e), _) => Some(&mut e.attrs),
            Stmt::Expr(Assign(e), _) => Some(&mut e.attrs),
            Stmt::Expr(Binary(e), _) => Some(&mut e.attrs),
            _ => None,
        };
        if let Some(attributes) = attributes {
            attributes.retain(|a| !is_checkpoint(a));
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }
}
