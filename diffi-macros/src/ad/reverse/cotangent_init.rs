//! Cotangents of local arrays without zeros: a loop that is the first to add to every element sets them instead.

use crate::ad::reverse::Reverse;
use crate::ir::symbols::Role;
use crate::ir::visit::{Access, blocks, blocks_mut, touched, touches};
use crate::ir::*;
use proc_macro2::Span;

impl Reverse<'_> {
    /// Makes the first loop that adds to the cotangent of `var`, an array of this length, set its elements; whether it does.
    pub fn sets_first(&mut self, stmt: &mut Stmt, var: Var, bar: Var, len: &PassiveCode) -> bool {
        let Some(on) = counted(stmt).filter(|on| self.covers(on, var, len)) else { return false };
        let mut using = on.body.stmts.iter().enumerate().filter(|(_, s)| touches(s, bar));
        let Some((at, _)) = using.next().filter(|_| using.next().is_none()) else { return false };
        let Some(stmts) = self.setting(&on.body.stmts[at], bar, on.var) else { return false };
        on.body.stmts.splice(at..=at, stmts);
        true
    }

    /// Whether a loop visits all elements.
    fn covers(&self, on: &For, var: Var, len: &PassiveCode) -> bool {
        let hi = on.hi.tokens.to_string();
        let measures = |v: &Var| self.measured.get(v) == Some(&var) && self.table.info(*v).name == hi;
        on.lo.tokens.to_string() == "0" && (hi == len.tokens.to_string() || on.hi.reads.iter().any(measures))
    }

    /// What sets an element in place of a statement that adds to it.
    fn setting(&mut self, stmt: &Stmt, bar: Var, iteration: Var) -> Option<Vec<Stmt>> {
        match stmt {
            Stmt::Assign { op: Assign::Add, .. } if self.only_adds(stmt, bar, iteration) => Some(vec![set(stmt)]),
            Stmt::Derived(Derived::Guard { on, body }) => {
                let (using, others): (Vec<&Stmt>, Vec<&Stmt>) = body.stmts.iter().partition(|s| touches(s, bar));
                let [one] = using[..] else { return None };
                let is_sum = matches!(one, Stmt::Assign { op: Assign::Add, .. }) && self.only_adds(one, bar, iteration);
                // what the guard lets through sets elements that are not read where it is closed
                let stmts: Vec<Stmt> = others.into_iter().cloned().collect();
                let read = touched(std::slice::from_ref(one), &[Access::Read]);
                let free = is_sum && touched(&stmts, &[Access::Define, Access::Write]).is_disjoint(&read);
                let rest = (!stmts.is_empty()).then(|| Derived::Guard { on: *on, body: Block { stmts } });
                free.then(|| rest.map(Stmt::Derived).into_iter().chain([set(one)]).collect())
            }
            Stmt::For(_) | Stmt::Derived(Derived::Loop(_)) => self.summing(stmt, bar, iteration),
            _ => None,
        }
    }

    /// An inner loop that makes the element's sum in a variable.
    fn summing(&mut self, stmt: &Stmt, bar: Var, iteration: Var) -> Option<Vec<Stmt>> {
        if !self.only_adds(stmt, bar, iteration) {
            return None;
        }
        let sum = self.table.companion(bar, "sum", Role::Bar);
        self.table.retype(sum, Ty::Float);
        self.activity.note(sum, self.activity.varied(bar));
        let (mut inner, mut place) = (stmt.clone(), None);
        redirect(&mut inner, bar, sum, &mut place);
        let value = Operand::var(sum);
        let last = Stmt::Assign { place: place?, op: Assign::Set, value, span: Span::call_site() };
        Some(vec![Stmt::Let { var: sum, expr: Expr::Zero }, inner, last])
    }

    fn only_adds(&self, stmt: &Stmt, bar: Var, iteration: Var) -> bool {
        match stmt {
            other if !touches(other, bar) => true,
            Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } => {
                self.is_element(place, iteration) && !matches!(value, Operand::Place(p) if p.root == bar)
            }
            Stmt::For(_) | Stmt::Derived(Derived::Loop(_) | Derived::Guard { .. }) => {
                blocks(stmt).iter().all(|b| b.stmts.iter().all(|s| self.only_adds(s, bar, iteration)))
            }
            _ => false,
        }
    }

    fn is_element(&self, place: &Place, iteration: Var) -> bool {
        matches!(&place.path[..], [Proj::Index(i)] if self.table.info(iteration).name == i.tokens.to_string())
    }
}

/// A loop over a whole range, one by one.
fn counted(stmt: &mut Stmt) -> Option<&mut For> {
    let on = match stmt {
        Stmt::For(on) => on,
        Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() => &mut l.on,
        _ => return None,
    };
    (on.step.is_none() && on.until.is_none() && !on.inclusive).then_some(on)
}

fn set(sum: &Stmt) -> Stmt {
    let mut stmt = sum.clone();
    if let Stmt::Assign { op, .. } = &mut stmt {
        *op = Assign::Set;
    }
    stmt
}

/// Adds to `sum` what is added to an element of `bar`; finds the element.
fn redirect(stmt: &mut Stmt, bar: Var, sum: Var, found: &mut Option<Place>) {
    match stmt {
        Stmt::Assign { place, .. } if place.root == bar => {
            *found = Some(std::mem::replace(place, Place::var(sum)));
        }
        other => {
            let inner = blocks_mut(other).into_iter().flat_map(|b| &mut b.stmts);
            inner.for_each(|s| redirect(s, bar, sum, found));
        }
    }
}
