//! Functions whose derivative code is another one at points that have something special, replaced by others that depend on the same.

use super::*;
use crate::ad::sparsity::body::Body;
use proc_macro2::Span;

impl Body<'_> {
    /// The operation, or one that depends on the same at every point.
    pub fn smooth(&mut self, op: &Op, args: Vec<Operand>, span: Span, stmts: &mut Vec<Stmt>) -> Expr {
        let active = args.iter().filter(|o| matches!(o, Operand::Place(_))).count();
        let same = |args| Expr::Op { op: op.clone(), args, span };
        if !self.has_values() {
            return same(args);
        }
        let mut step = |body: &mut Self, op: Op, args: Vec<Operand>| {
            let var = body.fresh("smooth", Ty::Float);
            stmts.push(Stmt::Let { var, expr: Expr::Op { op, args, span } });
            Operand::var(var)
        };
        let (op, args) = match (op, &args[..]) {
            // which of them it is depends on their values; on either it depends linearly
            (Op::Fn("max" | "min"), [a, b]) if active == 2 => (Op::Add, vec![a.clone(), b.clone()]),
            (Op::Fn("clamp"), [x, low, high]) if active > 1 => {
                let sum = step(self, Op::Add, vec![x.clone(), low.clone()]);
                (Op::Add, vec![sum, high.clone()])
            }
            (Op::Fn("powf"), [x, p]) => {
                let log = step(self, Op::Fn("ln"), vec![x.clone()]);
                let exponent = step(self, Op::Mul, vec![log, p.clone()]);
                (Op::Fn("exp"), vec![exponent])
            }
            (Op::Fn("hypot"), [a, b]) => {
                let squares = [a, b].map(|x| step(self, Op::Mul, vec![x.clone(), x.clone()]));
                let sum = step(self, Op::Add, squares.to_vec());
                (Op::Fn("sqrt"), vec![sum])
            }
            (Op::Fn("atan2"), [a, b]) => {
                let ratio = step(self, Op::Div, vec![a.clone(), b.clone()]);
                (Op::Fn("atan"), vec![ratio])
            }
            _ => return same(args),
        };
        self.differ();
        Expr::Op { op, args, span }
    }
}
