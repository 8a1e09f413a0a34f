//! Declarations of cotangents: before their first use, with the shape of their value.

use crate::ad::reverse::{Reverse, Shape};
use crate::ir::symbols::{is_fixed, is_measured};
use crate::ir::visit::Vars;
use crate::ir::visit::positions::Indexed;
use crate::ir::*;
use crate::support::hash::HashMap;

impl Reverse<'_> {
    /// Declares the cotangents of `declared` variables before their first use, and gives the
    /// buffers of aggregates back after the last.
    pub fn introduce(&mut self, stmts: Vec<Stmt>, declared: &Vars, shape: Shape) -> Vec<Stmt> {
        let (mut stmts, mut before, mut releases) = (Indexed::of(stmts), HashMap::default(), Vec::new());
        for var in declared {
            let Some(bar) = self.bars.get(var).copied().filter(|b| !self.external.contains(b)) else { continue };
            let Some(first) = stmts.from(bar, 0).next() else { continue };
            let start = match *self.table.ty(*var) == Ty::Float {
                true => introduced_float(&mut stmts, first, bar),
                false => {
                    releases.push(Stmt::Derived(Derived::Release { var: bar }));
                    Some(self.introduced_whole(&mut stmts, first, (*var, bar), shape))
                }
            };
            start.into_iter().for_each(|start| before.entry(first).or_insert_with(Vec::new).push(start));
        }
        let mut stmts = stmts.with(before);
        stmts.extend(releases);
        stmts
    }

    /// The declaration of an aggregate's cotangent, of which the first use may do without zeros.
    fn introduced_whole(&mut self, stmts: &mut Indexed, first: usize, (var, bar): (Var, Var), shape: Shape) -> Stmt {
        let is_floats = *self.table.ty(var) == Ty::Vec(Box::new(Ty::Float));
        let like = match shape == Shape::Kept && self.is_unknown(var) && !stmts.touches(var) {
            true => ShapeOf::Value(Place::var(self.shape_of(var))),
            false => self.shape(var, shape),
        };
        let like = match like {
            ShapeOf::Value(of) if is_measured(self.table.ty(var)) => ShapeOf::Len(self.length_of(&of)),
            like => like,
        };
        match like {
            ShapeOf::Len(len) if is_floats => {
                match stmts.get_mut(first).is_some_and(|stmt| self.sets_first(stmt, var, bar, &len)) {
                    true => Stmt::Let { var: bar, expr: Expr::Scratch { len } },
                    false => Stmt::Derived(Derived::Zero { var: bar, like: ShapeOf::Len(len) }),
                }
            }
            like => Stmt::Derived(Derived::Zero { var: bar, like }),
        }
    }

    fn shape(&mut self, var: Var, shape: Shape) -> ShapeOf {
        let ty = self.table.ty(var).clone();
        let of_fixed = matches!(&ty, Ty::Vec(e) if is_fixed(e));
        if let Some(len) = self.made_with.get(&var) {
            return ShapeOf::Len(len.clone());
        }
        match shape {
            _ if is_fixed(&ty) => ShapeOf::Fixed,
            Shape::Kept if is_measured(&ty) || of_fixed => {
                let length = self.length(var);
                ShapeOf::Len(self.table.read(length))
            }
            _ => ShapeOf::Value(Place::var(var)),
        }
    }
}

/// `bar += v` as the first use becomes `let bar = v`; elsewhere zero stands before it.
fn introduced_float(stmts: &mut Indexed, first: usize, bar: Var) -> Option<Stmt> {
    let stmt = stmts.get_mut(first)?;
    let start = match &*stmt {
        Stmt::Assign { place, op: Assign::Add, value, .. }
            if place.path.is_empty() && place.root == bar && value.as_var() != Some(bar) =>
        {
            Expr::Operand(value.clone())
        }
        Stmt::Assign { place, op: Assign::Sub, value, span } if place.path.is_empty() && place.root == bar => {
            Expr::Op { op: Op::Neg, args: vec![value.clone()], span: *span }
        }
        _ => return Some(Stmt::Let { var: bar, expr: Expr::Zero }),
    };
    *stmt = Stmt::Let { var: bar, expr: start };
    None
}
