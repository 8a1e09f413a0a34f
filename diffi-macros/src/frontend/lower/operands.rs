//! `a + f(b, { jump })` as `let operand = { jump }; a + f(b, operand)`: operands that may jump, in front of what they are operands of.
//! The same of a method's arguments that change something: methods that are known by their names look at arguments twice, or never.
//!
//! What is evaluated before a jump is moved too, in the same order, unless it is a name that the jump does not mention. What is
//! evaluated behind it stays, as the rest of the block, which is done only if the jump is not taken.

use crate::frontend::lower::branches::has_let;
use crate::frontend::lower::structs;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Scope;
use crate::frontend::syntax::effects;
use crate::frontend::syntax::writes::{self, root_name};
use crate::support::names;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

impl Lower {
    /// A statement behind those that its operands became, if one of them may jump.
    pub fn operands_first(&mut self, stmt: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
        let effects = effects::of_stmt(&self.scope, stmt);
        if effects.is_pure() {
            return None;
        }
        let mut left = stmt.clone();
        let mut front = self.front();
        if !effects.jumps && !front.stirs_in(stmt) {
            return None;
        }
        match &mut left {
            syn::Stmt::Expr(e, _) => front.statement(e),
            syn::Stmt::Local(syn::Local { init: Some(init), .. }) => front.source(&mut init.expr),
            syn::Stmt::Macro(m) => front.elements(&mut m.mac),
            _ => {}
        }
        let Front { known, mut moved, rewritten, hidden, .. } = front;
        self.jumps.operands = known;
        if let Some((span, what)) = hidden {
            self.errors.order(span, what, "compute the value with `let` before");
        }
        moved.push(left);
        (rewritten || moved.len() > 1).then_some(moved)
    }

    /// An expression behind the statements that its operands became, if a method's argument changes something.
    pub fn arguments_first(&mut self, e: &syn::Expr) -> Option<syn::Block> {
        let mut front = self.front();
        if !front.stirs(e) {
            return None;
        }
        let mut left = e.clone();
        front.source(&mut left);
        let Front { known, moved, .. } = front;
        self.jumps.operands = known;
        (!moved.is_empty()).then(|| syn::parse_quote!({ #(#moved)* #left }))
    }

    fn front(&self) -> Front<'_> {
        let known = self.jumps.operands;
        Front { scope: &self.scope, known, moved: Vec::new(), rewritten: false, hidden: None }
    }

    /// `while c { .. }` as `loop { if c { .. } else { break } }`, where `c` may jump.
    pub fn tested_within(&self, w: &syn::ExprWhile) -> Option<syn::ExprLoop> {
        let syn::ExprWhile { attrs, label, cond, body, .. } = w;
        let moves = self.front().jumps(cond);
        moves.then(|| syn::parse_quote!(#(#attrs)* #label loop { if #cond #body else { break; } }))
    }
}

/// What is moved in front of one statement.
struct Front<'a> {
    scope: &'a Scope,
    /// How many operands have a name.
    known: usize,
    moved: Vec<syn::Stmt>,
    /// Whether the statement has another form now.
    rewritten: bool,
    /// A jump that cannot be moved.
    hidden: Option<(Span, &'static str)>,
}

/// An operand, and what it is evaluated to.
enum Operand<'a> {
    /// A value, at its turn.
    Value(&'a mut syn::Expr),
    /// A place, which is read or changed when all operands are evaluated.
    Place(&'a mut syn::Expr),
    /// The same, to be changed through a reference.
    Changed(&'a mut syn::Expr),
    /// A method's receiver: a value or a place, as the method wants.
    Receiver(&'a mut syn::Expr),
    /// A value that may be asked for twice, or never.
    Argument(&'a mut syn::Expr),
}

impl Operand<'_> {
    fn expr(&mut self) -> &mut syn::Expr {
        match self {
            Operand::Value(e) | Operand::Place(e) | Operand::Changed(e) => e,
            Operand::Receiver(e) | Operand::Argument(e) => e,
        }
    }
}

/// What stands behind an operand, and may jump.
struct Later {
    text: TokenStream,
    writes: Vec<Ident>,
}

impl Front<'_> {
    /// Whether an expression may jump, or has an argument in it that is moved.
    fn jumps(&self, e: &syn::Expr) -> bool {
        !matches!(e, syn::Expr::Closure(_)) && (effects::of_expr(self.scope, e).jumps || self.stirs(e))
    }

    /// Whether a method's argument changes something, in an expression outside of its own blocks and closures.
    fn stirs(&self, e: &syn::Expr) -> bool {
        let mut stirring = Stirring { front: self, found: false };
        stirring.visit_expr(e);
        stirring.found
    }

    fn stirs_in(&self, stmt: &syn::Stmt) -> bool {
        let mut stirring = Stirring { front: self, found: false };
        stirring.visit_stmt(stmt);
        stirring.found
    }

    /// Whether evaluating an argument changes something, other than by lending it.
    fn acts(&self, e: &syn::Expr) -> bool {
        use syn::Expr::*;
        let changes = |e: &syn::Expr| !effects::of_expr(self.scope, e).writes.is_empty();
        match strip_parens(e) {
            Path(_) | Lit(_) | Closure(_) => false,
            Reference(r) => self.acts(&r.expr),
            Field(f) => self.acts(&f.base),
            Index(i) => self.acts(&i.expr) || self.acts(&i.index),
            Unary(u) => self.acts(&u.expr),
            Cast(c) => self.acts(&c.expr),
            Tuple(t) => t.elems.iter().any(|e| self.acts(e)),
            Array(a) => a.elems.iter().any(|e| self.acts(e)),
            Struct(s) => s.fields.iter().any(|f| self.acts(&f.expr)),
            Range(r) => r.start.iter().chain(&r.end).any(|e| self.acts(e)),
            Call(c) if is_constructor(&c.func) || writes::is_some(&c.func) => c.args.iter().any(|e| self.acts(e)),
            MethodCall(m) if lends(m) => self.acts(&m.receiver) || m.args.iter().any(|e| self.acts(e)),
            e => changes(e),
        }
    }

    fn argument<'e>(&self, m: &syn::Ident, count: usize, e: &'e mut syn::Expr) -> Operand<'e> {
        if takes_once(m, count) { Operand::Value(e) } else { Operand::Argument(e) }
    }

    fn moves(&self, operand: &mut Operand) -> bool {
        let argument = matches!(operand, Operand::Argument(_));
        self.jumps(operand.expr()) || argument && self.acts(operand.expr())
    }

    /// An expression that stands as a statement, or at the end of a block.
    fn statement(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Assign(a) if !self.jumps(&a.left) => self.operands(vec![Operand::Value(&mut a.right)]),
            syn::Expr::Binary(b) if writes::is_assignment(&b.op) && self.is_plain(&b.left) => {
                self.operands(vec![Operand::Value(&mut b.right)]);
            }
            syn::Expr::Return(syn::ExprReturn { expr: Some(value), .. })
            | syn::Expr::Break(syn::ExprBreak { expr: Some(value), .. }) => self.operands(vec![Operand::Value(value)]),
            _ => self.source(e),
        }
    }

    /// Whether a place can be evaluated after a jump is taken.
    fn is_plain(&self, place: &syn::Expr) -> bool {
        effects::of_expr(self.scope, place).is_pure()
    }

    /// An expression whose own jumps leave the statement, as branches and loops do.
    fn source(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::Paren(p) => self.source(&mut p.expr),
            syn::Expr::If(i) => {
                self.condition(&mut i.cond);
                self.else_if(i);
            }
            syn::Expr::Match(m) => {
                m.arms.iter().filter_map(|a| a.guard.as_ref()).for_each(|(_, g)| self.hide(g, "a guard that may jump"));
                self.operands(vec![Operand::Place(&mut m.expr)]);
            }
            syn::Expr::ForLoop(f) if is_counted(&f.expr) => self.operands(vec![Operand::Argument(&mut f.expr)]),
            syn::Expr::ForLoop(f) => self.operands(vec![Operand::Value(&mut f.expr)]),
            e if self.is_source(e) => {}
            e => self.within(e),
        }
    }

    fn condition(&mut self, cond: &mut syn::Expr) {
        match cond {
            syn::Expr::Let(l) => self.operands(vec![Operand::Place(&mut l.expr)]),
            syn::Expr::Binary(b) if is_logic(&b.op) && (has_let(&b.left) || has_let(&b.right)) => {
                self.hide(&b.right, "a condition after `let` that may jump");
                self.condition(&mut b.left);
            }
            cond => self.operands(vec![Operand::Value(cond)]),
        }
    }

    /// `else if c` as `else { if c }`, where `c` may jump.
    fn else_if(&mut self, i: &mut syn::ExprIf) {
        let Some((_, els)) = &mut i.else_branch else { return };
        let syn::Expr::If(next) = &mut **els else { return };
        match self.jumps(&next.cond) {
            true => {
                **els = syn::Expr::Block(syn::parse_quote!({ #next }));
                self.rewritten = true;
            }
            false => self.else_if(next),
        }
    }

    /// Whether an expression jumps where it stands: statements of its own do, and `b` of `a && b`.
    fn is_source(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Binary(b) if is_logic(&b.op) => self.jumps(&b.right) && !self.jumps(&b.left),
            e => is_control(e),
        }
    }

    /// The operands of an expression that may jump.
    fn within(&mut self, e: &mut syn::Expr) {
        use Operand::{Changed, Place, Value};
        use syn::Expr::*;
        let all: Vec<Operand> = match e {
            Paren(p) => return self.within(&mut p.expr),
            Group(g) => return self.within(&mut g.expr),
            Unary(u) => vec![if matches!(u.op, syn::UnOp::Deref(_)) { Place(&mut u.expr) } else { Value(&mut u.expr) }],
            Binary(b) if is_logic(&b.op) => vec![Value(&mut b.left)],
            Binary(b) if writes::is_assignment(&b.op) => vec![Value(&mut b.right), Place(&mut b.left)],
            Assign(a) => vec![Value(&mut a.right), Place(&mut a.left)],
            Binary(b) => vec![Value(&mut b.left), Value(&mut b.right)],
            Cast(c) => vec![Value(&mut c.expr)],
            Reference(r) if r.mutability.is_some() => vec![Changed(&mut r.expr)],
            Reference(r) => vec![Place(&mut r.expr)],
            Field(f) => vec![Place(&mut f.base)],
            Index(i) => vec![Place(&mut i.expr), Value(&mut i.index)],
            Range(r) => r.start.iter_mut().chain(&mut r.end).map(|e| Operand::Argument(e.as_mut())).collect(),
            Array(a) => a.elems.iter_mut().map(Value).collect(),
            Tuple(t) => t.elems.iter_mut().map(Value).collect(),
            Repeat(r) => vec![Value(&mut r.expr)],
            Struct(s) => {
                s.fields.iter_mut().for_each(|f| f.colon_token = Some(Default::default()));
                let rest = s.rest.iter_mut().map(|e| Place(e.as_mut()));
                s.fields.iter_mut().map(|f| Value(&mut f.expr)).chain(rest).collect()
            }
            Call(c) if is_made_without(&c.func) => c.args.iter_mut().map(Operand::Argument).collect(),
            Call(c) => [Place(&mut c.func)].into_iter().chain(c.args.iter_mut().map(Value)).collect(),
            MethodCall(m) => {
                let (name, count) = (&m.method, m.args.len());
                let args = m.args.iter_mut().map(|e| self.argument(name, count, e));
                [Operand::Receiver(&mut m.receiver)].into_iter().chain(args).collect()
            }
            Macro(m) => return self.elements(&mut m.mac),
            _ => return,
        };
        self.operands(all);
    }

    /// `vec![a, b]`, `vec![a; n]`.
    fn elements(&mut self, mac: &mut syn::Macro) {
        if !["vec", "dbg"].iter().any(|name| mac.path.is_ident(name)) {
            if effects::of_expr(self.scope, &syn::parse_quote!(#mac)).jumps {
                self.hidden = Some((mac.span(), "a jump within this macro"));
            }
            return;
        }
        let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(mut all) = mac.parse_body_with(list) {
            self.operands(all.iter_mut().map(Operand::Value).collect());
            mac.tokens = all.to_token_stream();
            return;
        }
        let tokens = &mac.tokens;
        if let Ok(mut repeated) = syn::parse2::<syn::ExprRepeat>(quote!([#tokens])) {
            self.operands(vec![Operand::Value(&mut repeated.expr), Operand::Argument(&mut repeated.len)]);
            let (value, count) = (&repeated.expr, &repeated.len);
            mac.tokens = quote!(#value; #count);
        }
    }

    /// Operands in the order in which they are evaluated: up to the last one that may jump they are moved in front.
    fn operands(&mut self, mut all: Vec<Operand>) {
        let jumping: Vec<bool> = all.iter_mut().map(|o| self.moves(o)).collect();
        let Some(last) = jumping.iter().rposition(|jumps| *jumps) else { return };
        for k in 0..=last {
            let later = all[k + 1..=last].iter_mut().zip(&jumping[k + 1..]).filter(|(_, jumps)| **jumps);
            let later = self.later(later.map(|(o, _)| &*o.expr()));
            if jumping[k] {
                self.lift(&mut all[k]);
            }
            if k < last {
                self.keep(&mut all[k], &later);
            }
        }
    }

    fn later<'e>(&self, all: impl Iterator<Item = &'e syn::Expr>) -> Later {
        let mut later = Later { text: TokenStream::new(), writes: Vec::new() };
        for e in all {
            e.to_tokens(&mut later.text);
            later.writes.extend(effects::of_expr(self.scope, e).writes);
        }
        later
    }

    /// An operand that may jump, so that it does not any more.
    fn lift(&mut self, operand: &mut Operand) {
        let (changed, argument) = (matches!(operand, Operand::Changed(_)), matches!(operand, Operand::Argument(_)));
        let e = operand.expr();
        if !self.is_source(e) {
            self.within(e);
        }
        if self.is_source(e) && self.jumps(e) || argument && self.acts(e) {
            self.bind(e, changed);
        }
    }

    /// An operand as it is before what stands behind it.
    fn keep(&mut self, operand: &mut Operand, later: &Later) {
        match operand {
            // a range stays what it is, of bounds that are as they are now
            Operand::Value(syn::Expr::Range(r)) | Operand::Argument(syn::Expr::Range(r)) => {
                r.start.iter_mut().chain(&mut r.end).for_each(|e| self.keep(&mut Operand::Value(e), later));
            }
            Operand::Value(e) | Operand::Argument(e) if !stays(e, later) => self.bind(e, false),
            Operand::Value(_) | Operand::Argument(_) => {}
            Operand::Receiver(e) if root_name(e).is_some_and(|name| later.writes.contains(name)) => self.bind(e, false),
            Operand::Receiver(e) | Operand::Place(e) | Operand::Changed(e) => self.keep_place(e, later),
        }
    }

    fn keep_place(&mut self, place: &mut syn::Expr, later: &Later) {
        match place {
            syn::Expr::Path(_) | syn::Expr::Closure(_) | syn::Expr::Lit(_) => {}
            syn::Expr::Field(f) => self.keep_place(&mut f.base, later),
            syn::Expr::Paren(p) => self.keep_place(&mut p.expr, later),
            syn::Expr::Reference(r) => self.keep_place(&mut r.expr, later),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.keep_place(&mut u.expr, later),
            syn::Expr::Index(i) => {
                self.keep_place(&mut i.expr, later);
                self.keep(&mut Operand::Value(&mut i.index), later);
            }
            // a part of an array, which is made where it is changed
            syn::Expr::MethodCall(m) if is_part(m) && m.args.iter().all(|arg| self.is_settled(arg, later)) => {
                self.keep_place(&mut m.receiver, later);
            }
            e => {
                let text = e.to_token_stream();
                let changes = later.writes.iter().any(|name| mentions(&text, name));
                if changes || !effects::of_expr(self.scope, e).is_pure() {
                    self.bind(e, false);
                }
            }
        }
    }

    /// Whether what tells a part is the same behind what may jump.
    fn is_settled(&self, arg: &syn::Expr, later: &Later) -> bool {
        let text = arg.to_token_stream();
        effects::of_expr(self.scope, arg).is_pure() && !later.writes.iter().any(|name| mentions(&text, name))
    }

    /// `let operand = e;`
    fn bind(&mut self, e: &mut syn::Expr, changed: bool) {
        let name = format_ident!("__operand_{}", self.known, span = e.span());
        self.known += 1;
        let value = std::mem::replace(e, syn::parse_quote!(#name));
        let mutable = changed.then(<syn::Token![mut]>::default);
        self.moved.push(syn::parse_quote!(let #mutable #name = #value;));
    }

    fn hide(&mut self, e: &syn::Expr, what: &'static str) {
        if effects::of_expr(self.scope, e).jumps {
            self.hidden = Some((e.span(), what));
        }
    }
}

/// Looks for arguments that change something.
struct Stirring<'a> {
    front: &'a Front<'a>,
    found: bool,
}

impl<'a> Visit<'a> for Stirring<'_> {
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.found |= !takes_once(&m.method, m.args.len()) && m.args.iter().any(|arg| self.front.acts(arg));
        visit::visit_expr_method_call(self, m);
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        self.found |= is_counted(&f.expr) && self.front.acts(&f.expr);
        visit::visit_expr_for_loop(self, f);
    }
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        self.found |= is_made_without(&c.func) && c.args.iter().any(|arg| self.front.acts(arg));
        visit::visit_expr_call(self, c);
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        if m.path.is_ident("vec") {
            let tokens = &m.tokens;
            let repeated = syn::parse2::<syn::ExprRepeat>(quote!([#tokens]));
            self.found |= repeated.is_ok_and(|r| self.front.acts(&r.len));
            writes::arguments(m).iter().flatten().for_each(|arg| self.visit_expr(arg));
        }
    }
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_block(&mut self, _: &'a syn::Block) {}
    fn visit_arm(&mut self, _: &'a syn::Arm) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Whether lowering evaluates the arguments of a method of this name once, and in order.
fn takes_once(method: &Ident, count: usize) -> bool {
    const ONCE: &[&str] = &["push", "push_back", "push_front", "fill", "extend", "append", "zip", "chain"];
    ONCE.iter().any(|name| method == name) || names::is_scalar(&method.to_string(), count)
}

/// Whether a method's value is a part of what it is called on, to be changed later.
fn lends(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    writes::lends_mut(&name) || ["drain", "by_ref", "as_mut", "borrow_mut"].contains(&&name[..])
}

/// Whether a loop counts, or has a block that says what it goes through.
fn is_counted(head: &syn::Expr) -> bool {
    matches!(strip_parens(head), syn::Expr::Range(_) | syn::Expr::Block(_))
}

fn is_constructor(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(p) if structs::is_constructor(&p.path))
}

/// `Vec::with_capacity(n)`, of which derivative code does not need the argument.
fn is_made_without(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "with_capacity"))
}

/// Whether a method names a part of an array, to be changed.
fn is_part(m: &syn::ExprMethodCall) -> bool {
    const PARTS: &[&str] = &["slice_mut", "row_mut", "column_mut", "index_axis_mut", "diag_mut", "view_mut"];
    PARTS.iter().any(|name| m.method == name)
}

/// Whether a value is the same behind what may jump.
fn stays(e: &syn::Expr, later: &Later) -> bool {
    match strip_parens(e) {
        syn::Expr::Reference(r) => is_name(&r.expr),
        syn::Expr::Call(c) if writes::is_some(&c.func) => c.args.iter().all(|e| writes::is_lent(e) && stays(e, later)),
        syn::Expr::Lit(_) | syn::Expr::Closure(_) => true,
        syn::Expr::Path(p) => p.path.get_ident().is_none_or(|name| !mentions(&later.text, name)),
        _ => false,
    }
}

fn is_name(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(f) => is_name(&f.base),
        _ => false,
    }
}

/// Whether an expression has statements of its own, which jump where they stand.
fn is_control(e: &syn::Expr) -> bool {
    use syn::Expr::*;
    matches!(
        e,
        If(_) | Match(_) | Block(_) | Unsafe(_) | Loop(_) | While(_) | ForLoop(_) | Return(_) | Break(_) | Continue(_)
    )
}

fn is_logic(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::And(_) | syn::BinOp::Or(_))
}
