//! Elements that all iterations add to: the sum is made in a variable.
//!
//! A loop that adds to `x_bar[i]` in every iteration, `i` being invariant, would load and store it each time: rustc cannot know that
//! nothing else is stored there. A variable collects the sum of the iterations, and is added once. A sum of the user's own keeps its
//! order: the variable starts with the element, and the element becomes the variable. An element is only touched if an iteration would
//! touch it: it may not exist if a condition keeps all iterations from it.
//!
//! Other elements of the array may be used in the same loop if their indices prove that they differ:
//! `for j in 0..i { a[3 * i] -= d; a[3 * j] += d }`.

use crate::analysis::disjoint::{Ends, apart};
use crate::analysis::element_accesses::{ElementAccess, element_accesses};
use crate::ir::affine::{gathered, runs};
use crate::ir::place::key;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

/// Rewrites all loops of a body, the inner ones first.
pub fn promote(table: &mut Table, block: &mut Block) {
    let ends = Ends::of(block);
    Parts { table, ends }.block(block);
}

struct Parts<'a> {
    table: &'a mut Table,
    ends: Ends,
}

impl Parts<'_> {
    fn block(&mut self, block: &mut Block) {
        block.surround(|stmt| {
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
            match stmt {
                Stmt::For(on) => self.collect(on),
                Stmt::Derived(Derived::Loop(l)) => self.collect(&mut l.on),
                _ => Default::default(),
            }
        });
    }

    /// Replaces the sums of one loop; what comes before and after it.
    fn collect(&mut self, on: &mut For) -> (Vec<Stmt>, Vec<Stmt>) {
        let sums = self.sums(on);
        let (mut before, mut after, mut made) = (Vec::new(), Vec::new(), BTreeMap::new());
        replace(self.table, &mut on.body, &sums, (None, None), &mut made);
        let iterations = runs(&on.lo, &on.hi, on.inclusive);
        for part in made.into_values() {
            let own = self.table.role(part.place.root) == Role::Primal;
            let cond = || both(Some(&iterations), part.cond.as_ref());
            let first = if own { Expr::If { cond: cond(), place: part.place.clone() } } else { Expr::Zero };
            before.push(Stmt::Let { var: part.var, expr: first });
            after.push(part.given_back(if own { Assign::Set } else { Assign::Add }));
        }
        if after.is_empty() {
            return (before, after);
        }
        let after = Stmt::If { cond: iterations, then: Block { stmts: after }, els: Block::default() };
        (before, vec![after])
    }

    /// The fixed elements that a loop adds to, of arrays with which it does nothing else, or nothing with these elements.
    fn sums(&self, on: &For) -> BTreeSet<String> {
        let mut inside = touched(&on.body.stmts, &[Access::Define, Access::Write]);
        inside.insert(on.var);
        let mut sums: BTreeMap<Var, (usize, BTreeMap<String, Place>)> = BTreeMap::new();
        each_sum(&on.body, &inside, &mut |place, value| {
            if !place.path.is_empty() && is_fixed(place, &inside) && !reads(value, place.root) {
                let (count, places) = sums.entry(place.root).or_default();
                *count += 1;
                places.insert(key(place), place.clone());
            }
        });
        sums.retain(|root, (count, places)| self.is_promoted(on, *root, *count, &places.values().collect::<Vec<_>>()));
        sums.into_values().flat_map(|(_, places)| places.into_keys()).collect()
    }

    /// Whether a loop does nothing with these elements but to add to them so many times. It uses no other element of a cotangent, or none
    /// that may be one of these.
    fn is_promoted(&self, on: &For, root: Var, count: usize, fixed: &[&Place]) -> bool {
        let Some(all) = element_accesses(&on.body, root) else { return false };
        let is_fixed = |access: &&ElementAccess| fixed.iter().any(|f| key(f) == key(&access.place));
        let (own, others): (Vec<&ElementAccess>, Vec<&ElementAccess>) = all.iter().partition(is_fixed);
        let apart_from = |place: &Place| fixed.iter().all(|f| self.ends.outside(self.table, on, f, place));
        let is_number = || crate::ir::place::element(self.table.ty(root), &fixed[0].path) == Ty::Float;
        let several = || fixed.iter().enumerate().any(|(k, a)| fixed[..k].iter().any(|b| !apart(a, b)));
        let of_the_user = self.table.role(root) == Role::Primal;
        own.len() == count
            && match others.is_empty() {
                true => !of_the_user,
                false => is_number() && others.iter().all(|a| apart_from(&a.place)) && !(of_the_user && several()),
            }
    }
}

/// The variable of a sum, the element that it belongs to, and the guard and the condition that all additions stand under.
struct Part {
    var: Var,
    place: Place,
    on: Option<ParamSet>,
    cond: Option<PassiveCode>,
}

/// Under what an addition stands.
type Under = (Option<ParamSet>, Option<PassiveCode>);

impl Part {
    /// What it comes to, after the loop.
    fn given_back(self, op: Assign) -> Stmt {
        let Part { var, place, on, cond } = self;
        let stmt = Stmt::Assign { place, op, value: Operand::var(var), span: proc_macro2::Span::call_site() };
        let stmt = match on {
            Some(on) => Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![stmt] } }),
            None => stmt,
        };
        match cond {
            Some(cond) => Stmt::If { cond, then: Block { stmts: vec![stmt] }, els: Block::default() },
            None => stmt,
        }
    }

    /// It is added to in one more place.
    fn also(&mut self, guard: Option<ParamSet>, cond: Option<&PassiveCode>) {
        self.on = self.on.zip(guard).map(|(one, other)| one.or(other));
        self.cond = self.cond.take().zip(cond).map(|(one, other)| either(one, other));
    }
}

fn replace(
    table: &mut Table,
    block: &mut Block,
    sums: &BTreeSet<String>,
    (guard, cond): Under,
    made: &mut BTreeMap<String, Part>,
) {
    for stmt in &mut block.stmts {
        if let Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } = stmt
            && let key = key(place)
            && sums.contains(&key)
        {
            let part = made.entry(key).or_insert_with(|| {
                let var = table.companion(place.root, "part", table.role(place.root));
                table.retype(var, Ty::Float);
                Part { var, place: place.clone(), on: guard, cond: cond.clone() }
            });
            part.also(guard, cond.as_ref());
            *place = Place::var(part.var);
        }
        let under = match stmt {
            Stmt::Derived(Derived::Guard { on, .. }) => (Some(*on), cond.clone()),
            Stmt::If { cond: inner, .. } => (guard, Some(both(cond.as_ref(), Some(inner)))),
            _ => (guard, cond.clone()),
        };
        blocks_mut(stmt).into_iter().for_each(|inner| replace(table, inner, sums, under.clone(), made));
    }
}

fn either(one: PassiveCode, other: &PassiveCode) -> PassiveCode {
    let (a, b) = (&one.tokens, &other.tokens);
    match a.to_string() == b.to_string() {
        true => one,
        false => gathered(quote!((#a) || (#b)), [&one, other].into_iter(), one.span),
    }
}

fn both(one: Option<&PassiveCode>, other: Option<&PassiveCode>) -> PassiveCode {
    match (one, other) {
        (Some(one), Some(other)) => {
            let (a, b) = (&one.tokens, &other.tokens);
            gathered(quote!((#a) && (#b)), [one, other].into_iter(), one.span)
        }
        (one, other) => one.or(other).cloned().unwrap_or_else(|| PassiveCode::literal(quote!(true))),
    }
}

/// Every `place += value` and `place -= value` that each iteration does, or that a condition decides which is the same in all iterations.
fn each_sum(block: &Block, inside: &Vars, f: &mut dyn FnMut(&Place, &Operand)) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } => f(place, value),
            Stmt::If { cond, then, .. } if !cond.depends_on(inside) => each_sum(then, inside, f),
            Stmt::Derived(Derived::Guard { body, .. }) => each_sum(body, inside, f),
            _ => {}
        }
    }
}

fn is_fixed(place: &Place, inside: &Vars) -> bool {
    let mut fixed = !place.path.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..) | Proj::Deref));
    place.indices(&mut |o| fixed &= !o.depends_on(inside));
    fixed && matches!(place.path.last(), Some(Proj::Index(_)))
}

fn reads(value: &Operand, root: Var) -> bool {
    matches!(value, Operand::Place(p) if p.root == root)
}
