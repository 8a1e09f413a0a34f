//! Local maps of active values, as a map of slots and a `Vec`: `map[&k]` is `values[slots[&k]]`.
//!
//! A map from keys to places carries no derivative, and the values lie in a `Vec`: the tangent of a map is a map with the same keys.
//! This is written out before a function is lowered, and only if that is refused otherwise: maps of constants stay as they are.

use crate::frontend::containers::map_entries::Entry;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::syntax::{self, strip_parens};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::parse_quote;
use syn::visit_mut::{self, VisitMut};

/// The types that are written out.
const MAPS: &[&str] = &["HashMap", "BTreeMap"];

/// The function with its local maps written out, if it has any.
pub fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut names = Vec::new();
    syn::visit::Visit::visit_block(&mut Declared(&mut names), &item.block);
    let mut new = item.clone();
    for (name, value) in names {
        let mut with = new.clone();
        Map::named(&name, &value).visit_block_mut(&mut with.block);
        if !mentions(with.to_token_stream(), &name) {
            new = with;
        }
    }
    (new != *item).then_some(new)
}

/// Whether a function changes entries by closures, which nothing but maps has.
pub fn modifies_entries(item: &syn::ItemFn) -> bool {
    syntax::mentions(&item.block.to_token_stream(), &Ident::new("and_modify", Span::call_site()))
}

/// Whether a lowered function asks for the derivatives of methods that the entries of maps have.
pub fn is_left(block: &Block) -> bool {
    const OF_ENTRIES: &[&str] = &["entry", "or_insert", "or_insert_with", "or_default", "and_modify"];
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Let { expr: Expr::Call(Call { callee: Callee::Method(name), .. }), .. } => {
            OF_ENTRIES.iter().any(|method| name == method)
        }
        stmt => blocks(stmt).into_iter().any(is_left),
    })
}

/// Whether a variable is mentioned, also within a text that prints it: `.name` is a method or a field.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    let mut dots = 0;
    tokens.into_iter().any(|tree| {
        let is_member = std::mem::take(&mut dots) == 1;
        match tree {
            TokenTree::Ident(word) => word == *name && !is_member,
            TokenTree::Group(group) => mentions(group.stream(), name),
            TokenTree::Literal(text) => text.to_string().contains(&format!("{{{name}")),
            TokenTree::Punct(sign) => {
                dots = if sign.as_char() == '.' { 1 + usize::from(is_member) } else { 0 };
                false
            }
        }
    })
}

/// The names of the maps that a function declares.
struct Declared<'n>(&'n mut Vec<(Ident, syn::Type)>);

impl syn::visit::Visit<'_> for Declared<'_> {
    fn visit_local(&mut self, local: &syn::Local) {
        if let Some((name, types)) = declaration(local)
            && self.0.iter().all(|(known, _)| known != name)
        {
            self.0.push((name.clone(), types.value));
        }
        syn::visit::visit_local(self, local);
    }
}

/// The name of a new map, and its type: `let mut map: HashMap<K, V> = HashMap::new();`.
fn declaration(local: &syn::Local) -> Option<(&Ident, Types)> {
    let (pattern, written) = match &local.pat {
        syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
        pattern => (pattern, None),
    };
    let syn::Pat::Ident(syn::PatIdent { ident, subpat: None, by_ref: None, .. }) = pattern else { return None };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let syn::Expr::Call(call) = strip_parens(&init.expr) else { return None };
    let syn::Expr::Path(path) = strip_parens(&call.func) else { return None };
    let mut segments = path.path.segments.iter().rev();
    let (maker, owner) = (segments.next()?, segments.next()?);
    let new = ["new", "default"].iter().any(|name| maker.ident == name) && call.args.is_empty();
    let new = new || maker.ident == "with_capacity";
    let name = MAPS.iter().find(|name| owner.ident == **name).filter(|_| new)?;
    let made = Types::of(name, &owner.arguments)?;
    match written {
        Some(syn::Type::Path(p)) => {
            let last = p.path.segments.last().filter(|s| s.ident == *name)?;
            Some((ident, Types::of(name, &last.arguments)?))
        }
        Some(_) => None,
        None => Some((ident, made)),
    }
}

/// The type of a map: its name, its keys and its values.
struct Types {
    map: Ident,
    key: syn::Type,
    value: syn::Type,
}

impl Types {
    fn of(name: &str, arguments: &syn::PathArguments) -> Option<Self> {
        let map = Ident::new(name, Span::call_site());
        let any = || parse_quote!(_);
        match arguments {
            syn::PathArguments::None => Some(Types { map, key: any(), value: any() }),
            syn::PathArguments::AngleBracketed(list) => match list.args.iter().collect::<Vec<_>>()[..] {
                [syn::GenericArgument::Type(key), syn::GenericArgument::Type(value)] => {
                    Some(Types { map, key: key.clone(), value: value.clone() })
                }
                _ => None,
            },
            syn::PathArguments::Parenthesized(_) => None,
        }
    }
}

/// `Vec<f64>`.
fn is_list_of_floats(list: &syn::TypePath) -> bool {
    let written = list.to_token_stream().to_string().replace(' ', "");
    ["Vec<f64>", "Vec<f32>"].iter().any(|list| written == *list || written.ends_with(&format!("::{list}")))
}

/// A map that is written out: its name, the names of its slots and values.
pub struct Map {
    name: Ident,
    /// The map from keys to places.
    pub slots: Ident,
    /// The values.
    pub values: Ident,
    /// What a value is to begin with, where its type says so.
    pub default: Option<syn::Expr>,
}

impl Map {
    fn named(name: &Ident, value: &syn::Type) -> Self {
        let default = match value {
            syn::Type::Path(p) if p.path.is_ident("f64") || p.path.is_ident("f32") => Some(parse_quote!(0.0)),
            syn::Type::Path(p) if is_list_of_floats(p) => Some(parse_quote!(::std::vec![0.0; 0])),
            _ => None,
        };
        Map {
            default,
            slots: format_ident!("__slots_of_{name}"),
            values: format_ident!("__values_of_{name}"),
            name: name.clone(),
        }
    }

    /// Whether an expression is the map, behind any references.
    pub fn is(&self, expr: &syn::Expr) -> bool {
        match strip_parens(expr) {
            syn::Expr::Path(p) => p.path.is_ident(&self.name),
            syn::Expr::Reference(r) => self.is(&r.expr),
            _ => false,
        }
    }

    fn declared(&self, types: &Types) -> [syn::Stmt; 2] {
        let (slots, values, Types { map, key, value }) = (&self.slots, &self.values, types);
        [
            parse_quote!(let mut #slots: ::std::collections::#map<#key, usize> = ::std::collections::#map::new();),
            match value {
                syn::Type::Infer(_) => parse_quote!(let mut #values = ::std::vec::Vec::new();),
                value => parse_quote!(let mut #values: ::std::vec::Vec<#value> = ::std::vec::Vec::new();),
            },
        ]
    }

    /// `map.insert(key, value);`
    fn inserted(&self, stmt: &syn::Stmt) -> Option<syn::Stmt> {
        let syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) = stmt else { return None };
        let (slots, values) = (&self.slots, &self.values);
        match (m.method.to_string().as_str(), m.args.len()) {
            _ if !self.is(&m.receiver) => None,
            ("insert", 2) => {
                let (key, value) = (&m.args[0], &m.args[1]);
                Some(parse_quote!({
                    let __key = #key;
                    let __value = #value;
                    let __slot = #slots.get(&__key).copied().unwrap_or(#values.len());
                    if __slot == #values.len() {
                        #slots.insert(__key, __slot);
                        #values.push(__value);
                    } else {
                        #values[__slot] = __value;
                    }
                }))
            }
            ("remove", 1) => {
                let key = &m.args[0];
                Some(parse_quote!(#slots.remove(#key);))
            }
            ("clear", 0) => Some(parse_quote!(#slots.clear();)),
            _ => None,
        }
    }

    /// `for (key, value) in &map { .. }`, and over values that change.
    fn walked(&self, f: &syn::ExprForLoop) -> Option<syn::ExprForLoop> {
        let (slots, values) = (&self.slots, &self.values);
        let lent = |exclusive: bool| if exclusive { (quote::quote!(&mut), true) } else { (quote::quote!(&), false) };
        let (over_values, (reference, _), owned) = match strip_parens(&f.expr) {
            syn::Expr::Reference(r) if self.is(&r.expr) => (false, lent(r.mutability.is_some()), false),
            syn::Expr::Path(_) if self.is(&f.expr) => (false, lent(false), true),
            syn::Expr::MethodCall(m) if self.is(&m.receiver) => match m.method.to_string().as_str() {
                "iter" => (false, lent(false), false),
                "iter_mut" => (false, lent(true), false),
                "into_iter" => (false, lent(false), true),
                "values_mut" => (true, lent(true), false),
                _ => return None,
            },
            _ => return None,
        };
        let mut new = f.clone();
        let value = match &*f.pat {
            pattern if over_values => {
                (new.expr, new.pat) = (parse_quote!(#slots.values()), parse_quote!(__slot));
                pattern
            }
            syn::Pat::Tuple(pair) if pair.elems.len() == 2 => {
                let key = &pair.elems[0];
                let walk: syn::Expr = if owned { parse_quote!(#slots.clone()) } else { parse_quote!(#slots.iter()) };
                (new.expr, new.pat) = (Box::new(walk), parse_quote!((#key, __slot)));
                &pair.elems[1]
            }
            _ => return None,
        };
        let bound: syn::Stmt = match owned {
            true => parse_quote!(let #value = #values[__slot].clone();),
            false => parse_quote!(let #value = #reference #values[*__slot];),
        };
        new.body.stmts.insert(0, bound);
        Some(new)
    }

    /// `map.values().copied()`.
    fn copies_values(&self, m: &syn::ExprMethodCall) -> bool {
        let syn::Expr::MethodCall(inner) = strip_parens(&m.receiver) else { return false };
        let copies = (m.method == "copied" || m.method == "cloned") && m.args.is_empty();
        copies && inner.method == "values" && self.is(&inner.receiver)
    }

    /// What looks at the map, or lends a value of it.
    fn looked(&self, expr: &syn::Expr) -> Option<syn::Expr> {
        let (slots, values) = (&self.slots, &self.values);
        if let syn::Expr::Index(i) = expr {
            let key = &i.index;
            return self.is(&i.expr).then(|| parse_quote!(#values[#slots[#key]]));
        }
        let syn::Expr::MethodCall(m) = expr else { return None };
        if self.copies_values(m) {
            return Some(parse_quote!(#slots.values().map(|__slot| #values[*__slot].clone())));
        } else if !self.is(&m.receiver) {
            return None;
        }
        let (method, args) = (&m.method, &m.args);
        Some(match (method.to_string().as_str(), args.len()) {
            ("get" | "get_mut", 1) => {
                parse_quote!(#values.#method(#slots.get(#args).copied().unwrap_or(::core::primitive::usize::MAX)))
            }
            ("contains_key", 1) | ("len" | "is_empty" | "keys", 0) => parse_quote!(#slots.#method(#args)),
            ("values", 0) => parse_quote!(#slots.values().map(|__slot| &#values[*__slot])),
            ("iter", 0) => parse_quote!(#slots.iter().map(|(__key, __slot)| (__key, &#values[*__slot]))),
            ("into_values", 0) => parse_quote!(#slots.values().map(|__slot| #values[*__slot].clone())),
            ("into_iter", 0) => {
                parse_quote!(#slots.clone().into_iter().map(|(__key, __slot)| (__key, #values[__slot].clone())))
            }
            _ => return None,
        })
    }
}

impl VisitMut for Map {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut stmts = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Expr(e, end @ None) = &mut stmt
                && stores(e)
            {
                *end = Some(Default::default());
            }
            match &stmt {
                syn::Stmt::Local(local) if declaration(local).is_some_and(|(name, _)| *name == self.name) => {
                    declaration(local).iter().for_each(|(_, types)| stmts.extend(self.declared(types)));
                }
                stmt => match self.inserted(stmt) {
                    Some(new) => stmts.push(new),
                    None => stmts.extend(Entry::written_out(self, stmt).unwrap_or_else(|| vec![stmt.clone()])),
                },
            }
        }
        block.stmts = stmts;
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let new = match &*expr {
            syn::Expr::ForLoop(f) => self.walked(f).map(syn::Expr::ForLoop),
            e => self.looked(e),
        };
        if let Some(new) = new {
            *expr = new;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    /// `key => *map.entry(key).or_insert(0.0) += v,` as an arm with a block.
    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        if stores(&arm.body) {
            let stored = &arm.body;
            arm.body = parse_quote!({ #stored; });
        }
        visit_mut::visit_arm_mut(self, arm);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether an expression is an assignment.
fn stores(expr: &syn::Expr) -> bool {
    use syn::BinOp::{AddAssign, DivAssign, MulAssign, SubAssign};
    match expr {
        syn::Expr::Assign(_) => true,
        syn::Expr::Binary(b) => matches!(b.op, AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_)),
        _ => false,
    }
}
