//! Sums into one element of a shadow are made in a variable.
//!
//! A loop that adds to `x_bar[i]` in every trip, `i` being fixed, would load and store it each
//! time: rustc cannot know that nothing else is stored there. The sum of the trips is collected
//! beside it and added once. Shadows only: the user's own sums keep their order. An element is only
//! touched afterwards if a trip would have: it may not exist where a condition keeps all trips from it.

use crate::ir::*;
use crate::table::{Role, Table};
use crate::walk::{Touch, Vars, Visit, blocks_mut, touched};
use quote::quote;
use std::collections::BTreeMap;

/// Rewrites all loops of a block, the inner ones first.
pub fn parts(table: &mut Table, block: &mut Block) {
    block.surround(|stmt| {
        blocks_mut(stmt).into_iter().for_each(|inner| parts(table, inner));
        match stmt {
            Stmt::For(on) => collect(table, on),
            Stmt::Derived(Derived::Loop(l)) => collect(table, &mut l.on),
            _ => Default::default(),
        }
    });
}

/// Replaces the sums of one loop; what comes before and after it.
fn collect(table: &mut Table, on: &mut For) -> (Vec<Stmt>, Vec<Stmt>) {
    let mut inside = touched(&on.body.stmts, &[Touch::Define, Touch::Write]);
    inside.insert(on.var);
    let mut uses: BTreeMap<Var, usize> = BTreeMap::new();
    Visit(&mut |v, _| *uses.entry(v).or_default() += 1).block(&on.body);
    let mut sums: BTreeMap<Var, usize> = BTreeMap::new();
    each_sum(&on.body, &inside, &mut |place, value| {
        let wanted = table.role(place.root) != Role::Primal && !place.path.is_empty();
        if wanted && is_fixed(place, &inside) && !reads(value, place.root) {
            *sums.entry(place.root).or_default() += 1;
        }
    });
    let roots: Vars = sums.into_iter().filter(|(root, count)| uses[root] == *count).map(|(root, _)| root).collect();
    let (mut before, mut after, mut made) = (Vec::new(), Vec::new(), BTreeMap::new());
    replace(table, &mut on.body, &roots, (None, None), &mut made);
    for Part { var, place, on, cond } in made.into_values() {
        before.push(Stmt::Let { var, expr: Expr::Zero });
        let span = proc_macro2::Span::call_site();
        let add = Stmt::Assign { place, op: Assign::Add, value: Operand::var(var), span };
        let add = match on {
            Some(on) => Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![add] } }),
            None => add,
        };
        after.push(match cond {
            Some(cond) => Stmt::If { cond, then: Block { stmts: vec![add] }, els: Block::default() },
            None => add,
        });
    }
    if after.is_empty() {
        return (before, after);
    }
    let after =
        Stmt::If { cond: runs(&on.lo, &on.hi, on.inclusive), then: Block { stmts: after }, els: Block::default() };
    (before, vec![after])
}

/// The variable of a sum, the element that it belongs to, and the guard and the condition that all additions stand under.
struct Part {
    var: Var,
    place: Place,
    on: Option<ParamSet>,
    cond: Option<Opaque>,
}

/// Under what an addition stands.
type Under = (Option<ParamSet>, Option<Opaque>);

fn replace(
    table: &mut Table,
    block: &mut Block,
    roots: &Vars,
    (guard, cond): Under,
    made: &mut BTreeMap<String, Part>,
) {
    for stmt in &mut block.stmts {
        if let Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } = stmt
            && roots.contains(&place.root)
        {
            let key = crate::rows::key(place);
            let part = made.entry(key).or_insert_with(|| {
                let var = table.companion(place.root, "part", table.role(place.root));
                table.retype(var, Ty::Float);
                Part { var, place: place.clone(), on: guard, cond: cond.clone() }
            });
            part.on = part.on.zip(guard).map(|(one, other)| one.or(other));
            part.cond = part.cond.take().zip(cond.as_ref()).map(|(one, other)| either(one, other));
            *place = Place::var(part.var);
        }
        let under = match stmt {
            Stmt::Derived(Derived::Guard { on, .. }) => (Some(*on), cond.clone()),
            Stmt::If { cond: inner, .. } => (guard, Some(both(cond.as_ref(), inner))),
            _ => (guard, cond.clone()),
        };
        blocks_mut(stmt).into_iter().for_each(|inner| replace(table, inner, roots, under.clone(), made));
    }
}

fn either(one: Opaque, other: &Opaque) -> Opaque {
    let (a, b) = (&one.tokens, &other.tokens);
    match a.to_string() == b.to_string() {
        true => one,
        false => joined(&one, other, quote!((#a) || (#b))),
    }
}

fn both(one: Option<&Opaque>, other: &Opaque) -> Opaque {
    let Some(one) = one else { return other.clone() };
    let (a, b) = (&one.tokens, &other.tokens);
    joined(one, other, quote!((#a) && (#b)))
}

fn joined(one: &Opaque, other: &Opaque, tokens: proc_macro2::TokenStream) -> Opaque {
    let mut all = Opaque { tokens, ..one.clone() };
    all.reads.extend(&other.reads);
    all.shapes.extend(&other.shapes);
    all
}

/// Every `place += value` and `place -= value` that each trip does, or that a condition decides which is the same in all trips.
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

/// Whether the loop has a trip at all.
pub fn runs(lo: &Opaque, hi: &Opaque, inclusive: bool) -> Opaque {
    let (a, b) = (&lo.tokens, &hi.tokens);
    joined(lo, hi, if inclusive { quote!((#a) <= (#b)) } else { quote!((#a) < (#b)) })
}
