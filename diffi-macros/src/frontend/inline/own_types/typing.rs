//! Types of expressions, found from the inside out, while what is meant by operators and methods of own structs is written out.

use super::kinds::{Kind, kind_of};
use super::meant::{Meant, Receiver};
use super::shown::{Module, OwnFunction};
use crate::frontend::projections::definitions::is_of_a_trait;
use crate::frontend::projections::value_types::with_known_signature;
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::unannotated::operator_trait;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// What is known within a function.
pub struct Typing<'m> {
    module: &'m Module,
    /// The names that the function binds.
    pub bound: &'m HashSet<String>,
    /// The struct whose block the function stands in.
    owner: Option<String>,
    float: String,
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

    fn kind_of(&self, ty: &syn::Type) -> Option<Kind> {
        if let (syn::Type::Path(p), Some(owner)) = (ty, &self.owner)
            && p.path.is_ident("Self")
        {
            return Some(Kind::Own(owner.clone()));
        }
        kind_of(ty, &|name| self.is_own(name))
    }

    fn kind_of_text(&self, text: &str) -> Option<Kind> {
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

    fn name(&mut self, name: String, kind: Option<Kind>) {
        self.scopes.last_mut().map(|scope| scope.insert(name, kind));
    }

    fn variable(&self, name: &Ident) -> Option<Kind> {
        let name = name.to_string();
        self.scopes.iter().rev().find_map(|scope| scope.get(&name)).cloned().flatten()
    }

    /// A variable or a constant.
    fn named(&self, path: &syn::Path) -> Option<Kind> {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let (owner, text) = match &names[..] {
            [name] if self.scopes.iter().any(|scope| scope.contains_key(name)) => {
                return self.variable(&path.segments[0].ident);
            }
            [name] if !self.bound.contains(name) => (None, self.module.constants.get(&(None, name.clone()))?),
            [owner, name] => {
                let owner = if owner == "Self" { self.owner.clone()? } else { owner.clone() };
                let text = self.module.constants.get(&(Some(owner.clone()), name.clone()))?;
                (Some(owner).filter(|owner| self.is_own(owner)), text)
            }
            _ => return None,
        };
        match owner {
            Some(owner) if text == "Self" => Some(Kind::Own(owner)),
            _ => self.kind_of_text(text),
        }
    }

    /// The names of a pattern.
    fn bind(&mut self, pattern: &syn::Pat, kind: Option<Kind>) {
        match (pattern, kind) {
            (syn::Pat::Ident(p), kind) if p.subpat.is_none() => {
                self.name(p.ident.to_string(), kind.filter(|_| p.by_ref.is_none()));
            }
            (syn::Pat::Type(p), kind) => {
                let kind = self.kind_of(&p.ty).or(kind.filter(|_| matches!(*p.ty, syn::Type::Infer(_))));
                self.bind(&p.pat, kind);
            }
            (syn::Pat::Paren(p), kind) => self.bind(&p.pat, kind),
            (syn::Pat::Reference(p), Some(Kind::Ref(inner, _))) => self.bind(&p.pat, Some(*inner)),
            (syn::Pat::Tuple(p), Some(Kind::Tuple(all))) if p.elems.len() == all.len() => {
                p.elems.iter().zip(all).for_each(|(p, kind)| self.bind(p, kind));
            }
            (pattern, _) => names_of(pattern).iter().for_each(|name| self.name(name.to_string(), None)),
        }
    }

    fn within<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(HashMap::new());
        let result = f(self);
        self.scopes.pop();
        result
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
    fn closure(&mut self, c: &mut syn::ExprClosure, params: &[Option<Kind>]) -> Option<Kind> {
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

    fn unary(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        let syn::Expr::Unary(u) = e else { return None };
        let kind = self.expr(&mut u.expr)?;
        match (u.op, kind) {
            (syn::UnOp::Deref(_), Kind::Ref(inner, _)) => Some(*inner),
            (syn::UnOp::Neg(_), kind @ (Kind::Float(_) | Kind::Integer)) => Some(kind),
            (syn::UnOp::Neg(_), kind) => {
                let owner = kind.text()?;
                let operand = (*u.expr).clone();
                self.apply(e, ("Neg", "neg"), (&owner, &owner), vec![operand])
            }
            _ => None,
        }
    }

    fn binary(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        let syn::Expr::Binary(b) = e else { return None };
        let (left, right) = (self.expr(&mut b.left), self.expr(&mut b.right));
        let operator = operator_trait(&b.op)?;
        let (left, right) = (left?, right?);
        match (left.behind().0, right.behind().0) {
            (kind @ Kind::Float(_), Kind::Float(_)) | (kind @ Kind::Integer, Kind::Integer) => {
                return Some(kind.clone());
            }
            _ => {}
        }
        let (owner, operand) = (left.text()?, right.text()?);
        let (x, y) = ((*b.left).clone(), (*b.right).clone());
        if !operator.0.ends_with("Assign") {
            return self.apply(e, operator, (&owner, &operand), vec![x, y]);
        }
        let root = root(&x)?;
        let changed: syn::Expr = syn::parse_quote!(&mut #x);
        if !mentions(&y.to_token_stream(), &root) {
            return self.apply(e, operator, (&owner, &operand), vec![changed, y]);
        }
        self.apply(e, operator, (&owner, &operand), vec![changed, syn::parse_quote!(__operand)]);
        if let syn::Expr::Call(call) = e {
            *e = syn::parse_quote!({ let __operand = #y; #call });
        }
        None
    }

    /// An operator's function, applied to operands in place of an expression.
    fn apply(
        &mut self,
        e: &mut syn::Expr,
        (of, name): (&str, &str),
        (owner, operand): (&str, &str),
        operands: Vec<syn::Expr>,
    ) -> Option<Kind> {
        let module = self.module;
        let is_it = |f: &&OwnFunction| {
            f.owner == owner && f.name == name && f.of.as_ref().is_some_and(|(t, o)| t == of && o == operand)
        };
        let mut all = module.functions.iter().filter(is_it);
        let (Some(function), None) = (all.next(), all.next()) else { return None };
        let meant = self.meant(function)?;
        match &meant.name {
            Some(name) => *e = syn::parse_quote!(#name(#(#operands),*)),
            None => self.leaves_calls = true,
        }
        meant.gives
    }

    fn method(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        let syn::Expr::MethodCall(call) = e else { return None };
        let on = self.expr(&mut call.receiver);
        let name = call.method.to_string();
        let (kind, depth, last) = match &on {
            Some(on) => on.behind(),
            None => {
                call.args.iter_mut().for_each(|arg| _ = self.expr(arg));
                return None;
            }
        };
        match kind {
            Kind::Own(owner) => {
                call.args.iter_mut().for_each(|arg| _ = self.expr(arg));
                let (owner, turbofish) = (owner.clone(), call.turbofish.is_some());
                let gives = match self.inherent(&owner, &name).filter(|_| !turbofish) {
                    Some(function) => self.call_method(e, function, (depth, last)),
                    None => (name == "clone").then_some(Kind::Own(owner)),
                };
                self.leaves_calls |= matches!(e, syn::Expr::MethodCall(_)) && name != "clone";
                gives
            }
            kind => {
                let kind = kind.clone();
                let params = items_of(kind.clone());
                let args: Vec<Option<Kind>> =
                    call.args.iter_mut().map(|arg| self.argument(arg, &name, params.as_ref())).collect();
                of_std(&kind, &name, &args)
            }
        }
    }

    /// The only function of a struct's own blocks that has the name.
    fn inherent(&self, owner: &str, name: &str) -> Option<&'m OwnFunction> {
        let module = self.module;
        let mut all = module.functions.iter().filter(|f| f.owner == owner && f.name == name);
        let (Some(function), None) = (all.next(), all.next()) else { return None };
        // a trait's function that takes `self` comes before one that takes `&self`
        (function.of.is_none() && !is_of_a_trait(name)).then_some(function)
    }

    fn call_method(
        &mut self,
        e: &mut syn::Expr,
        function: &OwnFunction,
        (depth, last): (usize, Option<bool>),
    ) -> Option<Kind> {
        let meant = self.meant(function)?;
        let syn::Expr::MethodCall(call) = e else { return None };
        let (Some(name), Some(receiver)) = (&meant.name, meant.receiver) else { return meant.gives };
        let mut on = call.receiver.to_token_stream();
        for _ in 0..depth {
            on = quote!(*#on);
        }
        let this: syn::Expr = match receiver {
            Receiver::Value if depth > 0 => syn::parse_quote!((#on)),
            Receiver::Value => syn::parse_quote!(#on),
            Receiver::Ref => syn::parse_quote!(&#on),
            Receiver::Mut if last != Some(false) => syn::parse_quote!(&mut #on),
            Receiver::Mut => return meant.gives,
        };
        let args = &call.args;
        *e = syn::parse_quote!(#name(#this, #args));
        meant.gives
    }

    /// An argument of a method of std: a closure is given items.
    fn argument(&mut self, arg: &mut syn::Expr, method: &str, item: Option<&Kind>) -> Option<Kind> {
        let syn::Expr::Closure(closure) = arg else { return self.expr(arg) };
        let item = item.cloned();
        match method {
            "map" | "for_each" => self.closure(closure, &[item]),
            "filter" | "take_while" | "skip_while" => self.closure(closure, &[item.map(|kind| kind.lent(false))]),
            "fold" => self.closure(closure, &[None, item]),
            _ => self.closure(closure, &[]),
        }
    }

    fn call(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        let syn::Expr::Call(call) = e else { return None };
        call.args.iter_mut().for_each(|arg| _ = self.expr(arg));
        let syn::Expr::Path(path) = &*call.func else {
            self.expr(&mut call.func);
            return None;
        };
        let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            _ if path.qself.is_some() => None,
            [name] if self.is_own(name) => Some(Kind::Own((*name).to_owned())),
            [name] if !self.bound.contains(*name) => {
                let text = self.module.results.get(*name)?.clone()?;
                self.kind_of_text(&text)
            }
            [float @ ("f64" | "f32"), name] => is_float_function(name).then(|| Kind::Float((*float).to_owned())),
            [owner, name] => {
                let owner = if *owner == "Self" { self.owner.clone()? } else { (*owner).to_owned() };
                let function = self.inherent(&owner, name).filter(|_| self.is_own(&owner))?;
                let meant = self.meant(function)?;
                match meant.name.as_ref().filter(|_| meant.receiver.is_none()) {
                    Some(name) => *call.func = syn::parse_quote!(#name),
                    None => self.leaves_calls = true,
                }
                meant.gives
            }
            _ => None,
        }
    }
}

/// What an iteration over something gives.
fn items_of(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Items(item) => Some(*item),
        Kind::List(item) => Some(*item),
        Kind::Ref(inner, exclusive) => match *inner {
            Kind::List(item) => Some((*item).lent(exclusive)),
            _ => None,
        },
        _ => None,
    }
}

/// What a method of std gives.
fn of_std(kind: &Kind, name: &str, args: &[Option<Kind>]) -> Option<Kind> {
    match (kind, name) {
        (Kind::List(_), "len") | (Kind::Items(_), "count") => Some(Kind::Integer),
        (Kind::List(item), "iter") => Some((**item).clone().lent(false).items()),
        (Kind::List(item), "iter_mut") => Some((**item).clone().lent(true).items()),
        (Kind::List(_), "to_vec" | "clone" | "to_owned") => Some(kind.clone()),
        (Kind::List(item), "windows" | "chunks" | "chunks_exact") => Some(Kind::List(item.clone()).lent(false).items()),
        (
            Kind::Items(_),
            "rev" | "skip" | "take" | "step_by" | "filter" | "take_while" | "skip_while" | "into_iter",
        ) => Some(kind.clone()),
        (Kind::Items(item), "copied" | "cloned") => match &**item {
            Kind::Ref(inner, _) => Some((**inner).clone().items()),
            _ => None,
        },
        (Kind::Items(item), "enumerate") => {
            Some(Kind::Tuple(vec![Some(Kind::Integer), Some((**item).clone())]).items())
        }
        (Kind::Items(item), "zip") => {
            let other = args.first().cloned().flatten().and_then(items_of);
            Some(Kind::Tuple(vec![Some((**item).clone()), other]).items())
        }
        (Kind::Items(_), "map") => args.first().cloned().flatten().map(Kind::items),
        (Kind::Items(_), "fold") => args.first().cloned().flatten(),
        (Kind::Float(_), name) if is_float_function(name) => Some(kind.clone()),
        (Kind::Integer, "min" | "max" | "pow" | "saturating_sub" | "abs" | "rem_euclid") => Some(Kind::Integer),
        _ => None,
    }
}

fn is_float_function(name: &str) -> bool {
    diffi_rules::rule(name).is_some()
}

/// The variable of a place whose indices do nothing.
fn root(place: &syn::Expr) -> Option<Ident> {
    match strip_parens(place) {
        syn::Expr::Path(p) => p.path.get_ident().cloned(),
        syn::Expr::Field(f) => root(&f.base),
        syn::Expr::Index(i) => root(&i.expr).filter(|_| is_quiet(&i.index)),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => root(&u.expr),
        _ => None,
    }
}

/// Whether an index is made of names and numbers alone.
fn is_quiet(index: &syn::Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visit<'a> for Calls {
        fn visit_expr(&mut self, e: &'a syn::Expr) {
            use syn::Expr::*;
            self.0 |= !matches!(e, Path(_) | Lit(_) | Binary(_) | Paren(_) | Field(_) | Index(_) | Cast(_));
            visit::visit_expr(self, e);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(index);
    !calls.0
}
