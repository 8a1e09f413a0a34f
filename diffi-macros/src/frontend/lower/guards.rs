//! Inner blocks with values whose end does something: `let _guard = lock.enter();`, `let b = cell.borrow_mut();`.
//!
//! Blocks are lowered into what stands around them, where their variables would end later. What ends with such a block is kept in one of
//! its own, `if true { .. }`. Whether a type has a `Drop` is not to be seen: what may be of a type of the user's counts as if it had one,
//! unless its variable carries derivatives.

use crate::frontend::infer::usefulness::is_known;
use crate::frontend::lower::branches::Body;
use crate::frontend::state::context::{Guard, Lower};
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::types;
use crate::ir::purity::repeatable;
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::{is_constant, mentions, strip_parens};
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// Methods of std that lend until what they give ends.
const LENDING: &[&str] = &[
    "lock",
    "try_lock",
    "read",
    "try_read",
    "write",
    "try_write",
    "borrow",
    "try_borrow",
    "borrow_mut",
    "try_borrow_mut",
];
/// Methods that give what their receiver holds.
const OPENING: &[&str] = &["unwrap", "expect", "unwrap_or_else", "ok"];
/// Types of std whose values end without a trace.
const PLAIN: &[&str] = &[
    "Vec",
    "VecDeque",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "BinaryHeap",
    "String",
    "Box",
    "Some",
    "Ok",
    "Err",
    "f64",
    "f32",
    "Array1",
    "Array2",
];

impl Lower {
    /// A block in which values end that may do something then, in a block of its own.
    pub fn block_with_guards(&mut self, block: &syn::Block, dest: Dest) -> Option<Value> {
        self.holds_guard(block).then_some(())?;
        let whole = syn::parse_quote_spanned!(block.span()=> if true #block else { ::core::unreachable!() });
        Some(self.split(&whole, &mut |l, body| match body {
            Body::Block(b) => l.stmts_in_scope(b, dest),
            other => l.body(other, dest),
        }))
    }

    fn holds_guard(&self, block: &syn::Block) -> bool {
        let mut own = Vec::new();
        block.stmts.iter().any(|stmt| {
            let syn::Stmt::Local(syn::Local { pat, init: Some(init), .. }) = stmt else { return false };
            let names = names_of(pat);
            let hidden = names.iter().any(|name| self.is_hidden(name));
            let active = names.iter().any(|name| self.assumed.contains(&Site::of(name)));
            let found = !names.is_empty() && !active && self.may_be_guard(&init.expr, hidden, &own);
            own.extend(names);
            found
        })
    }

    /// Whether nothing reads the variable of this name: it is there for its end.
    fn is_hidden(&self, name: &Ident) -> bool {
        let text = name.to_string();
        text.starts_with('_') || self.unread.contains(&text)
    }

    /// Notes a variable without derivatives whose end may do something.
    pub fn note_guard(&mut self, pattern: &syn::Pat, init: &syn::Expr) {
        if let syn::Pat::Ident(name) = pattern
            && let Some(Value::Passive(Passive { root: Some(var), refs, .. })) = self.scope.get(&name.ident)
            && let (var, 0) = (*var, refs.depth)
        {
            let guard = self.guard_of(init, self.is_hidden(&name.ident));
            self.fact_mut(var).guard = guard;
        }
    }

    fn guard_of(&self, init: &syn::Expr, hidden: bool) -> Option<Guard> {
        let none = matches!(strip_parens(init), syn::Expr::Path(p) if p.path.is_ident("None"));
        let moved = self.guard_named(init).and_then(|var| self.fact(var).guard);
        match self.may_be_guard(init, true, &[]) || hidden && none {
            false => None,
            true if hidden || lends(init) || moved == Some(Guard::Held) => Some(Guard::Held),
            true => Some(Guard::Possible),
        }
    }

    /// The guard that an expression is the name of.
    fn guard_named(&self, expr: &syn::Expr) -> Option<Var> {
        let syn::Expr::Path(p) = strip_parens(expr) else { return None };
        match self.scope.get(p.path.get_ident()?)? {
            Value::Passive(Passive { root: Some(var), refs, .. }) if refs.depth == 0 => {
                self.fact(*var).guard.map(|_| *var)
            }
            _ => None,
        }
    }

    /// A guard that gets another name, with whose end it ends.
    pub fn moved_guard(&mut self, pattern: &syn::Pat, init: &syn::Expr) -> Option<(Var, Value)> {
        let syn::Pat::Ident(name) = pattern else { return None };
        let var = self.guard_named(init)?;
        (self.is_hidden(&name.ident) || self.fact(var).guard == Some(Guard::Held)).then_some(())?;
        let moved = PassiveCode::var(var, self.info(var)).map(|guard| quote!(::core::convert::identity(#guard)));
        Some((var, Value::passive(moved)))
    }

    /// What was read of a variable has to be kept, as it is given away.
    pub fn given_away(&mut self, var: Var) {
        self.info_mut(var).mutable = true;
        self.emit(Stmt::Effect { tokens: PassiveCode::literal(quote!()), writes: [var].into() });
    }

    /// `drop(value)`, of what carries no derivative.
    pub fn end_value(&mut self, value: &Value) {
        let Value::Passive(Passive { passive, root, refs, ty }) = value else { return };
        let ends = root.map_or(!repeatable(passive), |var| self.fact(var).guard.is_some());
        if refs.depth > 0 || *ty != Ty::Passive || !ends {
            return;
        }
        if let Some(var) = root {
            self.info_mut(*var).mutable = true;
        }
        let tokens = passive.clone().map(|ended| quote!(::core::mem::drop(#ended);));
        self.emit(Stmt::Effect { tokens, writes: root.iter().copied().collect() });
    }

    /// Whether an expression may give a value whose end does something; `hidden` is the name that it gets, as nothing reads it.
    fn may_be_guard(&self, expr: &syn::Expr, hidden: bool, own: &[Ident]) -> bool {
        let tokens = expr.to_token_stream();
        let passive = || !self.act(expr).any() && !own.iter().any(|name| mentions(&tokens, name));
        match strip_parens(expr) {
            syn::Expr::Try(t) => self.may_be_guard(&t.expr, hidden, own),
            syn::Expr::MethodCall(m) if OPENING.iter().any(|name| m.method == name) => {
                self.may_be_guard(&m.receiver, hidden, own)
            }
            syn::Expr::MethodCall(m) if LENDING.iter().any(|name| m.method == name) => !self.act(&m.receiver).any(),
            syn::Expr::MethodCall(m) => {
                let known = is_known(m) || names::scalar(&m.method.to_string(), m.args.len()).is_some();
                !known && (hidden || matches!(strip_parens(&m.receiver), syn::Expr::Path(_))) && passive()
            }
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) if holds(&p.path) => c.args.iter().any(|part| self.may_be_guard(part, hidden, own)),
                syn::Expr::Path(p) => makes(&p.path, hidden) && passive(),
                _ => false,
            },
            syn::Expr::Struct(_) => passive(),
            syn::Expr::Path(p) => {
                let named = self.guard_named(expr).and_then(|var| self.fact(var).guard);
                makes(&p.path, false) && !is_constant(&p.path) || named.is_some_and(|g| hidden || g == Guard::Held)
            }
            syn::Expr::Tuple(t) => t.elems.iter().any(|part| self.may_be_guard(part, false, own)),
            syn::Expr::Array(a) => a.elems.iter().any(|part| self.may_be_guard(part, false, own)),
            syn::Expr::Macro(m) => hidden && !m.mac.path.is_ident("vec") && passive(),
            _ => false,
        }
    }
}

/// Whether an expression lends what a lock or a cell of std's holds.
fn lends(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Try(t) => lends(&t.expr),
        syn::Expr::MethodCall(m) if OPENING.iter().any(|name| m.method == name) => lends(&m.receiver),
        syn::Expr::MethodCall(m) => LENDING.iter().any(|name| m.method == name),
        _ => false,
    }
}

/// Whether a path makes what ends with what it is given: `Some`, `Box::new`.
fn holds(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().rev().take(2).map(|s| s.ident.to_string()).collect();
    matches!(names.first().map(String::as_str), Some("Some" | "Ok")) || names == ["new", "Box"]
}

/// Whether a path names a type of the user's, a function of one, or any function whose value nothing reads.
fn makes(path: &syn::Path, hidden: bool) -> bool {
    let plain = types::is_passive_name(path) || path.segments.iter().any(|s| PLAIN.iter().any(|name| s.ident == name));
    let of_type = path.segments.iter().any(|s| s.ident.to_string().starts_with(char::is_uppercase));
    !plain && (hidden || of_type)
}
