//! Operators, and the functions of the derivative table.

use crate::frontend::arrays::library::rule_name;
use crate::frontend::state::context::Lower;
use crate::frontend::state::doubts::Way;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Active, Passive, Value};
use crate::frontend::syntax::effects;
use crate::frontend::syntax::floats::{is_float, operator};
use crate::frontend::syntax::heads::head;
use crate::frontend::unannotated::operator_trait;
use crate::ir::affine::{arithmetic, gathered};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned;

/// How many operations make a chain long.
const LONG: usize = 16;

impl Lower {
    /// `-a`, `*a`, `!a`.
    pub fn unary(&mut self, u: &syn::ExprUnary) -> Value {
        // what a call lends is read at once: a name that is kept has the value, and no reference
        if matches!(u.op, syn::UnOp::Deref(_)) && self.is_passive_effect(&u.expr) {
            return self.passive_effect(&syn::Expr::Unary(u.clone()));
        }
        let value = self.expr(&u.expr);
        match u.op {
            syn::UnOp::Deref(_) => self.pointee(value),
            syn::UnOp::Neg(_) if value.is_active() => match self.lacking_negation(u, &value) {
                Some(lacking) => lacking,
                None => self.operation_on((Op::Neg, Some("neg")), &u.expr, &[value], u.span()),
            },
            op => {
                let inner = self.show(&value, u.span());
                let tokens = arithmetic::factor(&inner);
                Value::passive(PassiveCode { tokens: quote!(#op #tokens), ..inner })
            }
        }
    }

    /// `a + b`, comparisons and logic.
    pub fn binary(&mut self, b: &syn::ExprBinary) -> Value {
        match self.long_chain(b) {
            Some(nodes) => self.chain_of_operators(&nodes),
            None => {
                let left = |l: &mut Self| l.expr(&b.left);
                self.binary_on(b, &mut || b.span(), left)
            }
        }
    }

    /// The operations of a long chain, `a + b - c ..`, the inner ones first, from the first on that carries a derivative.
    fn long_chain<'e>(&self, b: &'e syn::ExprBinary) -> Option<Vec<&'e syn::ExprBinary>> {
        let mut nodes = vec![b];
        while let Some(syn::Expr::Binary(left)) = nodes.last().map(|b| strip_parens(&b.left))
            && operator(&left.op).is_some()
        {
            nodes.push(left);
        }
        if nodes.len() < LONG || operator(&b.op).is_none() {
            return None;
        }
        nodes.reverse();
        let left_is_passive = self.is_passive(&nodes[0].left);
        let passive = nodes.iter().take_while(|b| left_is_passive && self.is_passive(&b.right)).count();
        Some(nodes.split_off(passive)).filter(|nodes| nodes.len() > 1)
    }

    /// One operation after the other: to ask of each whether it carries a derivative would be to walk through all before it.
    fn chain_of_operators(&mut self, nodes: &[&syn::ExprBinary]) -> Value {
        let mut span = nodes[0].span();
        let mut value = self.binary_on(nodes[0], &mut || span, |l| l.expr(&nodes[0].left));
        for b in &nodes[1..] {
            span = span.join(b.right.span()).unwrap_or(span);
            value = self.binary_on(b, &mut || span, |_| value);
        }
        value
    }

    /// An operation on what its left side gives.
    fn binary_on(
        &mut self,
        b: &syn::ExprBinary,
        span: &mut dyn FnMut() -> Span,
        left: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let right_changes = !effects::of_expr(&self.scope, &b.right).is_pure();
        if matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) {
            return self.logic(b);
        }
        let integer =
            |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(_)));
        if (integer(&b.left) || integer(&b.right))
            && let Some(asked) = self.asked_integer(&syn::Expr::Binary(b.clone()))
        {
            return Value::passive(asked);
        }
        let mut left = left(self);
        if right_changes {
            left = self.as_it_is(left, b.left.span());
        }
        let right = self.expr(&b.right);
        if operator(&b.op).is_some() && self.is_with_integer(&left, &right) {
            return Value::Poison;
        }
        match operator(&b.op) {
            Some(op) if left.is_active() || right.is_active() => {
                let operands = [left, right];
                if let Some(lacking) = self.lacking_operator(b, &operands) {
                    return lacking;
                }
                let name = operator_trait(&b.op).map(|(_, name)| name);
                let result = match rule_name(&op).filter(|_| self.is_own_constant(&operands[1], &b.right)) {
                    Some(rule) => self.by_rule(rule, &operands, span()),
                    None => self.operation_on((op, name), &b.left, &operands, span()),
                };
                self.note_own(&result, || syn::Expr::Binary(b.clone()));
                result
            }
            _ => {
                let (left, right) = (self.compared(left, span()), self.compared(right, span()));
                self.passive_binary(&left, &b.op, &right, span())
            }
        }
    }

    /// An operand of a comparison: an option that needs statements is computed before it.
    fn compared(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Maybe(maybe) if maybe.name.is_none() && self.needs_statements(&maybe) => {
                self.whole_option(maybe, span)
            }
            value => value,
        }
    }

    fn passive_binary(&mut self, left: &Value, op: &syn::BinOp, right: &Value, span: Span) -> Value {
        if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
            return Value::Poison;
        }
        if !is_comparison(op) && (left.is_active() || right.is_active()) {
            self.errors.operator(span, &quote!(#op).to_string());
            return Value::Poison;
        }
        self.show_alike(left, right);
        let (a, b) = (self.show(left, span), self.show(right, span));
        if [&a, &b].iter().any(|side| is_not_written(&side.tokens)) {
            let found = "a comparison of options that hold such values";
            return self.refuse(span, found, "take them apart by `match` or `if let`, and compare what they hold");
        }
        let (x, y) = (arithmetic::factor(&a), arithmetic::factor(&b));
        Value::passive(gathered(quote!(#x #op #y), [&a, &b].into_iter(), span))
    }

    /// `a && b` where `b` does something: it must not be done unless `a` holds.
    fn logic(&mut self, b: &syn::ExprBinary) -> Value {
        let (then, els) = match b.op {
            syn::BinOp::And(_) => ((*b.right).clone(), syn::parse_quote!(false)),
            _ => (syn::parse_quote!(true), (*b.right).clone()),
        };
        let left = head(&b.left);
        let branch: syn::Expr = syn::parse_quote!(if #left { #then } else { #els });
        self.branches(&branch)
    }

    /// Whether an operand without a derivative is of a type of the user's, by all that the module shows.
    fn is_own_constant(&self, value: &Value, e: &syn::Expr) -> bool {
        matches!(value, Value::Passive(_)) && self.unannotated.as_ref().is_some_and(|known| known.gives_own(e))
    }

    /// An operation, which may be one of the left operand's type.
    pub fn operation_on(
        &mut self,
        (op, name): (Op, Option<&str>),
        left: &syn::Expr,
        operands: &[Value],
        span: Span,
    ) -> Value {
        let unknown = |v: &Value| match v {
            Value::Active(_) => matches!(self.value_ty(v), Ty::Unknown | Ty::Struct(_)),
            Value::Passive(_) => operands.len() > 1,
            _ => false,
        };
        let own = |name: &str| self.unannotated.as_ref().is_some_and(|known| known.is_own_operator(left, name));
        match rule_name(&op).filter(|_| unknown(&operands[0]) && name.is_some_and(own)) {
            Some(rule) => self.by_rule(rule, operands, span),
            None => self.operation(op, operands, span),
        }
    }

    /// One operation on floats.
    pub fn operation(&mut self, op: Op, args: &[Value], span: Span) -> Value {
        if args.iter().any(|a| matches!(a, Value::Poison | Value::Never)) {
            return Value::Poison;
        }
        if let Some(rule) = self.rule_for(&op, args) {
            return self.by_rule(rule, args, span);
        }
        let (name, site) = (name_of(&op), Site::at(span));
        match self.way(&op, args, &site) {
            Way::Arithmetic => {
                let refs = if matches!(op, Op::Fn(name) if name != "rem") { 1 } else { args.len() };
                let args = args.iter().enumerate().map(|(k, a)| if k < refs { self.summand(a) } else { a.clone() });
                let args = args.collect::<Vec<_>>();
                let args: Vec<Operand> = args.iter().filter_map(|a| self.float(a, &name, span)).collect();
                Value::place(Place::var(self.bind("t", span, Ty::Float, Expr::Op { op, args, span })))
            }
            Way::Rule => match rule_name(&op) {
                Some(rule) => self.by_rule(rule, args, span),
                None => Value::Poison,
            },
            Way::Doubt => {
                self.put_in_doubt(&site, &op, args, None);
                let var = self.bind("t", span, Ty::Float, Expr::Zero);
                self.fact_mut(var).doubt = Some(site);
                Value::place(Place::var(var))
            }
        }
    }

    /// A float operand.
    pub fn float(&mut self, value: &Value, operator: &str, span: Span) -> Option<Operand> {
        match value {
            Value::Active(a) => {
                let (ty, whole) = (self.ty_of(&a.place), a.place.path.is_empty());
                if !matches!(ty, Ty::Float | Ty::Unknown) || whole && self.fact(a.place.root).is_named() {
                    self.errors.operator(span, operator);
                    return None;
                }
                self.show_number(&a.place);
                self.refine(&a.place, Ty::Float);
                Some(Operand::Place(a.place.clone()))
            }
            Value::Passive(p) => Some(Operand::Passive(self.repeatable(p.passive.clone()))),
            Value::Poison => None,
            _ => {
                self.errors.operator(span, operator);
                None
            }
        }
    }

    /// An operand of an operator, or the receiver of a float's method, which need not be the number itself: a passive one may be a reference
    /// to it.
    pub fn summand(&self, value: &Value) -> Value {
        let given = |p: &Passive| p.root.is_some_and(|root| self.fact(root).given);
        match value {
            Value::Passive(p) if p.refs.depth == 0 && (given(p) || taken_out(&p.passive)) => {
                let (Base::Concrete(float) | Base::Generic(float)) = &self.base;
                let passive = p.passive.clone().map(|tokens| quote!(__d::Given::<#float>::given(#tokens)));
                Value::Passive(Passive { passive, ..p.clone() })
            }
            other => other.clone(),
        }
    }

    /// The same value, fit to be read again: what calls functions is computed once.
    fn repeatable(&mut self, o: PassiveCode) -> PassiveCode {
        if self.is_moving_with(&o) || self.is_part_of_changing(&o) {
            return self.held_number(o);
        }
        if crate::ir::purity::repeatable(&o) { o } else { self.hold("p", o) }
    }

    /// Whether it is a member of a variable that changes: the tape keeps the number, and no value of the user's.
    fn is_part_of_changing(&self, o: &PassiveCode) -> bool {
        let root = o.reads.only().filter(|var| self.fact(*var).changes);
        root.is_some_and(|root| self.info(root).name != o.tokens.to_string())
            && crate::ir::plain_places::is_path(&o.tokens)
    }

    /// An operand that may be a whole aggregate.
    pub fn whole(&mut self, value: &Value, span: Span) -> Operand {
        if matches!(value, Value::Active(a) if a.refs.exclusive) {
            self.errors.exclusive_kept(span);
        }
        match value {
            Value::Active(a) => Operand::Place(a.place.clone()),
            Value::Tuple(all) => {
                let args: Vec<Operand> = all.iter().map(|v| self.whole(v, span)).collect();
                let ty = Ty::Tuple(all.iter().zip(&args).map(|(v, a)| self.member_ty(v, a)).collect());
                Operand::var(self.bind("pair", span, ty, Expr::Tuple(args)))
            }
            Value::Ref(inner) => self.whole(inner, span),
            Value::Maybe(maybe) if self.may_hold_active(maybe) => {
                let instead = "keep the value and a `bool`, or return a tuple of them";
                self.errors.unsupported(span, "a stored or returned `Option` of an active value", instead);
                Operand::Passive(PassiveCode::literal(quote!(())))
            }
            _ => {
                let shown = self.show(&value.clone().dereferenced_fully(), span);
                Operand::Passive(kept_sequence(shown, &self.value_ty(value)))
            }
        }
    }

    fn member_ty(&self, value: &Value, operand: &Operand) -> Ty {
        match (value, operand) {
            (Value::Passive(p), _) if is_float(&p.passive) => Ty::Float,
            (Value::Passive(p), _) => p.ty.clone(),
            (_, operand) => self.operand_ty(operand),
        }
    }

    /// Whether a place may hold another value later, or be another place.
    pub fn may_change(&self, place: &Place) -> bool {
        self.fact(place.root).changes || self.may_move(place)
    }

    /// Whether an index on the way to a place may change.
    pub fn may_move(&self, place: &Place) -> bool {
        let mut stable = true;
        place.indices(&mut |i| stable &= self.is_stable(i));
        !stable
    }

    /// The same value, not affected by later changes of its place.
    pub fn copied(&mut self, value: Value, hint: &str, span: Span) -> Value {
        match value {
            Value::Active(a) if a.refs.depth == 0 && self.may_change(&a.place) => self.copy_of_place(a, hint, span),
            Value::Passive(p) if p.refs.depth == 0 && !self.is_settled(&p.passive) => {
                let (ty, held) = (p.ty.clone(), self.hold(hint, p.passive));
                if let Some(var) = held.reads.iter().next().copied() {
                    self.fact_mut(var).shape = ty;
                    return self.value_of(var);
                }
                Value::passive(held)
            }
            Value::Tuple(all) => Value::Tuple(all.into_iter().map(|v| self.copied(v, hint, span)).collect()),
            Value::Maybe(maybe) if maybe.cells.is_some() && maybe.lent.is_none() => self.option_now(maybe, span),
            other => other,
        }
    }

    /// A place's value, as a variable.
    pub fn copy_of_place(&mut self, a: Active, hint: &str, span: Span) -> Value {
        let (ty, option) = (self.ty_of(&a.place), self.is_option_place(&a));
        let var = self.bind(hint, span, ty, Expr::Operand(Operand::Place(a.place)));
        self.fact_mut(var).option = option;
        Value::place(Place::var(var))
    }
}

/// Whether the tokens take a value out of what a method gave, whose content may be a reference: `prices.get(&day).unwrap()`.
fn taken_out(o: &PassiveCode) -> bool {
    let trees: Vec<TokenTree> = o.tokens.clone().into_iter().collect();
    let [given @ .., TokenTree::Punct(_), TokenTree::Ident(taker), TokenTree::Group(_)] = &trees[..] else {
        return false;
    };
    let by_method =
        matches!(given, [.., TokenTree::Punct(dot), TokenTree::Ident(_), TokenTree::Group(_)] if dot.as_char() == '.');
    by_method && ["unwrap", "expect", "unwrap_or", "unwrap_or_else"].iter().any(|name| taker == name)
}

/// Whether a value stands there that statements would have to compute.
fn is_not_written(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "NotWrittenHere",
        TokenTree::Group(group) => is_not_written(&group.stream()),
        _ => false,
    })
}

fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(op, And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

fn name_of(op: &Op) -> String {
    match op {
        Op::Neg | Op::Sub => "-".into(),
        Op::Add => "+".into(),
        Op::Mul | Op::StrongMul(_) => "*".into(),
        Op::Div | Op::PseudoInverse => "/".into(),
        Op::Fn("rem") => "%".into(),
        Op::Fn(name) => (*name).into(),
    }
}

/// A copy of a vector that has a name and is moved into a value: the reverse sweep may need it under its name.
pub fn kept_sequence(o: PassiveCode, ty: &Ty) -> PassiveCode {
    let named = !o.reads.is_empty() && syn::parse2::<proc_macro2::Ident>(o.tokens.clone()).is_ok();
    if named && matches!(ty, Ty::Vec(_)) { o.map(|o| quote!(#o.clone())) } else { o }
}
