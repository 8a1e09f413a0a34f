//! `&mut n` of an integer, or of what else carries no derivative, as an argument of a call that is followed.
//!
//! The call changes a copy, which every sweep sets anew to the value before the call. The variable takes the copy's value after the call.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::types;
use crate::ir::*;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};

impl Lower {
    /// Whether a variable is a scalar without derivative, as its type or the literal says that it begins as.
    pub fn is_no_number(&self, var: Var) -> bool {
        let fact = self.fact(var);
        fact.counter || fact.scalar || self.written_type(var).is_some_and(|ty| types::is_passive_scalar(&ty))
    }

    /// Whether a value is all of such a scalar.
    pub fn is_scalar_by_name(&self, p: &Passive) -> bool {
        let is_whole = |var: Var| self.info(var).name == p.passive.tokens.to_string();
        p.refs.depth == 0 && p.root.is_some_and(|root| is_whole(root) && self.is_no_number(root))
    }

    /// Whether a variable is a list of such scalars.
    fn is_list_of_scalars(&self, var: Var) -> bool {
        let by_type = |ty: syn::Type| types::is_list_of_scalars(&ty);
        self.fact(var).counters || self.written_type(var).is_some_and(by_type)
    }

    /// Whether a place is lent as a copy: a scalar, or one of a list.
    pub fn is_lent_as_copy(&self, place: &Passive) -> bool {
        let Some(root) = place.root else { return false };
        let is_whole = self.info(root).name == place.passive.tokens.to_string();
        self.is_no_number(root) || !is_whole && self.is_list_of_scalars(root)
    }

    fn written_type(&self, var: Var) -> Option<syn::Type> {
        self.info(var).written.clone().and_then(|ty| syn::parse2(ty).ok())
    }

    /// Locals in place of what `n: &mut usize` refers to: sweeps ask for the values that these had. The caller's get theirs at the end.
    pub fn own_scalars(&mut self, item: &syn::ItemFn) -> Vec<(Var, Var)> {
        let written = item.sig.inputs.iter().filter_map(lent_scalar);
        let mut owned = Vec::new();
        for (name, ty) in written {
            let Some(Value::Passive(Passive { root: Some(lent), .. })) = self.scope.get(name).cloned() else {
                continue;
            };
            let own = self.new_var(New::mutable(&name.to_string(), name.span(), Ty::Passive));
            self.fact_mut(own).active = false;
            self.info_mut(own).written = Some(ty.to_token_stream());
            let before = PassiveCode::var(lent, self.info(lent)).map(|lent| quote!(*#lent));
            self.emit(Stmt::Let { var: own, expr: Expr::Passive(before) });
            let value = self.value_of(own).borrowed(true);
            self.scope.bind(name, value);
            owned.push((lent, own));
        }
        owned
    }

    /// The caller's scalars get the values of the locals.
    pub fn give_scalars_back(&mut self, owned: &[(Var, Var)]) {
        for (lent, own) in owned {
            let [to, from] = [lent, own].map(|var| PassiveCode::var(*var, self.info(*var)));
            let to = &to.tokens;
            let tokens = from.map(|from| quote!(*#to = #from;));
            self.emit(Stmt::Effect { tokens, writes: [*lent].into() });
        }
    }

    /// A copy, by `&mut`.
    pub fn lent_integer(&mut self, p: Passive, span: Span) -> CallArg {
        let now = self.show(&Value::Passive(p.clone()).dereferenced_fully(), span);
        let was = self.hold("was", now.map(|now| quote!(__d::left(&#now))));
        let new = New { hint: "left", span, ty: Ty::Passive, changes: true, site: None };
        let left = self.new_var(new);
        self.info_mut(left).mutable = true;
        self.info_mut(left).seen = ViewForm::Left;
        self.emit(Stmt::Let { var: left, expr: Expr::Passive(was.clone().map(|was| quote!(__d::left(&#was)))) });
        self.lent.push((left, Value::Passive(p)));
        let name = self.info(left).name.clone();
        let mut again = was.map(|was| quote!(&mut *__d::lent_again(&mut #name, &#was)));
        again.reads.insert(left);
        CallArg::Passive(again)
    }

    /// The copies that a call is given.
    pub fn left_by(&self, call: &Call) -> Vec<Var> {
        let passive = call.args.iter().filter_map(|arg| match arg {
            CallArg::Passive(o) | CallArg::Lent(o) => Some(&o.reads),
            _ => None,
        });
        passive.flatten().copied().filter(|var| self.info(*var).seen == ViewForm::Left).collect()
    }

    /// What a call has left in the copy.
    pub fn take_back_integer(&mut self, left: Var, to: Passive, call: Var, span: Span) {
        let mut value = PassiveCode::var(left, self.info(left)).map(|left| quote!(__d::left(&#left)));
        value.reads.insert(call);
        self.store(Value::Passive(to).dereferenced_fully(), Value::passive(value), span);
    }
}

/// `n: &mut usize`.
fn lent_scalar(input: &syn::FnArg) -> Option<(&Ident, &syn::Type)> {
    let syn::FnArg::Typed(p) = input else { return None };
    match (&*p.pat, &*p.ty) {
        (syn::Pat::Ident(name), syn::Type::Reference(r))
            if name.subpat.is_none() && r.mutability.is_some() && types::is_passive_scalar(&r.elem) =>
        {
            Some((&name.ident, &r.elem))
        }
        _ => None,
    }
}
