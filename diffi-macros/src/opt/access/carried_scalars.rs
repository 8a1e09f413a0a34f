//! Scalar replacement of loop-carried elements (Callahan, Carr & Kennedy 1990): an element stays in a variable until the next iteration reads it.
//!
//! `for i in 1..n { c[i] = upper[i] / (diagonal[i] - lower[i] * c[i - 1]) }` waits in every iteration for the store of the one before.
//! If the iteration also stores elsewhere, as one that fills a tape frame does, LLVM does not know that the element is unchanged.
//! The pass loads the element once, before the loop, and carries it in a variable from then on.

use crate::ir::affine::{offset, runs, shifted};
use crate::ir::symbols::Table;
use crate::ir::visit::places::{each_place, each_place_mut};
use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::Span;

/// Rewrites all loops of a body.
pub fn carried_scalars(table: &mut Table, block: &mut Block) {
    block.surround(|stmt| {
        blocks_mut(stmt).into_iter().for_each(|inner| carried_scalars(table, inner));
        let before = match stmt {
            Stmt::For(on) => handed_on(table, on),
            Stmt::Derived(Derived::Loop(l)) if l.iterations.is_none() => {
                let before = handed_on(table, &mut l.on);
                opened(l, !before.is_empty()).into_iter().chain(before).collect()
            }
            _ => Vec::new(),
        };
        (before, Vec::new())
    });
}

/// The memory for the records of a loop is taken before the first elements are loaded: what is loaded before a stack may have to grow,
/// LLVM leaves in memory, and every iteration would find it there.
fn opened(l: &mut Loop, hands_on: bool) -> Option<Stmt> {
    if !hands_on || l.record.is_none() || l.sweep != LoopSweep::Primal {
        return None;
    }
    l.opened = true;
    let on = For { body: Block::default(), ..l.on.clone() };
    Some(Stmt::Derived(Derived::FrameBlock(Box::new(Loop { on, ..l.clone() }))))
}

/// Hands on what it can; what comes before the loop.
fn handed_on(table: &mut Table, on: &mut For) -> Vec<Stmt> {
    if on.step.is_some() || on.down && on.inclusive {
        return Vec::new();
    }
    let set = on.body.stmts.iter().filter_map(|s| match s {
        Stmt::Assign { place, .. } => Some(place.root),
        _ => None,
    });
    let roots: Vars = set.collect();
    roots.into_iter().filter_map(|root| Recurrence::of(table, on, root)?.apply(table, on)).collect()
}

/// An array whose elements are set one by one, and read by the next iteration.
struct Recurrence {
    root: Var,
    /// The one statement that sets an element.
    at: usize,
    /// How far what is read lies from the loop's variable.
    read: i64,
}

impl Recurrence {
    fn of(table: &Table, on: &For, root: Var) -> Option<Self> {
        let name = table.info(on.var).name.to_string();
        let stmts = &on.body.stmts;
        let sets = |s: &Stmt| matches!(s, Stmt::Assign { place, .. } if place.root == root);
        let at = stmts.iter().position(sets)?;
        let Stmt::Assign { place, .. } = &stmts[at] else { return None };
        let float = crate::ir::place::element(table.ty(root), &place.path) == Ty::Float;
        let read = element(&name, place)? + if on.down { 1 } else { -1 };
        let mut by_element = Uses { root, name: &name, count: 0, writes: 0 };
        by_element.block(&on.body);
        let mut count = 0;
        Visit(&mut |v, touch| count += usize::from(v == root && touch != Access::Shape)).block(&on.body);
        let reads = |s: &Stmt| {
            let mut found = false;
            each_place(s, &mut |p, written| {
                found |= !written && p.root == root && element(&name, p) == Some(read);
            });
            found
        };
        let fits = float && !table.is_cell(root) && by_element.count == count && by_element.writes == 1;
        (fits && stmts.iter().any(reads)).then_some(Recurrence { root, at, read })
    }

    /// Puts a variable in place of what is read; how it begins.
    fn apply(self, table: &mut Table, on: &mut For) -> Option<Stmt> {
        let name = table.info(on.var).name.to_string();
        let mut number = |hint| {
            let var = table.companion(self.root, hint, table.role(self.root));
            table.retype(var, Ty::Float);
            var
        };
        let (last, made) = (number("last"), number("made"));
        self.rename(&mut on.body, &name, last);
        let made = self.made(&mut on.body, made);
        on.body.stmts.push(set(Place::var(last), made));
        let (first, back) = if on.down { (&on.hi, -1) } else { (&on.lo, 0) };
        let place = Place { root: self.root, path: vec![Proj::Index(shifted(first, self.read + back))] };
        let first = Expr::If { cond: runs(&on.lo, &on.hi, on.inclusive), place };
        Some(Stmt::Let { var: last, expr: first })
    }

    fn rename(&self, block: &mut Block, name: &str, last: Var) {
        for stmt in &mut block.stmts {
            each_place_mut(stmt, &mut |place| {
                if place.root == self.root && element(name, place) == Some(self.read) {
                    *place = Place::var(last);
                }
            });
            blocks_mut(stmt).into_iter().for_each(|inner| self.rename(inner, name, last));
        }
    }

    /// The variable that holds what the iteration sets: the one that it is set to, if that stays as it is, or else a new one.
    fn made(&self, body: &mut Block, made: Var) -> Var {
        let written = touched(&body.stmts, &[Access::Write]);
        let Stmt::Assign { place, op, value, span } = body.stmts[self.at].clone() else { return made };
        if op == Assign::Set
            && let Some(var) = value.as_var().filter(|v| !written.contains(v))
        {
            return var;
        }
        let new = match op {
            Assign::Set => vec![Stmt::Let { var: made, expr: Expr::Operand(value) }],
            Assign::Add | Assign::Sub | Assign::Begin(_) => vec![
                Stmt::Let { var: made, expr: Expr::Operand(Operand::Place(place.clone())) },
                Stmt::Assign { place: Place::var(made), op, value, span },
            ],
        };
        body.stmts.splice(self.at..=self.at, new.into_iter().chain([set(place, made)]));
        made
    }
}

/// How a loop uses an array, element by element.
struct Uses<'a> {
    root: Var,
    name: &'a str,
    count: usize,
    writes: usize,
}

impl Uses<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            each_place(stmt, &mut |place, written| {
                if place.root == self.root && element(self.name, place).is_some() {
                    self.count += 1;
                    self.writes += usize::from(written);
                }
            });
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
        }
    }
}

/// How far an element lies from the one at the variable of that name.
fn element(name: &str, place: &Place) -> Option<i64> {
    match &place.path[..] {
        [Proj::Index(index)] => offset(name, index),
        _ => None,
    }
}

fn set(place: Place, var: Var) -> Stmt {
    Stmt::Assign { place, op: Assign::Set, value: Operand::var(var), span: Span::call_site() }
}
