//! What the reverse sweep can have again without keeping it: values whose reads stay as they are, elements that hold a value to the
//! end, and what is made of constants.

use crate::ad::reverse::conditions::{is_asked_again, is_had_again};
use crate::ad::reverse::induction::Counters;
use crate::analysis::tbr::{Here, Writes, is_loop};
use crate::analysis::tbr_elements::Settled;
use crate::ir::carriers::is_part;
use crate::ir::purity::is_item;
use crate::ir::visit::{Access, Vars, Visit, blocks};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};

/// What can be had again.
#[derive(Default)]
pub struct Stability {
    /// The `let`s all of whose reads are stable.
    pub lets: HashSet<Var>,
    /// Elements that hold the value of a `let` to the end.
    pub stored: HashMap<Var, Place>,
    /// Parameters and variables of loops that are never written to, and what is made of them and of constants alone.
    pub at_hand: Vars,
    /// Those of them that are references, or numbers.
    pub lent: Vars,
    /// What patterns bind of passive values that stay as they are.
    pub steady: Vars,
}

/// What can be had again, and what loops read that is not stable.
pub struct StableLets {
    pub writes: Writes,
    settled: Settled,
    pub here: Here,
    pub found: Stability,
    pub passing: HashMap<usize, Vars>,
    pub counters: Counters,
}

impl StableLets {
    pub fn of(function: &Function) -> Self {
        let (writes, settled) = (Writes::of(function), Settled::of(function));
        let (found, passing, counters) = Default::default();
        let mut walk = StableLets { writes, settled, here: Here::default(), found, passing, counters };
        walk.parameters(function);
        walk.block(&function.body);
        walk
    }

    fn parameters(&mut self, function: &Function) {
        let unwritten = |p: &&Param| matches!(p.passing, Passing::Value | Passing::Ref) && !self.writes.ever(p.var);
        for param in function.params.iter().filter(unwritten) {
            self.found.at_hand.insert(param.var);
            if param.passing == Passing::Ref {
                self.found.lent.insert(param.var);
            }
        }
    }

    /// What a statement makes available.
    fn note_at_hand(&mut self, stmt: &Stmt) {
        let Stability { at_hand, lent, .. } = &mut self.found;
        match stmt {
            Stmt::Let { var, expr: Expr::Passive(o) } => {
                lent.extend((is_part(o) || is_item(&o.tokens)).then_some(*var));
                at_hand.extend((!self.writes.ever(*var) && is_had_again(o, at_hand)).then_some(*var));
            }
            Stmt::For(on) => {
                at_hand.insert(on.var);
                lent.insert(on.var);
            }
            Stmt::Switch { scrutinee, arms } if is_asked_again(scrutinee, arms, at_hand, lent) => {
                let binds = arms.iter().flat_map(|arm| &arm.binds).filter(|v| !self.writes.ever(**v));
                binds.for_each(|v| _ = at_hand.insert(*v));
            }
            _ => {}
        }
    }

    /// What a `match` on a value that stays as it is binds.
    fn note_steady(&mut self, stmt: &Stmt) {
        let Stmt::Switch { scrutinee, arms } = stmt else { return };
        let stays = |v: &Var| self.writes.stable(*v, &self.here);
        let binds = arms.iter().flat_map(|arm| &arm.binds);
        if scrutinee.reads.iter().chain(binds.clone()).all(stays) {
            self.found.steady.extend(binds);
        }
    }

    fn note_passing(&mut self, stmt: &Stmt) {
        let (Stmt::For(For { checkpoint: Some(c), .. }) | Stmt::While { checkpoint: Some(c), .. }) = stmt else {
            return;
        };
        let (writes, here) = (&self.writes, &self.here);
        let passing = self.passing.entry(c.id).or_default();
        Visit(&mut |v, touch| {
            let stable = match touch {
                Access::Read => writes.stable(v, here),
                Access::Shape => writes.keeps_shape(v, here),
                Access::Write | Access::Define => true,
            };
            if !stable {
                passing.insert(v);
            }
        })
        .stmt(stmt);
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.here.position += 1;
            self.note_stable(stmt);
            self.note_at_hand(stmt);
            self.note_steady(stmt);
            self.note_passing(stmt);
            self.note_counters(stmt);
            let looping = is_loop(stmt);
            if looping {
                self.here.loops.push(self.here.position);
            }
            blocks(stmt).into_iter().for_each(|inner| self.block(inner));
            if looping {
                self.here.loops.pop();
            }
        }
    }

    /// A value that stays what it is, and a place that holds one.
    fn note_stable(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, expr } if !self.writes.ever(*var) && self.is_stable(expr) => {
                self.found.lets.insert(*var);
            }
            Stmt::Assign { place, op: Assign::Set, value, .. } => {
                let stays = || self.settled.written(place, &self.here) && self.has_stable_indices(place);
                let var = value.as_var().filter(|v| !self.writes.ever(*v) && stays());
                self.found.stored.extend(var.map(|var| (var, place.clone())));
            }
            _ => {}
        }
    }

    /// Whether nothing that the expression reads is written to later.
    pub fn is_stable(&self, expr: &Expr) -> bool {
        let mut stable = true;
        let mut note = |v, touch| {
            stable &= match touch {
                Access::Read => self.writes.stable(v, &self.here),
                Access::Shape => self.writes.keeps_shape(v, &self.here),
                Access::Write | Access::Define => true,
            }
        };
        let mut visit = Visit(&mut note);
        match expr {
            Expr::Operand(o) => self.operand(o, &mut visit),
            Expr::Op { args, .. } => args.iter().for_each(|o| self.operand(o, &mut visit)),
            other => visit.expr(other),
        }
        stable
    }

    fn has_stable_indices(&self, place: &Place) -> bool {
        let mut stable = true;
        place.indices(&mut |i| stable &= self.is_stable(&Expr::Passive(i.clone())));
        stable
    }

    /// An element that is settled is as good as one of an array that is never written to.
    fn operand(&self, o: &Operand, visit: &mut Visit<'_>) {
        match o {
            Operand::Place(p) if self.settled.read(p, &self.here) => p.indices(&mut |i| visit.passive_code(i)),
            other => visit.operand(other),
        }
    }
}
