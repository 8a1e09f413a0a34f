//! Negation sinking (LLVM's Negator): negated cotangents and tangents are added with the other sign instead.
//!
//! `let b_bar = -r_bar` is the adjoint of `r = a - b`. If everything that is made of `b_bar` ends in sums, as in
//! `flow = b_bar * x; x_bar[i] += flow`, the sums are subtracted and `b_bar` stands for its opposite. The numbers are the same, bit by
//! bit, since rounding is symmetric in the sign. Shadows only: the user's own operations stay.

use crate::analysis::cost_model::NEGATED_STATEMENTS;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Vars, Visit, blocks_mut};
use crate::ir::*;
use crate::support::hash::HashMap;
use std::collections::BTreeSet;

/// Rewrites every list of statements of a body with these results.
pub fn sink_negation(table: &Table, block: &mut Block, results: &[&Output]) {
    let mut kept = Vars::new();
    let mut keep = |v, _| {
        kept.insert(v);
    };
    results.iter().for_each(|out| Visit(&mut keep).out(out));
    Signs { table, kept }.block(block);
}

struct Signs<'a> {
    table: &'a Table,
    /// Variables that leave the function.
    kept: Vars,
}

impl Signs<'_> {
    fn block(&self, block: &mut Block) {
        let negated = |stmt: &Stmt| match stmt {
            Stmt::Let { var, expr: Expr::Op { op: Op::Neg, .. } } => self.may_turn(*var),
            _ => false,
        };
        if block.stmts.iter().any(negated) {
            let uses = Uses::of(&block.stmts);
            (0..block.stmts.len()).for_each(|at| self.negation(block, at, &uses));
        }
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
    }

    /// Sinks the negation of a statement, where everything that is made of it can take the other sign.
    fn negation(&self, block: &mut Block, at: usize, uses: &Uses) {
        let Stmt::Let { var, expr: Expr::Op { op: Op::Neg, args, .. } } = &block.stmts[at] else { return };
        if !self.may_turn(*var) {
            return;
        }
        let (var, value) = (*var, args[0].clone());
        if let Some(after) = self.all(block, at, var, uses) {
            block.stmts[at] = Stmt::Let { var, expr: Expr::Operand(value) };
            after.into_iter().for_each(|(path, stmt)| *statement_mut(block, &path) = stmt);
        }
    }

    fn may_turn(&self, var: Var) -> bool {
        self.table.role(var) != Role::Primal && *self.table.ty(var) == Ty::Float && !self.kept.contains(&var)
    }

    /// The statements behind one in which a variable, and what is made of it, stand for their opposites.
    fn all(&self, block: &Block, at: usize, var: Var, uses: &Uses) -> Option<Vec<(Path, Stmt)>> {
        let (mut turned, mut out) = (Vars::from([var]), Vec::new());
        let mut wanted: BTreeSet<&Path> = uses.behind(var, &[at]).collect();
        while let Some(path) = wanted.pop_first() {
            if out.len() == NEGATED_STATEMENTS {
                return None;
            }
            let known = turned.clone();
            out.push((path.clone(), self.one(statement(block, path), &mut turned)?));
            let new = turned.difference(&known);
            wanted.extend(new.flat_map(|v| uses.behind(*v, path)));
        }
        Some(out)
    }

    fn one(&self, stmt: &Stmt, turned: &mut Vars) -> Option<Stmt> {
        match stmt {
            Stmt::Let { var, expr: Expr::Operand(_) } if self.may_turn(*var) => {
                turned.insert(*var);
                Some(stmt.clone())
            }
            Stmt::Let { var, expr: Expr::Op { op, args, span } } if self.may_turn(*var) => {
                let expr = match turn(op, args, turned)? {
                    Turn::Result => {
                        turned.insert(*var);
                        return Some(stmt.clone());
                    }
                    Turn::Operation(op, a, b) => Expr::Op { op, args: vec![a.clone(), b.clone()], span: *span },
                };
                Some(Stmt::Let { var: *var, expr })
            }
            Stmt::Assign { place, op: op @ (Assign::Add | Assign::Sub), value, span } => {
                let same = turned.contains(&place.root) == is_turned(value, turned);
                let op = match op {
                    Assign::Add if !same => Assign::Sub,
                    Assign::Sub if !same => Assign::Add,
                    op => *op,
                };
                Some(Stmt::Assign { place: place.clone(), op, value: value.clone(), span: *span })
            }
            _ => None,
        }
    }
}

/// The way to a statement through guards: its position in each list.
type Path = Vec<usize>;

/// Where the variables of a list are touched, in guards too.
#[derive(Default)]
struct Uses(HashMap<Var, Vec<Path>>);

impl Uses {
    fn of(stmts: &[Stmt]) -> Self {
        let mut all = Uses::default();
        all.note(stmts, &mut Path::new());
        all
    }

    fn note(&mut self, stmts: &[Stmt], path: &mut Path) {
        for (at, stmt) in stmts.iter().enumerate() {
            path.push(at);
            match stmt {
                Stmt::Derived(Derived::Guard { body, .. }) => self.note(&body.stmts, path),
                _ => Visit(&mut |v, _| self.add(v, path)).stmt(stmt),
            }
            path.pop();
        }
    }

    fn add(&mut self, var: Var, path: &Path) {
        let all = self.0.entry(var).or_default();
        if all.last() != Some(path) {
            all.push(path.clone());
        }
    }

    /// Those of a variable behind a statement.
    fn behind(&self, var: Var, path: &[usize]) -> impl Iterator<Item = &Path> {
        let all = self.0.get(&var).map_or(&[][..], |all| all);
        all[all.partition_point(|use_| use_.as_slice() <= path)..].iter()
    }
}

fn statement<'b>(block: &'b Block, path: &[usize]) -> &'b Stmt {
    match (&block.stmts[path[0]], &path[1..]) {
        (Stmt::Derived(Derived::Guard { body, .. }), rest @ [_, ..]) => statement(body, rest),
        (stmt, _) => stmt,
    }
}

fn statement_mut<'b>(block: &'b mut Block, path: &[usize]) -> &'b mut Stmt {
    let stmt = &mut block.stmts[path[0]];
    match path.len() {
        1 => stmt,
        _ => match stmt {
            Stmt::Derived(Derived::Guard { body, .. }) => statement_mut(body, &path[1..]),
            other => unreachable!("paths lead through guards: {other:?}"),
        },
    }
}

/// What becomes of an operation some of whose operands have the other sign.
enum Turn<'a> {
    /// Its result has the other sign, too.
    Result,
    /// It is another operation, perhaps with its operands the other way round.
    Operation(Op, &'a Operand, &'a Operand),
}

fn turn<'a>(op: &Op, args: &'a [Operand], turned: &Vars) -> Option<Turn<'a>> {
    let args: Vec<(&Operand, bool)> = args.iter().map(|o| (o, is_turned(o, turned))).collect();
    match (op, &args[..]) {
        (Op::Add, [(a, false), (b, true)]) => Some(Turn::Operation(Op::Sub, a, b)),
        (Op::Add, [(a, true), (b, false)]) => Some(Turn::Operation(Op::Sub, b, a)),
        (Op::Sub, [(a, false), (b, true)]) => Some(Turn::Operation(Op::Add, a, b)),
        (Op::Add | Op::Sub, [(_, true), (_, true)])
        | (Op::Mul, [(_, true), (_, false)] | [(_, false), (_, true)])
        | (Op::Div, [(_, true), (_, false)]) => Some(Turn::Result),
        _ => None,
    }
}

fn is_turned(operand: &Operand, turned: &Vars) -> bool {
    operand.as_var().is_some_and(|v| turned.contains(&v))
}
