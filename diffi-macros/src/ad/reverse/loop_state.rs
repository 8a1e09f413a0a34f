//! What the iterations of a loop hand on to each other.

use crate::ir::purity::may_change;
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, Visit, blocks, each_passive, touched};
use crate::ir::*;

/// The outer variables that an iteration writes.
pub struct Carried {
    /// An iteration reads what was there before it.
    pub state: Vars,
    /// An iteration reads only what it has written itself.
    pub within: Vars,
    /// No iteration reads them.
    pub idle: Vars,
}

impl Carried {
    /// Of one iteration.
    pub fn of(table: &Table, iteration: &[Stmt]) -> Self {
        let own = touched(iteration, &[Access::Define]);
        let hidden = changed_unseen(table, iteration);
        let written: Vars = (&touched(iteration, &[Access::Write]) | &hidden).difference(&own).copied().collect();
        let mut reads = Reads { table, all: Vars::new(), early: Vars::new(), changed: Vars::new() };
        reads.stmts(iteration, &mut Vars::new());
        let (mut state, mut within, mut idle) = (Vars::new(), Vars::new(), Vars::new());
        for var in written {
            let scalar = matches!(table.ty(var), Ty::Float | Ty::Passive) && !table.is_ref(var);
            let set = match (reads.all.contains(&var), reads.early.contains(&var), reads.changed.contains(&var)) {
                (false, ..) => &mut idle,
                (true, false, false) if scalar => &mut within,
                _ => &mut state,
            };
            set.insert(var);
        }
        Carried { state, within, idle }
    }
}

/// Reads in program order.
struct Reads<'t> {
    table: &'t Table,
    /// What is read.
    all: Vars,
    /// Of these: what may be read before it is assigned.
    early: Vars,
    /// What is changed in part before it is assigned.
    changed: Vars,
}

impl Reads<'_> {
    fn stmts(&mut self, stmts: &[Stmt], assigned: &mut Vars) {
        stmts.iter().for_each(|s| self.stmt(s, assigned));
    }

    fn stmt(&mut self, stmt: &Stmt, assigned: &mut Vars) {
        match stmt {
            Stmt::Assign { place, op, value, .. } if self.keeps_shape(place) => {
                self.visit(assigned, |v| v.operand(value));
                place.indices(&mut |o| self.visit(assigned, |v| v.passive_code(o)));
                match (op, place.path.is_empty()) {
                    (Assign::Set, true) => {
                        assigned.insert(place.root);
                    }
                    _ => self.change(place.root, assigned),
                }
            }
            Stmt::Push { place, value, .. } => {
                self.visit(assigned, |v| v.operand(value));
                self.change(place.root, assigned);
            }
            Stmt::If { cond, then, els } => {
                self.visit(assigned, |v| v.passive_code(cond));
                self.branches([then, els].into_iter(), assigned);
            }
            Stmt::Switch { scrutinee, arms } => {
                self.visit(assigned, |v| v.passive_code(scrutinee));
                arms.iter().flat_map(|a| &a.guard).for_each(|g| self.visit(assigned, |v| v.passive_code(g)));
                self.branches(arms.iter().map(|a| &a.body), assigned);
            }
            Stmt::For(on) => {
                [&on.lo, &on.hi].into_iter().chain(&on.step).for_each(|o| self.visit(assigned, |v| v.passive_code(o)));
                self.stmts(&on.body.stmts, &mut assigned.clone());
                on.until.iter().for_each(|v| self.read(*v, assigned));
            }
            Stmt::While { prelude, cond, body, .. } => {
                self.stmts(&prelude.stmts, assigned);
                self.visit(assigned, |v| v.passive_code(cond));
                self.stmts(&body.stmts, &mut assigned.clone());
            }
            Stmt::Effect { writes, .. } => {
                self.visit(assigned, |v| v.stmt(stmt));
                writes.iter().for_each(|v| self.read(*v, assigned));
            }
            other => {
                self.visit(assigned, |v| v.stmt(other));
                touched(std::slice::from_ref(other), &[Access::Write]).iter().for_each(|v| self.read(*v, assigned));
            }
        }
    }

    fn branches<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>, assigned: &mut Vars) {
        let mut common: Option<Vars> = None;
        for block in blocks {
            let mut here = assigned.clone();
            self.stmts(&block.stmts, &mut here);
            common = Some(common.map_or(here.clone(), |c| &c & &here));
        }
        assigned.extend(common.into_iter().flatten());
    }

    fn visit(&mut self, assigned: &Vars, walk: impl Fn(&mut Visit<'_>)) {
        let mut found = Vars::new();
        let table = self.table;
        walk(&mut Visit(&mut |v, touch| match touch {
            Access::Read => {
                found.insert(v);
            }
            Access::Shape if !has_one_shape(table, v) => {
                found.insert(v);
            }
            _ => {}
        }));
        found.into_iter().for_each(|v| self.read(v, assigned));
    }

    fn read(&mut self, var: Var, assigned: &Vars) {
        self.all.insert(var);
        if !assigned.contains(&var) {
            self.early.insert(var);
        }
    }

    fn change(&mut self, var: Var, assigned: &Vars) {
        if !assigned.contains(&var) {
            self.changed.insert(var);
        }
    }

    /// Whether an assignment to the place leaves all lengths as they are.
    fn keeps_shape(&self, place: &Place) -> bool {
        let ty = crate::ir::place::element(self.table.ty(place.root), &place.path);
        matches!(ty, Ty::Float | Ty::Passive) || *self.table.ty(place.root) == Ty::Passive
    }
}

/// Slices and arrays.
fn has_one_shape(table: &Table, var: Var) -> bool {
    matches!(table.ty(var), Ty::Slice(_) | Ty::Array(_))
}

/// Passive variables that methods may change: generators, say.
fn changed_unseen(table: &Table, stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    for stmt in stmts {
        each_passive(stmt, &mut |o| {
            let unseen = |v: &&Var| table.info(**v).changes && may_change(o, &table.info(**v).name);
            found.extend(o.reads.iter().filter(|v| *table.ty(**v) == Ty::Passive).filter(unseen));
        });
        blocks(stmt).into_iter().for_each(|b| found.extend(changed_unseen(table, &b.stmts)));
    }
    found
}
