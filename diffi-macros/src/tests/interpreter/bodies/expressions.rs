//! Right-hand sides.

use crate::ir::{Call, CallArg, Callee, Expr, Literal, Op, Operand, Output, StrongZero};
use crate::tests::interpreter::library::floats::function;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use quote::ToTokens;

impl<'p> Machine<'p> {
    /// The value of a right-hand side.
    pub fn expr(&mut self, expr: &'p Expr) -> Run<Value> {
        self.step()?;
        match expr {
            Expr::Operand(o) | Expr::Boxed(o) => self.operand(o),
            Expr::Op { op, args, .. } => self.op(op, args),
            Expr::Call(call) => self.primal_call(call),
            Expr::Array(all) | Expr::VecOf(all) => Ok(Value::Seq(self.operands(all)?)),
            Expr::Tuple(all) if all.is_empty() => Ok(Value::Unit),
            Expr::Tuple(all) => Ok(Value::Tuple(self.operands(all)?)),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                let (value, len) = (self.operand(value)?, self.index_of(len)?);
                Ok(Value::Seq(vec![value; len]))
            }
            Expr::VecNew(_) => Ok(Value::Seq(Vec::new())),
            Expr::Pop(place) => {
                let at = self.at(place)?;
                match self.memory.get_mut(&at)? {
                    Value::Seq(all) | Value::Deque(all) => all.pop().ok_or_else(|| Stop::panic("`pop` of nothing")),
                    _ => Err(Stop::unknown("`pop`")),
                }
            }
            Expr::Content(place) => {
                let value = self.value_at(place)?;
                value.content().cloned().ok_or_else(|| Stop::unknown("the content of nothing"))
            }
            Expr::ToVec(place) => self.value_at(place),
            Expr::Struct(literal) => self.built(literal),
            Expr::Passive(code) => self.passive(code),
            Expr::Scratch { len } => Ok(Value::Seq(vec![Value::float(f64::NAN); self.index_of(len)?])),
            Expr::Zero => Ok(Value::float(0.0)),
            Expr::If { cond, place } => match self.condition(cond)? {
                true => self.value_at(place),
                false => Ok(Value::float(0.0)),
            },
            Expr::Fresh { place, bar } => match self.here().fresh.contains(bar) {
                true => Ok(Value::float(0.0)),
                false => self.value_at(place),
            },
        }
    }

    fn operands(&mut self, all: &'p [Operand]) -> Run<Vec<Value>> {
        all.iter().map(|o| self.operand(o)).collect()
    }

    /// An operation. A shadow that is not there is zero.
    pub fn op(&mut self, op: &'p Op, args: &'p [Operand]) -> Run<Value> {
        let mut values = self.operands(args)?;
        for value in values.iter_mut().filter(|v| matches!(v, Value::Unit)) {
            *value = Value::float(0.0);
        }
        let name = match op {
            Op::Neg | Op::Fn("neg") => {
                return match values[..] {
                    [Value::Float(v)] => Ok(Value::Float(-v)),
                    _ => Err(Stop::unknown("`-` of this value")),
                };
            }
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Div => "div",
            Op::StrongMul(StrongZero::Vector) => "strong_mul",
            Op::StrongMul(StrongZero::Factor) => "mul_strong",
            Op::StrongMul(StrongZero::Either) => "strong_mul_strong",
            Op::PseudoInverse => "pseudo_inverse",
            Op::Fn(name) => name,
        };
        function(name, &values).ok_or_else(|| Stop::unknown(format!("the operation `{name}`")))
    }

    fn built(&mut self, literal: &'p Literal) -> Run<Value> {
        let path = literal.path.to_string();
        let name = path.rsplit("::").next().unwrap_or_default().trim();
        let known = self.program.variant(name);
        let (name, names) = known.unwrap_or_else(|| {
            let names = (0..literal.fields.len()).map(|k| k.to_string().into()).collect();
            (name.into(), names)
        });
        let mut given = Vec::new();
        for (step, value) in &literal.fields {
            let (crate::ir::Proj::Field(member) | crate::ir::Proj::Payload(_, member)) = step else {
                return Err(Stop::unknown("a field"));
            };
            given.push((member.to_token_stream().to_string(), self.operand(value)?));
        }
        let of = |name: &str| given.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        let fields: Option<Vec<Value>> = names.iter().map(|name| of(name)).collect();
        Ok(Value::Data(name, names.clone(), fields.ok_or_else(|| Stop::unknown("a struct without all its fields"))?))
    }

    /// A condition.
    pub fn condition(&mut self, code: &'p crate::ir::PassiveCode) -> Run<bool> {
        let value = self.passive(code)?;
        match self.read_value(value)? {
            Value::Bool(holds) => Ok(holds),
            Value::Data(tag, ..) if *tag == *"Default" => Ok(false),
            _ => Err(Stop::unknown(format!("the condition `{}`", code.tokens))),
        }
    }

    /// An argument as the function itself takes it.
    fn argument(&mut self, arg: &'p CallArg) -> Run<Value> {
        match arg {
            CallArg::Ref(place) | CallArg::Mut(place) => Ok(Value::Ref(self.at(place)?)),
            CallArg::Value(o) => self.operand(o),
            CallArg::Passive(code) | CallArg::Lent(code) => self.passive(code),
        }
    }

    /// A call of the function itself.
    pub fn primal_call(&mut self, call: &'p Call) -> Run<Value> {
        if !call.handed.is_empty() || matches!(call.callee, Callee::Parameter(_) | Callee::With(_)) {
            return Err(Stop::unknown(format!("the call `{}`", call.written)));
        }
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.argument(arg)?);
        }
        let written = call.written.to_string().replace(' ', "");
        let name = written.split("::<").next().unwrap_or_default();
        match &call.callee {
            Callee::Method(_) => self.method(name, args),
            _ => self.apply(&Value::Function(name.into()), args),
        }
    }

    /// What a body gives.
    pub fn output(&mut self, out: &'p Output) -> Run<Value> {
        match out {
            Output::Float(o) => match self.operand(o)? {
                Value::Unit => Ok(Value::float(0.0)),
                value => Ok(value),
            },
            Output::Place(place) => self.value_at(place),
            Output::Tuple(all) => Ok(Value::Tuple(all.iter().map(|o| self.output(o)).collect::<Run<_>>()?)),
            Output::Array(all) => Ok(Value::Seq(all.iter().map(|o| self.output(o)).collect::<Run<_>>()?)),
            Output::Passive(code) => {
                let value = self.passive(code)?;
                self.read_value(value)
            }
            Output::Maybe(m) if m.failure.is_none() => match self.condition(&m.present)? {
                true => Ok(Value::option(Some(self.output(&m.content)?))),
                false => Ok(Value::option(None)),
            },
            Output::Maybe(_) | Output::Beside(..) => Err(Stop::unknown("this result")),
            Output::Unit => Ok(Value::Unit),
        }
    }
}
