//! Allocation hoisting: local vectors take their memory from the workspace, before the loops that use them.
//!
//! Owned vectors of floats come from the workspace and go back to it when their life ends. A vector whose last reader puts it on the tape
//! stays there. A loop that would take and give back a vector in every iteration takes it before the loop, and uses it again.

use crate::analysis::activity::Activity;
use crate::ir::plain_places::copied_place;
use crate::ir::purity::cannot_fail;
use crate::ir::symbols::{Table, is_nested};
use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, loop_body, touched, touches};
use crate::ir::*;

/// Gives vectors back, and takes them out of loops.
pub fn hoist_allocation(table: &Table, activity: &Activity, block: &mut Block, results: &[&Output]) {
    let mut kept = Vars::new();
    for result in results {
        Visit(&mut |v, _| {
            kept.insert(v);
        })
        .out(result);
    }
    let mut buffers = Buffers { table, activity, kept, late: Vars::new() };
    note_late(block, &mut buffers.late);
    buffers.block(block);
}

/// Variables that get their first value after their declaration.
fn note_late(block: &Block, late: &mut Vars) {
    for stmt in &block.stmts {
        if let Stmt::Declare { var } = stmt {
            late.insert(*var);
        }
        blocks(stmt).into_iter().for_each(|inner| note_late(inner, late));
    }
}

struct Buffers<'a> {
    table: &'a Table,
    activity: &'a Activity,
    /// Variables that leave the function.
    kept: Vars,
    /// Variables that are declared without a value.
    late: Vars,
}

impl Buffers<'_> {
    fn block(&self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|stmt| self.copied(stmt));
        self.taken_over(&mut block.stmts);
        block.surround(|stmt| self.stmt(stmt));
        let released: Vars = block.stmts.iter().filter_map(release).collect();
        let mut taken: Vec<Var> = block.stmts.iter().flat_map(|s| self.takes(s)).collect();
        taken.retain(|v| !released.contains(v));
        let given = give_to_the_tape(block, &taken.iter().copied().filter(|v| self.is_vector(*v)).collect());
        taken.retain(|v| !given.contains(v));
        block.stmts.extend(taken.into_iter().map(|var| Stmt::Derived(Derived::Release { var })));
    }

    /// A copy of a vector takes its memory from the workspace, too.
    fn copied(&self, stmt: &mut Stmt) {
        if let Stmt::Let { var, expr } = stmt
            && let Expr::Operand(Operand::Place(of)) = expr
            && self.is_pooled(*var)
            && !self.table.is_ref(*var)
            && crate::ir::place::element(self.table.ty(of.root), &of.path) == *self.table.ty(*var)
        {
            *expr = Expr::ToVec(of.clone());
        }
        if let Stmt::Assign { place, op: Assign::Set, value: Operand::Place(of), .. } = stmt
            && self.is_refilled(place)
            && self.table.ty(of.root) == self.table.ty(place.root)
            && of.path.is_empty()
        {
            let with = Refill::Copy(of.clone());
            *stmt = Stmt::Derived(Derived::Refill { var: place.root, len: None, with });
        }
    }

    /// `let last = pop rows; let row = zero like ..; row += last`, where nothing reads `last` again: `let row = pop rows`.
    fn taken_over(&self, stmts: &mut Vec<Stmt>) {
        let popped = |s: &Stmt| match s {
            Stmt::Derived(Derived::Pop { var, place }) if self.is_pooled(*var) => Some((*var, place.root)),
            _ => None,
        };
        let mut at = 0;
        while at < stmts.len() {
            if let Some((last, rows)) = popped(&stmts[at])
                && let Some((zero, row)) = self.copied_from(&stmts[at + 1..], last, rows)
            {
                let mut pop = stmts.remove(at);
                if let Stmt::Derived(Derived::Pop { var, .. }) = &mut pop {
                    *var = row;
                }
                stmts[at + zero] = pop;
                stmts.remove(at + zero + 1);
            } else {
                at += 1;
            }
        }
    }

    /// Where the zeros stand to which alone something is added, and next: if nothing touches it otherwise, or its origin before.
    fn copied_from(&self, stmts: &[Stmt], last: Var, rows: Var) -> Option<(usize, Var)> {
        let used = stmts.iter().position(|s| touches(s, last))?;
        let Stmt::Derived(Derived::Acc { place, value, .. }) = &stmts[used] else { return None };
        let zero = used.checked_sub(1)?;
        let whole = place.path.is_empty() && value.path.is_empty() && value.root == last;
        let zeros = matches!(&stmts[zero], Stmt::Derived(Derived::Zero { var, .. }) if *var == place.root);
        let free =
            !stmts[..zero].iter().any(|s| touches(s, rows)) && !stmts[used + 1..].iter().any(|s| touches(s, last));
        let alike = self.table.ty(place.root) == self.table.ty(last);
        (whole && zeros && free && alike).then_some((zero, place.root))
    }

    /// Whether a place is a vector that has memory by the time it is assigned to.
    fn is_refilled(&self, place: &Place) -> bool {
        let var = place.root;
        place.path.is_empty() && self.is_pooled(var) && !self.table.is_ref(var) && !self.late.contains(&var)
    }

    fn is_vector(&self, var: Var) -> bool {
        *self.table.ty(var) == Ty::Vec(Box::new(Ty::Float))
    }

    /// A vector of floats, or of rows or arrays of them.
    fn is_pooled(&self, var: Var) -> bool {
        self.is_vector(var) || is_nested(self.table.ty(var))
    }

    /// What comes before and after a statement.
    fn stmt(&self, stmt: &mut Stmt) -> (Vec<Stmt>, Vec<Stmt>) {
        blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let own = own_variables(stmt);
        if let Some(body) = loop_body(stmt) {
            self.hoist(body, own, &mut before, &mut after);
        }
        (before, after)
    }

    /// Whether a variable that carries tangents begins as a copy of a constant.
    fn is_copy(&self, var: Var, o: &PassiveCode) -> bool {
        self.is_pooled(var) && self.activity.has_tangent(var) && copied_place(&o.tokens).is_some()
    }

    /// The vectors of floats that a statement takes from the workspace.
    fn takes(&self, stmt: &Stmt) -> Vec<Var> {
        let all: Vec<Var> = match stmt {
            Stmt::Let {
                var,
                expr: Expr::VecRepeat { .. } | Expr::VecOf(_) | Expr::VecNew(_) | Expr::Scratch { .. } | Expr::ToVec(_),
            } => vec![*var],
            Stmt::Let { var, expr: Expr::Passive(o) } if self.is_copy(*var, o) => vec![*var],
            Stmt::Derived(Derived::Zero { var, .. } | Derived::Pop { var, .. }) => vec![*var],
            Stmt::Derived(Derived::Sweep(s)) => s.results().filter(|v| !self.table.is_ref(*v)).collect(),
            Stmt::Derived(Derived::PopFrame(r)) => r
                .wholes
                .iter()
                .copied()
                .chain(r.whole_dots.iter().map(|(dot, _)| *dot))
                .filter(|v| !r.into.contains(v))
                .collect(),
            _ => vec![],
        };
        all.into_iter().filter(|v| self.is_pooled(*v) && !self.kept.contains(v)).collect()
    }

    fn hoist(&self, body: &mut Block, own: Vars, before: &mut Vec<Stmt>, after: &mut Vec<Stmt>) {
        if body.stmts.iter().all(|s| self.takes(s).is_empty()) {
            return;
        }
        let inside: Vars = &own | &touched(&body.stmts, &[Access::Define, Access::Write]);
        let reshaped = crate::analysis::tbr::reshaped(&body.stmts);
        let released: Vars = body.stmts.iter().filter_map(release).collect();
        let hoists = |v: &Var| self.is_vector(*v) && released.contains(v);
        let (mut hoisted, mut stmts) = (Vars::new(), Vec::new());
        for stmt in std::mem::take(&mut body.stmts) {
            let taken: Vars = self.takes(&stmt).into_iter().filter(hoists).collect();
            if taken.iter().any(|v| hoisted.contains(v)) {
                // the forward sweep's vector serves the reverse sweep, which restores it
                stmts.extend((!is_empty_scratch(&stmt)).then_some(stmt));
                continue;
            }
            match self.outside(&stmt, &taken, &inside, &reshaped) {
                Some((declarations, rest)) => {
                    before.extend(declarations);
                    stmts.extend(rest);
                    hoisted.extend(taken);
                }
                None => stmts.push(stmt),
            }
        }
        stmts.retain(|s| !release(s).is_some_and(|v| hoisted.contains(&v)));
        after.extend(hoisted.into_iter().map(|var| Stmt::Derived(Derived::Release { var })));
        body.stmts = stmts;
    }

    /// What goes before the loop, and what stays, if the vectors can be taken outside.
    fn outside(&self, stmt: &Stmt, taken: &Vars, inside: &Vars, reshaped: &Vars) -> Option<(Vec<Stmt>, Option<Stmt>)> {
        if taken.is_empty() {
            return None;
        }
        let fixed = |o: &PassiveCode| !o.depends_on(inside);
        let refill = |var, len, with| Some(Stmt::Derived(Derived::Refill { var, len, with }));
        let sized = |var, len: &PassiveCode, with| (vec![declared(var, len)], refill(var, Some(len.clone()), with));
        match stmt {
            Stmt::Let { var, expr: Expr::Scratch { len } } if fixed(len) => {
                let other_length = !is_empty_scratch(stmt) && (reshaped.contains(var) || !cannot_fail(len));
                let (scratch, again) = sized(*var, len, Refill::Anything);
                Some((scratch, again.filter(|_| other_length))).filter(|_| taken.contains(var))
            }
            Stmt::Let { var, expr: Expr::VecRepeat { value, len } } if fixed(len) => {
                Some(sized(*var, len, Refill::Value(value.clone())))
            }
            Stmt::Let { var, expr: Expr::ToVec(place) } => {
                Some((vec![empty(*var)], refill(*var, None, Refill::Copy(place.clone()))))
            }
            Stmt::Derived(Derived::Zero { var, like: ShapeOf::Len(len) }) if fixed(len) => {
                Some(sized(*var, len, Refill::Zero))
            }
            Stmt::Derived(Derived::PopFrame(frame)) => {
                let mut frame = frame.clone();
                frame.into.extend(taken);
                Some((taken.iter().map(|v| empty(*v)).collect(), Some(Stmt::Derived(Derived::PopFrame(frame)))))
            }
            _ => None,
        }
    }
}

/// Which of the vectors that a block takes are moved to the tape, because nothing reads them after they are kept.
fn give_to_the_tape(block: &mut Block, taken: &Vars) -> Vars {
    let mut given = Vars::new();
    for at in 0..block.stmts.len() {
        let (stmt, later) = block.stmts[at..].split_first_mut().expect("a statement");
        let Stmt::Derived(Derived::PushFrame(frame)) = stmt else { continue };
        let over = |v: &&Var| taken.contains(v) && !frame.shapes.contains(v) && !later.iter().any(|s| touches(s, **v));
        if !frame.again {
            frame.given = frame.wholes.iter().filter(over).copied().collect();
            given.extend(&frame.given);
        }
    }
    given
}

fn empty(var: Var) -> Stmt {
    Stmt::Let { var, expr: Expr::Scratch { len: PassiveCode::literal(quote::quote!(0)) } }
}

fn is_empty_scratch(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Let { expr: Expr::Scratch { len }, .. } if len.tokens.to_string() == "0")
}

fn release(stmt: &Stmt) -> Option<Var> {
    match stmt {
        Stmt::Derived(Derived::Release { var }) => Some(*var),
        _ => None,
    }
}

/// The variables that a loop gives its body.
fn own_variables(stmt: &Stmt) -> Vars {
    match stmt {
        Stmt::For(on) => Vars::from([on.var]),
        Stmt::Derived(Derived::Loop(l)) => Vars::from([l.on.var]),
        Stmt::While { prelude, .. } => touched(&prelude.stmts, &[Access::Define, Access::Write]),
        _ => Vars::new(),
    }
}

/// A vector before a loop. A loop without iterations asks for no length: one that may not be there is found in the first iteration.
fn declared(var: Var, len: &PassiveCode) -> Stmt {
    match cannot_fail(len) {
        true => Stmt::Let { var, expr: Expr::Scratch { len: len.clone() } },
        false => empty(var),
    }
}
