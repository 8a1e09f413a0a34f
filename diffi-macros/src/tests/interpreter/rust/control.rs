//! Control flow.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use quote::ToTokens;
use syn::{Expr, Label};

impl Machine<'_> {
    /// An expression that decides what runs.
    pub fn control(&mut self, e: &Expr) -> Run<Value> {
        match e {
            Expr::If(choice) => self.inside(|m| match m.test(&choice.cond)? {
                true => m.block(&choice.then_branch),
                false => choice.else_branch.as_ref().map_or(Ok(Value::Unit), |(_, other)| m.eval(other)),
            }),
            Expr::Match(choice) => self.inside(|m| m.arms(choice)),
            Expr::Block(block) => {
                let result = self.block(&block.block);
                match result {
                    Err(Stop::Break(Some(label), value)) if is_label(&block.label, &label) => Ok(value),
                    other => other,
                }
            }
            Expr::ForLoop(on) => self.for_loop(on),
            Expr::While(on) => self.repeated(&on.label, |m| {
                m.inside(|m| if m.test(&on.cond)? { m.block(&on.body).map(|_| true) } else { Ok(false) })
            }),
            Expr::Loop(on) => self.repeated(&on.label, |m| m.block(&on.body).map(|_| true)),
            Expr::Break(leave) => {
                let value = leave.expr.as_ref().map_or(Ok(Value::Unit), |e| self.eval(e))?;
                Err(Stop::Break(leave.label.as_ref().map(|l| l.ident.to_string()), value))
            }
            Expr::Continue(leave) => Err(Stop::Continue(leave.label.as_ref().map(|l| l.ident.to_string()))),
            Expr::Return(leave) => {
                let value = leave.expr.as_ref().map_or(Ok(Value::Unit), |e| self.eval(e))?;
                Err(Stop::Return(value))
            }
            // what rustc is to confirm
            Expr::Const(_) => Ok(Value::Unit),
            other => Err(Stop::unknown(format!("`{}`", other.to_token_stream()))),
        }
    }

    fn arms(&mut self, choice: &syn::ExprMatch) -> Run<Value> {
        let place = self.scrutinee(&choice.expr)?;
        for arm in &choice.arms {
            let names = self.scope.len();
            let fits = self.matched(&arm.pat, &place, false)?;
            let guard = arm.guard.as_ref().filter(|_| fits);
            if fits && guard.map_or(Ok(true), |(_, guard)| self.test(guard))? {
                return self.eval(&arm.body);
            }
            self.scope.truncate(names);
        }
        Err(Stop::unknown("a `match` without an arm for its value"))
    }

    /// `let pattern = value` in a condition.
    pub fn let_condition(&mut self, condition: &syn::ExprLet) -> Run<Value> {
        let place = self.scrutinee(&condition.expr)?;
        Ok(Value::Bool(self.matched(&condition.pat, &place, false)?))
    }

    /// `value?`.
    pub fn tried(&mut self, e: &Expr) -> Run<Value> {
        let value = self.eval_through(e)?;
        match value.content() {
            Some(content) => Ok(content.clone()),
            None => Err(Stop::Return(value)),
        }
    }

    fn for_loop(&mut self, on: &syn::ExprForLoop) -> Run<Value> {
        self.inside(|m| {
            let over = m.eval(&on.expr)?;
            let mut iter = m.walked_over(over)?;
            m.repeated(&on.label, |m| {
                let Some(item) = m.next(&mut iter, false)? else { return Ok(false) };
                m.inside(|m| {
                    let item = m.memory.alloc(item);
                    match m.matched(&on.pat, &item, false)? {
                        true => m.block(&on.body).map(|_| true),
                        false => Err(Stop::unknown("the pattern of a loop")),
                    }
                })
            })
        })
    }

    /// Runs iterations until one says that it is the last.
    fn repeated(&mut self, own: &Option<Label>, mut iteration: impl FnMut(&mut Self) -> Run<bool>) -> Run<Value> {
        loop {
            self.step()?;
            match iteration(self) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::Unit),
                Err(Stop::Break(None, value)) => return Ok(value),
                Err(Stop::Break(Some(label), value)) if is_label(own, &label) => return Ok(value),
                Err(Stop::Continue(None)) => {}
                Err(Stop::Continue(Some(label))) if is_label(own, &label) => {}
                Err(other) => return Err(other),
            }
        }
    }
}

fn is_label(own: &Option<Label>, label: &str) -> bool {
    own.as_ref().is_some_and(|own| own.name.ident == label)
}
