//! Statements in order, and what is done for its effect.

use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::{Passive, Refs, Value};
use crate::frontend::syntax::writes::root_name;
use crate::frontend::syntax::{effects, types};
use crate::ir::purity;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

impl Lower {
    /// A block's statements, in a scope of their own.
    pub fn block_in_scope(&mut self, block: &syn::Block, dest: Dest) -> Value {
        match self.block_with_guards(block, dest) {
            Some(value) => value,
            None => self.stmts_in_scope(block, dest),
        }
    }

    /// The same, whatever ends with it.
    pub fn stmts_in_scope(&mut self, block: &syn::Block, dest: Dest) -> Value {
        let scope = self.scope.clone();
        let value = self.stmts(&block.stmts, dest);
        self.scope = scope;
        value
    }

    /// Statements; the value of the last one.
    pub fn stmts(&mut self, stmts: &[syn::Stmt], dest: Dest) -> Value {
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            if let Some(moved) = self.operands_first(stmt) {
                return self.stmts(&[&moved, rest].concat(), dest);
            }
            if !rest.is_empty()
                && let Some(value) = self.jump_or_rest(stmt, rest, dest)
            {
                return value;
            }
            if let Some(all) = self.opened(stmt, rest) {
                return self.stmts(&all, dest);
            }
            if let Some(count) = self.kept_for(stmt, rest, dest) {
                let syn::Stmt::Local(local) = stmt else { return Value::Poison };
                self.write_while_named(local, &rest[..count]);
                return self.stmts(&rest[count..], dest);
            }
            let before = self.jumps.pending_before();
            let value = match stmt {
                syn::Stmt::Expr(e, None) if rest.is_empty() && dest != Dest::Nobody => return self.tail(e, dest),
                _ => self.stmt(stmt),
            };
            if matches!(value, Value::Never) {
                return Value::Never;
            }
            let taken = self.jumps.taken_since(before);
            if !taken.is_empty() && !rest.is_empty() {
                return self.guarded_rest(taken, rest, dest);
            }
        }
        self.deliver_to(Value::Unit, dest, Span::call_site())
    }

    fn tail(&mut self, expr: &syn::Expr, dest: Dest) -> Value {
        if dest != Dest::Value {
            match strip_parens(expr) {
                e @ (syn::Expr::If(_) | syn::Expr::Match(_)) => return self.branches_to(e, dest),
                syn::Expr::Block(b) if b.label.is_none() => return self.block_in_scope(&b.block, dest),
                _ => {}
            }
        }
        let (before, parts) = (self.jumps.pending_before(), self.write_backs.len());
        let value = self.value_for(expr, dest);
        self.write_back(parts);
        if dest == Dest::Value || matches!(value, Value::Never) {
            return self.deliver_to(value, dest, expr.span());
        }
        let mut delivered = Value::Unit;
        self.unless_left(before, |l| delivered = l.deliver_to(value, dest, expr.span()));
        delivered
    }

    /// An expression's value, in the shape that its destination wants.
    pub fn value_for(&mut self, expr: &syn::Expr, dest: Dest) -> Value {
        match dest {
            Dest::Result => self.result_value(expr),
            _ => self.expr(expr),
        }
    }

    /// One statement.
    pub fn stmt(&mut self, stmt: &syn::Stmt) -> Value {
        self.expecting(None, |l| l.one_stmt(stmt))
    }

    fn one_stmt(&mut self, stmt: &syn::Stmt) -> Value {
        let parts = self.write_backs.len();
        let value = match stmt {
            syn::Stmt::Local(l) => self.local(l),
            syn::Stmt::Item(i) => self.item(i),
            syn::Stmt::Macro(m) => self.macro_stmt(&m.mac, stmt),
            syn::Stmt::Expr(e, _) => self.expr_stmt(e, stmt),
        };
        self.write_back(parts);
        value
    }

    fn item(&mut self, item: &syn::Item) -> Value {
        self.item_once(quote!(#item));
        match item {
            syn::Item::Const(c) => self.scope.forget(&c.ident),
            syn::Item::Fn(f) => self.scope.forget(&f.sig.ident),
            _ => {}
        }
        if let syn::Item::Const(c) = item {
            self.constant(c);
        }
        Value::Unit
    }

    /// Items stand in front of the body, and code that is lowered twice declares them once.
    pub fn item_once(&mut self, item: TokenStream) {
        if !self.items.iter().any(|known| known.to_string() == item.to_string()) {
            self.items.push(item);
        }
    }

    /// A `const` array is known to be indexable.
    fn constant(&mut self, c: &syn::ItemConst) {
        let ty = types::describe(&c.ty, &self.base);
        if let Some(functions) = self.function_value(&c.expr) {
            return self.scope.bind(&c.ident, functions);
        }
        if types::is_sequence(&ty) {
            let name = &c.ident;
            let passive = PassiveCode::literal(quote!(#name));
            let refs = Refs::default();
            self.scope.bind(name, Value::Passive(Passive { passive, refs, ty, root: None }));
        }
    }

    /// An expression for its effects.
    pub fn expr_stmt(&mut self, expr: &syn::Expr, stmt: &syn::Stmt) -> Value {
        let expr = strip_parens(expr);
        if let syn::Expr::Macro(m) = expr {
            return self.macro_stmt(&m.mac, stmt);
        }
        if self.is_passive_stmt(expr) {
            return self.passive_stmt(expr);
        }
        if let Some(block) = self.with_arguments_before(expr) {
            return self.block_in_scope(&block, Dest::Nobody);
        }
        match expr {
            syn::Expr::If(_) | syn::Expr::Match(_) => self.branch_stmt(expr),
            syn::Expr::Block(b) if b.label.is_none() && effects::of_expr(&self.scope, expr).speaks => {
                self.block_in_scope(&b.block, Dest::Nobody)
            }
            syn::Expr::MethodCall(m) if self.is_stored_in_a_cell(m) => Value::Poison,
            syn::Expr::MethodCall(m) if self.change(m) => Value::Unit,
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) if self.is_passive(expr) && self.is_done(expr) => {
                let mut tokens = self.passive_code(expr);
                let t = &tokens.tokens;
                tokens.tokens = quote!(#t;);
                self.emit(Stmt::Effect { tokens, writes: Default::default() });
                Value::Unit
            }
            syn::Expr::Block(_) | syn::Expr::Unsafe(_) if self.is_passive(expr) => {
                let tokens = self.passive_code(expr).map(|t| quote!(#t;));
                self.emit(Stmt::Effect { tokens, writes: Default::default() });
                Value::Unit
            }
            _ => match self.active_stmt(expr) {
                Value::Never => Value::Never,
                _ => Value::Unit,
            },
        }
    }

    /// A call without a derivative, `list.push({ s *= x; 1 })`, whose arguments change active values: these have names, and stand before it.
    fn with_arguments_before(&self, expr: &syn::Expr) -> Option<syn::Block> {
        let (args, before) = match expr {
            syn::Expr::MethodCall(m) if self.is_passive(&m.receiver) => (&m.args, Some(&*m.receiver)),
            syn::Expr::Call(c) if self.is_passive(expr) => (&c.args, None),
            _ => return None,
        };
        let changes = |e: &syn::Expr| !self.all_passive(&effects::of_expr(&self.scope, e).writes);
        let closure = |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Closure(_));
        let first = before.is_none_or(|receiver| root_name(receiver).is_some() && !changes(receiver));
        if !args.iter().any(changes) || args.iter().any(closure) || !first {
            return None;
        }
        let name = |k: usize| format_ident!("__argument_{}", k);
        let named = args.iter().enumerate().map(|(k, arg)| {
            let name = name(k);
            quote!(let #name = #arg;)
        });
        let mut call = expr.clone();
        if let syn::Expr::MethodCall(syn::ExprMethodCall { args, .. }) | syn::Expr::Call(syn::ExprCall { args, .. }) =
            &mut call
        {
            args.iter_mut().enumerate().for_each(|(k, arg)| {
                let name = name(k);
                *arg = syn::parse_quote!(#name);
            });
        }
        Some(syn::parse_quote!({ #(#named)* #call; }))
    }

    /// Whether an expression without a derivative is evaluated for what it does: unless it is a closure's value, which calls nothing.
    fn is_done(&self, expr: &syn::Expr) -> bool {
        let speaks = || effects::of_expr(&self.scope, expr).speaks;
        !self.calls_closure(expr) || speaks() || !purity::repeatable(&self.passive_code(expr))
    }

    fn active_stmt(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::Path(_) | syn::Expr::Lit(_) => Value::Unit,
            syn::Expr::MethodCall(m) if !self.is_passive_call(expr) => match self.method_for(m, false) {
                // what nobody wants is made for what it changes
                Value::Maybe(maybe) if is_run(&m.method) && maybe.known() != Some(false) => {
                    self.mapped_now(maybe, m.span());
                    Value::Unit
                }
                value => value,
            },
            _ => self.expr(expr),
        }
    }

    /// A statement that neither mentions an active value nor jumps, and cannot be taken apart
    /// usefully: calls, and loops over passive things.
    fn is_passive_stmt(&self, expr: &syn::Expr) -> bool {
        let shape = match expr {
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) => !self.calls_closure(expr),
            syn::Expr::ForLoop(f) => !matches!(strip_parens(&f.expr), syn::Expr::Range(_)),
            syn::Expr::While(w) => matches!(*w.cond, syn::Expr::Let(_)),
            syn::Expr::Loop(_) => true,
            _ => false,
        };
        let effects = effects::of_expr(&self.scope, expr);
        shape && !effects.jumps && self.all_passive(&effects.writes) && !self.mentions_active(&self.passive_code(expr))
    }

    /// A statement that only changes passive variables.
    pub fn passive_stmt(&mut self, expr: &syn::Expr) -> Value {
        let effects = effects::of_expr(&self.scope, expr);
        let writes = self.roots(&effects.writes);
        for w in &writes {
            self.info_mut(*w).mutable = true;
        }
        let mut tokens = self.passive_code(expr);
        let t = &tokens.tokens;
        tokens.tokens = quote!(#t;);
        self.emit(Stmt::Effect { tokens, writes });
        Value::Unit
    }
}

/// Methods of options and of conditions that run what they are given.
fn is_run(method: &proc_macro2::Ident) -> bool {
    ["map", "then", "and_then"].iter().any(|name| method == name)
}
