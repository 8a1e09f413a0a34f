//! The types of receivers, as far as a function's text says them.

use super::definitions::type_name;
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::types;
use crate::ir::{Owner, OwnerKind};
use crate::support::syntax::{makes, strip_parens};
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};

/// The names of variables, each with its type's name; none where two variables of one name have other types.
#[derive(Default)]
pub struct Receivers {
    owner: Option<String>,
    names: HashMap<String, Option<String>>,
    /// The functions whose results variables are set to.
    made_by: HashMap<String, Vec<syn::Path>>,
    /// Those that are declared with the value itself.
    values: HashSet<String>,
    /// Those that are declared as sequences: the elements' type, and how many indices lead to one.
    elements: HashMap<String, Option<(String, usize)>>,
}

impl Receivers {
    /// Those of a function.
    pub fn of(item: &syn::ItemFn, owner: Option<&Owner>) -> Self {
        let named = |o: &Owner| match &o.kind {
            OwnerKind::Trait(of) => Some(of.to_string()),
            _ => type_name(&o.ty).map(ToString::to_string),
        };
        let mut found = Receivers { owner: owner.and_then(named), ..Receivers::default() };
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(param) = input {
                found.typed(&param.pat, &param.ty);
            }
        }
        found.visit_block(&item.block);
        let this = found.owner.clone();
        found.names.insert("self".to_owned(), this);
        found
    }

    /// The name of an expression's type, if it is known.
    pub fn type_of(&self, e: &syn::Expr) -> Option<&str> {
        match strip_parens(e) {
            syn::Expr::Path(p) => self.names.get(&p.path.get_ident()?.to_string())?.as_deref(),
            syn::Expr::Reference(r) => self.type_of(&r.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.type_of(&u.expr),
            syn::Expr::MethodCall(m) if m.method == "clone" => self.type_of(&m.receiver),
            _ => None,
        }
    }

    /// The variables of a type: those of which it is written, and those that are set to what functions of it give.
    pub fn of_type(&self, ty: &syn::Type, gives: &dyn Fn(&syn::Path) -> bool) -> HashSet<String> {
        let Some(of) = type_name(ty).map(ToString::to_string) else { return HashSet::new() };
        let made = |name: &String| self.made_by.get(name).is_none_or(|paths| paths.iter().all(gives));
        let all = self.names.iter().filter(|(name, ty)| ty.as_ref() == Some(&of) && made(name));
        all.map(|(name, _)| name.clone()).collect()
    }

    /// The name of the type of an element of a variable, behind so many indices.
    pub fn element_of(&self, name: &str, indices: usize) -> Option<&str> {
        let (ty, depth) = self.elements.get(name)?.as_ref()?;
        (*depth == indices).then_some(ty)
    }

    /// Whether a name is one of a variable.
    pub fn binds(&self, name: &Ident) -> bool {
        self.names.contains_key(&name.to_string())
    }

    fn bind(&mut self, pattern: &syn::Pat, ty: Option<String>) {
        self.bind_elements(pattern, None);
        self.bind_value(pattern, ty);
    }

    fn bind_value(&mut self, pattern: &syn::Pat, ty: Option<String>) {
        for name in names_of(pattern) {
            let known = self.names.entry(name.to_string()).or_insert_with(|| ty.clone());
            if *known != ty {
                *known = None;
            }
        }
    }

    fn bind_elements(&mut self, pattern: &syn::Pat, of: Option<(String, usize)>) {
        for name in names_of(pattern) {
            let known = self.elements.entry(name.to_string()).or_insert_with(|| of.clone());
            if *known != of {
                *known = None;
            }
        }
    }

    /// Whether a variable holds a value of its type, and no reference.
    pub fn is_value(&self, name: &str) -> bool {
        self.values.contains(name)
    }

    fn typed(&mut self, pattern: &syn::Pat, ty: &syn::Type) {
        let own = |name: String| if name == "Self" { self.owner.clone() } else { Some(name) };
        let elements = elements(ty, 0).filter(|_| matches!(pattern, syn::Pat::Ident(_)));
        let elements = elements.and_then(|(name, depth)| Some((own(name)?, depth)));
        self.bind_elements(pattern, elements);
        if let (syn::Pat::Ident(name), syn::Type::Path(_)) = (pattern, ty) {
            self.values.insert(name.ident.to_string());
        }
        let name = type_name(ty).map(ToString::to_string);
        let name = if name.as_deref() == Some("Self") { self.owner.clone() } else { name };
        let holds = |name: &String| ["Box", "Rc", "Arc"].contains(&name.as_str());
        let plain = matches!(pattern, syn::Pat::Ident(_));
        self.bind_value(pattern, name.filter(|name| plain && !holds(name)));
    }

    /// The type that an expression makes: `Type::new(..)`, `Type { .. }`, `Type(..)`.
    pub fn made(&self, e: &syn::Expr) -> Option<String> {
        let path = match strip_parens(e) {
            syn::Expr::Struct(s) => &s.path,
            syn::Expr::Call(c) => match &*c.func {
                syn::Expr::Path(p) if p.qself.is_none() => &p.path,
                _ => return None,
            },
            e => return self.type_of(e).map(str::to_owned),
        };
        let segments = &path.segments;
        let of = match segments.len() {
            _ if makes(path) => segments.last()?,
            0 | 1 => return None,
            n => &segments[n - 2],
        };
        let name = of.ident.to_string();
        let name = if name == "Self" { self.owner.clone()? } else { name };
        name.starts_with(char::is_uppercase).then_some(name)
    }
}

impl<'a> Visit<'a> for Receivers {
    fn visit_local(&mut self, local: &'a syn::Local) {
        visit::visit_local(self, local);
        match (&local.pat, &local.init) {
            (syn::Pat::Type(typed), _) => self.typed(&typed.pat, &typed.ty),
            (pattern @ syn::Pat::Ident(_), Some(init)) => {
                let made = self.made(&init.expr);
                let value =
                    made.is_some() && matches!(strip_parens(&init.expr), syn::Expr::Struct(_) | syn::Expr::Call(_));
                if let (syn::Pat::Ident(name), syn::Expr::Call(call)) = (pattern, strip_parens(&init.expr))
                    && let syn::Expr::Path(function) = &*call.func
                    && !makes(&function.path)
                {
                    self.made_by.entry(name.ident.to_string()).or_default().push(function.path.clone());
                }
                if let syn::Pat::Ident(name) = pattern {
                    self.values.extend(value.then(|| name.ident.to_string()));
                }
                self.bind(pattern, made);
            }
            (pattern, _) => self.bind(pattern, None),
        }
    }

    fn visit_expr_for_loop(&mut self, on: &'a syn::ExprForLoop) {
        self.bind(&on.pat, None);
        visit::visit_expr_for_loop(self, on);
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.bind(&arm.pat, None);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_let(&mut self, e: &'a syn::ExprLet) {
        self.bind(&e.pat, None);
        visit::visit_expr_let(self, e);
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        for pattern in &closure.inputs {
            match pattern {
                syn::Pat::Type(typed) => self.typed(&typed.pat, &typed.ty),
                pattern => self.bind(pattern, None),
            }
        }
        visit::visit_expr_closure(self, closure);
    }
}

/// The type of a sequence's elements, and how many indices lead to one; nothing of what is no sequence.
fn elements(ty: &syn::Type, depth: usize) -> Option<(String, usize)> {
    match ty {
        syn::Type::Reference(r) => elements(&r.elem, depth),
        syn::Type::Paren(p) => elements(&p.elem, depth),
        syn::Type::Array(a) => elements(&a.elem, depth + 1),
        syn::Type::Slice(s) => elements(&s.elem, depth + 1),
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            match types::first_argument(last).filter(|_| last.ident == "Vec") {
                Some(inner) => elements(inner, depth + 1),
                None => (depth > 0).then(|| (last.ident.to_string(), depth)),
            }
        }
        _ => None,
    }
}
