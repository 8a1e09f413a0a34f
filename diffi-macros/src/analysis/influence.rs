//! What values lead to, against the flow of data: to a choice that may drop them, or to a root whose slope may be infinite.
//!
//! A cotangent is zero where a choice dropped its value, and infinite where its value went into such a root. Only there does the chain rule
//! meet a zero beside what is infinite or no number; elsewhere products stay as they are.

use crate::ir::visit::{Access, Vars, Visit, blocks};
use crate::ir::*;

/// Functions that pass on one of their arguments.
const CHOICES: &[&str] = &["max", "min", "clamp"];

/// Variables whose values a choice may drop: `max`, a branch that reads them, an assignment that happens again or not at all.
/// Containers are followed as wholes.
pub fn droppable(function: &Function) -> Vars {
    let mut found = Vars::new();
    note_choices(&function.body, &Vars::new(), false, &mut found);
    with_sources(&function.body, found, &flow)
}

/// Single variables whose values lead into an operation that `fits`.
pub fn leading_to(function: &Function, fits: &dyn Fn(&Op, &[Operand]) -> bool) -> Vars {
    let mut found = Vars::new();
    note_arguments(&function.body, fits, &mut found);
    with_sources(&function.body, found, &single_flow)
}

fn note_choices(block: &Block, outer: &Vars, repeated: bool, found: &mut Vars) {
    let mut known = outer.clone();
    for stmt in &block.stmts {
        note_choice(stmt, repeated, found);
        let branches = matches!(stmt, Stmt::If { .. } | Stmt::Switch { .. });
        for inner in blocks(stmt) {
            if branches {
                let read = crate::ir::visit::touched(&inner.stmts, &[Access::Read]);
                found.extend(read.into_iter().filter(|v| known.contains(v)));
            }
            note_choices(inner, &known, true, found);
        }
        Visit(&mut |var, access| {
            if matches!(access, Access::Define | Access::Write) {
                known.insert(var);
            }
        })
        .stmt(stmt);
    }
}

fn note_choice(stmt: &Stmt, repeated: bool, found: &mut Vars) {
    match stmt {
        Stmt::Let { expr: Expr::Op { op: Op::Fn(name), args, .. }, .. } if CHOICES.contains(name) => {
            found.extend(args.iter().filter_map(root));
        }
        Stmt::Assign { op: Assign::Set, value, .. } if repeated => found.extend(root(value)),
        _ => {}
    }
}

fn note_arguments(block: &Block, fits: &dyn Fn(&Op, &[Operand]) -> bool, found: &mut Vars) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let { expr: Expr::Op { op, args, .. }, .. } if fits(op, args) => {
                found.extend(args.iter().filter_map(Operand::as_var));
            }
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|inner| note_arguments(inner, fits, found));
    }
}

/// With all that goes into the variables found.
fn with_sources(block: &Block, mut found: Vars, flow: &dyn Fn(&Stmt) -> Flow) -> Vars {
    if !found.is_empty() {
        while add_sources(block, &mut found, flow) {}
    }
    found
}

fn add_sources(block: &Block, found: &mut Vars, flow: &dyn Fn(&Stmt) -> Flow) -> bool {
    let mut changed = false;
    for stmt in block.stmts.iter().rev() {
        blocks(stmt).into_iter().rev().for_each(|inner| changed |= add_sources(inner, found, flow));
        let (read, written) = flow(stmt);
        if written.iter().any(|var| found.contains(var)) {
            read.into_iter().for_each(|var| changed |= found.insert(var));
        }
    }
    changed
}

/// What a statement reads, and what it writes.
type Flow = (Vars, Vars);

fn flow(stmt: &Stmt) -> Flow {
    let (mut read, mut written) = Flow::default();
    Visit(&mut |var, access| match access {
        Access::Read => drop(read.insert(var)),
        Access::Write | Access::Define => drop(written.insert(var)),
        Access::Shape => {}
    })
    .head(stmt);
    (read, written)
}

/// The flow from single variables into one.
fn single_flow(stmt: &Stmt) -> Flow {
    let (args, var) = match stmt {
        Stmt::Let { var, expr: Expr::Op { args, .. } } => (&args[..], *var),
        Stmt::Let { var, expr: Expr::Operand(o) } => (std::slice::from_ref(o), *var),
        Stmt::Assign { place, value, .. } if place.path.is_empty() => (std::slice::from_ref(value), place.root),
        _ => return Flow::default(),
    };
    (args.iter().filter_map(Operand::as_var).collect(), [var].into())
}

fn root(o: &Operand) -> Option<Var> {
    if let Operand::Place(p) = o { Some(p.root) } else { None }
}
