//! Places: what can be borrowed and assigned to.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use quote::ToTokens;
use syn::{Expr, UnOp};

impl Machine<'_> {
    /// The place that an expression is; of a value, a new one.
    pub fn place(&mut self, e: &Expr) -> Run<Pointer> {
        match e {
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match self.variable(&name) {
                    Some(place) => Ok(place),
                    None => self.made(e),
                }
            }
            Expr::Field(field) => {
                let base = self.place(&field.base)?;
                self.memory.field(&base, &field.member.to_token_stream().to_string())
            }
            Expr::Index(index) => self.indexed(&index.expr, &index.index),
            Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => {
                let place = self.place(expr)?;
                match self.memory.shallow(&place)? {
                    Value::Ref(behind) => Ok(behind),
                    _ => Ok(place),
                }
            }
            _ => self.made(e),
        }
    }

    /// A value in a place of its own.
    fn made(&mut self, e: &Expr) -> Run<Pointer> {
        let value = self.eval(e)?;
        Ok(self.memory.alloc(value))
    }

    fn indexed(&mut self, base: &Expr, index: &Expr) -> Run<Pointer> {
        let base = self.place(base)?;
        match self.eval_through(index)? {
            Value::Range(ends, inclusive) => {
                let (lo, hi) = self.bounds(&ends, inclusive, self.memory.count(&base)?)?;
                self.memory.part(&base, lo, hi)
            }
            index => self.memory.element(&base, &index),
        }
    }

    /// The ends of a range within so many elements.
    pub fn bounds(&self, ends: &[Option<Value>; 2], inclusive: bool, len: usize) -> Run<(usize, usize)> {
        let end = |end: &Option<Value>, otherwise: usize| match end {
            None => Ok(otherwise),
            Some(Value::Int(n)) => usize::try_from(*n).map_err(|_| Stop::panic("an end below zero")),
            Some(_) => Err(Stop::unknown("the end of a range")),
        };
        let (lo, hi) = (end(&ends[0], 0)?, end(&ends[1], len)?);
        Ok((lo, hi + usize::from(inclusive)))
    }
}
