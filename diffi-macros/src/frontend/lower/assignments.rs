//! Assignments: `=`, `+=` and their kind.

use crate::frontend::lower::structs;
use crate::frontend::state::context::{Guard, Lower};
use crate::frontend::state::doubts::Way;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Maybe, Passive, Value};
use crate::frontend::syntax::{effects, floats, writes};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

impl Lower {
    /// `a = b`.
    pub fn assign_expr(&mut self, a: &syn::ExprAssign) -> Value {
        if matches!(*a.left, syn::Expr::Infer(_)) {
            self.expr(&a.right);
            return Value::Unit;
        }
        if let Some(spread) = self.moved_in_branches(a) {
            return self.expr(&spread);
        }
        let before = self.jumps.pending_before();
        let right = match self.act(&a.left).any() {
            true => self.active_value(&a.right),
            false => self.expr(&a.right),
        };
        if matches!(right, Value::Never) {
            return Value::Never;
        }
        let right = self.before_place(right, &a.left, a.right.span());
        self.unless_left(before, |l| l.assign_into(&a.left, right, a.span()));
        Value::Unit
    }

    /// A value that is there before a place is evaluated, which may change what it reads.
    fn before_place(&mut self, right: Value, left: &syn::Expr, span: Span) -> Value {
        if self.changes_something(left) { self.as_it_is(right, span) } else { right }
    }

    fn assign_into(&mut self, left: &syn::Expr, right: Value, span: Span) {
        match (strip_parens(left), right) {
            (syn::Expr::Infer(_), _) => {}
            (syn::Expr::Tuple(t), Value::Tuple(all)) if t.elems.len() == all.len() => {
                let all: Vec<Value> = all.into_iter().map(|v| self.as_it_is(v, span)).collect();
                t.elems.iter().zip(all).for_each(|(l, r)| self.assign_into(l, r, span));
            }
            (syn::Expr::Tuple(t), right) => {
                let right = self.copied(right, "t", span);
                for (i, l) in t.elems.iter().enumerate() {
                    let part = self.member(right.clone(), &syn::Member::from(i), span);
                    self.assign_into(l, part, span);
                }
            }
            (syn::Expr::Array(a), right) if a.elems.iter().all(|e| !matches!(e, syn::Expr::Range(_))) => {
                let right = self.copied(right, "t", span);
                for (i, l) in a.elems.iter().enumerate() {
                    let part = self.element_of(right.clone(), PassiveCode::literal(quote!(#i)), span);
                    self.assign_into(l, part, span);
                }
            }
            (left, _) if !is_place(left) => {
                let instead = "bind the parts to names with `let`, and assign them one by one";
                self.errors.unsupported(left.span(), "this pattern on the left of `=`", instead);
            }
            (left, right) => {
                let Some(right) = self.users_element_set(left, right, span) else { return };
                let target = self.target(left);
                match (target, right) {
                    (Value::Active(target), Value::Active(to)) if target.refs.depth > 0 && to.refs.depth > 0 => {
                        self.move_reference(&target, &to, span);
                    }
                    (Value::Closure(_), _) => {
                        let instead = "keep an index or an `enum`, and choose the function by a `match` or in a table";
                        self.errors.unsupported(span, "a function that is assigned to", instead);
                    }
                    (target, right) if target.refs().depth > 0 && right.refs().depth > 0 => {
                        self.errors.pointed_elsewhere(span);
                    }
                    (target, right) => self.store(target, right, span),
                }
            }
        }
    }

    /// The place on the left of an assignment.
    fn target(&mut self, left: &syn::Expr) -> Value {
        match strip_parens(left) {
            syn::Expr::Path(_) => self.expr(left),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let target = self.target(&u.expr);
                self.pointee(target)
            }
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
            (_, Value::Poison) | (Value::Poison, _) | (Value::Unit, Value::Unit) => {}
            (Value::Unit, value) if !value.is_active() => {}
            (Value::Maybe(Maybe { cells: Some(cells), failure, .. }), value) => {
                self.store_option((&cells, failure), value, span);
            }
            (Value::Queue(q), value) => self.store_queue(q, value, span),
            (Value::Tuple(targets), Value::Tuple(values)) if targets.len() == values.len() => {
                let values: Vec<Value> = values.into_iter().map(|v| self.as_it_is(v, span)).collect();
                targets.into_iter().zip(values).for_each(|(t, v)| self.store(t, v, span));
            }
            (Value::Tuple(targets), value) => {
                let value = self.copied(value, "t", span);
                for (i, t) in targets.into_iter().enumerate() {
                    let part = self.member(value.clone(), &syn::Member::from(i), span);
                    self.store(t, part, span);
                }
            }
            (Value::Active(a), Value::Tuple(all)) if self.is_taken_apart(&a.place, &all) => {
                let values: Vec<Value> = all.into_iter().map(|v| self.as_it_is(v, span)).collect();
                for (k, value) in values.into_iter().enumerate() {
                    let mut part = a.place.clone();
                    part.path.push(Proj::Field(syn::Member::from(k)));
                    let part = self.part(part);
                    self.store(part, value, span);
                }
            }
            (target @ Value::Active(_), Value::Passive(p))
                if affine::is_no_float(&p.passive) && self.is_used_as_integer(&target) => {}
            (Value::Active(a), value) => {
                let in_data = matches!(a.place.path.last(), Some(Proj::Field(_) | Proj::Payload(..) | Proj::Index(_)));
                let option =
                    matches!(&value, Value::Maybe(maybe) if maybe.failure.is_none()) && self.is_option_place(&a);
                let value = if in_data || option { self.field_value(&value, span) } else { self.whole(&value, span) };
                self.assign(a.place, Assign::Set, value, span);
            }
            (Value::Passive(p), value) if value.is_active() => match p.root {
                Some(root)
                    if !behind_reference(&p) || self.is_projected(&p.passive) || self.fact(root).lends.is_some() =>
                {
                    self.activate_by_store(root, span);
                }
                _ => self.errors.unknown_reference(span),
            },
            (Value::Passive(p), value) => self.store_passive(p, value, span),
            _ => self.errors.pattern(span),
        }
    }

    /// Whether a tuple goes to its place by its members: only rustc knows whether a passive one is a float there, or an integer.
    fn is_taken_apart(&self, place: &Place, members: &[Value]) -> bool {
        let unknown = |v: &Value| matches!(v, Value::Passive(p) if p.ty == Ty::Passive);
        let declared = |s: &Stmt| matches!(s, Stmt::Declare { var } if *var == place.root);
        let has_value = !self.open.iter().flat_map(|block| &block.stmts).any(declared);
        place.path.is_empty()
            && matches!(self.ty_of(place), Ty::Unknown | Ty::Struct(_) | Ty::Tuple(_))
            && has_value
            && members.iter().any(unknown)
    }

    /// `None` ends what was there, as what is assigned to a guard does, and so it is no value that gets a name.
    fn store_passive(&mut self, target: Passive, value: Value, span: Span) {
        let value = self.show(&value, span);
        let Some(root) = target.root else { return self.errors.unknown_reference(span) };
        self.info_mut(root).mutable = true;
        let ends = structs::is_none(&value) || self.fact(root).guard == Some(Guard::Held);
        if self.info(root).name == target.passive.tokens.to_string() && !ends {
            let op = Assign::Set;
            self.emit(Stmt::Assign { place: Place::var(root), op, value: Operand::Passive(value), span });
            return;
        }
        let (left, right) = (changed(&target.passive.tokens), &value.tokens);
        let mut tokens = PassiveCode { tokens: quote!(#left = #right;), ..value.clone() };
        tokens.reads.extend(&target.passive.reads);
        self.emit(Stmt::Effect { tokens, writes: [root].into() });
    }

    /// `a += b`.
    pub fn assign_op(&mut self, b: &syn::ExprBinary) -> Value {
        let before = self.jumps.pending_before();
        let right = self.expr(&b.right);
        let right = self.before_place(right, &b.left, b.right.span());
        let target = self.target(&b.left);
        if target.is_active() && self.value_ty(&target) != Ty::Float && self.is_order_seen(b) {
            let instead = "compute the index, or the right side, with `let` before";
            self.errors.order(b.span(), "an operator whose sides change what the other one reads", instead);
            return Value::Poison;
        }
        self.unless_left(before, |l| match l.is_users_element(&b.left, &target) {
            true => l.update_users_element(&b.left, target, &b.op, right, b.span()),
            false => {
                let target = if right.is_active() { target } else { l.rooted(target, &b.left) };
                if !l.lacking_update(b, &target, &right) {
                    l.update(target, &b.op, right, b.span())
                }
            }
        });
        Value::Unit
    }

    /// Whether it matters which side is evaluated first: of numbers the right one, of users' types the left one.
    fn is_order_seen(&self, b: &syn::ExprBinary) -> bool {
        let writes = effects::of_expr(&self.scope, &b.right).writes;
        self.changes_something(&b.left) || writes.iter().any(|name| is_index(&b.left, name))
    }

    /// A passive place that a method leads to, `*counts.entry(k).or_insert(0)`: a part of what the method is called on.
    fn rooted(&self, mut target: Value, place: &syn::Expr) -> Value {
        let value = writes::root_name(place).and_then(|name| self.scope.get(name));
        if let (Value::Passive(target), Some(Value::Passive(whole))) = (&mut target, value) {
            target.root = target.root.or(whole.root);
        }
        target
    }

    fn update(&mut self, target: Value, op: &syn::BinOp, right: Value, span: Span) {
        if self.is_with_integer(&target, &right) {
            return;
        }
        match (&target, floats::operator(op)) {
            (Value::Poison, _) => {}
            (Value::Active(a), Some(op)) if self.is_unproven(&a.place) || self.is_of_the_users(&right) => {
                self.update_by_rule(&target, op, right, span)
            }
            (Value::Active(a), Some(op)) => {
                let (place, pair, site) = (a.place.clone(), [target.clone(), right.clone()], Site::at(span));
                let sum = matches!(op, Op::Add | Op::Sub);
                match self.way(&op, &pair, &site) {
                    Way::Rule => self.update_by_own_rule(target, &op, right, span),
                    Way::Doubt if sum => self.put_in_doubt(&site, &op, &pair, Some(&place)),
                    _ if sum => self.add_onto(&target, place, &op, &right, span),
                    _ => {
                        let bare = target.clone().dereferenced_fully();
                        let value = self.operation(op, &[bare, right], span);
                        self.store(target, value, span);
                    }
                }
            }
            (Value::Passive(_), Some(_)) if right.is_active() => self.store(target, right, span),
            (Value::Passive(p), _) => self.update_passive(p, op, right, span),
            _ => self.errors.operator(span, "+="),
        }
    }

    /// `place += float`, `place -= float`.
    fn add_onto(&mut self, target: &Value, place: Place, op: &Op, right: &Value, span: Span) {
        let right = self.summand(right);
        let Some(value) = self.float(&right, "+=", span) else { return };
        self.refine(&place, Ty::Float);
        if self.float(target, "+=", span).is_some() {
            let op = if *op == Op::Add { Assign::Add } else { Assign::Sub };
            self.assign(place, op, value, span);
        }
    }

    fn update_passive(&mut self, target: &Passive, op: &syn::BinOp, right: Value, span: Span) {
        let right = self.show(&right, span);
        let left = &target.passive;
        let whole = target.root.is_some_and(|r| self.info(r).name == left.tokens.to_string());
        if let (true, Some(plain)) = (whole, without_assignment(op)) {
            let (x, y) = (&left.tokens, arithmetic::factor(&right));
            let mut value = PassiveCode { tokens: quote!(#x #plain #y), span, ..right };
            value.reads.extend(&left.reads);
            self.store_passive(target.clone(), Value::passive(value), span);
            return;
        }
        let (x, y) = (changed(&left.tokens), &right.tokens);
        let mut tokens = PassiveCode { tokens: quote!(#x #op #y;), ..right.clone() };
        tokens.reads.extend(&left.reads);
        if let Some(root) = target.root {
            self.info_mut(root).mutable = true;
        }
        self.emit(Stmt::Effect { tokens, writes: target.root.into_iter().collect() });
    }
}

/// Whether a place is found by an index that reads a variable of this name.
fn is_index(place: &syn::Expr, name: &Ident) -> bool {
    match strip_parens(place) {
        syn::Expr::Index(i) => mentions(&i.index.to_token_stream(), name) || is_index(&i.expr, name),
        syn::Expr::Field(f) => is_index(&f.base, name),
        syn::Expr::Unary(u) => is_index(&u.expr, name),
        _ => false,
    }
}

/// `+` of `+=`.
fn without_assignment(op: &syn::BinOp) -> Option<TokenStream> {
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

/// A passive place that is changed: members of variants are lent by `&mut`.
fn changed(place: &TokenStream) -> TokenStream {
    let mut trees = place.clone().into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(tree) = trees.next() {
        out.extend([match tree {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis => {
                TokenTree::Group(Group::new(g.delimiter(), changed(&g.stream())))
            }
            TokenTree::Ident(name) if is_accessor(&name, trees.peek()) => {
                TokenTree::Ident(quote::format_ident!("{name}_mut"))
            }
            other => other,
        }]);
    }
    out
}

/// Whether a name is called as the members of variants are, `__Circle_0()`.
fn is_accessor(name: &Ident, next: Option<&TokenTree>) -> bool {
    let is_called =
        matches!(next, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis && g.stream().is_empty());
    is_called && name.to_string().strip_prefix("__").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// Whether a passive place lies behind a reference that is held in a variable.
fn behind_reference(p: &Passive) -> bool {
    matches!(p.passive.tokens.clone().into_iter().next(), Some(TokenTree::Group(_)))
}

/// Whether an expression names a place, and is no pattern.
fn is_place(left: &syn::Expr) -> bool {
    use syn::Expr::*;
    matches!(left, Path(_) | Field(_) | Index(_) | Unary(_) | MethodCall(_) | Macro(_) | Verbatim(_))
}
