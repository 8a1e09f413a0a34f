//! What loops, labelled blocks and closures are left with: variables, by the look of the values that leave them.

use crate::frontend::state::context::{Lower, New, Origin};
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Failure, Maybe, Value};
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use syn::visit::{self, Visit};

/// What a value is made of, as far as its text shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// Nothing: `()`.
    Unit,
    /// Anything.
    One,
    /// A tuple.
    Tuple(Vec<Look>),
    /// An `Option` of it, or a `Result`.
    Maybe { content: Box<Look>, fails: bool },
}

impl Look {
    /// The look of what all these have in common.
    pub fn of_all(results: &[syn::Expr]) -> Self {
        let looks = results.iter().filter_map(Look::of);
        looks.reduce(Look::or).unwrap_or(Look::Unit)
    }

    /// Whether it is an `Option` or a `Result`.
    pub fn is_maybe(&self) -> bool {
        matches!(self, Look::Maybe { .. })
    }

    fn of(expr: &syn::Expr) -> Option<Self> {
        let last = |b: &syn::Block| match b.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) => Look::of(e),
            _ => None,
        };
        match strip_parens(expr) {
            syn::Expr::Tuple(t) if t.elems.is_empty() => Some(Look::Unit),
            syn::Expr::Tuple(t) => {
                Some(Look::Tuple(t.elems.iter().map(|e| Look::of(e).unwrap_or(Look::One)).collect()))
            }
            syn::Expr::Path(p) if p.path.is_ident("None") => Some(Look::maybe(Look::One, false)),
            syn::Expr::Call(c) => Some(Look::of_call(c)),
            syn::Expr::MethodCall(m) if m.method == "then_some" || m.method == "then" => {
                Some(Look::maybe(Look::One, false))
            }
            syn::Expr::If(i) => {
                let els = i.else_branch.as_ref().and_then(|(_, e)| Look::of(e));
                last(&i.then_branch).into_iter().chain(els).reduce(Look::or)
            }
            syn::Expr::Match(m) => m.arms.iter().filter_map(|arm| Look::of(&arm.body)).reduce(Look::or),
            syn::Expr::Block(b) if b.label.is_none() => last(&b.block),
            syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => None,
            _ => Some(Look::One),
        }
    }

    fn of_call(call: &syn::ExprCall) -> Self {
        let syn::Expr::Path(p) = &*call.func else { return Look::One };
        let content = || call.args.first().and_then(Look::of).unwrap_or(Look::One);
        match p.path.get_ident().map(ToString::to_string).as_deref() {
            Some("Some") => Look::maybe(content(), false),
            Some("Ok") => Look::maybe(content(), true),
            Some("Err") => Look::maybe(Look::One, true),
            _ => Look::One,
        }
    }

    fn maybe(content: Look, fails: bool) -> Self {
        Look::Maybe { content: Box::new(content), fails }
    }

    fn or(self, other: Look) -> Look {
        match (self, other) {
            (Look::Maybe { content: a, fails: f }, Look::Maybe { content: b, fails: g }) => {
                Look::maybe(a.or(*b), f || g)
            }
            (Look::Tuple(a), Look::Tuple(b)) if a.len() == b.len() => {
                Look::Tuple(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            (Look::One | Look::Unit, other) | (other, Look::One | Look::Unit) => other,
            (one, _) => one,
        }
    }
}

impl Lower {
    /// Variables for a value that looks so; `declare_slot` declares them, once it is known what they hold.
    pub fn slot_for(&mut self, look: &Look, active: &Ty, span: Span) -> Value {
        self.slot_member(look, active, span, &mut 0)
    }

    /// A variable for a value that is found in branches.
    fn slot_at(&mut self, site: Site, active: &Ty, span: Span) -> Value {
        let ty = if self.assumed.contains(&site) { active.clone() } else { Ty::Passive };
        let var = self.new_var(New { hint: "found", span, ty, changes: true, site: Some(site) });
        self.info_mut(var).mutable = true;
        self.value_of(var)
    }

    fn slot_member(&mut self, look: &Look, active: &Ty, span: Span, member: &mut usize) -> Value {
        match look {
            Look::Unit => Value::Unit,
            Look::One => {
                let site = Site::member(span, *member);
                *member += 1;
                self.slot_at(site, active, span)
            }
            Look::Tuple(all) => {
                Value::Tuple(all.iter().map(|look| self.slot_member(look, active, span, member)).collect())
            }
            Look::Maybe { content, fails } => {
                let content = self.slot_member(content, active, span, member);
                let mut maybe = self.cells("found", &Maybe::none(), content, span);
                maybe.failure = fails.then(|| Failure::Cell(self.failure_cell(span)));
                Value::Maybe(maybe)
            }
        }
    }

    /// Stores a value that leaves in its slot.
    pub fn leave_with(&mut self, slot: Value, value: Value, span: Span) {
        let value = self.note_made(&slot, value);
        self.store(slot, value, span);
    }

    /// A value that was made of fields says of what type its slot is, which holds a number otherwise; the value, as a slot of that type takes it.
    fn note_made(&mut self, slot: &Value, value: Value) -> Value {
        match (slot, value) {
            (Value::Tuple(slots), Value::Tuple(all)) if slots.len() == all.len() => {
                let members = slots.iter().zip(all);
                Value::Tuple(members.map(|(slot, value)| self.note_made(slot, value)).collect())
            }
            (Value::Active(a), value) => {
                let var = a.place.root;
                if let Some(ty) = self.type_made(&value) {
                    let info = self.info_mut(var);
                    (info.ty, info.written) = (Ty::Unknown, Some(ty.clone()));
                    self.fact_mut(var).origin = Origin::Fields(Some(ty));
                }
                let is_made = self.fact(var).is_constructed();
                self.made(value, is_made)
            }
            (Value::Passive(p), value) => {
                if let (Some(var), Some(ty)) = (p.root, self.type_made(&value)) {
                    self.info_mut(var).written = Some(ty);
                }
                value
            }
            (_, value) => value,
        }
    }

    /// Declares the variables of a slot, in front of what assigns to them.
    pub fn declare_slot(&mut self, slot: &Value) {
        for var in slot_vars(slot) {
            let expr = self.blank(var);
            self.emit(Stmt::Let { var, expr });
        }
    }
}

fn slot_vars(slot: &Value) -> Vec<Var> {
    match slot {
        Value::Active(a) => vec![a.place.root],
        Value::Passive(p) => p.root.into_iter().collect(),
        Value::Tuple(all) => all.iter().flat_map(slot_vars).collect(),
        Value::Maybe(Maybe { cells: Some(cells), .. }) => slot_vars(&cells.1),
        _ => Vec::new(),
    }
}

/// The values that are given to a `break` that leaves this loop or labelled block.
pub fn broken_with(block: &syn::Block, label: Option<&syn::Label>, is_loop: bool) -> Vec<syn::Expr> {
    let label = label.map(|l| l.name.ident.clone());
    let mut breaks = Breaks { label, inner: usize::from(!is_loop), found: Vec::new() };
    breaks.visit_block(block);
    breaks.found
}

struct Breaks {
    label: Option<proc_macro2::Ident>,
    /// How many loops lie around that take the breaks without a label.
    inner: usize,
    found: Vec<syn::Expr>,
}

impl Breaks {
    fn within(&mut self, block: &syn::Block) {
        self.inner += 1;
        self.visit_block(block);
        self.inner -= 1;
    }
}

impl<'a> Visit<'a> for Breaks {
    fn visit_expr_break(&mut self, b: &'a syn::ExprBreak) {
        let here = match &b.label {
            Some(l) => self.label.as_ref() == Some(&l.ident),
            None => self.inner == 0,
        };
        self.found.extend(b.expr.as_deref().filter(|_| here).cloned());
        visit::visit_expr_break(self, b);
    }
    fn visit_expr_loop(&mut self, e: &'a syn::ExprLoop) {
        self.within(&e.body);
    }
    fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
        self.within(&e.body);
    }
    fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
        self.within(&e.body);
    }
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
}

/// The expressions whose values a closure's body may have: what it returns, and what it ends in.
pub fn results_of(body: &syn::Expr) -> Vec<syn::Expr> {
    struct Results(Vec<syn::Expr>);
    impl<'a> Visit<'a> for Results {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            self.0.extend(r.expr.as_deref().cloned());
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut results = Results(Vec::new());
    results.visit_expr(body);
    results.0.extend(tail_of(body).cloned());
    results.0
}

/// What a body ends in.
pub fn tail_of(body: &syn::Expr) -> Option<&syn::Expr> {
    match body {
        syn::Expr::Block(b) => match b.block.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) => tail_of(e),
            _ => None,
        },
        e => Some(e),
    }
}
