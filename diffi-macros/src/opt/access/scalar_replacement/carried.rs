//! Elements that an iteration sets and the next one reads: they are carried in a variable.
//!
//! `for i in 1..n { c[i] = upper[i] / (diagonal[i] - lower[i] * c[i - 1]) }` waits in every iteration for the store of the one before.
//! If the iteration also stores elsewhere, as one that fills a tape frame does, LLVM does not know that the element is unchanged.
//! The element is loaded once, before the loop, and carried in a variable from then on.

use crate::analysis::element_accesses::element_accesses;
use crate::ir::affine::{offset, runs, shifted};
use crate::ir::symbols::Table;
use crate::ir::visit::places::{each_place, each_place_mut};
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::Span;

/// Rewrites all loops of a body.
pub fn carry(table: &mut Table, block: &mut Block) {
    block.surround(|stmt| {
        blocks_mut(stmt).into_iter().for_each(|inner| carry(table, inner));
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

/// The memory for the frames of a loop is taken before the first elements are loaded: what is loaded before a stack may have to grow,
/// LLVM leaves in memory, and every iteration would find it there.
fn opened(l: &mut Loop, hands_on: bool) -> Option<Stmt> {
    if !hands_on || l.frame.is_none() || l.sweep != LoopSweep::Primal {
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
        let accesses = element_accesses(&on.body, root)?;
        let by_number = accesses.iter().all(|a| element(&name, &a.place).is_some());
        let set_once = accesses.iter().filter(|a| a.written).count() == 1;
        let fits = float && !table.is_cell(root) && by_number && set_once;
        // a branch may keep an iteration from an element that does not exist
        let mut is_read = false;
        stmts.iter().for_each(|s| {
            each_place(s, &mut |p, written| is_read |= !written && p.root == root && element(&name, p) == Some(read));
        });
        (fits && is_read).then_some(Recurrence { root, at, read })
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
