//! What an expression does besides having a value: which outer names it changes, and whether
//! control may leave it.

use crate::frontend::state::value::{Scope, Value};
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::writes::{MUTATING, arguments, borrows, is_assignment, is_mutating, lends_mut, root_name};
use crate::support::names;
use crate::support::syntax::{is_self, referred_name, strip_parens};
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Whether a method of this name and so many arguments changes its receiver, or lends it to be changed.
fn mutates(name: &str, arguments: usize) -> bool {
    let of_options = matches!((name, arguments), ("take", 0) | ("replace", 1));
    of_options || is_mutating(name) || lends_mut(name) || name.starts_with("get_or_insert")
}

/// The effects of one expression.
#[derive(Default, Debug)]
pub struct Effects {
    /// Outer names that it changes.
    pub writes: Vec<Ident>,
    /// `return`, `break` or `continue` that leaves it, or `?`.
    pub jumps: bool,
    /// Prints or panics.
    pub speaks: bool,
}

impl Effects {
    /// Whether it can be kept as one value.
    pub fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.jumps
    }
}

/// What an expression does.
pub fn of_expr(scope: &Scope, expr: &syn::Expr) -> Effects {
    let mut finder = Finder::new(scope);
    finder.visit_expr(expr);
    finder.effects
}

/// What a statement does.
pub fn of_stmt(scope: &Scope, stmt: &syn::Stmt) -> Effects {
    let mut finder = Finder::new(scope);
    finder.visit_stmt(stmt);
    finder.effects
}

/// What a block does.
pub fn of_block(scope: &Scope, block: &syn::Block) -> Effects {
    let mut finder = Finder::new(scope);
    finder.visit_block(block);
    finder.effects
}

/// Whether a closure in an expression changes something, be it what it is given.
pub fn assigns_in_closures(expr: &syn::Expr) -> bool {
    struct Assigns {
        inside: bool,
        found: bool,
    }
    impl<'a> Visit<'a> for Assigns {
        fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
            let before = std::mem::replace(&mut self.inside, true);
            visit::visit_expr_closure(self, c);
            self.inside = before;
        }
        fn visit_expr_assign(&mut self, e: &'a syn::ExprAssign) {
            self.found |= self.inside;
            visit::visit_expr_assign(self, e);
        }
        fn visit_expr_binary(&mut self, e: &'a syn::ExprBinary) {
            self.found |= self.inside && is_assignment(&e.op);
            visit::visit_expr_binary(self, e);
        }
        fn visit_expr_method_call(&mut self, e: &'a syn::ExprMethodCall) {
            self.found |= self.inside && MUTATING.contains(&e.method.to_string().as_str());
            visit::visit_expr_method_call(self, e);
        }
    }
    let mut assigns = Assigns { inside: false, found: false };
    assigns.visit_expr(expr);
    assigns.found
}

struct Finder<'a> {
    scope: &'a Scope,
    own: Vec<Own>,
    loops: usize,
    labels: Vec<Ident>,
    closures: usize,
    effects: Effects,
}

/// A name of the expression's own.
struct Own {
    name: Ident,
    /// The outer name that can be changed through it.
    through: Option<Ident>,
}

impl<'a> Finder<'a> {
    fn new(scope: &'a Scope) -> Self {
        Finder { scope, own: Vec::new(), loops: 0, labels: Vec::new(), closures: 0, effects: Effects::default() }
    }

    fn write(&mut self, target: &syn::Expr) {
        match target {
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.write(e)),
            syn::Expr::Array(a) => a.elems.iter().for_each(|e| self.write(e)),
            syn::Expr::Struct(s) => s.fields.iter().for_each(|f| self.write(&f.expr)),
            syn::Expr::Call(c) => c.args.iter().for_each(|e| self.write(e)),
            syn::Expr::Paren(p) => self.write(&p.expr),
            _ => {}
        }
        let Some(name) = root_name(target) else { return };
        match self.own(name) {
            Some(own) => self.effects.writes.extend(own.through.clone()),
            None => self.effects.writes.push(name.clone()),
        }
    }

    fn own(&self, name: &Ident) -> Option<&Own> {
        self.own.iter().rev().find(|own| own.name == *name)
    }

    /// A name that stands for `&mut` of something: whoever gets it may change that.
    fn lend(&mut self, arg: &syn::Expr) {
        if self.exclusive(arg).is_some() {
            self.write(arg);
        }
    }

    /// The outer name that can be changed through a name which stands for `&mut` of it, or leads to a reference that does: `*rr`.
    fn exclusive(&self, expr: &syn::Expr) -> Option<Ident> {
        let (mut place, mut opened) = (strip_parens(expr), 0);
        while let syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) = place {
            (place, opened) = (strip_parens(expr), opened + 1);
        }
        let syn::Expr::Path(p) = place else { return None };
        let name = p.path.get_ident()?;
        let leads = |value: &&Value| value.refs().exclusive && value.refs().depth > opened;
        match self.own(name) {
            Some(own) => own.through.clone().filter(|_| opened == 0),
            None => self.scope.get(name).filter(leads).map(|_| name.clone()),
        }
    }

    /// Names of a pattern, and what can be changed through them where it takes this apart.
    fn bind(&mut self, pattern: &syn::Pat, from: Option<&syn::Expr>) {
        let through = from.and_then(|from| match borrows(pattern) {
            true => self.outer(from),
            false => self.exclusive(from),
        });
        self.own.extend(names_of(pattern).into_iter().map(|name| Own { name, through: through.clone() }));
    }

    /// The outer name at the root of a place.
    fn outer(&self, place: &syn::Expr) -> Option<Ident> {
        let name = root_name(place)?;
        self.own(name).map_or_else(|| Some(name.clone()), |own| own.through.clone())
    }

    /// Whoever gets a value with `&mut`s in it may change what they stand for.
    fn hand_on(&mut self, block: &syn::Block) {
        if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last() {
            self.lend(last);
        }
    }

    fn leaves(&self, label: &Option<syn::Lifetime>) -> bool {
        match label {
            Some(l) => !self.labels.contains(&l.ident),
            None => self.loops == 0,
        }
    }

    fn in_loop(&mut self, label: &Option<syn::Label>, f: impl FnOnce(&mut Self)) {
        self.loops += 1;
        let before = (self.labels.len(), self.own.len());
        self.labels.extend(label.iter().map(|l| l.name.ident.clone()));
        f(self);
        self.labels.truncate(before.0);
        self.own.truncate(before.1);
        self.loops -= 1;
    }
}

impl Finder<'_> {
    /// Tokens of a macro that is not known: it may do anything with the active values that they name.
    fn hidden(&mut self, tokens: &TokenStream) {
        for tree in tokens.clone() {
            match tree {
                TokenTree::Ident(name) if self.own(&name).is_none() => {
                    let value = self.scope.get(&name);
                    if value.is_some_and(|v| v.is_active() || matches!(v, Value::Closure(_))) {
                        self.effects.writes.push(name);
                    }
                }
                TokenTree::Group(group) => self.hidden(&group.stream()),
                _ => {}
            }
        }
    }

    /// Whether a method of the user's may change what it is called on.
    fn may_change(&self, m: &syn::ExprMethodCall) -> bool {
        let value =
            root_name(&m.receiver).filter(|name| self.own(name).is_none()).and_then(|name| self.scope.get(name));
        matches!(value, Some(Value::Active(_) | Value::Passive(_))) && self.scope.changes.may_be_by(m)
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_expr_assign(&mut self, e: &'a syn::ExprAssign) {
        self.write(&e.left);
        visit::visit_expr_assign(self, e);
    }
    fn visit_expr_binary(&mut self, e: &'a syn::ExprBinary) {
        if is_assignment(&e.op) {
            self.write(&e.left);
        }
        visit::visit_expr_binary(self, e);
    }
    fn visit_expr_reference(&mut self, e: &'a syn::ExprReference) {
        if e.mutability.is_some() {
            self.write(&e.expr);
        }
        visit::visit_expr_reference(self, e);
    }
    fn visit_expr_method_call(&mut self, e: &'a syn::ExprMethodCall) {
        let method = e.method.to_string();
        let own = is_self(&e.receiver) && self.scope.changes_self(&e.method);
        if own || mutates(&method, e.args.len()) || self.may_change(e) {
            self.write(&e.receiver);
        }
        e.args.iter().for_each(|arg| self.lend(arg));
        visit::visit_expr_method_call(self, e);
    }
    fn visit_stmt(&mut self, stmt: &'a syn::Stmt) {
        if let syn::Stmt::Expr(syn::Expr::MethodCall(m), Some(_)) = stmt
            && let Some(Value::Active(_)) = root_name(&m.receiver).and_then(|name| self.scope.get(name))
        {
            self.write(&m.receiver);
        }
        visit::visit_stmt(self, stmt);
    }
    fn visit_expr_call(&mut self, e: &'a syn::ExprCall) {
        if let Some(name) = referred_name(&e.func) {
            let value = Some(name).filter(|n| self.own(n).is_none()).and_then(|n| self.scope.get(n));
            if let Some(Value::Closure(c)) = value {
                let inner = of_expr(&c.scope, &syn::Expr::Closure(c.code.clone()));
                self.effects.writes.extend(inner.writes);
                self.effects.speaks |= inner.speaks;
            }
        }
        e.args.iter().for_each(|arg| self.lend(arg));
        visit::visit_expr_call(self, e);
    }
    fn visit_expr_closure(&mut self, e: &'a syn::ExprClosure) {
        let before = (self.own.len(), self.loops);
        e.inputs.iter().for_each(|p| self.bind(p, None));
        self.loops = 0;
        self.closures += 1;
        self.lend(&e.body);
        visit::visit_expr(self, &e.body);
        self.closures -= 1;
        self.loops = before.1;
        self.own.truncate(before.0);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        visit::visit_local(self, l);
        self.bind(&l.pat, l.init.as_ref().map(|init| &*init.expr));
    }
    fn visit_block(&mut self, b: &'a syn::Block) {
        let before = self.own.len();
        visit::visit_block(self, b);
        self.hand_on(b);
        self.own.truncate(before);
    }
    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        self.visit_expr(&m.expr);
        for arm in &m.arms {
            let before = self.own.len();
            self.bind(&arm.pat, Some(&m.expr));
            visit::visit_arm(self, arm);
            self.lend(&arm.body);
            self.own.truncate(before);
        }
    }
    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        visit::visit_expr_let(self, l);
        self.bind(&l.pat, Some(&l.expr));
    }
    fn visit_expr_tuple(&mut self, t: &'a syn::ExprTuple) {
        t.elems.iter().for_each(|e| self.lend(e));
        visit::visit_expr_tuple(self, t);
    }
    fn visit_expr_array(&mut self, a: &'a syn::ExprArray) {
        a.elems.iter().for_each(|e| self.lend(e));
        visit::visit_expr_array(self, a);
    }
    fn visit_expr_struct(&mut self, s: &'a syn::ExprStruct) {
        s.fields.iter().for_each(|f| self.lend(&f.expr));
        visit::visit_expr_struct(self, s);
    }
    fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
        self.visit_expr(&e.expr);
        self.in_loop(&e.label, |s| {
            s.bind(&e.pat, Some(&e.expr));
            s.visit_block(&e.body);
        });
    }
    fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
        self.in_loop(&e.label, |s| {
            s.visit_expr(&e.cond);
            s.visit_block(&e.body);
        });
    }
    fn visit_expr_loop(&mut self, e: &'a syn::ExprLoop) {
        self.in_loop(&e.label, |s| s.visit_block(&e.body));
    }
    fn visit_expr_block(&mut self, e: &'a syn::ExprBlock) {
        let before = self.labels.len();
        self.labels.extend(e.label.iter().map(|l| l.name.ident.clone()));
        self.visit_block(&e.block);
        self.labels.truncate(before);
    }
    fn visit_expr_return(&mut self, e: &'a syn::ExprReturn) {
        self.effects.jumps |= self.closures == 0;
        visit::visit_expr_return(self, e);
    }
    fn visit_expr_break(&mut self, e: &'a syn::ExprBreak) {
        self.effects.jumps |= self.leaves(&e.label);
        visit::visit_expr_break(self, e);
    }
    fn visit_expr_continue(&mut self, e: &'a syn::ExprContinue) {
        self.effects.jumps |= self.leaves(&e.label);
    }
    fn visit_expr_try(&mut self, e: &'a syn::ExprTry) {
        self.effects.jumps |= self.closures == 0;
        visit::visit_expr_try(self, e);
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.effects.speaks = true;
        let Some(arguments) = arguments(m).filter(|_| names::is_known_macro(m)) else { return self.hidden(&m.tokens) };
        if m.path.segments.last().is_some_and(|s| s.ident == "write" || s.ident == "writeln") {
            arguments.first().into_iter().for_each(|target| self.write(target));
        }
        for arg in &arguments {
            // `name = value` names an argument
            let value = if let syn::Expr::Assign(named) = arg { &named.right } else { arg };
            let inner = of_expr(self.scope, value);
            inner.writes.into_iter().for_each(|name| self.write(&syn::parse_quote!(#name)));
            self.effects.jumps |= inner.jumps && self.closures == 0;
        }
        if m.path.segments.last().is_some_and(|s| s.ident == "write" || s.ident == "writeln")
            && let Some(destination) = arguments.first()
        {
            self.write(destination);
        }
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Whether a block always ends in a jump or a panic, by its last statement.
pub fn diverges(block: &syn::Block) -> bool {
    block.stmts.iter().any(|s| match s {
        syn::Stmt::Expr(e, _) => expr_diverges(e),
        syn::Stmt::Macro(m) => panics(&m.mac),
        _ => false,
    })
}

/// Whether control never comes back from an expression.
pub fn expr_diverges(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => true,
        syn::Expr::Macro(m) => panics(&m.mac),
        syn::Expr::Block(b) => b.label.is_none() && diverges(&b.block),
        syn::Expr::Paren(p) => expr_diverges(&p.expr),
        syn::Expr::If(i) => diverges(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, e)| expr_diverges(e)),
        syn::Expr::Match(m) => !m.arms.is_empty() && m.arms.iter().all(|a| expr_diverges(&a.body)),
        _ => false,
    }
}

/// `panic!` and its kind.
pub fn panics(mac: &syn::Macro) -> bool {
    let names = ["panic", "unreachable", "todo", "unimplemented"];
    mac.path.segments.last().is_some_and(|s| names.iter().any(|n| s.ident == n))
}
