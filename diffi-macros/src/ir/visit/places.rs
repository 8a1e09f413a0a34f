//! The places of a simple statement.

use crate::ir::*;

/// The places that a simple statement reads (false) or writes (true).
pub fn each_place(stmt: &Stmt, f: &mut dyn FnMut(&Place, bool)) {
    let mut operand = |o: &Operand| {
        if let Operand::Place(p) = o {
            f(p, false);
        }
    };
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o),
            Expr::Struct(s) => s.fields.iter().map(|(_, o)| o).for_each(operand),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter().for_each(operand)
            }
            Expr::Fresh { place, .. } => f(place, false),
            _ => {}
        },
        Stmt::Assign { place, value, .. } => {
            f(place, true);
            if let Operand::Place(p) = value {
                f(p, false);
            }
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => f(place, true),
        _ => {}
    }
}

/// The places of a simple statement, the written one first.
pub fn each_place_mut(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Place)) {
    let mut operand = |o: &mut Operand| {
        if let Operand::Place(p) = o {
            f(p);
        }
    };
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(o) => operand(o),
            Expr::Struct(s) => s.fields.iter_mut().map(|(_, o)| o).for_each(operand),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => {
                args.iter_mut().for_each(operand)
            }
            Expr::Fresh { place, .. } => f(place),
            _ => {}
        },
        Stmt::Assign { place, value, .. } => {
            f(place);
            if let Operand::Place(p) = value {
                f(p);
            }
        }
        Stmt::Derived(Derived::Clear { place, whole: false }) => f(place),
        _ => {}
    }
}
