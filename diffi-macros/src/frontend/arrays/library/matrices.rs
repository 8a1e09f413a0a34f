//! What `nalgebra` adds: norms and decompositions.

use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Refs, Value};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// A method of a vector or a matrix. A decomposition is the matrix itself: its methods are functions of that.
    pub fn matrix_method(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let (name, span) = (m.method.to_string(), m.span());
        let named = |name: &str| PassiveCode { span, ..PassiveCode::literal(operation(name, span)) };
        match (name.as_str(), m.args.first()) {
            ("norm" | "magnitude", None) => self.norm(receiver, span),
            ("norm_squared" | "magnitude_squared", None) => self.square(receiver, span),
            ("normalize", None) => {
                let norm = self.norm(receiver.clone(), span);
                self.operation(Op::Div, &[receiver, norm], span)
            }
            ("trace", None) => {
                let diagonal = self.rule(named("Diagonal"), &[receiver], Ty::Library, "diagonal", span);
                self.rule(named("Sum"), &[diagonal], Ty::Float, "trace", span)
            }
            ("lu" | "full_piv_lu" | "qr", None) => receiver,
            ("cholesky", None) => {
                let lower = self.rule(named("Cholesky"), &[receiver], Ty::Library, "lower", span);
                if let Value::Active(a) = &lower {
                    self.fact_mut(a.place.root).cholesky = true;
                }
                lower
            }
            _ if self.is_factor(&receiver) => self.factor_method(receiver, m),
            ("determinant", None) => self.rule(named("Determinant"), &[receiver], Ty::Float, "determinant", span),
            ("ln_determinant", None) => self.rule(named("LogDeterminant"), &[receiver], Ty::Float, "log", span),
            ("try_inverse", None) => self.inverse("Solve", receiver, span),
            ("inverse", None) => self.annotated_method(receiver, m, false),
            ("solve" | "cross", Some(other)) => {
                let other = self.expr(other).dereferenced_fully();
                let op = if name == "solve" { "Solve" } else { "Cross" };
                self.rule(named(op), &[receiver, other], Ty::Library, &name, span)
            }
            _ => {
                self.errors.unknown_method(m.method.span(), &name);
                Value::Poison
            }
        }
    }

    /// Whether a value is what `cholesky()` gave.
    fn is_factor(&self, value: &Value) -> bool {
        matches!(value, Value::Active(a) if a.place.path.is_empty() && self.fact(a.place.root).cholesky)
    }

    /// A method of Cholesky's decomposition, which stands for its lower factor.
    fn factor_method(&mut self, lower: Value, m: &syn::ExprMethodCall) -> Value {
        let (name, span) = (m.method.to_string(), m.span());
        let named = |name: &str| PassiveCode { span, ..PassiveCode::literal(operation(name, span)) };
        match (name.as_str(), m.args.first()) {
            ("l" | "unpack", None) => self.rule(named("Owned"), &[lower], Ty::Library, "factor", span),
            ("ln_determinant", None) => self.rule(named("CholeskyLogDeterminant"), &[lower], Ty::Float, "log", span),
            ("determinant", None) => {
                let log = self.rule(named("CholeskyLogDeterminant"), &[lower], Ty::Float, "log", span);
                self.operation(Op::Fn("exp"), &[log], span)
            }
            ("inverse", None) => self.inverse("CholeskySolve", lower, span),
            ("solve", Some(other)) => {
                let other = self.expr(other).dereferenced_fully();
                self.rule(named("CholeskySolve"), &[lower, other], Ty::Library, &name, span)
            }
            _ => {
                self.errors.unknown_method(m.method.span(), &name);
                Value::Poison
            }
        }
    }

    /// The solution for all unit vectors.
    fn inverse(&mut self, solve: &str, matrix: Value, span: Span) -> Value {
        let shown = match &matrix {
            Value::Active(a) => self.show_place(&a.place, Refs::SHARED),
            _ => return Value::Poison,
        };
        let (of, tokens) = (library("identity_like", span), &shown.tokens);
        let identity = PassiveCode { tokens: quote!(#of(#tokens)), ..shown.clone() };
        let identity = Value::passive_of(identity, Ty::Library);
        let solve = PassiveCode { span, ..PassiveCode::literal(operation(solve, span)) };
        self.rule(solve, &[matrix, identity], Ty::Library, "inverse", span)
    }

    pub fn square(&mut self, vector: Value, span: Span) -> Value {
        let dot = PassiveCode { span, ..PassiveCode::literal(operation("Dot", span)) };
        self.rule(dot, &[vector.clone(), vector], Ty::Float, "square", span)
    }

    pub fn norm(&mut self, vector: Value, span: Span) -> Value {
        let square = self.square(vector, span);
        self.operation(Op::Fn("sqrt"), &[square], span)
    }
}
