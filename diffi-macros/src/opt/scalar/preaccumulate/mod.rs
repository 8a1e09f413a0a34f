//! Preaccumulation (Griewank & Walther 10.2): a loop with one cotangent multiplies it by its iteration's partial derivative, found beside it.
//!
//! All contributions of such an iteration are its incoming cotangent times a partial derivative, which is made of values alone.
//! `x_bar -= ((x_bar * a + x_bar * b) * c) * d` becomes `partial derivative = 1 - ((a + b) * c) * d; x_bar *= partial derivative`. The next iteration waits for
//! one product instead of all, and a batch of cotangents shares the partial derivative.
//!
//! In the adjoint of a quotient, everything is a multiple of the divisor's inverse. That is factored out of the sums: a cotangent is one
//! partial derivative times the incoming one, and another times that over the divisor. Contributions to one number are first added up as
//! partial derivatives.

mod cancel;

use crate::analysis::cost_model::PREACCUMULATED_OPERATIONS;
use crate::ir::affine::polynomial::Poly;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use cancel::{Forms, operations};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites the loops of an adjoint's body.
pub fn preaccumulate(table: &mut Table, base: &Base, block: &mut Block) {
    if matches!(base, Base::Generic(_)) {
        return; // literals have another type there
    }
    for stmt in &mut block.stmts {
        let body = match stmt {
            Stmt::Derived(Derived::Loop(l)) if l.sweep == LoopSweep::AdjointReversed => Some(&mut l.on.body),
            Stmt::Derived(Derived::Times { body, .. }) => Some(body),
            _ => None,
        };
        if let Some(body) = body
            && let Some(carried) = carried(table, &body.stmts)
            && length(table, &body.stmts, carried).is_some_and(|n| n >= PREACCUMULATED_OPERATIONS)
        {
            let stmts = std::mem::take(&mut body.stmts);
            body.stmts = Partials::of(table, carried).iteration(stmts);
        }
        blocks_mut(stmt).into_iter().for_each(|inner| preaccumulate(table, base, inner));
    }
}

/// The one cotangent from outside that an iteration reads, if the iteration is straight and does nothing with cotangents but sums and
/// products by values.
fn carried(table: &Table, stmts: &[Stmt]) -> Option<Var> {
    let own = touched(stmts, &[Access::Define]);
    let mut read = Vars::new();
    for stmt in stmts {
        read.extend(cotangents(table, stmt, &own)?.into_iter().filter(|v| !own.contains(v)));
    }
    let carried = read.only()?;
    let is_number = *table.ty(carried) == Ty::Float && !table.is_ref(carried);
    let changes = stmts.iter().any(|s| changed(table, s) == Some(carried));
    let guarded = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Guard { body, .. }) if touched(&body.stmts, &[Access::Write]).contains(&carried));
    (is_number && changes && !stmts.iter().any(guarded)).then_some(carried)
}

/// The cotangents whose values a statement uses; none if it is not one of the statements that are understood.
fn cotangents(table: &Table, stmt: &Stmt, own: &Vars) -> Option<Vec<Var>> {
    let is_bar = |v: Var| table.role(v) == Role::Bar;
    match stmt {
        Stmt::Let { var, expr } if !is_bar(*var) => {
            let read = touched(std::slice::from_ref(stmt), &[Access::Read, Access::Shape]);
            let plain = matches!(expr, Expr::Operand(_) | Expr::Op { .. } | Expr::Passive(_) | Expr::Zero);
            (plain && !read.into_iter().any(is_bar)).then(Vec::new)
        }
        Stmt::Let { var, expr } if *table.ty(*var) == Ty::Float => of_expression(table, expr),
        Stmt::Assign { place, op, value, .. } if is_bar(place.root) => of_assignment(table, place, *op, value, own),
        Stmt::Derived(Derived::Clear { place, whole: false }) => is_number(table, place).then(|| vec![place.root]),
        Stmt::Derived(Derived::Guard { body, .. }) => {
            let sums = |s: &Stmt| matches!(s, Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } if !own.contains(&place.root));
            let all: Option<Vec<Vec<Var>>> =
                body.stmts.iter().map(|s| sums(s).then(|| cotangents(table, s, own)).flatten()).collect();
            all.map(|all| all.into_iter().flatten().collect())
        }
        Stmt::Derived(Derived::PopFrame(r) | Derived::LoadFrame(r)) if r.wholes.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

fn is_number(table: &Table, place: &Place) -> bool {
    place.path.is_empty() && *table.ty(place.root) == Ty::Float
}

fn of_expression(table: &Table, expr: &Expr) -> Option<Vec<Var>> {
    match expr {
        Expr::Zero => Some(Vec::new()),
        Expr::Operand(o) => operand(table, o).map(|bar| bar.into_iter().collect()),
        Expr::Op { op: Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::StrongMul(_) | Op::Div, args, .. } => {
            let bars: Option<Vec<Option<Var>>> = args.iter().map(|o| operand(table, o)).collect();
            bars.map(|bars| bars.into_iter().flatten().collect())
        }
        _ => None,
    }
}

fn of_assignment(table: &Table, place: &Place, op: Assign, value: &Operand, own: &Vars) -> Option<Vec<Var>> {
    let number = is_number(table, place);
    let element = matches!(place.path[..], [.., Proj::Index(_)]) && !own.contains(&place.root);
    let fits = number || element && op != Assign::Set;
    let bar = operand(table, value).filter(|_| fits)?;
    // what is set to another value does not add to what it was
    let set = number && op == Assign::Set && !own.contains(&place.root);
    Some(bar.into_iter().chain(set.then_some(place.root)).collect())
}

/// The cotangent that an operand is, if it is one; none if it is a part of one.
fn operand(table: &Table, o: &Operand) -> Option<Option<Var>> {
    match o {
        Operand::Place(p) if table.role(p.root) == Role::Bar => o.as_var().map(Some),
        _ => Some(None),
    }
}

/// The variable that an assignment changes.
fn changed(table: &Table, stmt: &Stmt) -> Option<Var> {
    match stmt {
        Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, .. }) => {
            (place.path.is_empty() && table.role(place.root) == Role::Bar).then_some(place.root)
        }
        _ => None,
    }
}

/// How many operations lie between the cotangent of an iteration and that of the next.
fn length(table: &Table, stmts: &[Stmt], carried: Var) -> Option<usize> {
    let mut lengths = BTreeMap::from([(carried, 0)]);
    for stmt in stmts {
        let at = |o: &Operand| o.as_var().and_then(|v| lengths.get(&v).copied());
        let (var, length) = match stmt {
            Stmt::Let { var, expr: Expr::Operand(o) } => (*var, at(o)),
            Stmt::Let { var, expr: Expr::Op { args, .. } } => (*var, args.iter().filter_map(at).max().map(|n| n + 1)),
            Stmt::Assign { place, value, op, .. } if changed(table, stmt).is_some() => {
                let before = lengths.get(&place.root).copied().filter(|_| *op != Assign::Set);
                (place.root, before.max(at(value)).map(|n| n + usize::from(*op != Assign::Set)))
            }
            _ => continue,
        };
        lengths.extend(length.map(|n| (var, n)));
    }
    lengths.get(&carried).copied()
}

/// What a cotangent is a multiple of the iteration's by: nothing, one, or a value; or the opposite of that.
#[derive(Clone)]
struct Partial {
    minus: bool,
    by: Option<Operand>,
}

/// What a cotangent is a multiple of the iteration's by, and of the iteration's over the divisor.
type Parts = [Option<Partial>; 2];

const PLAIN: usize = 0;
const OVER: usize = 1;

/// A quotient's divisor: what cotangents are multiplied by is taken out of sums, and multiplied by once.
struct Divisor {
    inverse: Var,
    /// The iteration's cotangent times the inverse.
    over: Var,
}

struct Partials<'a> {
    table: &'a mut Table,
    carried: Var,
    divisor: Option<Divisor>,
    /// Values that are products with the inverse: the other factor.
    ratios: BTreeMap<Var, Operand>,
    of: BTreeMap<Var, Parts>,
    /// The partial derivatives that are not values of the program.
    made: Vars,
    /// How a cotangent meets a partial derivative: by a strong zero where one of the iteration's operations has that.
    mul: Op,
    /// What is added to numbers from outside, all at once when the iteration ends.
    sums: Vec<(Var, Option<ParamSet>, Parts)>,
}

impl<'a> Partials<'a> {
    fn of(table: &'a mut Table, carried: Var) -> Self {
        let (ratios, of, made) = (BTreeMap::new(), BTreeMap::new(), Vars::new());
        Partials { table, carried, divisor: None, ratios, of, made, mul: Op::Mul, sums: Vec::new() }
    }

    fn iteration(mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.of.insert(self.carried, [Some(ONE), None]);
        if stmts.iter().any(is_strong) {
            self.mul = Op::StrongMul(StrongZero::Vector);
        }
        stmts.into_iter().for_each(|stmt| self.stmt(stmt, None, &mut out));
        for (root, guard, parts) in std::mem::take(&mut self.sums) {
            let sums = self.sum(&Place::var(root), Assign::Add, parts, Span::call_site(), &mut out);
            out.extend(guarded(guard, sums));
        }
        let parts = self.of.remove(&self.carried).unwrap_or_default();
        let partial = self.cancelled(&parts, &mut out).unwrap_or_else(|| self.whole(parts, &mut out));
        let value = self.product(self.carried, &partial, &mut out);
        out.push(set(Place::var(self.carried), value));
        let made: Vars = self.ratios.into_keys().chain(self.divisor.map(|d| d.over)).chain(self.made).collect();
        without_unread(out, &made)
    }

    fn stmt(&mut self, stmt: Stmt, guard: Option<ParamSet>, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { var, expr } if self.table.role(var) == Role::Bar => {
                let parts = self.expression(&expr, out);
                self.of.insert(var, parts);
            }
            Stmt::Let { var, expr } => {
                self.note(var, &expr);
                let inverts = matches!(&expr, Expr::Op { op: Op::Fn("recip"), .. });
                out.push(Stmt::Let { var, expr });
                if inverts {
                    self.note_inverse(var, out);
                }
            }
            Stmt::Assign { place, op, value, span } => self.assign(place, op, (value, span), guard, out),
            Stmt::Derived(Derived::Clear { place, .. }) => {
                self.of.insert(place.root, Parts::default());
            }
            Stmt::Derived(Derived::Guard { on, body }) => {
                body.stmts.into_iter().for_each(|s| self.stmt(s, Some(on), out));
            }
            other => out.push(other),
        }
    }

    /// The first inverse is multiplied by the cotangent at once.
    fn note_inverse(&mut self, inverse: Var, out: &mut Vec<Stmt>) {
        if self.divisor.is_none() && self.mul == Op::Mul {
            let over = self.table.fresh("flow", Ty::Float, Role::Bar, Span::call_site());
            out.push(let_op(over, Op::Mul, Operand::var(self.carried), Operand::var(inverse)));
            self.divisor = Some(Divisor { inverse, over });
        }
    }

    /// Whether the value is a product with the inverse.
    fn note(&mut self, var: Var, expr: &Expr) {
        let (Some(divisor), Expr::Op { op: Op::Mul, args, .. }) = (&self.divisor, expr) else { return };
        let is_inverse = |o: &Operand| o.as_var() == Some(divisor.inverse);
        let other = match (is_inverse(&args[0]), is_inverse(&args[1])) {
            (false, true) => &args[0],
            (true, false) => &args[1],
            _ => return,
        };
        if is_constant(other) {
            self.ratios.insert(var, other.clone());
        }
    }

    fn expression(&mut self, expr: &Expr, out: &mut Vec<Stmt>) -> Parts {
        let (op, args) = match expr {
            Expr::Operand(o) => return self.parts(o),
            Expr::Op { op, args, .. } => (op, args),
            _ => return Parts::default(),
        };
        let of: Vec<Parts> = args.iter().map(|o| self.parts(o)).collect();
        match (op, &of[..]) {
            (Op::Neg, [a]) => a.clone().map(|s| s.map(Partial::negated)),
            (Op::Add, [a, b]) => self.added(a, b, out),
            (Op::Sub, [a, b]) => self.added(a, &b.clone().map(|s| s.map(Partial::negated)), out),
            (Op::Mul | Op::StrongMul(_), [a, b]) => match a.iter().any(Option::is_some) {
                true => self.multiplied(op, a, &args[1], out),
                false => self.multiplied(op, b, &args[0], out),
            },
            (Op::Div, [a, _]) => a.clone().map(|s| s.map(|s| self.scaled(s, Op::Div, &args[1], out))),
            _ => Parts::default(),
        }
    }

    /// By another value: with the inverse among its factors, what was plain is over the divisor.
    fn multiplied(&mut self, op: &Op, parts: &Parts, value: &Operand, out: &mut Vec<Stmt>) -> Parts {
        let factor = value.as_var().and_then(|v| match &self.divisor {
            Some(divisor) if divisor.inverse == v => Some(None),
            _ => self.ratios.get(&v).cloned().map(Some),
        });
        match (factor, parts) {
            (Some(None), [Some(plain), None]) => [None, Some(plain.clone())],
            (Some(Some(other)), [Some(plain), None]) => [None, Some(self.scaled(plain.clone(), Op::Mul, &other, out))],
            _ => parts.clone().map(|s| s.map(|s| self.scaled(s, op.clone(), value, out))),
        }
    }

    fn assign(
        &mut self,
        place: Place,
        op: Assign,
        (value, span): (Operand, Span),
        guard: Option<ParamSet>,
        out: &mut Vec<Stmt>,
    ) {
        let parts = self.parts(&value);
        let signed = |parts: Parts| if op == Assign::Sub { parts.map(|s| s.map(Partial::negated)) } else { parts };
        if let Some(before) = self.of.get(&place.root).cloned().filter(|_| place.path.is_empty()) {
            let new = if op == Assign::Set { parts } else { self.added(&before, &signed(parts), out) };
            self.of.insert(place.root, new);
        } else if value.as_var().is_some_and(|v| self.of.contains_key(&v)) && parts.iter().all(Option::is_none) {
            // a cotangent that was cleared before: it adds nothing
        } else if parts.iter().all(Option::is_none) {
            out.extend(guarded(guard, vec![Stmt::Assign { place, op, value, span }]));
        } else if !place.path.is_empty() {
            let sums = self.sum(&place, op, parts, span, out);
            out.extend(guarded(guard, sums));
        } else {
            self.add_to_sum(place.root, guard, signed(parts), out);
        }
    }

    /// Adds to a sum that is made after the statements.
    fn add_to_sum(&mut self, root: Var, guard: Option<ParamSet>, parts: Parts, out: &mut Vec<Stmt>) {
        match self.sums.iter().position(|(of, on, _)| (*of, *on) == (root, guard)) {
            None => self.sums.push((root, guard, parts)),
            Some(at) => {
                let before = self.sums[at].2.clone();
                self.sums[at].2 = self.added(&before, &parts, out);
            }
        }
    }

    /// What is added to a cotangent from outside; `out` comes before.
    fn sum(&mut self, place: &Place, op: Assign, parts: Parts, span: Span, out: &mut Vec<Stmt>) -> Vec<Stmt> {
        let of = [Some(self.carried), self.divisor.as_ref().map(|d| d.over)];
        let mut sums = Vec::new();
        for (partial, of) in parts.into_iter().zip(of) {
            let (Some(partial), Some(of)) = (partial, of) else { continue };
            let op = if (op == Assign::Sub) != partial.minus { Assign::Sub } else { Assign::Add };
            let value = self.product(of, &Partial { minus: false, ..partial }, out);
            sums.push(Stmt::Assign { place: place.clone(), op, value, span });
        }
        sums
    }

    /// Both parts as one, so that the next iteration waits for a single product.
    fn whole(&mut self, [plain, over]: Parts, out: &mut Vec<Stmt>) -> Partial {
        let inverse = self.divisor.as_ref().map(|d| Operand::var(d.inverse));
        let over = over.zip(inverse).map(|(partial, inverse)| self.scaled(partial, Op::Mul, &inverse, out));
        let none = || Partial { minus: false, by: Some(Operand::Passive(PassiveCode::literal(zero()))) };
        self.both(plain, over, out).unwrap_or_else(none)
    }

    /// Both parts as one, where multiples of the divisor cancel.
    fn cancelled(&mut self, [plain, over]: &Parts, out: &mut Vec<Stmt>) -> Option<Partial> {
        let (Some(Partial { minus, by: None }), Some(Partial { minus: over_minus, by: Some(over) }), Some(divisor)) =
            (plain, over, &self.divisor)
        else {
            return None;
        };
        let (inverse, forms) = (divisor.inverse, Forms::of(out));
        let whole = if minus == over_minus { 1 } else { -1 };
        let numerator = forms.numerator(whole, over, inverse)?;
        // the product with the inverse is there in both; the sum with the plain part is not
        if operations(&numerator) > forms.cost(over, &self.made) {
            return None;
        }
        let value = self.polynomial(&numerator, out);
        Some(self.scaled(Partial { minus: *over_minus, by: Some(value) }, Op::Mul, &Operand::var(inverse), out))
    }

    /// The statements that evaluate a polynomial.
    fn polynomial(&mut self, poly: &Poly<Var>, out: &mut Vec<Stmt>) -> Operand {
        let mut sum: Option<Partial> = None;
        for (product, n) in poly.terms() {
            let factor = proc_macro2::Literal::f64_unsuffixed(n.unsigned_abs() as f64);
            let factor = (n.abs() != 1).then(|| Operand::Passive(PassiveCode::literal(quote!(#factor))));
            let mut term = Partial { minus: n < 0, by: factor };
            for symbol in product {
                term = self.scaled(term, Op::Mul, &Operand::var(*symbol), out);
            }
            sum = self.both(sum, Some(term), out);
        }
        let Some(Partial { minus, by }) = sum else { return Operand::Passive(PassiveCode::literal(zero())) };
        let by = by.unwrap_or_else(one);
        if !minus {
            return by;
        }
        let var = self.partial();
        out.push(Stmt::Let { var, expr: Expr::Op { op: Op::Neg, args: vec![by], span: Span::call_site() } });
        Operand::var(var)
    }

    /// A cotangent times a partial derivative.
    fn product(&mut self, of: Var, partial: &Partial, out: &mut Vec<Stmt>) -> Operand {
        let product = match &partial.by {
            None => Operand::var(of),
            Some(by) => {
                let var = self.table.fresh("flow", Ty::Float, Role::Bar, Span::call_site());
                out.push(let_op(var, self.mul.clone(), Operand::var(of), by.clone()));
                Operand::var(var)
            }
        };
        if !partial.minus {
            return product;
        }
        let var = self.table.fresh("flow", Ty::Float, Role::Bar, Span::call_site());
        let expr = Expr::Op { op: Op::Neg, args: vec![product], span: Span::call_site() };
        out.push(Stmt::Let { var, expr });
        Operand::var(var)
    }

    fn parts(&self, o: &Operand) -> Parts {
        o.as_var().and_then(|v| self.of.get(&v).cloned()).unwrap_or_default()
    }

    fn added(&mut self, a: &Parts, b: &Parts, out: &mut Vec<Stmt>) -> Parts {
        [PLAIN, OVER].map(|part| self.both(a[part].clone(), b[part].clone(), out))
    }

    fn both(&mut self, a: Option<Partial>, b: Option<Partial>, out: &mut Vec<Stmt>) -> Option<Partial> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.or(b),
        };
        let value = |s: &Partial| s.by.clone().unwrap_or_else(one);
        let (op, first, second) = match (a.minus, b.minus) {
            (false, true) => (Op::Sub, &a, &b),
            (true, false) => (Op::Sub, &b, &a),
            _ => (Op::Add, &a, &b),
        };
        let var = self.partial();
        out.push(let_op(var, op, value(first), value(second)));
        Some(Partial { minus: a.minus && b.minus, by: Some(Operand::var(var)) })
    }

    fn scaled(&mut self, partial: Partial, op: Op, value: &Operand, out: &mut Vec<Stmt>) -> Partial {
        let by = match (partial.by, &op) {
            (None, Op::Mul | Op::StrongMul(_)) if is_constant(value) => value.clone(),
            (by, _) => {
                let var = self.partial();
                let by = by.unwrap_or_else(one);
                out.push(let_op(var, op, by, value.clone()));
                Operand::var(var)
            }
        };
        Partial { minus: partial.minus, by: Some(by) }
    }

    fn partial(&mut self) -> Var {
        let var = self.table.companion(self.carried, "partial", Role::Primal);
        self.made.insert(var);
        var
    }
}

const ONE: Partial = Partial { minus: false, by: None };

impl Partial {
    fn negated(self) -> Partial {
        Partial { minus: !self.minus, ..self }
    }
}

fn is_strong(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Let { expr: Expr::Op { op: Op::StrongMul(_), .. }, .. })
        || matches!(stmt, Stmt::Derived(Derived::Guard { body, .. }) if body.stmts.iter().any(is_strong))
}

/// What multiplies nothing.
fn one() -> Operand {
    Operand::Passive(PassiveCode::literal(quote!(1.0)))
}

/// What adds nothing: LLVM knows that `-0.0 + v` is `v`.
fn zero() -> TokenStream {
    quote!(-0.0)
}

/// Leaves out which of these nothing reads that is left.
fn without_unread(stmts: Vec<Stmt>, made: &Vars) -> Vec<Stmt> {
    let (mut read, mut left) = (Vars::new(), Vec::new());
    for stmt in stmts.into_iter().rev() {
        if matches!(&stmt, Stmt::Let { var, .. } if made.contains(var) && !read.contains(var)) {
            continue;
        }
        read.extend(touched(std::slice::from_ref(&stmt), &[Access::Read, Access::Shape]));
        left.push(stmt);
    }
    left.reverse();
    left
}

/// Whether an operand has the same value wherever the iteration reads it.
fn is_constant(o: &Operand) -> bool {
    match o {
        Operand::Passive(o) => o.reads.is_empty(),
        place => place.as_var().is_some(),
    }
}

fn let_op(var: Var, op: Op, a: Operand, b: Operand) -> Stmt {
    Stmt::Let { var, expr: Expr::Op { op, args: vec![a, b], span: Span::call_site() } }
}

fn guarded(on: Option<ParamSet>, stmts: Vec<Stmt>) -> Vec<Stmt> {
    match on {
        Some(on) if !stmts.is_empty() => vec![Stmt::Derived(Derived::Guard { on, body: Block { stmts } })],
        _ => stmts,
    }
}

fn set(place: Place, value: Operand) -> Stmt {
    Stmt::Assign { place, op: Assign::Set, value, span: Span::call_site() }
}
