//! Types of expressions, found from the inside out, while what is meant by operators and methods of own structs is written out.

use super::kinds::{Kind, kind_of};
use super::meant::Meant;
use super::of_std::items_of;
use super::shown::Module;
use crate::frontend::projections::value_types::with_known_signature;
use crate::support::syntax::strip_parens;
use quote::{ToTokens, format_ident, quote};
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;

/// What is known within a function.
pub struct Typing<'m> {
    pub(super) module: &'m Module,
    /// The names that the function binds.
    pub bound: &'m HashSet<String>,
    /// The struct whose block the function stands in.
    pub(super) owner: Option<String>,
    pub(super) float: String,
    pub scopes: Vec<HashMap<String, Option<Kind>>>,
    /// What was found to be meant, by the names of inner functions.
    pub known: HashMap<String, Meant>,
    /// The inner functions.
    pub found: Vec<syn::ItemFn>,
    /// A call of an own function stays one.
    pub leaves_calls: bool,
}

impl<'m> Typing<'m> {
    pub fn of(module: &'m Module, bound: &'m HashSet<String>, owner: Option<String>, float: String) -> Self {
        let (scopes, known, found) = (Vec::new(), HashMap::new(), Vec::new());
        Typing { module, bound, owner, float, scopes, known, found, leaves_calls: false }
    }

    /// The functions that are inlined; none if there are none.
    pub fn inner(self) -> Option<Vec<syn::ItemFn>> {
        (!self.found.is_empty()).then_some(self.found)
    }

    /// Whether a name is that of a struct of the module.
    pub fn is_own(&self, name: &str) -> bool {
        !self.bound.contains(name) && self.module.structs.contains_key(name)
    }

    pub(super) fn kind_of(&self, ty: &syn::Type) -> Option<Kind> {
        if let (syn::Type::Path(p), Some(owner)) = (ty, &self.owner)
            && p.path.is_ident("Self")
        {
            return Some(Kind::Own(owner.clone()));
        }
        kind_of(ty, &|name| self.is_own(name))
    }

    pub(super) fn kind_of_text(&self, text: &str) -> Option<Kind> {
        kind_of(&syn::parse_str(text).ok()?, &|name| self.is_own(name))
    }

    /// A function's body, whose parameters are known by its signature.
    pub fn function(&mut self, item: &mut syn::ItemFn) {
        let sig = with_known_signature(item.clone()).sig;
        self.scopes.push(HashMap::new());
        for input in &sig.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => {
                    let this = self.owner.clone().map(Kind::Own).filter(|_| receiver.colon_token.is_none());
                    let this = this.map(|kind| match receiver.reference {
                        Some(_) => kind.lent(receiver.mutability.is_some()),
                        None => kind,
                    });
                    self.name("self".to_owned(), this);
                }
                syn::FnArg::Typed(param) => {
                    let kind = self.kind_of(&param.ty);
                    self.bind(&param.pat, kind);
                }
            }
        }
        self.block(&mut item.block);
        self.scopes.pop();
    }

    /// The kind of the value that a block ends with.
    fn block(&mut self, block: &mut syn::Block) -> Option<Kind> {
        self.within(|s| {
            let mut last = None;
            for statement in &mut block.stmts {
                last = s.statement(statement);
            }
            last
        })
    }

    fn statement(&mut self, statement: &mut syn::Stmt) -> Option<Kind> {
        match statement {
            syn::Stmt::Local(local) => {
                let kind = local.init.as_mut().and_then(|init| self.expr(&mut init.expr));
                self.say_type(local, kind.as_ref());
                if let Some((_, diverge)) = local.init.as_mut().and_then(|init| init.diverge.as_mut()) {
                    self.expr(diverge);
                }
                self.bind(&local.pat, kind);
                None
            }
            syn::Stmt::Expr(e, None) => self.expr(e),
            syn::Stmt::Expr(e, _) => {
                self.expr(e);
                None
            }
            syn::Stmt::Item(_) | syn::Stmt::Macro(_) => None,
        }
    }

    /// A variable whose value an inner function gives says its type: that function's name does not (`let p = V3::new(x, y, z)`).
    fn say_type(&self, local: &mut syn::Local, kind: Option<&Kind>) {
        let is_name = matches!(&local.pat, syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none());
        let calls_inner = |init: &syn::LocalInit| match strip_parens(&init.expr) {
            syn::Expr::Call(call) => matches!(&*call.func, syn::Expr::Path(p) if self.is_inner(&p.path)),
            _ => false,
        };
        if let (Some(Kind::Own(name)), true) = (kind, is_name && local.init.as_ref().is_some_and(calls_inner)) {
            let (pattern, name) = (&local.pat, format_ident!("{name}"));
            local.pat = syn::Pat::Type(syn::parse_quote!(#pattern: #name));
        }
    }

    fn is_inner(&self, path: &syn::Path) -> bool {
        path.get_ident().is_some_and(|name| self.found.iter().any(|f| f.sig.ident == *name))
    }

    /// The kind of an expression, which is written out.
    pub fn expr(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        use syn::Expr::*;
        match e {
            Paren(p) => self.expr(&mut p.expr),
            Group(g) => self.expr(&mut g.expr),
            Lit(l) => match &l.lit {
                syn::Lit::Float(f) if f.suffix().is_empty() => Some(Kind::Float(self.float.clone())),
                syn::Lit::Float(f) => Some(Kind::Float(f.suffix().to_owned())),
                syn::Lit::Int(i) if !i.suffix().starts_with('f') => Some(Kind::Integer),
                _ => None,
            },
            Path(p) if p.qself.is_none() => self.named(&p.path),
            Reference(r) => {
                let exclusive = r.mutability.is_some();
                self.expr(&mut r.expr).map(|kind| kind.lent(exclusive))
            }
            Unary(_) => self.unary(e),
            Binary(_) => self.binary(e),
            MethodCall(_) => self.method(e),
            Call(_) => self.call(e),
            Field(f) => {
                let base = self.expr(&mut f.base)?;
                self.field(base.behind().0, &f.member)
            }
            Index(i) => {
                let base = self.expr(&mut i.expr);
                let index = self.expr(&mut i.index);
                match (base?.behind().0.clone(), index, strip_parens(&i.index)) {
                    (list @ Kind::List(_), _, Range(_)) => Some(list),
                    (Kind::List(inner), Some(Kind::Integer), _) => Some(*inner),
                    (Kind::Own(_), ..) => {
                        self.leaves_calls = true;
                        None
                    }
                    _ => None,
                }
            }
            Struct(s) => {
                s.fields.iter_mut().for_each(|f| _ = self.expr(&mut f.expr));
                s.rest.iter_mut().for_each(|rest| _ = self.expr(rest));
                let path = s.path.get_ident()?.to_string();
                if path == "Self" { self.owner.clone().map(Kind::Own) } else { self.kind_of_text(&path) }
            }
            Tuple(t) => Some(Kind::Tuple(t.elems.iter_mut().map(|e| self.expr(e)).collect())),
            Array(a) => {
                let all: Vec<Option<Kind>> = a.elems.iter_mut().map(|e| self.expr(e)).collect();
                all.first().cloned().flatten().map(Kind::list)
            }
            Repeat(r) => self.expr(&mut r.expr).map(Kind::list),
            Cast(c) => {
                self.expr(&mut c.expr);
                self.kind_of(&c.ty)
            }
            Macro(m) => self.list(&mut m.mac),
            Range(r) => {
                let ends = [&mut r.start, &mut r.end].map(|end| end.as_mut().and_then(|end| self.expr(end)));
                ends.contains(&Some(Kind::Integer)).then(|| Kind::Integer.items())
            }
            _ => self.control(e),
        }
    }

    /// Expressions with blocks, and those that leave them.
    fn control(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        use syn::Expr::*;
        match e {
            Block(b) => self.block(&mut b.block),
            If(i) => self.within(|s| {
                s.expr(&mut i.cond);
                let then = s.block(&mut i.then_branch);
                let els = i.else_branch.as_mut().and_then(|(_, els)| s.expr(els));
                then.or(els)
            }),
            Let(l) => {
                self.expr(&mut l.expr);
                self.bind(&l.pat, None);
                None
            }
            Match(m) => {
                self.expr(&mut m.expr);
                let arms: Vec<Option<Kind>> = m.arms.iter_mut().map(|arm| self.arm(arm)).collect();
                arms.into_iter().flatten().next()
            }
            ForLoop(on) => {
                let items = self.expr(&mut on.expr).and_then(items_of);
                self.within(|s| {
                    s.bind(&on.pat, items);
                    s.block(&mut on.body);
                });
                None
            }
            While(w) => self.within(|s| {
                s.expr(&mut w.cond);
                s.block(&mut w.body);
                None
            }),
            Loop(l) => {
                self.block(&mut l.body);
                None
            }
            Assign(a) => {
                self.expr(&mut a.left);
                self.expr(&mut a.right);
                None
            }
            Closure(c) => {
                self.closure(c, &[]);
                None
            }
            Return(syn::ExprReturn { expr, .. }) | Break(syn::ExprBreak { expr, .. }) => {
                expr.iter_mut().for_each(|e| _ = self.expr(e));
                None
            }
            _ => None,
        }
    }

    fn arm(&mut self, arm: &mut syn::Arm) -> Option<Kind> {
        self.within(|s| {
            s.bind(&arm.pat, None);
            arm.guard.iter_mut().for_each(|(_, guard)| _ = s.expr(guard));
            s.expr(&mut arm.body)
        })
    }

    /// A closure, and what its parameters are known to be; the kind of its value.
    pub(super) fn closure(&mut self, c: &mut syn::ExprClosure, params: &[Option<Kind>]) -> Option<Kind> {
        self.within(|s| {
            for (k, pattern) in c.inputs.iter().enumerate() {
                s.bind(pattern, params.get(k).cloned().flatten());
            }
            s.expr(&mut c.body)
        })
    }

    /// `vec![a, b]` and `vec![a; n]`.
    fn list(&mut self, mac: &mut syn::Macro) -> Option<Kind> {
        let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if !mac.path.is_ident("vec") {
            return None;
        }
        let tokens = &mac.tokens;
        if let Ok(mut repeated) = syn::parse2::<syn::ExprRepeat>(quote!([#tokens])) {
            let kind = self.expr(&mut repeated.expr);
            let (value, count) = (&repeated.expr, &repeated.len);
            mac.tokens = quote!(#value; #count);
            return kind.map(Kind::list);
        }
        let mut all = mac.parse_body_with(list).ok()?;
        let kinds: Vec<Option<Kind>> = all.iter_mut().map(|e| self.expr(e)).collect();
        mac.tokens = all.to_token_stream();
        kinds.into_iter().next().flatten().map(Kind::list)
    }

    fn field(&self, base: &Kind, member: &syn::Member) -> Option<Kind> {
        match (base, member) {
            (Kind::Own(name), member) => {
                let member = crate::ir::place::field_name(member);
                let (_, text) = self.module.structs.get(name)?.iter().find(|(field, _)| *field == member)?;
                self.kind_of_text(text)
            }
            (Kind::Tuple(all), syn::Member::Unnamed(k)) => all.get(k.index as usize).cloned().flatten(),
            _ => None,
        }
    }
}
