//! Statements and blocks.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use quote::ToTokens;

impl Machine<'_> {
    /// A block.
    pub fn block(&mut self, block: &syn::Block) -> Run<Value> {
        self.inside(|m| m.stmts(&block.stmts))
    }

    /// Statements; the value is that of the last one, if it is an expression.
    pub fn stmts(&mut self, stmts: &[syn::Stmt]) -> Run<Value> {
        let mut last = Value::Unit;
        for stmt in stmts {
            last = match stmt {
                syn::Stmt::Expr(e, None) => self.eval(e)?,
                syn::Stmt::Expr(e, Some(_)) => self.eval(e).map(|_| Value::Unit)?,
                syn::Stmt::Local(local) => self.local(local).map(|()| Value::Unit)?,
                syn::Stmt::Macro(call) => {
                    let value = self.macro_call(&call.mac)?;
                    if call.semi_token.is_none() { value } else { Value::Unit }
                }
                syn::Stmt::Item(item) => self.item(item).map(|()| Value::Unit)?,
            };
        }
        Ok(last)
    }

    fn local(&mut self, local: &syn::Local) -> Run<()> {
        let Some(init) = &local.init else {
            let place = self.memory.alloc(Value::Unit);
            self.matched(&local.pat, &place, false)?;
            return Ok(());
        };
        let mut place = self.scrutinee(&init.expr)?;
        if let syn::Pat::Type(typed) = &local.pat
            && typed.ty.to_token_stream().to_string().contains("VecDeque")
        {
            let queue = self.memory.read(&place)?.queued();
            place = self.memory.alloc(queue);
        }
        let names = self.scope.len();
        if self.matched(&local.pat, &place, false)? {
            return Ok(());
        }
        self.scope.truncate(names);
        match &init.diverge {
            Some((_, otherwise)) => {
                self.eval(otherwise)?;
                Err(Stop::unknown("an `else` that goes on"))
            }
            None => Err(Stop::unknown("a pattern that does not match")),
        }
    }

    fn item(&mut self, item: &syn::Item) -> Run<()> {
        match item {
            syn::Item::Const(of) => {
                let value = self.eval(&of.expr)?;
                self.bind(of.ident.to_string(), value);
                Ok(())
            }
            syn::Item::Use(_) => Ok(()),
            other => Err(Stop::unknown(format!("the item `{}`", other.to_token_stream()))),
        }
    }
}
