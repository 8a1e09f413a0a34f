//! Loop unswitching on a select (LLVM's SimpleLoopUnswitch): loops that propagate the zero of an unselected candidate are skipped.
//!
//! Of `least = least.min(candidate)` in a loop one candidate gets the cotangent and the others get zero. Loops that propagate such a
//! zero, and do nothing else, run only for the selected candidate; so do their tangents. If one side of the choice carries no
//! derivative, as in `sum.max(0.0)`, the pass does nothing: a branch would take the place of a loop that is fast as it is.

use crate::ir::purity::repeatable;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use quote::{ToTokens, quote};

/// Rewrites a body.
pub fn skip_zero(body: &mut Block) {
    blocks_of(body);
}

fn blocks_of(block: &mut Block) {
    for stmt in &mut block.stmts {
        blocks_mut(stmt).into_iter().for_each(blocks_of);
    }
    let mut flows = Flows::of(block);
    block.replace(|stmt| {
        flows.part(stmt);
        flows.note(stmt);
        let on = spreading_loop(stmt)?;
        let when = flows.felt(&on.body)?;
        let then = Block { stmts: vec![stmt.clone()] };
        Some(vec![Stmt::If { cond: when, then, els: Block::default() }])
    });
}

/// Cotangents that are zero unless a condition holds.
struct Flows {
    /// What is assigned to somewhere is not known by how it began.
    changed: Vars,
    /// The conditions of choices between two active values, as text.
    choices: Vec<String>,
    found: HashMap<Var, PassiveCode>,
}

impl Flows {
    fn of(block: &Block) -> Self {
        let indicators = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Let { expr: Expr::Op { op: Op::Mul | Op::StrongMul(_), args, .. }, .. } => {
                args.iter().find_map(indicator)
            }
            _ => None,
        });
        let sides: Vec<(String, bool)> = indicators.map(|i| (i.cond.tokens.to_string(), i.holds)).collect();
        let both = |text: &str| [true, false].iter().all(|holds| sides.iter().any(|(t, h)| t == text && h == holds));
        let choices = sides.iter().map(|(text, _)| text.clone()).filter(|text| both(text)).collect();
        Flows { changed: touched(&block.stmts, &[Access::Write]), choices, found: HashMap::default() }
    }

    /// A cotangent goes to one side or to the other: no multiplication decides, for which the next iteration would have to wait.
    fn part(&self, stmt: &mut Stmt) {
        let Stmt::Let { expr, .. } = stmt else { return };
        let Expr::Op { op: Op::Mul | Op::StrongMul(_), args, .. } = &*expr else { return };
        let [Operand::Place(bar), by] = &args[..] else { return };
        let Some(when) = indicator(by).filter(|i| self.choices.contains(&i.cond.tokens.to_string())) else { return };
        *expr = Expr::If { cond: when.when(), place: bar.clone() };
    }

    /// Follows zeros through a statement.
    fn note(&mut self, stmt: &Stmt) {
        let Stmt::Let { var, expr } = stmt else { return };
        if self.changed.contains(var) {
            return;
        }
        if let Some(when) = self.when(expr) {
            self.found.insert(*var, when);
        }
    }

    /// The condition without which an expression is zero.
    fn when(&self, expr: &Expr) -> Option<PassiveCode> {
        let of = |operand: &Operand| self.found.get(&operand.as_var()?).cloned();
        match expr {
            Expr::If { cond, .. } => Some(cond.clone()),
            Expr::Operand(operand) => of(operand),
            Expr::Op { op: Op::Neg, args, .. } | Expr::Op { op: Op::Mul, args, .. } => args.iter().find_map(of),
            Expr::Op { op: Op::Div, args, .. } => of(args.first()?),
            Expr::Op { op: Op::Add | Op::Sub, args, .. } => same(args.iter().map(of)),
            _ => None,
        }
    }

    /// The condition without which a body adds nothing but zeros to what is outside.
    fn felt(&self, body: &Block) -> Option<PassiveCode> {
        let inside = &touched(&body.stmts, &[Access::Define, Access::Write]);
        let mut flows = Flows { changed: inside.clone(), choices: Vec::new(), found: self.found.clone() };
        flows.changed = touched(&body.stmts, &[Access::Write]);
        let mut conditions = Vec::new();
        flows.additions(&body.stmts, &mut conditions)?;
        let when = same(conditions.into_iter().map(Some))?;
        (!when.depends_on(inside)).then_some(when)
    }

    fn additions(&mut self, stmts: &[Stmt], out: &mut Vec<PassiveCode>) -> Option<()> {
        for stmt in stmts {
            match stmt {
                Stmt::Let { expr: Expr::Passive(o), .. } if repeatable(o) => {}
                Stmt::Let { expr: Expr::Op { .. } | Expr::Operand(_) | Expr::Zero, .. } => self.note(stmt),
                Stmt::Assign { op: Assign::Add | Assign::Sub, value, .. } => {
                    out.push(self.found.get(&value.as_var()?)?.clone());
                }
                Stmt::Derived(Derived::Guard { body, .. }) => self.additions(&body.stmts, out)?,
                other => self.additions(&spreading_loop(other)?.body.stmts, out)?,
            }
        }
        Some(())
    }
}

/// A loop that keeps nothing and counts nothing.
fn spreading_loop(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) => {
            (l.frame.is_none() && l.iterations.is_none() && l.first.is_empty()).then_some(&l.on)
        }
        _ => None,
    }
}

/// The one condition that all of them are.
fn same(mut all: impl Iterator<Item = Option<PassiveCode>>) -> Option<PassiveCode> {
    let first = all.next()??;
    let text = first.tokens.to_string();
    all.all(|other| other.is_some_and(|o| o.tokens.to_string() == text)).then_some(first)
}

/// A factor that is one if a condition holds and else zero, or the other way round.
struct Indicator {
    cond: PassiveCode,
    holds: bool,
}

impl Indicator {
    /// When it is one.
    fn when(self) -> PassiveCode {
        match self.holds {
            true => self.cond,
            false => self.cond.map(|cond| quote!(!(#cond))),
        }
    }
}

fn indicator(operand: &Operand) -> Option<Indicator> {
    let Operand::Passive(o) = operand else { return None };
    let syn::Expr::If(choice) = syn::parse2(o.tokens.clone()).ok()? else { return None };
    let els = match *choice.else_branch?.1 {
        syn::Expr::Block(els) => number(&els.block)?,
        _ => return None,
    };
    let holds = match (number(&choice.then_branch)?, els) {
        (1.0, 0.0) => true,
        (0.0, 1.0) => false,
        _ => return None,
    };
    let cond = choice.cond.to_token_stream();
    Some(Indicator { cond: o.clone().map(|_| cond), holds })
}

/// The number that a block consists of.
fn number(block: &syn::Block) -> Option<f64> {
    match &block.stmts[..] {
        [syn::Stmt::Expr(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(number), .. }), None)] => {
            number.base10_parse().ok()
        }
        _ => None,
    }
}
