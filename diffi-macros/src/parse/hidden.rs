//! Variables that only a method of the user's can change: they are declared `mut`, and nothing that is seen changes them.

use crate::parse::effects::{is_assignment, is_mutating, root_name};
use crate::parse::structs::OF_OPTIONS;
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// What a block does to variables, by their names.
#[derive(Debug, Default)]
pub struct Changes {
    /// Changed by assignments, `&mut`, methods of std, or methods whose values nobody wants.
    seen: BTreeSet<String>,
    /// The methods that are called on them.
    methods: BTreeMap<String, BTreeSet<String>>,
    /// Assigned to as wholes.
    assigned: BTreeSet<String>,
}

impl Changes {
    /// What a block does.
    pub fn of(block: &syn::Block) -> Self {
        let mut changes = Changes::default();
        changes.visit_block(block);
        changes
    }

    /// Whether one method alone can be why a variable is declared `mut`.
    pub fn are_by_one_method(&self, name: &Ident) -> bool {
        let name = name.to_string();
        !self.seen.contains(&name) && self.methods.get(&name).is_some_and(|methods| methods.len() == 1)
    }

    /// Whether one of these methods is called on a variable, or it is lent to be changed.
    pub fn run_parts(&self, name: &Ident, methods: &[&str]) -> bool {
        let name = name.to_string();
        let called = self.methods.get(&name);
        self.seen.contains(&name) || called.is_some_and(|called| methods.iter().any(|method| called.contains(*method)))
    }

    /// Whether an assignment sets it as a whole.
    pub fn are_assigned(&self, name: &Ident) -> bool {
        self.assigned.contains(&name.to_string())
    }

    fn note_whole(&mut self, target: &syn::Expr) {
        match target {
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.note_whole(e)),
            syn::Expr::Path(p) => self.assigned.extend(p.path.get_ident().map(ToString::to_string)),
            _ => {}
        }
    }

    fn note(&mut self, place: &syn::Expr) {
        self.seen.extend(root_name(place).map(ToString::to_string));
    }
}

impl<'a> Visit<'a> for Changes {
    fn visit_expr_assign(&mut self, e: &'a syn::ExprAssign) {
        self.note(&e.left);
        self.note_whole(&e.left);
        visit::visit_expr_assign(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'a syn::ExprBinary) {
        if is_assignment(&e.op) {
            self.note(&e.left);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_reference(&mut self, e: &'a syn::ExprReference) {
        if e.mutability.is_some() {
            self.note(&e.expr);
        }
        visit::visit_expr_reference(self, e);
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        let name = m.method.to_string();
        if name.ends_with("_mut") || is_mutating(&name) && name != "next" {
            self.note(&m.receiver);
        }
        let only_looks = name == "clone" || OF_OPTIONS.contains(&name.as_str());
        if let Some(root) = root_name(&m.receiver).filter(|_| !only_looks) {
            self.methods.entry(root.to_string()).or_default().insert(name);
        }
        visit::visit_expr_method_call(self, m);
    }

    fn visit_stmt(&mut self, s: &'a syn::Stmt) {
        if let syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) = s {
            self.note(&m.receiver);
        }
        visit::visit_stmt(self, s);
    }
}
