//! The expressions of a trace.

use super::*;
use crate::ir::place::element_type;

impl Body<'_> {
    pub(super) fn expr(&mut self, var: Var, expr: &Expr, own: &Own, stmts: &mut Vec<Stmt>) -> Option<Expr> {
        let ty = self.hidden.info(var).ty.clone();
        if !self.hidden.carries(var) && !self.writes(expr) {
            return Some(expr.clone());
        }
        Some(match expr {
            Expr::Op { op: Op::Fn(name), args, .. }
                if has_whole(name) && args.last().is_some_and(|n| self.hidden.operand(n)) =>
            {
                return None;
            }
            Expr::Op { op, args, span } => {
                let args = self.operands(args)?;
                self.smooth(op, args, *span, stmts)
            }
            Expr::Passive(o) if ty == Ty::Float && self.hidden.passive_code(o) => {
                self.differs = true;
                Expr::Passive(self.constant())
            }
            Expr::Passive(o) => Expr::Passive(self.known(o)?),
            Expr::Pop(p) if own.is_outside(p.root) => return None,
            Expr::ToVec(p) | Expr::Pop(p) => {
                self.straight(p)?;
                expr.clone()
            }
            Expr::Call(call) => Expr::Call(self.call(call, own)?),
            Expr::Struct(_) | Expr::Boxed(_) | Expr::Content(_) if self.has_values() => self.data(expr)?,
            Expr::Struct(_) | Expr::Boxed(_) | Expr::Content(_) => return None,
            Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } => return None,
            other => self.container(other, &ty)?,
        })
    }

    /// Operands, and containers of them.
    pub(super) fn container(&mut self, expr: &Expr, ty: &Ty) -> Option<Expr> {
        let inner = element_type(ty);
        Some(match expr {
            Expr::Operand(o) => Expr::Operand(self.known_operand(o, ty)?),
            Expr::Array(all) => Expr::Array(self.known_operands(all, &inner)?),
            Expr::VecOf(all) => Expr::VecOf(self.known_operands(all, &inner)?),
            Expr::Tuple(all) => Expr::Tuple(self.members(all, ty)?),
            Expr::Repeat { value, len } => {
                Expr::Repeat { value: self.known_operand(value, &inner)?, len: self.known(len)? }
            }
            Expr::VecRepeat { value, len } => {
                Expr::VecRepeat { value: self.known_operand(value, &inner)?, len: self.known(len)? }
            }
            Expr::VecNew(o) => Expr::VecNew(self.known(o)?),
            Expr::Scratch { len } => Expr::Scratch { len: self.known(len)? },
            _ => return None,
        })
    }

    /// Structs, variants, and what lies in boxes and carriers.
    pub(super) fn data(&mut self, expr: &Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Struct(s) => {
                let (steps, all): (Vec<_>, Vec<_>) = s.fields.iter().cloned().unzip();
                let all = self.known_operands(&all, &Ty::Unknown)?;
                Expr::Struct(Literal { fields: steps.into_iter().zip(all).collect(), ..s.clone() })
            }
            Expr::Boxed(o) => Expr::Boxed(self.known_operand(o, &Ty::Unknown)?),
            Expr::Content(p) => {
                self.straight(p)?;
                expr.clone()
            }
            _ => return None,
        })
    }

    pub(super) fn call(&mut self, call: &Call, own: &Own) -> Option<Call> {
        call.handed.iter().all(|handed| !self.has_values() || is_followed(handed)).then_some(())?;
        let args: Option<Vec<CallArg>> = call.args.iter().map(|arg| self.argument(call, arg, own)).collect();
        Some(Call { args: args?, ..call.clone() })
    }

    fn argument(&mut self, call: &Call, arg: &CallArg, own: &Own) -> Option<CallArg> {
        if let CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p)) = arg {
            // the function may read what else there is beside numbers
            (call.is_rule() || !self.hidden.is_mixed_place(p)).then_some(())?;
        }
        Some(match arg {
            CallArg::Mut(p) if own.is_outside(p.root) => return None,
            CallArg::Ref(p) | CallArg::Mut(p) => {
                self.straight(p)?;
                (!self.hidden.var(p.root)).then(|| arg.clone())?
            }
            CallArg::Value(o) => CallArg::Value(self.known_operand(o, &Ty::Unknown)?),
            CallArg::Passive(o) => CallArg::Passive(self.known(o)?),
            CallArg::Lent(o) => CallArg::Lent(self.known(o)?),
        })
    }

    pub fn out(&mut self, out: &Output) -> Option<Output> {
        Some(match out {
            Output::Float(o) => Output::Float(self.operand(o)?),
            Output::Tuple(all) => Output::Tuple(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Output::Array(all) => Output::Array(all.iter().map(|o| self.out(o)).collect::<Option<_>>()?),
            Output::Place(p) => {
                self.straight(p)?;
                (!self.hidden.var(p.root)).then(|| out.clone())?
            }
            Output::Unit => Output::Unit,
            Output::Passive(o) if self.has_values() => Output::Passive(self.known(o)?),
            Output::Beside(y, aux) if self.has_values() => Output::Beside(Box::new(self.out(y)?), self.known(aux)?),
            Output::Maybe(m) if self.has_values() => {
                m.failure.iter().chain([&m.present]).all(|o| !self.hidden.passive_code(o)).then_some(())?;
                Output::Maybe(Box::new(MaybeOutput { content: self.out(&m.content)?, ..(**m).clone() }))
            }
            Output::Passive(_) | Output::Maybe(_) | Output::Beside(..) => return None,
        })
    }

    /// Operands that are known, but for numbers.
    pub(super) fn known_operands(&mut self, all: &[Operand], ty: &Ty) -> Option<Vec<Operand>> {
        let known = !self.has_values() || *ty == Ty::Float || !all.iter().any(|o| self.hidden.is_hidden(o));
        known.then(|| self.operands(all))?
    }

    pub(super) fn known_operand(&mut self, o: &Operand, ty: &Ty) -> Option<Operand> {
        self.known_operands(std::slice::from_ref(o), ty)?.pop()
    }

    /// Members that are no numbers have to be known.
    pub(super) fn members(&mut self, all: &[Operand], ty: &Ty) -> Option<Vec<Operand>> {
        let Ty::Tuple(tys) = ty else { return None };
        let mut members = Vec::new();
        for (o, ty) in all.iter().zip(tys) {
            let constant = self.hidden.is_hidden(o);
            let member = self.operand(o)?;
            (!constant || *ty == Ty::Float).then_some(())?;
            members.push(member);
        }
        Some(members)
    }
}

/// Whether a function that is handed over may be run as it is.
fn is_followed(handed: &FunctionArg) -> bool {
    match &handed.code {
        FunctionArgCode::Closure { function, .. } => {
            matches!(everywhere(function, &crate::analysis::activity::activity(function)), Everywhere::Itself)
        }
        FunctionArgCode::Parameter(_) | FunctionArgCode::Unknown(_) => true,
    }
}

/// Whether a function takes an integer, after the numbers.
fn has_whole(name: &str) -> bool {
    diffi_rules::rule(name).is_some_and(|rule| rule.passive.is_some())
}
