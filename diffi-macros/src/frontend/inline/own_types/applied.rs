//! Operators, methods and functions where they are applied: calls of inner functions are written in their places.

use super::changed_places::changing_call;
use super::kinds::Kind;
use super::meant::{Meant, Receiver};
use super::of_std::{is_float_function, items_of, of_std};
use super::shown::OwnFunction;
use super::typing::Typing;
use crate::frontend::inline::eligible::is_inferred;
use crate::frontend::projections::definitions::is_of_a_trait;
use crate::frontend::projections::hidden_methods::hidden_by_trait;
use crate::frontend::unannotated::operator_trait;
use quote::{ToTokens, quote};

impl<'m> Typing<'m> {
    pub(super) fn unary(&mut self, e: &mut syn::Expr) -> Option<Kind> {
        let syn::Expr::Unary(u) = e else { return None };
        let kind = self.expr(&mut u.expr)?;
        match (u.op, kind) {
            (syn::UnOp::Deref(_), Kind::Ref(inner, _)) => Some(*inner),
            (syn::UnOp::Deref(_), Kind::Own(_)) => {
                self.leaves_calls = true;
                None
            }
            (syn::UnOp::Neg(_), kind @ (Kind::Float(_) | Kind::Integer)) => Some(kind),
            (syn::UnOp::Neg(_), kind) => {
                let owner = kind.text()?;
                let operand = (*u.expr).clone();
                self.apply(e, ("Neg", "neg"), (&owner, &owner), vec![operand])
            }
            _ => None,
        }
    }

    pub(super) fn binary(&mut self, e: &mut syn::Expr) -> Option<Kind> {
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
        let meant = self.operator(operator, (&owner, &operand))?;
        let name = meant.name.filter(|_| !is_inferred(&y));
        match name.and_then(|name| changing_call(&name, (&x, &x.to_token_stream()), vec![y])) {
            Some(call) => *e = call,
            None => self.leaves_calls = true,
        }
        None
    }

    /// An operator's function, applied to operands in place of an expression.
    fn apply(
        &mut self,
        e: &mut syn::Expr,
        operator: (&str, &str),
        types: (&str, &str),
        operands: Vec<syn::Expr>,
    ) -> Option<Kind> {
        let meant = self.operator(operator, types)?;
        match meant.name.as_ref().filter(|_| !operands.iter().any(is_inferred)) {
            Some(name) => *e = syn::parse_quote!(#name(#(#operands),*)),
            None => self.leaves_calls = true,
        }
        meant.gives
    }

    /// The function of an operator, by its trait and name, and by the types of what it is applied to.
    fn operator(&mut self, (of, name): (&str, &str), (owner, operand): (&str, &str)) -> Option<Meant> {
        let module = self.module;
        let is_it = |f: &&OwnFunction| {
            f.owner == owner && f.name == name && f.of.as_ref().is_some_and(|(t, o)| t == of && o == operand)
        };
        let mut all = module.functions.iter().filter(is_it);
        let (Some(function), None) = (all.next(), all.next()) else { return None };
        self.meant(function)
    }

    pub(super) fn method(&mut self, e: &mut syn::Expr) -> Option<Kind> {
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
        let clear = !is_of_a_trait(name) && hidden_by_trait(name).is_none();
        (function.of.is_none() && clear).then_some(function)
    }

    fn call_method(
        &mut self,
        e: &mut syn::Expr,
        function: &OwnFunction,
        (depth, last): (usize, Option<bool>),
    ) -> Option<Kind> {
        let meant = self.meant(function)?;
        let syn::Expr::MethodCall(call) = e else { return None };
        let named = meant.name.as_ref().filter(|_| !call.args.iter().any(is_inferred));
        let (Some(name), Some(receiver)) = (named, meant.receiver) else { return meant.gives };
        let mut on = call.receiver.to_token_stream();
        for _ in 0..depth {
            on = quote!(*#on);
        }
        let this: syn::Expr = match receiver {
            Receiver::Value if depth > 0 => syn::parse_quote!((#on)),
            Receiver::Value => syn::parse_quote!(#on),
            Receiver::Ref => syn::parse_quote!(&#on),
            Receiver::Mut => {
                let args = call.args.iter().cloned().collect();
                let changing = || changing_call(name, (&call.receiver, &on), args);
                if let Some(call) = (last != Some(false)).then(changing).flatten() {
                    *e = call;
                }
                return meant.gives;
            }
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

    pub(super) fn call(&mut self, e: &mut syn::Expr) -> Option<Kind> {
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
            [name] if !self.bound.contains(*name) => match self.beside(name) {
                Some(function) => self.call_function(call, function),
                None => self.kind_of_text(&self.module.results.get(*name)?.clone()?),
            },
            [float @ ("f64" | "f32"), name] => is_float_function(name).then(|| Kind::Float((*float).to_owned())),
            [owner, name] => {
                let owner = if *owner == "Self" { self.owner.clone()? } else { (*owner).to_owned() };
                let function = self.inherent(&owner, name).filter(|_| self.is_own(&owner))?;
                self.call_function(call, function)
            }
            _ => None,
        }
    }

    /// A function that is called by a path.
    fn call_function(&mut self, call: &mut syn::ExprCall, function: &OwnFunction) -> Option<Kind> {
        let meant = self.meant(function)?;
        let fits = meant.receiver.is_none() && !call.args.iter().any(is_inferred);
        match meant.name.as_ref().filter(|_| fits) {
            Some(name) => *call.func = syn::parse_quote!(#name),
            None => self.leaves_calls = true,
        }
        meant.gives
    }

    /// The only function of this name in the module, if it takes or gives own structs: [`inlined`](crate::frontend::inline::inlined) has the others.
    fn beside(&self, name: &str) -> Option<&'m OwnFunction> {
        let module = self.module;
        let mut all = module.functions.iter().filter(|f| f.owner.is_empty() && f.name == name);
        let (Some(function), None) = (all.next(), all.next()) else { return None };
        let own = |name: &String| self.is_own(name);
        function.types.iter().any(own).then_some(function)
    }
}
