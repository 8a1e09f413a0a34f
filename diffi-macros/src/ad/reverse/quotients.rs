//! Quotients whose divisor is active: the cotangent is divided before it is multiplied, so that no factor is infinite without need.

use crate::ad::partials::divisor;
use crate::ad::reverse::Reverse;
use crate::ir::*;
use proc_macro2::Span;

impl Reverse<'_> {
    /// The adjoint of `var = a / b`, or of `1 / b`; whether it is one: `flow = y_bar / b; a_bar += flow; b_bar -= y * flow`.
    pub fn quotient(&mut self, var: Var, op: &Op, args: &[Operand], span: Span, out: &mut Vec<Stmt>) -> bool {
        let Some(Operand::Place(b)) = divisor(op).map(|k| &args[k]) else { return false };
        if !self.activity.active(b.root) {
            return false;
        }
        let mut partials = self.partials(var);
        let inverse = partials.inverse(op, args, var, span);
        out.append(&mut partials.out);
        let (bar, mul) = (self.bar(var), self.mul(var, op, args, 0));
        let flow = self.flow_of(bar, mul, inverse, span, out);
        if let [Operand::Place(a), _] = args {
            self.accumulate(a, Assign::Add, Operand::var(flow), out);
        }
        let value = self.flow_of(flow, self.mul(var, op, args, 1), Operand::var(var), span, out);
        self.accumulate(b, Assign::Sub, Operand::var(value), out);
        true
    }
}
