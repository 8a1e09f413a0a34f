//! Inner blocks with values whose end does something: `let _guard = lock.enter();`, `let b = cell.borrow_mut();`.
//!
//! Blocks are lowered into what stands around them, where their variables would end later. What ends with such a block is kept in one of
//! its own, `if true { .. }`. Whether a type has a `Drop` is not to be seen: what may be of a type of the user's counts as if it had one,
//! unless its variable carries derivatives.

use crate::frontend::infer::usefulness::is_known;
use crate::frontend::lower::branches::Body;
use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::types;
use crate::ir::visit::{Access, touched};
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
const PLAIN: &[&str] = &["Vec", "VecDeque", "Box", "Some", "Ok", "Err", "f64", "f32", "Array1", "Array2"];

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
            let hidden = names.iter().any(|name| name.to_string().starts_with('_'));
            let active = names.iter().any(|name| self.assumed.contains(&Site::of(name)));
            let found = !names.is_empty() && !active && self.may_be_guard(&init.expr, hidden, &own);
            own.extend(names);
            found
        })
    }

    /// Notes a variable without derivatives whose end may do something.
    pub fn note_guard(&mut self, pattern: &syn::Pat, init: &syn::Expr) {
        if let syn::Pat::Ident(name) = pattern
            && let Some(Value::Passive(Passive { root: Some(var), refs, .. })) = self.scope.get(&name.ident)
            && let (var, 0, true) = (*var, refs.depth, self.may_be_guard(init, false, &[]))
        {
            self.fact_mut(var).guard = true;
        }
    }

    /// `drop(guard)`, of one that nothing has read: what reads it may be evaluated again in the reverse sweep.
    pub fn end_guard(&mut self, value: &Value) {
        let Value::Passive(Passive { passive, root: Some(var), .. }) = value else { return };
        let read = self.open.iter().any(|block| touched(&block.stmts, &[Access::Read]).contains(var));
        if self.fact(*var).guard && !read {
            let tokens = passive.clone().map(|guard| quote!(::core::mem::drop(#guard);));
            self.emit(Stmt::Effect { tokens, writes: Default::default() });
        }
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
            syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if makes(&p.path, hidden)) && passive(),
            syn::Expr::Struct(_) => passive(),
            syn::Expr::Path(p) => makes(&p.path, false) && !is_constant(&p.path),
            syn::Expr::Macro(m) => hidden && !m.mac.path.is_ident("vec") && passive(),
            _ => false,
        }
    }
}

/// Whether a path names a type of the user's, a function of one, or any function whose value nothing reads.
fn makes(path: &syn::Path, hidden: bool) -> bool {
    let plain = types::is_passive_name(path) || path.segments.iter().any(|s| PLAIN.iter().any(|name| s.ident == name));
    let of_type = path.segments.iter().any(|s| s.ident.to_string().starts_with(char::is_uppercase));
    !plain && (hidden || of_type)
}
