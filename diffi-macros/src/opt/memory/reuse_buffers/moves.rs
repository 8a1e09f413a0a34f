//! Moves at last use: an array whose old copy nothing reads any more is moved instead of copied.
//!
//! `let x_1 = x; ..; x = y;` copies an array twice, though nothing reads `x` between the two. Loops and branches of derivative code,
//! which propagate values from iteration to iteration and store them for the reverse sweep, do this regularly. Arrays that are not moved
//! give their memory back at the end of the iteration.

use crate::ir::purity::is_mold;
use crate::ir::symbols::{Role, Table, is_known_struct, is_list_of_values};
use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, substitute, touched, touches};
use crate::ir::*;

/// Rewrites bodies over the same variables; `together`, if one has both sweeps, so that nothing of it is read later.
pub fn move_at_last_use(
    table: &Table,
    params: &[Param],
    results: &[&Output],
    together: bool,
    bodies: &mut [&mut Block],
) {
    let mut arrays = Vars::new();
    bodies.iter().for_each(|body| note_arrays(table, body, &mut arrays));
    let mut fixed: Vars = params.iter().map(|p| p.var).collect();
    results.iter().for_each(|result| Visit(&mut |v, _| _ = fixed.insert(v)).out(result));
    let all = All { table, fixed, arrays };
    for body in bodies.iter_mut() {
        inside(&all, body);
        if together {
            let own = touched(&body.stmts, &[Access::Define]);
            Here { all: &all, own }.give_back(body, &Vars::new());
        }
    }
}

/// What holds for all blocks.
struct All<'a> {
    table: &'a Table,
    /// The function's parameters, which stay what they are, and what it returns.
    fixed: Vars,
    /// Arrays of libraries, what operations and calls give, and shapes.
    arrays: Vars,
}

fn note_arrays(table: &Table, body: &Block, arrays: &mut Vars) {
    let defined = touched(&body.stmts, &[Access::Define]);
    let is_array = |ty: &Ty| *ty == Ty::Library || is_list_of_values(ty);
    arrays.extend(defined.iter().filter(|v| is_array(table.ty(**v))));
    note_results(table, body, arrays);
    let mut away = Vars::new();
    note_handed_on(body, &mut away);
    arrays.retain(|v| *table.ty(*v) != Ty::Passive || !away.contains(v));
}

/// What passive code puts into another variable.
fn note_handed_on(body: &Block, away: &mut Vars) {
    for stmt in &body.stmts {
        if let Stmt::Assign { value: Operand::Passive(o), .. } = stmt {
            away.extend(&o.reads);
        }
        blocks(stmt).into_iter().for_each(|inner| note_handed_on(inner, away));
    }
}

/// The results of rules and of called functions, their tangents and cotangents, and shapes.
fn note_results(table: &Table, body: &Block, arrays: &mut Vars) {
    for stmt in &body.stmts {
        match stmt {
            Stmt::Derived(Derived::Sweep(s)) => arrays.extend(s.results().filter(|v| *table.ty(*v) != Ty::Passive)),
            Stmt::Derived(Derived::Zero { var, like: ShapeOf::Value(_) }) => _ = arrays.insert(*var),
            Stmt::Let { var, expr: Expr::Passive(o) } if is_mold(o) => _ = arrays.insert(*var),
            stmt => arrays.extend(copied_struct(table, stmt)),
        }
        blocks(stmt).into_iter().for_each(|inner| note_results(table, inner, arrays));
    }
}

/// A struct that a statement copies.
fn copied_struct(table: &Table, stmt: &Stmt) -> Option<Var> {
    match stmt {
        Stmt::Let { var, expr: Expr::Operand(Operand::Place(_)) } => {
            Some(*var).filter(|var| table.role(*var) == Role::Primal && is_known_struct(table.ty(*var)))
        }
        _ => None,
    }
}

fn inside(all: &All<'_>, body: &mut Block) {
    for stmt in &mut body.stmts {
        match stmt {
            // what the prelude declares, the condition and the body use
            Stmt::While { prelude, body, .. } => {
                inside(all, prelude);
                block(all, body);
            }
            other => blocks_mut(other).into_iter().for_each(|inner| block(all, inner)),
        }
    }
}

fn block(all: &All<'_>, body: &mut Block) {
    inside(all, body);
    let own = touched(&body.stmts, &[Access::Define]);
    let here = Here { all, own };
    (0..body.stmts.len()).for_each(|at| here.take_shapes_of_the_copy(&mut body.stmts[at..]));
    let mut moved = Vars::new();
    for at in 0..body.stmts.len() {
        let (stmt, later) = body.stmts[at..].split_first_mut().expect("a statement");
        match stmt {
            Stmt::Let { var, expr: Expr::Operand(Operand::Place(p)) } if here.is_over(p, later) => {
                moved.insert(p.root);
                *stmt = Stmt::Derived(Derived::Move { to: *var, from: p.root, declares: true });
            }
            Stmt::Assign { place, op: Assign::Set, value: Operand::Place(p), .. }
                if here.is_array(place) && here.is_over(p, later) && place.root != p.root =>
            {
                moved.insert(p.root);
                *stmt = Stmt::Derived(Derived::Move { to: place.root, from: p.root, declares: false });
            }
            Stmt::Derived(Derived::PushFrame(frame)) if !frame.again => {
                let over = |v: &&Var| !frame.shapes.contains(v) && here.is_over(&Place::var(**v), later);
                frame.given.extend(frame.wholes.iter().filter(over).copied().collect::<Vec<Var>>());
                moved.extend(&frame.given);
            }
            _ => {}
        }
    }
    body.stmts.retain(|s| !matches!(s, Stmt::Derived(Derived::Release { var }) if moved.contains(var)));
    here.give_back(body, &moved);
}

/// Whether passive code reads the shape of an array, and nothing else of it.
fn reads_shape(o: &PassiveCode, array: Var) -> bool {
    match o.reads.contains(&array) {
        true => is_mold(o),
        false => o.shapes.contains(&array),
    }
}

/// The variables of a block.
struct Here<'a> {
    all: &'a All<'a>,
    /// Those that it declares.
    own: Vars,
}

impl Here<'_> {
    /// Shapes that are taken of what was copied are those of the copy, so that it can be moved.
    fn take_shapes_of_the_copy(&self, stmts: &mut [Stmt]) {
        let Some((copy, later)) = stmts.split_first_mut() else { return };
        let (to, from) = match copy {
            Stmt::Let { var, expr: Expr::Operand(Operand::Place(p)) } if p.path.is_empty() => (*var, p.root),
            Stmt::Assign { place, op: Assign::Set, value: Operand::Place(p), .. }
                if place.path.is_empty() && p.path.is_empty() =>
            {
                (place.root, p.root)
            }
            _ => return,
        };
        if to == from || self.all.table.is_ref(to) || !self.is_array(&Place::var(from)) {
            return;
        }
        for stmt in later {
            match stmt {
                Stmt::Let { expr: Expr::Passive(o), .. } if reads_shape(o, from) => {
                    let name = |var: Var| self.all.table.info(var).name.clone();
                    o.tokens = substitute(o.tokens.clone(), &[(name(from).to_string(), name(to))].into());
                    for read in [&mut o.reads, &mut o.shapes] {
                        if read.remove(&from) {
                            read.insert(to);
                        }
                    }
                }
                stmt if touches(stmt, from) || leaves(stmt, to) => return,
                _ => {}
            }
        }
    }

    /// A whole array, or a value of a type that only rustc knows.
    fn is_array(&self, place: &Place) -> bool {
        let array = match self.all.table.ty(place.root) {
            Ty::Library | Ty::Unknown => true,
            Ty::Passive | Ty::Tuple(_) | Ty::Struct(_) => self.all.arrays.contains(&place.root),
            ty => is_list_of_values(ty),
        };
        let owned = !self.all.table.is_ref(place.root) && !self.all.fixed.contains(&place.root);
        place.path.is_empty() && array && owned
    }

    /// At the end of the block, the memory of what was not moved.
    fn give_back(&self, body: &mut Block, moved: &Vars) {
        let released = body.stmts.iter().filter_map(|s| match s {
            Stmt::Derived(Derived::Release { var }) => Some(*var),
            _ => None,
        });
        let over: Vars = moved.iter().copied().chain(released).collect();
        let left: Vec<Var> = body.stmts.iter().flat_map(|s| self.made(s)).filter(|v| !over.contains(v)).collect();
        body.stmts.extend(left.into_iter().map(|var| Stmt::Derived(Derived::Release { var })));
    }

    /// The arrays that a statement brings into being.
    fn made(&self, stmt: &Stmt) -> Vec<Var> {
        let table = self.all.table;
        let own = |v: &Var| table.role(*v) == Role::Primal;
        let made: Vec<Var> = match stmt {
            Stmt::Derived(Derived::Sweep(s)) => s.results().collect(),
            Stmt::Derived(Derived::PopFrame(r)) => {
                let wholes = r.wholes.iter().filter(|v| !r.into.contains(v) && own(v)).copied();
                wholes.chain(r.whole_dots.iter().map(|(dot, _)| *dot)).collect()
            }
            Stmt::Derived(Derived::Move { to, declares: true, .. }) => vec![*to].into_iter().filter(own).collect(),
            Stmt::Let { var, expr: Expr::Passive(o) } if is_mold(o) => vec![*var],
            Stmt::Let { var, expr: Expr::VecRepeat { .. } | Expr::VecOf(_) | Expr::VecNew(_) | Expr::ToVec(_) } => {
                vec![*var]
            }
            Stmt::Derived(Derived::Zero { var, like: ShapeOf::Value(_) }) => vec![*var],
            stmt => copied_struct(table, stmt).into_iter().collect(),
        };
        made.into_iter().filter(|v| self.all.arrays.contains(v) && self.is_array(&Place::var(*v))).collect()
    }

    /// Whether what is there is not read again: the block's own variable is not used any more, another one is overwritten next.
    fn is_over(&self, place: &Place, later: &[Stmt]) -> bool {
        if !self.is_array(place) {
            return false;
        }
        let released = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Release { .. }));
        match later.iter().find(|s| touches(s, place.root) && !released(s)) {
            None => self.own.contains(&place.root),
            Some(Stmt::Assign { place: to, op: Assign::Set, value, .. }) => {
                to.root == place.root && to.path.is_empty() && !reads(value, place.root)
            }
            Some(Stmt::Derived(Derived::Move { to, from, declares: false })) => *to == place.root && from != to,
            Some(_) => false,
        }
    }
}

/// Whether a variable may not be what it was after a statement.
fn leaves(stmt: &Stmt, var: Var) -> bool {
    let written = touched(std::slice::from_ref(stmt), &[Access::Write, Access::Define]).contains(&var);
    written || matches!(stmt, Stmt::Derived(Derived::PushFrame(_) | Derived::Move { .. })) && touches(stmt, var)
}

fn reads(value: &Operand, var: Var) -> bool {
    let mut found = false;
    Visit(&mut |v, _| found |= v == var).operand(value);
    found
}
