//! From placeholders to names that a reader would choose.

use crate::ir::*;
use crate::table::Table;
use crate::walk::each_opaque;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};

/// One name for each variable of a body.
pub struct Names {
    map: BTreeMap<String, Ident>,
}

/// Names that generated code uses itself.
const RESERVED: &[&str] = &[
    "ws",
    "rec",
    "words",
    "dots",
    "rec_block",
    "words_block",
    "dots_block",
    "count",
    "value",
    "reverse",
    "y_bar_in",
    "y_bar_dot_in",
    "Space",
    "Valued",
    "Phase",
    "self",
];

/// What names that generated code makes of other names begin and end with.
const MADE: (&[&str], &[&str]) = (&["on_", "kin_", "word_", "spare_", "slot_", "__"], &["_off", "_fresh"]);

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
    let made = MADE.0.iter().any(|start| hint.starts_with(start)) || MADE.1.iter().any(|end| hint.ends_with(end));
    let hint = if made { &format!("own_{hint}_")[..] } else { hint };
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
    match stmt {
        Stmt::Let { expr: Expr::Call(call), .. } => tokens.extend(call.path.clone()),
        Stmt::Switch { arms, .. } => arms.iter().for_each(|a| tokens.extend(a.pattern.clone())),
        _ => {}
    }
    each_opaque(stmt, &mut |o| tokens.extend(o.tokens.clone()));
    crate::walk::blocks(stmt).into_iter().for_each(|b| collect_block(b, tokens));
}
