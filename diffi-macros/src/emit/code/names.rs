//! From placeholders to names that a reader would choose.

use crate::emit::code::text::inside;
use crate::ir::symbols::Table;
use crate::ir::visit::each_passive;
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use crate::support::names::{MADE, RESERVED};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::borrow::Cow;

/// The name for the type of a result of which only rustc knows whether it carries derivatives.
pub const VALUE: &str = "__Value";

/// One name for each variable of a body.
pub struct Names<'a> {
    table: &'a Table,
    names: Vec<String>,
}

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "_", "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if", "impl",
    "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct",
    "super", "trait", "true", "type", "unsafe", "use", "where", "while", "async", "await", "dyn", "abstract", "become",
    "box", "do", "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "yield", "try", "gen",
];

/// Names that the user's tokens and generated code use for other things.
#[derive(Clone)]
pub struct Foreign(HashSet<String>);

impl Foreign {
    /// The identifiers in a function that are not its variables.
    pub fn of(function: &Function) -> Self {
        let mut taken: HashSet<String> = RESERVED.iter().chain(KEYWORDS).map(|s| s.to_string()).collect();
        taken.insert(function.name.to_string());
        function.items.iter().for_each(|item| idents(item.clone(), &mut taken));
        collect_block(&function.body, &mut taken);
        idents(function.generics.to_token_stream(), &mut taken);
        if let Some(owner) = &function.owner {
            idents(owner.generics.to_token_stream(), &mut taken);
            idents(owner.ty.to_token_stream(), &mut taken);
        }
        Foreign(taken)
    }
}

impl<'a> Names<'a> {
    /// Names all variables: their hints, made unique, and clear of what the user's tokens name.
    pub fn new(foreign: &Foreign, table: &'a Table) -> Self {
        let (mut taken, mut last) = (Taken::beside(HashSet::default(), table), HashMap::default());
        let names = table.vars().iter().map(|info| unique(&info.hint, foreign, &mut taken, &mut last)).collect();
        Names { table, names }
    }

    /// Names beside others: those of `fixed` variables are given, the rest differ from all of them.
    pub fn beside(foreign: &Foreign, table: &'a Table, others: &Names<'_>, fixed: &HashMap<Var, String>) -> Self {
        let others = others.names.iter().cloned().collect();
        let (mut taken, mut last) = (Taken::beside(others, table), HashMap::default());
        let vars = (0..).map(Var).zip(table.vars());
        let names = vars.map(|(var, info)| match fixed.get(&var) {
            Some(name) => name.clone(),
            None => unique(&info.hint, foreign, &mut taken, &mut last),
        });
        Names { table, names: names.collect() }
    }

    /// The variables by their names.
    pub fn all(&self) -> HashMap<&str, Var> {
        self.names.iter().map(String::as_str).zip((0..).map(Var)).collect()
    }

    /// What a word of generated code begins and ends with that is made of a name.
    pub fn stripped(word: &str) -> (&'static str, &str, &'static str) {
        if !word.as_bytes().contains(&b'_') {
            return ("", word, "");
        }
        let start = MADE.0.iter().find(|start| word.starts_with(*start)).copied().unwrap_or("");
        let rest = &word[start.len()..];
        let end = MADE.1.iter().find(|end| rest.ends_with(*end)).copied().unwrap_or("");
        (start, &rest[..rest.len() - end.len()], end)
    }

    /// A variable's name.
    pub fn get(&self, var: Var) -> &str {
        &self.names[var.0 as usize]
    }

    /// The variable that a placeholder stands for.
    pub fn placeholder(&self, word: &str) -> Option<Var> {
        let (kind, rest) = (word.strip_prefix("__")?, self.table.vars());
        let digits = kind.get(1..)?;
        let number: usize = digits.get(..digits.find('_')?)?.parse().ok()?;
        let var = match rest.get(number) {
            Some(info) if info.name == word => number,
            _ => rest.iter().position(|info| info.name == word)?,
        };
        Some(Var(var as u32))
    }
}

/// Names that others have.
struct Taken {
    names: HashSet<String>,
    /// Whether names of different hints may be alike, as `x_1` is, and the second `x`.
    alike: bool,
}

impl Taken {
    fn beside(names: HashSet<String>, table: &Table) -> Self {
        let ends_with_number = |info: &VarInfo| info.hint.as_bytes().last().is_some_and(u8::is_ascii_digit);
        Taken { names, alike: table.vars().iter().any(ends_with_number) }
    }

    /// Takes a name, if it is free.
    fn take(&mut self, name: &str) -> bool {
        if self.alike { self.names.insert(name.to_owned()) } else { !self.names.contains(name) }
    }
}

/// The hint, or the hint with the first number that is free; `last` is the one that was given to it last.
fn unique<'t>(
    hint: &'t str,
    foreign: &Foreign,
    taken: &mut Taken,
    last: &mut HashMap<&'t str, (usize, Cow<'t, str>)>,
) -> String {
    let (number, hint) = last.entry(hint).and_modify(|(n, _)| *n += 1).or_insert_with(|| (0, sound(hint)));
    loop {
        let name = if *number == 0 { hint.to_string() } else { format!("{hint}_{number}") };
        if !foreign.0.contains(&name) && taken.take(&name) {
            return name;
        }
        *number += 1;
    }
}

/// The hint, if it is a name that generated code does not make itself.
fn sound(hint: &str) -> Cow<'_, str> {
    let bytes = hint.as_bytes();
    let (mut named, mut at) = (!bytes.is_empty() && !bytes[0].is_ascii_digit() && hint != "_", 0);
    while at < bytes.len() {
        named &= inside(bytes[at]) || bytes[at] == b'#';
        at += 1;
    }
    let hint = if named { hint } else { "t" };
    let made = || MADE.0.iter().any(|start| hint.starts_with(start)) || MADE.1.iter().any(|end| hint.ends_with(end));
    if hint.as_bytes().contains(&b'_') && made() { Cow::Owned(format!("own_{hint}_")) } else { Cow::Borrowed(hint) }
}

/// The identifiers in tokens that are no placeholders.
pub fn idents(tokens: TokenStream, found: &mut HashSet<String>) {
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

fn collect_block(block: &Block, found: &mut HashSet<String>) {
    block.stmts.iter().for_each(|s| collect(s, found));
}

fn collect(stmt: &Stmt, found: &mut HashSet<String>) {
    match stmt {
        Stmt::Let { expr: Expr::Call(call), .. } => {
            idents(call.written.clone(), found);
            if let Callee::Function(path) = &call.callee {
                idents(path.clone(), found);
            }
        }
        Stmt::Switch { arms, .. } => arms.iter().for_each(|a| idents(a.pattern.clone(), found)),
        _ => {}
    }
    each_passive(stmt, &mut |o| idents(o.tokens.clone(), found));
    crate::ir::visit::blocks(stmt).into_iter().for_each(|b| collect_block(b, found));
}
