//! Which expressions are trait objects, or lead to some, as far as a function's text says it: `&dyn Model`, `Box<dyn Model>`, items of lists
//! of these.

use super::pattern_names::names_of;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The variables, fields and functions whose types mention trait objects.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    variables: HashSet<String>,
    members: HashSet<String>,
    /// Fields and functions of the same names that have other types.
    others: HashSet<String>,
}

impl Objects {
    /// Those of a function, besides those that its file shows.
    pub fn of(item: &syn::ItemFn, owner: Option<&syn::Type>, mut shown: Objects) -> Self {
        if owner.is_some_and(mentions_object) {
            shown.variables.insert("self".to_owned());
        }
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(param) = input {
                shown.typed(&param.pat, &param.ty);
            }
        }
        shown.visit_block(&item.block);
        shown
    }

    /// Notes a field.
    pub fn field(&mut self, field: &syn::Field) {
        if let Some(name) = &field.ident {
            self.member(name, mentions_object(&field.ty));
        }
    }

    /// Notes a function.
    pub fn function(&mut self, signature: &syn::Signature) {
        let gives = matches!(&signature.output, syn::ReturnType::Type(_, ty) if mentions_object(ty));
        self.member(&signature.ident, gives);
    }

    fn member(&mut self, name: &Ident, is_object: bool) {
        let all = if is_object { &mut self.members } else { &mut self.others };
        all.insert(name.to_string());
    }

    fn is_member(&self, name: &Ident) -> bool {
        let name = name.to_string();
        self.members.contains(&name) && !self.others.contains(&name)
    }

    /// Whether an expression is a trait object, or holds some.
    pub fn is_object(&self, e: &syn::Expr) -> bool {
        match strip_parens(e) {
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|name| self.variables.contains(&name.to_string())),
            syn::Expr::Field(f) => match &f.member {
                syn::Member::Named(name) => self.is_member(name),
                syn::Member::Unnamed(_) => self.is_object(&f.base),
            },
            syn::Expr::Index(i) => self.is_object(&i.expr),
            syn::Expr::Reference(r) => self.is_object(&r.expr),
            syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_object(&u.expr),
            syn::Expr::Try(t) => self.is_object(&t.expr),
            syn::Expr::Cast(c) => mentions_object(&c.ty),
            syn::Expr::MethodCall(m) => self.is_member(&m.method) || self.leads(m),
            syn::Expr::Call(c) => self.is_call_of_object(c),
            syn::Expr::If(i) => i.else_branch.as_ref().is_some_and(|(_, other)| self.is_object(other)),
            syn::Expr::Match(m) => m.arms.iter().any(|arm| self.is_object(&arm.body)),
            syn::Expr::Block(b) => matches!(b.block.stmts.last(), Some(syn::Stmt::Expr(e, None)) if self.is_object(e)),
            _ => false,
        }
    }

    fn leads(&self, m: &syn::ExprMethodCall) -> bool {
        self.is_object(&m.receiver) || m.args.iter().any(|arg| self.is_object(arg))
    }

    fn is_call_of_object(&self, c: &syn::ExprCall) -> bool {
        let syn::Expr::Path(function) = &*c.func else { return false };
        function.path.segments.last().is_some_and(|last| {
            self.is_member(&last.ident) || last.ident == "Some" && c.args.iter().any(|a| self.is_object(a))
        })
    }

    fn bind(&mut self, pattern: &syn::Pat) {
        self.variables.extend(names_of(pattern).iter().map(ToString::to_string));
    }

    fn typed(&mut self, pattern: &syn::Pat, ty: &syn::Type) {
        if mentions_object(ty) {
            self.bind(pattern);
        }
    }
}

impl<'a> Visit<'a> for Objects {
    fn visit_local(&mut self, local: &'a syn::Local) {
        match (&local.pat, &local.init) {
            (syn::Pat::Type(typed), _) => self.typed(&typed.pat, &typed.ty),
            (pattern, Some(init)) if self.is_object(&init.expr) => self.bind(pattern),
            _ => {}
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, condition: &'a syn::ExprLet) {
        if self.is_object(&condition.expr) {
            self.bind(&condition.pat);
        }
        visit::visit_expr_let(self, condition);
    }

    fn visit_expr_match(&mut self, on: &'a syn::ExprMatch) {
        if self.is_object(&on.expr) {
            on.arms.iter().for_each(|arm| self.bind(&arm.pat));
        }
        visit::visit_expr_match(self, on);
    }

    fn visit_expr_for_loop(&mut self, on: &'a syn::ExprForLoop) {
        if self.is_object(&on.expr) {
            self.bind(&on.pat);
        }
        visit::visit_expr_for_loop(self, on);
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        for input in &closure.inputs {
            if let syn::Pat::Type(typed) = input {
                self.typed(&typed.pat, &typed.ty);
            }
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if self.is_object(&m.receiver) {
            for arg in &m.args {
                if let syn::Expr::Closure(closure) = arg {
                    closure.inputs.iter().for_each(|pattern| self.bind(pattern));
                }
            }
        }
        visit::visit_expr_method_call(self, m);
    }
}

fn mentions_object(ty: &syn::Type) -> bool {
    object_in(ty).is_some()
}

/// The object of a trait other than those of functions that a type mentions.
pub fn object_in(ty: &syn::Type) -> Option<Span> {
    let mut found = Found(None);
    found.visit_type(ty);
    found.0
}

struct Found(Option<Span>);

impl<'a> Visit<'a> for Found {
    fn visit_type_trait_object(&mut self, object: &'a syn::TypeTraitObject) {
        let of_functions = |bound: &syn::TypeParamBound| {
            let syn::TypeParamBound::Trait(of) = bound else { return false };
            of.path.segments.last().is_some_and(|s| matches!(s.arguments, syn::PathArguments::Parenthesized(_)))
        };
        if self.0.is_none() && !object.bounds.iter().any(of_functions) {
            self.0 = Some(object.span());
        }
    }
}
