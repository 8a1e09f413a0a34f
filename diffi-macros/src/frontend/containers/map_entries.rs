//! Entries of maps that are written out: `*map.entry(k).or_insert(0.0) += v` finds or makes the place, and changes it there.

use crate::frontend::containers::maps::Map;
use crate::support::syntax::{has_return, strip_parens};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse_quote;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// `map.entry(key)`, what is done if it is there, and what it holds if it is not.
pub struct Entry {
    key: syn::Expr,
    changed: Option<syn::ExprClosure>,
    default: Option<syn::Expr>,
    /// It is evaluated in any case.
    eager: bool,
}

impl Entry {
    /// A statement with an entry, as statements that find the place first.
    pub fn written_out(map: &Map, stmt: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
        let expr = entry_in(map, stmt)?;
        let entry = Entry::of(map, expr)?;
        let slot = format_ident!("__slot_{}", number(expr), span = expr.span());
        let mut found = entry.found(map, &slot);
        if matches!(stmt, syn::Stmt::Expr(e, Some(_)) if std::ptr::eq(e, expr)) {
            return Some(vec![parse_quote!({ #(#found)* })]);
        }
        entry.default.as_ref()?;
        let mut rest = stmt.clone();
        let first = stored(&mut rest);
        Replaced { map, slot: Some(&slot) }.visit_stmt_mut(&mut rest);
        found.push(rest);
        found.splice(0..0, first);
        match stmt {
            syn::Stmt::Local(_) => Some(found),
            _ => Some(vec![parse_quote!({ #(#found)* })]),
        }
    }

    fn of(map: &Map, expr: &syn::Expr) -> Option<Self> {
        let syn::Expr::MethodCall(m) = strip_parens(expr) else { return None };
        let closure = |e: &syn::Expr| match strip_parens(e) {
            syn::Expr::Closure(c) if c.inputs.len() < 2 => Some(c.clone()),
            _ => None,
        };
        match (m.method.to_string().as_str(), m.args.len()) {
            ("entry", 1) if map.is(&m.receiver) => {
                Some(Entry { key: m.args[0].clone(), changed: None, default: None, eager: false })
            }
            ("and_modify", 1) => {
                let entry = Entry::of(map, &m.receiver).filter(|e| e.default.is_none() && e.changed.is_none())?;
                Some(Entry { changed: Some(closure(&m.args[0])?), ..entry })
            }
            ("or_insert", 1) => {
                let entry = Entry::of(map, &m.receiver)?.or(begun(map, m.args[0].clone()))?;
                Some(Entry { eager: true, ..entry })
            }
            ("or_default", 0) => Entry::of(map, &m.receiver)?.or(map.default.clone()?),
            ("or_insert_with", 1) => {
                let default = match strip_parens(&m.args[0]) {
                    syn::Expr::Closure(c) if c.inputs.is_empty() && has_return(&c.body) => done(c, None),
                    syn::Expr::Closure(c) if c.inputs.is_empty() => (*c.body).clone(),
                    syn::Expr::Path(p) => parse_quote!(#p()),
                    _ => return None,
                };
                Entry::of(map, &m.receiver)?.or(begun(map, default))
            }
            _ => None,
        }
    }

    fn or(self, default: syn::Expr) -> Option<Self> {
        self.default.is_none().then_some(Entry { default: Some(default), ..self })
    }

    /// Finds the place, or makes it.
    fn found(&self, map: &Map, slot: &Ident) -> Vec<syn::Stmt> {
        let (slots, values, key) = (&map.slots, &map.values, &self.key);
        let evaluated = self.default.as_ref().filter(|default| self.eager && !is_plain(default));
        let first: Vec<syn::Stmt> =
            evaluated.map(|default| parse_quote!(let __default = #default;)).into_iter().collect();
        let made: Vec<syn::Stmt> = match &self.default {
            Some(_) if evaluated.is_some() => parse_quote!(#slots.insert(__key, #slot); #values.push(__default);),
            Some(default) => parse_quote!(#slots.insert(__key, #slot); #values.push(#default);),
            None => Vec::new(),
        };
        let changed: Vec<syn::Stmt> = match &self.changed {
            Some(closure) => {
                let done = done(closure, Some(&parse_quote!(&mut #values[#slot])));
                parse_quote!(#done;)
            }
            None => Vec::new(),
        };
        parse_quote!(
            let __key = #key;
            #(#first)*
            let #slot = #slots.get(&__key).copied().unwrap_or(#values.len());
            if #slot == #values.len() { #(#made)* } else { #(#changed)* }
        )
    }
}

/// What a value is to begin with: an empty list with the type of its elements.
fn begun(map: &Map, written: syn::Expr) -> syn::Expr {
    let text = quote!(#written).to_string().replace(' ', "");
    let empty = text.ends_with("Vec::new()") || text == "vec![]";
    map.default.clone().filter(|_| empty).unwrap_or(written)
}

/// Whether it does not matter when an expression is evaluated.
fn is_plain(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Lit(_) | syn::Expr::Path(_) => true,
        syn::Expr::Unary(u) => is_plain(&u.expr),
        syn::Expr::Macro(m) => {
            m.mac.path.segments.last().is_some_and(|s| s.ident == "vec") && is_plain_list(&m.mac.tokens)
        }
        syn::Expr::Call(c) => c.args.is_empty() && matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.len() > 1),
        _ => false,
    }
}

fn is_plain_list(tokens: &TokenStream) -> bool {
    match syn::parse2::<syn::Expr>(quote!([#tokens])) {
        Ok(syn::Expr::Array(list)) => list.elems.iter().all(is_plain),
        Ok(syn::Expr::Repeat(list)) => is_plain(&list.expr) && is_plain(&list.len),
        _ => false,
    }
}

/// What a closure does: its body, or a call of it where the body leaves it early.
fn done(closure: &syn::ExprClosure, argument: Option<&syn::Expr>) -> syn::Expr {
    let (inputs, body) = (closure.inputs.iter(), &closure.body);
    let argument = argument.into_iter();
    match has_return(body) {
        true => parse_quote!((#closure)(#(#argument),*)),
        false => parse_quote!({ #(let #inputs = #argument;)* #body }),
    }
}

/// The value that is stored, found before its place is, as Rust does.
fn stored(stmt: &mut syn::Stmt) -> Option<syn::Stmt> {
    let syn::Stmt::Expr(expr, _) = stmt else { return None };
    let right = match expr {
        syn::Expr::Assign(a) => &mut a.right,
        syn::Expr::Binary(b) => &mut b.right,
        _ => return None,
    };
    let value = std::mem::replace(right, parse_quote!(__value));
    Some(parse_quote!(let __value = #value;))
}

/// The entry that a statement begins with: it is the statement, a name is given to it, it is stored to, or a method is called on it.
fn entry_in<'s>(map: &Map, stmt: &'s syn::Stmt) -> Option<&'s syn::Expr> {
    let begins = match stmt {
        syn::Stmt::Local(local) => &*local.init.as_ref().filter(|init| init.diverge.is_none())?.expr,
        syn::Stmt::Expr(e, Some(_)) => e,
        _ => return None,
    };
    first(map, begins)
}

fn first<'s>(map: &Map, expr: &'s syn::Expr) -> Option<&'s syn::Expr> {
    if Entry::of(map, expr).is_some() {
        return Some(expr);
    }
    match expr {
        syn::Expr::Assign(a) => first(map, &a.left),
        syn::Expr::Binary(b) => first(map, &b.left),
        syn::Expr::Unary(u) => first(map, &u.expr),
        syn::Expr::Paren(p) => first(map, &p.expr),
        syn::Expr::MethodCall(m) => first(map, &m.receiver),
        syn::Expr::Field(f) => first(map, &f.base),
        syn::Expr::Index(i) => first(map, &i.expr),
        _ => None,
    }
}

/// A number of a place in the text, so that names differ.
fn number(expr: &syn::Expr) -> usize {
    let start = expr.span().start();
    start.line * 1000 + start.column
}

/// Puts the place where the entry stands. Another entry in the same statement has another place.
struct Replaced<'m> {
    map: &'m Map,
    slot: Option<&'m Ident>,
}

impl Replaced<'_> {
    /// The place, if this is the entry.
    fn place(&mut self, expr: &syn::Expr) -> Option<syn::Expr> {
        let values = &self.map.values;
        Entry::of(self.map, expr).and_then(|_| self.slot.take()).map(|slot| parse_quote!(#values[#slot]))
    }
}

impl VisitMut for Replaced<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let Some(place) = self.place(expr) {
            *expr = parse_quote!(&mut #place);
            return;
        }
        let place = match expr {
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place(&u.expr),
            syn::Expr::MethodCall(m) => {
                self.place(&m.receiver).into_iter().for_each(|place| *m.receiver = place);
                None
            }
            _ => None,
        };
        match place {
            Some(place) => *expr = place,
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }
}
