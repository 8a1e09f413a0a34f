//! First-touch initialisation (Tapenade): the first addition to each element of a cotangent matrix becomes an assignment.
//!
//! `for i in 0..n { for j in 0..w { a_bar[w * i + j] += f } }` reaches every element of the first `n` rows once. If the callee initialises
//! the parameter's cotangent, each element gets its first value there, and only the elements behind these rows are cleared. A matrix
//! that is larger than the cache then passes through it once instead of twice.
//! ([`rotating_scalars`](crate::opt::access::rotating_scalars) does the same in single loops.)
//!
//! The rule by which it is legal:
//!
//! - The nest is the first statement to touch the cotangent, and one statement of its innermost loop is the only one in it.
//! - That statement runs in every iteration, and adds to the element `w * i + j`, or `j` of the row from `w * i` on.
//! - The inner loop has `w` iterations, and `w` is the same in all of them: a number, a name, or a length.

use crate::analysis::tbr::reshaped;
use crate::ir::affine::polynomial::Poly;
use crate::ir::affine::{atom, end_or};
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, blocks, replaced, touched, touches};
use crate::ir::*;
use std::collections::BTreeMap;

/// Rewrites the first nests of a body that these cotangents of parameters are in.
pub fn first_touch(table: &Table, body: &mut Block, bars: impl Iterator<Item = Var>) {
    let mut bars: Vec<Var> = bars.filter(|bar| is_list(table.ty(*bar))).collect();
    bars.sort();
    for bar in bars {
        let Some(at) = body.stmts.iter().position(|s| touches(s, bar)) else { continue };
        let begun = Known::of(table, body).first_touch(&body.stmts[at], bar);
        body.stmts.splice(at..at + usize::from(begun.is_some()), begun.into_iter().flatten());
    }
}

fn is_list(ty: &Ty) -> bool {
    matches!(ty, Ty::Slice(element) if **element == Ty::Float)
}

/// What indices are made of.
struct Known<'a> {
    table: &'a Table,
    /// Names that are given a value once.
    lets: BTreeMap<Var, &'a PassiveCode>,
    written: Vars,
    reshaped: Vars,
}

impl<'a> Known<'a> {
    fn of(table: &'a Table, body: &'a Block) -> Self {
        let (written, reshaped) = (touched(&body.stmts, &[Access::Write]), reshaped(&body.stmts));
        let mut known = Known { table, lets: BTreeMap::new(), written, reshaped };
        known.learn(body);
        known
    }

    fn learn(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt
                && repeatable(o)
            {
                let known = *self.lets.entry(*var).or_insert(o);
                if known.tokens.to_string() != o.tokens.to_string() {
                    self.written.insert(*var);
                }
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    /// What a nest becomes, if it sets the elements of `bar`.
    fn first_touch(&self, stmt: &Stmt, bar: Var) -> Option<Vec<Stmt>> {
        let mut stmt = stmt.clone();
        let outer = plain(&mut stmt)?;
        let inside = touched(&outer.body.stmts, &[Access::Define]);
        let (row, lo, hi) = (outer.var, outer.lo.clone(), outer.hi.clone());
        let inner = plain(only(&mut outer.body, bar)?)?;
        let (column, iterations) = (inner.var, inner.hi.clone());
        let Stmt::Assign { place, op: op @ Assign::Add, value, .. } = only_sum(&mut inner.body, bar)? else {
            return None;
        };
        if matches!(value, Operand::Place(p) if p.root == bar) {
            return None;
        }
        let (width, rest) = self.element(place, column)?.split(row);
        let all = rest == Poly::symbol(column) && !width.symbols().contains(&column);
        let fixed = width.symbols().iter().all(|v| !inside.contains(v) && !self.written.contains(v));
        if !all || !fixed || !self.measures(&iterations, &width) {
            return None;
        }
        let start = start(place)?;
        if start.reads.iter().any(|v| inside.contains(v)) {
            return None;
        }
        *op = Assign::Begin(bar);
        let end = self.put(self.put(start, row, &hi), column, &PassiveCode::literal(quote::quote!(0)));
        let end = end_or(&lo, &hi, &end, &lo);
        Some(vec![Stmt::Derived(Derived::Fresh { bar, lo, hi: end }), stmt])
    }

    /// Where an element is in the array, as a polynomial.
    fn element(&self, place: &Place, column: Var) -> Option<Poly<Var>> {
        match &place.path[..] {
            [Proj::Index(index)] => self.number(index),
            [Proj::Range(start, _), Proj::Index(index)] => {
                let start = start.as_ref().map_or(Some(Poly::number(0)), |start| self.number(start))?;
                let along = self.number(index)?;
                (along == Poly::symbol(column)).then(|| start.add(&along))
            }
            _ => None,
        }
    }

    /// Whether a number is this one: it, or the least of several lengths that all are.
    fn measures(&self, o: &PassiveCode, width: &Poly<Var>) -> bool {
        syn::parse2(o.tokens.clone()).is_ok_and(|e| self.is(&e, o, width))
    }

    fn is(&self, e: &syn::Expr, o: &PassiveCode, width: &Poly<Var>) -> bool {
        match e {
            syn::Expr::Paren(inner) => self.is(&inner.expr, o, width),
            syn::Expr::MethodCall(call) if call.method == "min" && call.args.len() == 1 => {
                self.is(&call.receiver, o, width) && self.is(&call.args[0], o, width)
            }
            syn::Expr::MethodCall(call) if call.method == "len" => self.is_length(call, o, width),
            e => match self.polynomial(e, o) {
                Some(number) if number == *width => true,
                Some(number) => self.named(&number).is_some_and(|value| self.measures(value, width)),
                None => false,
            },
        }
    }

    /// Whether a length is that of a part so wide, or a name for the same length.
    fn is_length(&self, call: &syn::ExprMethodCall, o: &PassiveCode, width: &Poly<Var>) -> bool {
        if let syn::Expr::Index(syn::ExprIndex { index, .. }) = &*call.receiver {
            let syn::Expr::Range(range) = &**index else { return false };
            let (Some(start), Some(end)) = (&range.start, &range.end) else { return false };
            let half_open = matches!(range.limits, syn::RangeLimits::HalfOpen(_));
            let ends = self.polynomial(start, o).zip(self.polynomial(end, o));
            return half_open && ends.is_some_and(|(start, end)| end.sub(&start) == *width);
        }
        width.symbols().first().is_some_and(|v| {
            let text = quote::quote!(#call).to_string();
            let same = self.named(&Poly::symbol(*v)).is_some_and(|length| length.tokens.to_string() == text);
            same && *width == Poly::symbol(*v) && !o.shapes.iter().any(|x| self.reshaped.contains(x))
        })
    }

    /// What a name stands for.
    fn named(&self, number: &Poly<Var>) -> Option<&'a PassiveCode> {
        let var = *number.symbols().first()?;
        let one = *number == Poly::symbol(var) && !self.written.contains(&var);
        one.then(|| self.lets.get(&var).copied()).flatten()
    }

    fn number(&self, o: &PassiveCode) -> Option<Poly<Var>> {
        self.polynomial(&syn::parse2(o.tokens.clone()).ok()?, o)
    }

    fn polynomial(&self, e: &syn::Expr, o: &PassiveCode) -> Option<Poly<Var>> {
        Poly::of(e, &mut |name| {
            let var = o.reads.iter().copied().find(|v| self.table.info(*v).name == name)?;
            (!self.written.contains(&var)).then(|| Poly::symbol(var))
        })
    }

    /// The same tokens with a number in place of a name.
    fn put(&self, mut o: PassiveCode, var: Var, by: &PassiveCode) -> PassiveCode {
        let (name, with) = (self.table.info(var).name.to_string(), atom(by));
        o.tokens = replaced(o.tokens, &name, &|_| with.clone());
        o.reads.retain(|v| *v != var);
        o.reads.extend(&by.reads);
        o.shapes.extend(&by.shapes);
        o
    }
}

/// Where the row of an element begins; or its index, of which the column's variable is to be taken out.
fn start(place: &Place) -> Option<PassiveCode> {
    match &place.path[..] {
        [Proj::Range(Some(start), _), _] | [Proj::Index(start)] => Some(start.clone()),
        _ => None,
    }
}

/// A loop over a whole range from zero on, one by one.
fn plain(stmt: &mut Stmt) -> Option<&mut For> {
    let on = match stmt {
        Stmt::For(on) => on,
        Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() => &mut l.on,
        _ => return None,
    };
    let whole = on.lo.tokens.to_string() == "0" && on.step.is_none() && on.until.is_none() && !on.inclusive;
    whole.then_some(on)
}

/// The only statement of a block that touches `var`.
fn only(block: &mut Block, var: Var) -> Option<&mut Stmt> {
    let mut found = block.stmts.iter_mut().filter(|s| touches(s, var));
    found.next().filter(|_| found.next().is_none())
}

/// The only statement that adds to `bar`, perhaps under a guard.
fn only_sum(body: &mut Block, bar: Var) -> Option<&mut Stmt> {
    match only(body, bar)? {
        Stmt::Derived(Derived::Guard { body, .. }) => only(body, bar),
        sum => Some(sum),
    }
}
