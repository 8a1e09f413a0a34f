//! Statements: bindings, assignments, and what is done for its effect.

use crate::desugar::patterns::Mode;
use crate::ir::*;
use crate::parse::context::{Lower, New};
use crate::parse::effects;
use crate::parse::opaque::strip_parens;
use crate::parse::scope::Site;
use crate::parse::types;
use crate::parse::value::{Maybe, Passive, Refs, Value};
use crate::parse::{arithmetic, index};
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::spanned::Spanned;

/// Where a block's value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dest {
    /// To whoever asked.
    Value,
    /// Into the function's result.
    Result,
    /// Into the variable that a labelled block leaves its value in.
    Frame(usize),
}

impl Lower {
    /// A block's statements, in a scope of their own.
    pub fn block_in_scope(&mut self, block: &syn::Block, dest: Dest) -> Value {
        let scope = self.scope.clone();
        let value = self.stmts(&block.stmts, dest);
        self.scope = scope;
        value
    }

    /// Statements; the value of the last one.
    pub fn stmts(&mut self, stmts: &[syn::Stmt], dest: Dest) -> Value {
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            if !rest.is_empty() {
                if let Some(value) = self.jump_or_rest(stmt, rest, dest) {
                    return value;
                }
            }
            let before = self.jumps.pending_before();
            let value = match stmt {
                syn::Stmt::Expr(e, None) if rest.is_empty() => return self.tail(e, dest),
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
        let value = self.value_for(expr, dest);
        self.deliver_to(value, dest, expr.span())
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
        match stmt {
            syn::Stmt::Local(l) => self.local(l),
            syn::Stmt::Item(i) => self.item(i),
            syn::Stmt::Macro(m) => self.macro_stmt(&m.mac, stmt),
            syn::Stmt::Expr(e, _) => self.expr_stmt(e, stmt),
        }
    }

    fn item(&mut self, item: &syn::Item) -> Value {
        self.items.push(quote!(#item));
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

    /// A `const` array is known to be indexable.
    fn constant(&mut self, c: &syn::ItemConst) {
        let ty = types::describe(&c.ty, &self.base);
        if types::is_sequence(&ty) {
            let name = &c.ident;
            let opaque = Opaque::literal(quote!(#name));
            let refs = Refs::default();
            self.scope.bind(name, Value::Passive(Passive { opaque, refs, ty, root: None }));
        }
    }

    fn expr_stmt(&mut self, expr: &syn::Expr, stmt: &syn::Stmt) -> Value {
        let expr = strip_parens(expr);
        if let syn::Expr::Macro(m) = expr {
            return self.macro_stmt(&m.mac, stmt);
        }
        if self.is_passive_stmt(expr) {
            return self.passive_stmt(expr);
        }
        match expr {
            syn::Expr::If(_) | syn::Expr::Match(_) => self.branch_stmt(expr),
            syn::Expr::MethodCall(m) if self.change(m) => Value::Unit,
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) if self.is_opaque(expr) && !self.calls_closure(expr) => {
                let mut tokens = self.opaque(expr);
                let t = &tokens.tokens;
                tokens.tokens = quote!(#t;);
                self.emit(Stmt::Effect { tokens, writes: Default::default() });
                Value::Unit
            }
            _ => match self.active_stmt(expr) {
                Value::Never => Value::Never,
                _ => Value::Unit,
            },
        }
    }

    fn active_stmt(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::Path(_) | syn::Expr::Lit(_) => Value::Unit,
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
        shape && !effects.jumps && self.all_passive(&effects.writes) && !self.mentions_active(&self.opaque(expr))
    }

    fn passive_stmt(&mut self, expr: &syn::Expr) -> Value {
        let effects = effects::of_expr(&self.scope, expr);
        let writes = self.roots(&effects.writes);
        for w in &writes {
            self.info_mut(*w).mutable = true;
        }
        let mut tokens = self.opaque(expr);
        let t = &tokens.tokens;
        tokens.tokens = quote!(#t;);
        self.emit(Stmt::Effect { tokens, writes });
        Value::Unit
    }

    // bindings

    fn local(&mut self, local: &syn::Local) -> Value {
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            p => (p, None),
        };
        let Some(init) = &local.init else {
            self.deferred(pattern, ty);
            return Value::Unit;
        };
        if let Some((_, els)) = &init.diverge {
            return self.let_else(pattern, &init.expr, els);
        }
        let mark = self.vars.len();
        let value = self.initial(pattern, ty, &init.expr);
        if matches!(value, Value::Never) {
            return Value::Never;
        }
        self.bind_pattern(pattern, value, Mode::Let { mark, ty });
        Value::Unit
    }

    /// The right-hand side of a `let`.
    fn initial(&mut self, pattern: &syn::Pat, ty: Option<&syn::Type>, init: &syn::Expr) -> Value {
        if let (syn::Pat::Slice(s), syn::Expr::Array(a)) = (pattern, strip_parens(init)) {
            if s.elems.len() == a.elems.len() {
                return Value::Tuple(a.elems.iter().map(|e| self.expr(e)).collect());
            }
        }
        if let Some(ty) = ty {
            self.jumps.expected = Some(types::describe(ty, &self.base));
        }
        let active = matches!(pattern, syn::Pat::Ident(i) if self.assumed.contains(&Site::of(&i.ident)));
        let value = if active { self.active_value(init) } else { self.expr(init) };
        self.jumps.expected = None;
        value
    }

    /// `let x;`
    fn deferred(&mut self, pattern: &syn::Pat, ty: Option<&syn::Type>) {
        let syn::Pat::Ident(name) = pattern else { return self.errors.pattern(pattern.span()) };
        let site = Site::of(&name.ident);
        let active = self.assumed.contains(&site);
        let known = ty.map_or(Ty::Opaque, |t| types::describe(t, &self.base));
        let hint = name.ident.to_string();
        let ty_of_var = if active { known } else { Ty::Passive };
        let changes = name.mutability.is_some();
        let new = New { hint: &hint, span: name.ident.span(), ty: ty_of_var, changes, site: Some(site) };
        let var = self.new_var(new);
        self.info_mut(var).written = ty.map(|t| quote!(#t));
        self.emit(Stmt::Declare { var });
        let value = self.value_of(var);
        self.scope.bind(&name.ident, value);
    }

    /// Gives a value a name of the user's.
    pub fn declare(&mut self, name: &syn::PatIdent, value: Value, mark: usize, ty: Option<&syn::Type>) -> Value {
        let mutable = name.mutability.is_some();
        let site = Site::of(&name.ident);
        match value {
            Value::Active(a) if a.refs.depth > 0 => self.settled(Value::Active(a)),
            Value::Active(a) => self.declare_active(&name.ident, mutable, a.place, mark, ty),
            Value::Passive(p) if p.opaque.tokens.to_string() == "None" && self.holds_active(&site, ty) => {
                self.option_cells(&name.ident, ty.and_then(types::option_of), Maybe::none())
            }
            Value::Passive(p) => {
                let value = self.declare_passive(&name.ident, mutable, p, mark, ty, site);
                self.value_of_or(value)
            }
            Value::Tuple(all) => {
                let member = |i: usize| Ident::new(&format!("{}_{i}", name.ident), name.ident.span());
                let members = all.into_iter().enumerate().map(|(i, v)| {
                    let part = syn::PatIdent { ident: member(i), ..name.clone() };
                    self.declare(&part, v, mark, None)
                });
                Value::Tuple(members.collect())
            }
            Value::Unit => Value::passive(Opaque::literal(quote!(()))),
            Value::Maybe(m) if mutable => {
                let inner = ty.and_then(types::option_of);
                self.option_cells(&name.ident, inner, m)
            }
            Value::Maybe(m) => self.option_now(m, name.ident.span()),
            other => other,
        }
    }

    /// Whether an option that starts as `None` is of active values.
    fn holds_active(&self, site: &Site, ty: Option<&syn::Type>) -> bool {
        let written = ty.and_then(types::option_of).map(|t| types::describe(t, &self.base));
        self.assumed.contains(site) || written.is_some_and(|t| !types::is_passive(&t))
    }

    fn value_of_or(&self, value: Result<Var, Value>) -> Value {
        value.map_or_else(|v| v, |var| self.value_of(var))
    }

    fn declare_active(&mut self, name: &Ident, mutable: bool, place: Place, mark: usize, ty: Option<&syn::Type>) -> Value {
        let fresh = place.path.is_empty() && place.root.0 as usize >= mark && !self.jumps.claimed.contains(&place.root);
        let known = ty.map(|t| types::describe(t, &self.base));
        let kind = types::join(known.clone().unwrap_or(Ty::Opaque), self.ty_of(&place));
        if fresh {
            let var = place.root;
            self.jumps.claimed.insert(var);
            self.fact_mut(var).changes = mutable;
            self.fact_mut(var).site = Some(Site::of(name));
            let info = self.info_mut(var);
            info.hint = name.to_string().trim_start_matches("r#").to_string();
            info.span = name.span();
            info.ty = kind;
            info.written = ty.map(|t| quote!(#t));
            return self.value_of(var);
        }
        let steady = !self.fact(place.root).changes;
        let aggregate = place.path.is_empty() || kind != Ty::Float && kind != Ty::Opaque;
        if steady && !mutable && aggregate {
            return self.settled(Value::place(place));
        }
        let moved = matches!(kind, Ty::Vec(_)) && place.path.is_empty() && steady;
        if moved {
            self.fact_mut(place.root).changes = mutable;
            return Value::place(place);
        }
        let hint = name.to_string();
        let new = New { hint: &hint, span: name.span(), ty: kind, changes: mutable, site: Some(Site::of(name)) };
        let var = self.new_var(new);
        self.info_mut(var).written = ty.map(|t| quote!(#t));
        self.emit(Stmt::Let { var, expr: Expr::Operand(Operand::Place(place)) });
        self.value_of(var)
    }

    fn declare_passive(
        &mut self,
        name: &Ident,
        mutable: bool,
        p: Passive,
        mark: usize,
        ty: Option<&syn::Type>,
        site: Site,
    ) -> Result<Var, Value> {
        let active = self.assumed.contains(&site);
        // while the reference lives, its place does not change; only what finds the place might
        let found_again = p.opaque.reads.iter().all(|v| Some(*v) == p.root || !self.fact(*v).changes);
        if p.refs.depth > 0 && found_again && !mutable {
            return Err(Value::Passive(p));
        }
        let known = ty.map_or(p.ty.clone(), |t| types::describe(t, &self.base));
        let fresh = p.opaque.reads.len() == 1
            && p.root.is_some_and(|r| r.0 as usize >= mark && !self.jumps.claimed.contains(&r))
            && p.opaque.tokens.clone().into_iter().count() == 1;
        let hint = name.to_string();
        if let (true, false, Some(var)) = (fresh, active, p.root) {
            self.jumps.claimed.insert(var);
            self.fact_mut(var).changes = mutable;
            self.fact_mut(var).site = Some(site);
            self.fact_mut(var).shape = known;
            self.info_mut(var).hint = hint.trim_start_matches("r#").to_string();
            self.info_mut(var).written = ty.map(|t| quote!(#t));
            return Ok(var);
        }
        let scalar = matches!(known, Ty::Passive | Ty::Float);
        let kind = match (active, scalar) {
            (false, _) => Ty::Passive,
            (true, true) => Ty::Float,
            (true, false) => floats(&known),
        };
        let value = self.show(&Value::Passive(p), name.span());
        let new = New { hint: &hint, span: name.span(), ty: kind, changes: mutable, site: Some(site) };
        let var = self.new_var(new);
        self.info_mut(var).written = ty.map(|t| quote!(#t));
        if !active {
            self.fact_mut(var).shape = known;
        }
        let expr = match active && scalar {
            true => Expr::Operand(Operand::Opaque(value)),
            false => Expr::Opaque(value),
        };
        self.emit(Stmt::Let { var, expr });
        Ok(var)
    }

    // assignments

    /// `a = b`.
    pub fn assign_expr(&mut self, a: &syn::ExprAssign) -> Value {
        if matches!(*a.left, syn::Expr::Infer(_)) {
            self.expr(&a.right);
            return Value::Unit;
        }
        let right = match self.act(&a.left).any() {
            true => self.active_value(&a.right),
            false => self.expr(&a.right),
        };
        if matches!(right, Value::Never) {
            return Value::Never;
        }
        self.assign_into(&a.left, right, a.span());
        Value::Unit
    }

    fn assign_into(&mut self, left: &syn::Expr, right: Value, span: Span) {
        match (strip_parens(left), right) {
            (syn::Expr::Infer(_), _) => {}
            (syn::Expr::Tuple(t), Value::Tuple(all)) if t.elems.len() == all.len() => {
                let all: Vec<Value> = all.into_iter().map(|v| self.copied(v, "t", span)).collect();
                t.elems.iter().zip(all).for_each(|(l, r)| self.assign_into(l, r, span));
            }
            (syn::Expr::Tuple(t), right) => {
                let right = self.copied(right, "t", span);
                for (i, l) in t.elems.iter().enumerate() {
                    let part = self.member(right.clone(), &syn::Member::from(i), span);
                    self.assign_into(l, part, span);
                }
            }
            (left, right) => {
                let target = self.target(left);
                self.store(target, right, span);
            }
        }
    }

    /// The place on the left of an assignment.
    fn target(&mut self, left: &syn::Expr) -> Value {
        match strip_parens(left) {
            syn::Expr::Path(_) => self.expr(left),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.target(&u.expr).dereferenced(),
            syn::Expr::Index(i) => self.indexed(i),
            syn::Expr::Field(f) => {
                let base = self.target(&f.base);
                self.member(base, &f.member, f.span())
            }
            e => self.expr(e),
        }
    }

    /// `target = value`.
    pub fn store(&mut self, target: Value, value: Value, span: Span) {
        match (target, value) {
            (_, Value::Poison) | (Value::Poison, _) => {}
            (Value::Maybe(Maybe { cells: Some(cells), .. }), value) => self.store_option(&cells, &value, span),
            (Value::Tuple(targets), Value::Tuple(values)) if targets.len() == values.len() => {
                let values: Vec<Value> = values.into_iter().map(|v| self.copied(v, "t", span)).collect();
                targets.into_iter().zip(values).for_each(|(t, v)| self.store(t, v, span));
            }
            (Value::Tuple(targets), value) => {
                let value = self.copied(value, "t", span);
                for (i, t) in targets.into_iter().enumerate() {
                    let part = self.member(value.clone(), &syn::Member::from(i), span);
                    self.store(t, part, span);
                }
            }
            (Value::Active(a), value) => {
                let value = self.whole(&value, span);
                if let Operand::Place(p) = &value {
                    let ty = self.ty_of(p);
                    self.refine(&a.place, ty);
                }
                self.assign(a.place, Assign::Set, value, span);
            }
            (Value::Passive(p), value) if value.is_active() => match p.root {
                Some(root) if !behind_reference(&p) => self.activate(root, span),
                _ => self.errors.unknown_reference(span),
            },
            (Value::Passive(p), value) => self.store_passive(p, value, span),
            _ => self.errors.pattern(span),
        }
    }

    fn store_passive(&mut self, target: Passive, value: Value, span: Span) {
        let value = self.show(&value, span);
        let Some(root) = target.root else { return self.errors.unknown_reference(span) };
        self.info_mut(root).mutable = true;
        if target.opaque.tokens.to_string() == self.info(root).name.to_string() {
            let op = Assign::Set;
            self.emit(Stmt::Assign { place: Place::var(root), op, value: Operand::Opaque(value), span });
            return;
        }
        let (left, right) = (&target.opaque.tokens, &value.tokens);
        let mut tokens = Opaque { tokens: quote!(#left = #right;), ..value.clone() };
        tokens.reads.extend(&target.opaque.reads);
        self.emit(Stmt::Effect { tokens, writes: [root].into() });
    }

    /// `a += b`.
    pub fn assign_op(&mut self, b: &syn::ExprBinary) -> Value {
        let right = self.expr(&b.right);
        let target = self.target(&b.left);
        self.update(target, &b.op, right, b.span());
        Value::Unit
    }

    fn update(&mut self, target: Value, op: &syn::BinOp, right: Value, span: Span) {
        match (&target, arithmetic::operator(op)) {
            (Value::Poison, _) => {}
            (Value::Active(a), Some(op @ (Op::Add | Op::Sub))) => {
                let Some(value) = self.float(&right, "+=", span) else { return };
                self.refine(&a.place, Ty::Float);
                if self.float(&target, "+=", span).is_some() {
                    let op = if op == Op::Add { Assign::Add } else { Assign::Sub };
                    self.assign(a.place.clone(), op, value, span);
                }
            }
            (Value::Active(_), Some(op)) => {
                let bare = target.clone().dereferenced_fully();
                let value = self.operation(op, &[bare, right], span);
                self.store(target, value, span);
            }
            (Value::Passive(_), Some(_)) if right.is_active() => self.store(target, right, span),
            (Value::Passive(p), _) => self.update_passive(p, op, right, span),
            _ => self.errors.operator(span, "+="),
        }
    }

    fn update_passive(&mut self, target: &Passive, op: &syn::BinOp, right: Value, span: Span) {
        let right = self.show(&right, span);
        let left = &target.opaque;
        let whole = target.root.is_some_and(|r| left.tokens.to_string() == self.info(r).name.to_string());
        if let (true, Some(plain)) = (whole, without_assignment(op)) {
            let (x, y) = (&left.tokens, index::factor(&right));
            let mut value = Opaque { tokens: quote!(#x #plain #y), span, ..right };
            value.reads.extend(&left.reads);
            self.store_passive(target.clone(), Value::passive(value), span);
            return;
        }
        let (x, y) = (&left.tokens, &right.tokens);
        let mut tokens = Opaque { tokens: quote!(#x #op #y;), ..right.clone() };
        tokens.reads.extend(&left.reads);
        if let Some(root) = target.root {
            self.info_mut(root).mutable = true;
            self.emit(Stmt::Effect { tokens, writes: [root].into() });
        }
    }
}

/// The same structure, with floats at the leaves that are not known.
fn floats(ty: &Ty) -> Ty {
    match ty {
        Ty::Vec(t) => Ty::Vec(Box::new(floats(t))),
        Ty::Array(t) => Ty::Array(Box::new(floats(t))),
        Ty::Slice(t) => Ty::Slice(Box::new(floats(t))),
        _ => Ty::Float,
    }
}

/// `+` of `+=`.
fn without_assignment(op: &syn::BinOp) -> Option<proc_macro2::TokenStream> {
    use syn::BinOp::*;
    Some(match op {
        AddAssign(_) => quote!(+),
        SubAssign(_) => quote!(-),
        MulAssign(_) => quote!(*),
        DivAssign(_) => quote!(/),
        RemAssign(_) => quote!(%),
        BitXorAssign(_) => quote!(^),
        BitAndAssign(_) => quote!(&),
        BitOrAssign(_) => quote!(|),
        ShlAssign(_) => quote!(<<),
        ShrAssign(_) => quote!(>>),
        _ => return None,
    })
}

/// Whether a passive place lies behind a reference that is held in a variable.
fn behind_reference(p: &Passive) -> bool {
    matches!(p.opaque.tokens.clone().into_iter().next(), Some(proc_macro2::TokenTree::Group(_)))
}
