//! Variables that only a method of the user's can change: they are declared `mut`, and nothing that is seen changes them.

use crate::frontend::state::site::Site;
use crate::frontend::syntax::lent_only;
use crate::frontend::syntax::token_paths::methods_in;
use crate::frontend::syntax::writes::{
    arguments, borrows, cuts_slice, is_assignment, is_mutating, lends_mut, root_name,
};
use crate::ir::purity::is_look;
use crate::support::names::{self, OF_OPTIONS};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use syn::visit::{self, Visit};

/// What a block does to variables, by their names.
#[derive(Debug, Default)]
pub struct Changes {
    /// Changed by assignments, `&mut`, methods of std, or methods whose values nobody wants.
    pub seen: BTreeSet<String>,
    /// Changed by methods that are called like those of std's sequences.
    sequences: BTreeSet<String>,
    /// The methods that are called on them, and on what such methods give.
    pub methods: BTreeMap<String, BTreeSet<String>>,
    /// The methods that are called on them or on their parts, and whether with arguments.
    pub own: BTreeMap<String, BTreeSet<(String, bool)>>,
    /// Assigned to as wholes.
    pub assigned: BTreeSet<String>,
    /// References to slices of which methods cut parts off.
    cut: BTreeSet<String>,
    /// Declared `mut`.
    pub declared: BTreeSet<String>,
    /// The methods of the user's that are called on them for nothing but what they change.
    pub changing: BTreeMap<String, BTreeSet<String>>,
    /// Read or changed by fields that have names: they are structs.
    pub structs: BTreeSet<String>,
    /// All names of methods that are called, also in the arguments of macros.
    pub called: BTreeSet<String>,
    /// Lent to calls, and without derivative.
    pub lent_only: BTreeSet<String>,
    /// Lent to calls by `&mut name`.
    pub lent: BTreeSet<String>,
    /// The methods of the user's that are known to leave their receivers as they are.
    looking: BTreeSet<String>,
    /// Calls of such methods of which it is known whether they change their receivers.
    calls: Rc<HashMap<Site, bool>>,
}

impl Changes {
    /// What a block does.
    pub fn of(block: &syn::Block) -> Self {
        let called = methods_in(block.to_token_stream());
        let mut changes = Changes { called, lent_only: lent_only::names(block), ..Changes::default() };
        changes.visit_block(block);
        let of_std = changes.sequences.difference(&changes.structs).cloned().collect::<Vec<_>>();
        changes.seen.extend(of_std);
        changes
    }

    /// The same, with what is known of calls.
    pub fn with_calls(self, calls: Rc<HashMap<Site, bool>>) -> Self {
        Changes { calls, ..self }
    }

    /// The same, with what is known of methods: whether those of a name, which are given something or not, change their receivers.
    pub fn with_methods(mut self, is_exclusive: impl Fn(&str, bool) -> Option<bool>) -> Self {
        for (variable, methods) in self.own.clone() {
            for (method, given) in methods {
                match is_exclusive(&method, given) {
                    Some(true) => _ = self.changing.entry(variable.clone()).or_default().insert(method),
                    Some(false) => {
                        self.changing.entry(variable.clone()).or_default().remove(&method);
                        self.looking.insert(method);
                    }
                    None => {}
                }
            }
        }
        self.changing.retain(|_, methods| !methods.is_empty());
        self
    }

    /// Whether a method may be why a variable is declared `mut`: one that is called for nothing else, the only one, or, where the
    /// declaration is seen, one that is given something.
    pub fn are_by(&self, method: &syn::ExprMethodCall, name: &Ident) -> bool {
        let name = name.to_string();
        if let Some(known) = self.calls.get(&Site::of(&method.method)) {
            return *known;
        }
        if self.looking.contains(&method.method.to_string()) {
            return false;
        }
        let Some(methods) = self.own.get(&name).filter(|_| !self.seen.contains(&name)) else {
            return self.is_changing(method, &name);
        };
        let declared = self.declared.contains(&name);
        methods.len() == 1 || declared && (!method.args.is_empty() || methods.iter().all(|(_, given)| !given))
    }

    /// Whether the method is called somewhere for nothing but what it changes.
    pub fn is_changing(&self, method: &syn::ExprMethodCall, name: &str) -> bool {
        let changes = || self.changing.get(name).is_some_and(|methods| methods.contains(&method.method.to_string()));
        self.calls.get(&Site::of(&method.method)).copied().unwrap_or_else(changes)
    }

    /// Whether a method is known to leave its receiver as it is.
    pub fn is_left_by(&self, method: &syn::ExprMethodCall) -> bool {
        let looks = || self.looking.contains(&method.method.to_string());
        self.calls.get(&Site::of(&method.method)).map_or_else(looks, |changes| !changes)
    }

    /// Whether methods of the user's are seen to change a variable.
    pub fn are_by_methods(&self, name: &Ident) -> bool {
        self.changing.contains_key(&name.to_string())
    }

    /// Whether a method of the user's may change the variable that it is called on, by all that is seen.
    pub fn may_be_by(&self, method: &syn::ExprMethodCall) -> bool {
        let name = method.method.to_string();
        let known = names::is_scalar(&name, method.args.len()) || names::QUERIES.contains(&name.as_str());
        let known = known || is_look(&method.method);
        let Some(root) = place_name(&method.receiver).filter(|_| !known) else { return false };
        let name = root.to_string();
        self.is_changing(method, &name) || self.declared.contains(&name) && self.are_by(method, root)
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

    /// Whether methods cut parts off the slice that a variable leads to.
    pub fn are_cut(&self, name: &Ident) -> bool {
        self.cut.contains(&name.to_string())
    }

    fn note_whole(&mut self, target: &syn::Expr) {
        match target {
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.note_whole(e)),
            syn::Expr::Path(p) => self.assigned.extend(p.path.get_ident().map(ToString::to_string)),
            _ => {}
        }
    }

    /// Arguments that are `&mut name`.
    fn note_lent<'e>(&mut self, args: impl IntoIterator<Item = &'e syn::Expr>) {
        for arg in args {
            if let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr, .. }) = arg
                && let syn::Expr::Path(p) = &**expr
            {
                self.lent.extend(p.path.get_ident().map(Ident::to_string));
            }
        }
    }

    fn note(&mut self, place: &syn::Expr) {
        match place {
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.note(e)),
            place => self.seen.extend(root_name(place).map(ToString::to_string)),
        }
    }
}

impl<'a> Visit<'a> for Changes {
    fn visit_expr_field(&mut self, f: &'a syn::ExprField) {
        if let (syn::Member::Named(_), syn::Expr::Path(p)) = (&f.member, &*f.base) {
            self.structs.extend(p.path.get_ident().map(Ident::to_string));
        }
        visit::visit_expr_field(self, f);
    }

    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        if p.mutability.is_some() {
            self.declared.insert(p.ident.to_string());
        }
        visit::visit_pat_ident(self, p);
    }

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

    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        let exchanges = matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.iter().any(|s| s.ident == "mem"));
        if !exchanges && !matches!(&*c.func, syn::Expr::Path(p) if p.path.is_ident("Some")) {
            self.note_lent(&c.args);
        }
        visit::visit_expr_call(self, c);
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.note_lent(&m.args);
        let name = m.method.to_string();
        if lends_mut(&name) {
            self.note(&m.receiver);
        }
        if let (true, syn::Expr::Path(p)) = (cuts_slice(m), &*m.receiver) {
            self.note_whole(&m.receiver);
            self.cut.extend(p.path.get_ident().map(ToString::to_string));
        }
        if is_mutating(&name) && name != "next" {
            match &*m.receiver {
                syn::Expr::Path(p) => self.sequences.extend(p.path.get_ident().map(ToString::to_string)),
                place => self.note(place),
            }
        }
        let only_looks = name == "clone" || OF_OPTIONS.contains(&name.as_str());
        if let Some(root) = place_name(&m.receiver).filter(|_| !only_looks) {
            self.own.entry(root.to_string()).or_default().insert((name.clone(), !m.args.is_empty()));
        }
        if let Some(root) = root_name(&m.receiver).filter(|_| !only_looks) {
            self.methods.entry(root.to_string()).or_default().insert(name);
        }
        visit::visit_expr_method_call(self, m);
    }

    fn visit_macro(&mut self, m: &'a syn::Macro) {
        arguments(m).iter().flatten().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_local(&mut self, l: &'a syn::Local) {
        l.init.iter().filter(|_| borrows(&l.pat)).for_each(|init| self.note(&init.expr));
        visit::visit_local(self, l);
    }

    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        if borrows(&l.pat) {
            self.note(&l.expr);
        }
        visit::visit_expr_let(self, l);
    }

    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        if m.arms.iter().any(|arm| borrows(&arm.pat)) {
            self.note(&m.expr);
        }
        visit::visit_expr_match(self, m);
    }

    fn visit_stmt(&mut self, s: &'a syn::Stmt) {
        if let syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) = s {
            self.note(&m.receiver);
            let name = m.method.to_string();
            if let Some(root) = place_name(&m.receiver).filter(|_| !is_mutating(&name)) {
                self.changing.entry(root.to_string()).or_default().insert(name);
            }
        }
        visit::visit_stmt(self, s);
    }
}

/// The variable whose part a place is.
fn place_name(place: &syn::Expr) -> Option<&Ident> {
    match place {
        syn::Expr::Path(p) => p.path.get_ident(),
        syn::Expr::Index(i) => place_name(&i.expr),
        syn::Expr::Field(f) => place_name(&f.base),
        syn::Expr::Paren(p) => place_name(&p.expr),
        _ => None,
    }
}
