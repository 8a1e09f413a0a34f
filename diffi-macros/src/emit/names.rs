//! From placeholders to names that a reader would choose.

use crate::ir::*;
use crate::table::Table;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};

/// One name for each variable of a body.
pub struct Names {
    map: BTreeMap<String, Ident>,
}

/// Names that generated code uses itself.
const RESERVED: &[&str] = &["ws", "rec", "words", "dots", "value", "reverse", "Space", "Valued", "Phase", "self"];

/// Names that the user's tokens and generated code use for other things.
pub struct Foreign(HashSet<String>);

impl Foreign {
    /// The identifiers in a function that are not its variables.
    pub fn of(function: &Function) -> Self {
        let mut taken: HashSet<String> = RESERVED.iter().map(|s| s.to_string()).collect();
        let placeholders: HashSet<String> = function.vars.iter().map(|v| v.name.to_string()).collect();
        let mut tokens = TokenStream::new();
        function.items.iter().for_each(|item| tokens.extend(item.clone()));
        collect_block(&function.body, &mut tokens);
        tokens.extend(function.generics.to_token_stream());
        let mut all = HashSet::new();
        idents(tokens, &mut all);
        taken.extend(all.into_iter().filter(|name| !placeholders.contains(name)));
        Foreign(taken)
    }
}

impl Names {
    /// Names all variables: their hints, made unique, and clear of what the user's tokens name.
    pub fn new(foreign: &Foreign, table: &Table) -> Self {
        let mut taken = foreign.0.clone();
        let mut map = BTreeMap::new();
        for info in table.vars() {
            let name = unique(&info.hint, &mut taken);
            map.insert(info.name.to_string(), Ident::new(&name, info.name.span()));
        }
        Names { map }
    }

    /// From placeholder to name.
    pub fn map(&self) -> &BTreeMap<String, Ident> {
        &self.map
    }

    /// A variable's name.
    pub fn get(&self, info: &VarInfo) -> Ident {
        self.map.get(&info.name.to_string()).cloned().unwrap_or_else(|| info.name.clone())
    }
}

fn unique(hint: &str, taken: &mut HashSet<String>) -> String {
    let hint = if hint == "_" || hint.is_empty() || syn::parse_str::<Ident>(hint).is_err() { "t" } else { hint };
    let numbered = std::iter::once(hint.to_owned()).chain((1..).map(|k| format!("{hint}_{k}")));
    let name = numbered.into_iter().find(|n| !taken.contains(n)).expect("there is always another number");
    taken.insert(name.clone());
    name
}

fn idents(tokens: TokenStream, found: &mut HashSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(i) => {
                found.insert(i.to_string());
            }
            TokenTree::Group(g) => idents(g.stream(), found),
            _ => {}
        }
    }
}

fn collect_block(block: &Block, tokens: &mut TokenStream) {
    block.stmts.iter().for_each(|s| collect(s, tokens));
}

fn collect(stmt: &Stmt, tokens: &mut TokenStream) {
    let mut opaque = |o: &Opaque| tokens.extend(o.tokens.clone());
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Call(call) => {
                tokens.extend(call.path.clone());
                for arg in &call.args {
                    if let CallArg::Passive(o) | CallArg::Value(Operand::Opaque(o)) = arg {
                        tokens.extend(o.tokens.clone());
                    }
                }
            }
            Expr::Opaque(o) | Expr::VecNew(o) => opaque(o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().for_each(|a| {
                    if let Operand::Opaque(o) = a {
                        opaque(o)
                    }
                })
            }
            Expr::Repeat { len, .. } | Expr::VecRepeat { len, .. } => opaque(len),
            Expr::Scratch { len } => opaque(len),
            Expr::Operand(_) | Expr::ToVec(_) | Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => {}
        },
        Stmt::Assign { value: Operand::Opaque(o), .. } | Stmt::Push { value: Operand::Opaque(o), .. } => opaque(o),
        Stmt::If { cond, .. } | Stmt::While { cond, .. } => opaque(cond),
        Stmt::Switch { scrutinee, arms } => {
            opaque(scrutinee);
            arms.iter().for_each(|a| tokens.extend(a.pattern.clone()));
        }
        Stmt::For(on) => {
            opaque(&on.lo);
            opaque(&on.hi);
        }
        Stmt::Effect { tokens: o, .. } => opaque(o),
        _ => {}
    }
    crate::walk::blocks(stmt).into_iter().for_each(|b| collect_block(b, tokens));
}
