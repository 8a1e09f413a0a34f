//! Loops whose trips hand on a single cotangent.
//!
//! What such a trip adds, and what it hands on, is the cotangent that it got times a slope, and the slopes are made of values
//! alone. `x_bar -= ((x_bar * a + x_bar * b) * c) * d` becomes `slope = 1 - ((a + b) * c) * d; x_bar *= slope`: the next trip
//! waits for one product instead of all, and a batch of cotangents shares the slope. (Preaccumulation of a trip's local
//! Jacobian: Griewank and Walther, *Evaluating Derivatives*, 2nd edition, section 10.2.)

use crate::ir::*;
use crate::table::{Role, Table};
use crate::walk::{Touch, Vars, blocks_mut, touched};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// The fewest operations between a cotangent and the next for which this pays.
const SHORTEST: usize = 3;

/// Rewrites the loops of an adjoint's body.
pub fn slopes(table: &mut Table, base: &Base, block: &mut Block) {
    if matches!(base, Base::Generic(_)) {
        return; // literals have another type there
    }
    for stmt in &mut block.stmts {
        let body = match stmt {
            Stmt::Derived(Derived::Loop(l)) if l.sweep == LoopSweep::Back => Some(&mut l.on.body),
            Stmt::Derived(Derived::Times { body, .. }) => Some(body),
            _ => None,
        };
        if let Some(body) = body
            && let Some(carried) = carried(table, &body.stmts)
            && length(table, &body.stmts, carried).is_some_and(|n| n >= SHORTEST)
        {
            let stmts = std::mem::take(&mut body.stmts);
            body.stmts = Slopes { table, carried, of: BTreeMap::new() }.trip(stmts);
        }
        blocks_mut(stmt).into_iter().for_each(|inner| slopes(table, base, inner));
    }
}

/// The one cotangent from outside that a trip reads, if the trip is straight and does nothing with cotangents but sums and
/// products by values.
fn carried(table: &Table, stmts: &[Stmt]) -> Option<Var> {
    let own = touched(stmts, &[Touch::Define]);
    let mut read = Vars::new();
    for stmt in stmts {
        read.extend(cotangents(table, stmt, &own)?.into_iter().filter(|v| !own.contains(v)));
    }
    let carried = read.only()?;
    let is_number = *table.ty(carried) == Ty::Float && !table.is_ref(carried);
    let changes = stmts.iter().any(|s| changed(table, s) == Some(carried));
    let guarded = |s: &Stmt| matches!(s, Stmt::Derived(Derived::Guard { body, .. }) if touched(&body.stmts, &[Touch::Write]).contains(&carried));
    (is_number && changes && !stmts.iter().any(guarded)).then_some(carried)
}

/// The cotangents whose values a statement uses; none if it is not one of the statements that are understood.
fn cotangents(table: &Table, stmt: &Stmt, own: &Vars) -> Option<Vec<Var>> {
    let is_bar = |v: Var| table.role(v) == Role::Bar;
    match stmt {
        Stmt::Let { var, expr } if !is_bar(*var) => {
            let read = touched(std::slice::from_ref(stmt), &[Touch::Read, Touch::Shape]);
            let plain = matches!(expr, Expr::Operand(_) | Expr::Op { .. } | Expr::Opaque(_) | Expr::Zero);
            (plain && !read.into_iter().any(is_bar)).then(Vec::new)
        }
        Stmt::Let { var, expr } if *table.ty(*var) == Ty::Float => match expr {
            Expr::Zero => Some(Vec::new()),
            Expr::Operand(o) => operand(table, o).map(|bar| bar.into_iter().collect()),
            Expr::Op { op: Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::Div, args, .. } => {
                let bars: Option<Vec<Option<Var>>> = args.iter().map(|o| operand(table, o)).collect();
                bars.map(|bars| bars.into_iter().flatten().collect())
            }
            _ => None,
        },
        Stmt::Assign { place, op, value, .. } if is_bar(place.root) => {
            let number = place.path.is_empty() && *table.ty(place.root) == Ty::Float;
            let element = matches!(place.path[..], [.., Proj::Index(_)]) && !own.contains(&place.root);
            let fits = number || element && *op != Assign::Set;
            let bar = operand(table, value).filter(|_| fits)?;
            // what is set to another value does not add to what it was
            let set = number && *op == Assign::Set && !own.contains(&place.root);
            Some(bar.into_iter().chain(set.then_some(place.root)).collect())
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => {
            let number = place.path.is_empty() && *table.ty(place.root) == Ty::Float;
            number.then(|| vec![place.root])
        }
        Stmt::Derived(Derived::Guard { body, .. }) => {
            let sums = |s: &Stmt| matches!(s, Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } if !own.contains(&place.root));
            let all: Option<Vec<Vec<Var>>> =
                body.stmts.iter().map(|s| sums(s).then(|| cotangents(table, s, own)).flatten()).collect();
            all.map(|all| all.into_iter().flatten().collect())
        }
        Stmt::Derived(Derived::Restore(r) | Derived::Replay(r)) if r.wholes.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// The cotangent that an operand is, if it is one; none if it is a part of one.
fn operand(table: &Table, o: &Operand) -> Option<Option<Var>> {
    match o {
        Operand::Place(p) if table.role(p.root) == Role::Bar => o.as_var().map(Some),
        _ => Some(None),
    }
}

/// The variable that an assignment changes.
fn changed(table: &Table, stmt: &Stmt) -> Option<Var> {
    match stmt {
        Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, .. }) => {
            (place.path.is_empty() && table.role(place.root) == Role::Bar).then_some(place.root)
        }
        _ => None,
    }
}

/// How many operations lie between the cotangent of a trip and that of the next.
fn length(table: &Table, stmts: &[Stmt], carried: Var) -> Option<usize> {
    let mut lengths = BTreeMap::from([(carried, 0)]);
    let at = |lengths: &BTreeMap<Var, usize>, o: &Operand| o.as_var().and_then(|v| lengths.get(&v).copied());
    for stmt in stmts {
        match stmt {
            Stmt::Let { var, expr: Expr::Operand(o) } => {
                lengths.extend(at(&lengths, o).map(|n| (*var, n)));
            }
            Stmt::Let { var, expr: Expr::Op { args, .. } } => {
                let longest = args.iter().filter_map(|o| at(&lengths, o)).max();
                lengths.extend(longest.map(|n| (*var, n + 1)));
            }
            Stmt::Assign { place, value, op, .. } if changed(table, stmt).is_some() => {
                let before = lengths.get(&place.root).copied().filter(|_| *op != Assign::Set);
                let longest = before.max(at(&lengths, value));
                lengths.extend(longest.map(|n| (place.root, n + usize::from(*op != Assign::Set))));
            }
            _ => {}
        }
    }
    lengths.get(&carried).copied()
}

struct Slopes<'a> {
    table: &'a mut Table,
    carried: Var,
    /// By cotangent: what it is a multiple of the trip's by.
    of: BTreeMap<Var, Var>,
}

impl Slopes<'_> {
    fn trip(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let last = self.slope(self.carried);
        let mut out = vec![Stmt::Let { var: last, expr: Expr::Opaque(Opaque::literal(quote!(1.0))) }];
        stmts.into_iter().for_each(|stmt| self.stmt(stmt, &mut out));
        let value = self.product(last, &mut out);
        out.push(set(Place::var(self.carried), Operand::var(value)));
        out
    }

    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { var, expr } if self.table.role(var) == Role::Bar => {
                let expr = match expr {
                    Expr::Operand(o) => Expr::Operand(self.operand(o)),
                    Expr::Op { op, args, span } => {
                        Expr::Op { op, args: args.into_iter().map(|o| self.operand(o)).collect(), span }
                    }
                    _ => Expr::Opaque(Opaque::literal(zero())),
                };
                let var = self.slope(var);
                out.push(Stmt::Let { var, expr });
            }
            Stmt::Assign { place, op, value, span } => match self.of.get(&place.root).copied() {
                Some(slope) => {
                    out.push(Stmt::Assign { place: Place::var(slope), op, value: self.operand(value), span })
                }
                None => out.extend(self.sum(place, op, value, span)),
            },
            Stmt::Derived(Derived::Clear { place, .. }) => {
                let slope = self.slope(place.root);
                out.push(set(Place::var(slope), Operand::Opaque(Opaque::literal(zero()))));
            }
            Stmt::Derived(Derived::Guard { on, body }) => {
                let mut stmts = Vec::new();
                body.stmts.into_iter().for_each(|s| self.stmt(s, &mut stmts));
                out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts } }));
            }
            other => out.push(other),
        }
    }

    /// An addition to a cotangent from outside.
    fn sum(&mut self, place: Place, op: Assign, value: Operand, span: Span) -> Vec<Stmt> {
        let mut out = Vec::new();
        let value = match value.as_var().and_then(|v| self.of.get(&v).copied()) {
            Some(slope) => Operand::var(self.product(slope, &mut out)),
            None => value,
        };
        out.push(Stmt::Assign { place, op, value, span });
        out
    }

    /// The trip's cotangent times a slope.
    fn product(&mut self, slope: Var, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh("flow", Ty::Float, Role::Bar, Span::call_site());
        let args = vec![Operand::var(self.carried), Operand::var(slope)];
        out.push(Stmt::Let { var, expr: Expr::Op { op: Op::Mul, args, span: Span::call_site() } });
        var
    }

    fn operand(&self, o: Operand) -> Operand {
        match o.as_var().and_then(|v| self.of.get(&v)) {
            Some(slope) => Operand::var(*slope),
            None => o,
        }
    }

    fn slope(&mut self, bar: Var) -> Var {
        if let Some(slope) = self.of.get(&bar) {
            return *slope;
        }
        let slope = self.table.companion(bar, "slope", Role::Primal);
        self.of.insert(bar, slope);
        slope
    }
}

/// What adds nothing: LLVM knows that `-0.0 + v` is `v`.
fn zero() -> TokenStream {
    quote!(-0.0)
}

fn set(place: Place, value: Operand) -> Stmt {
    Stmt::Assign { place, op: Assign::Set, value, span: Span::call_site() }
}
