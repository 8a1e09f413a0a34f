//! Values that change places: `swap`, and `std::mem::{swap, replace, take}`.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::Value;
use crate::frontend::syntax::types;
use crate::ir::affine::gathered;
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// `std::mem::swap(a, b)`, `std::mem::replace(a, value)`, `std::mem::take(a)`.
    pub fn exchanged(&mut self, name: &str, c: &syn::ExprCall) -> Value {
        let span = c.span();
        let target = self.exclusive(&c.args[0]);
        match (name, c.args.len()) {
            ("swap", 2) => {
                let other = self.exclusive(&c.args[1]);
                self.swap_places(target, other, span);
                Value::Unit
            }
            ("replace", 2) => {
                let value = self.active_value(&c.args[1]);
                self.replace(target, value, span)
            }
            ("take", 1) => {
                let value = self.default_of(&target, span);
                self.replace(target, value, span)
            }
            _ => self.refuse(span, "this call", "pass what `std::mem` asks for"),
        }
    }

    /// What a `&mut` refers to. The reference itself cannot be exchanged: it is another name for its place.
    fn exclusive(&mut self, arg: &syn::Expr) -> Value {
        let value = self.expr(arg);
        match value.refs().depth {
            0 | 1 => value.dereferenced_fully(),
            _ => {
                self.errors.pointed_elsewhere(arg.span());
                Value::Poison
            }
        }
    }

    /// `target = value`; what it was before.
    fn replace(&mut self, target: Value, value: Value, span: Span) -> Value {
        if let Value::Maybe(old) = &target {
            let old = self.option_now(old.clone(), span);
            self.store(target, value, span);
            return old;
        }
        if let (Value::Passive(old), Value::Passive(new)) = (&target, &value)
            && let Some(root) = old.root.filter(|root| self.fact(*root).active)
        {
            let (place, new) = (old.passive.clone(), &new.passive);
            let tokens = &new.tokens;
            let taken = place.map(|place| quote!(::core::mem::replace(&mut #place, #tokens)));
            let taken = self.hold("taken", gathered(taken.tokens.clone(), [&taken, new].into_iter(), span));
            self.given_away(root);
            return Value::passive(taken);
        }
        let owned = |v: &Value| matches!(v, Value::Active(a) if a.place.path.is_empty());
        if let (Value::Active(_), true) = (&target, matches!(self.value_ty(&target), Ty::Vec(_)) && owned(&value)) {
            self.swap_places(target, value.clone(), span);
            return value;
        }
        let old = self.snapshot(target.clone(), span);
        self.store(target, value, span);
        old
    }

    /// `Default::default()` of a place's type.
    fn default_of(&mut self, target: &Value, span: Span) -> Value {
        match target {
            Value::Active(a) => {
                let ty = self.ty_of(&a.place);
                let open = ty == Ty::Unknown;
                let var = self.new_var(New { hint: "rest", span, ty, changes: true, site: None });
                let expr = if open { Expr::Passive(self.default_like(target, span)) } else { self.blank(var) };
                self.emit(Stmt::Let { var, expr });
                self.value_of(var)
            }
            Value::Tuple(all) => Value::Tuple(all.iter().map(|v| self.default_of(v, span)).collect()),
            Value::Maybe(_) => Value::passive(PassiveCode { span, ..PassiveCode::literal(quote!(None)) }),
            _ => Value::passive(PassiveCode {
                span,
                ..PassiveCode::literal(quote!(::core::default::Default::default()))
            }),
        }
    }

    /// The same, of a type that only rustc knows.
    fn default_like(&self, target: &Value, span: Span) -> PassiveCode {
        let mut like = self.show(target, span).map(|place| quote!(__d::default_like(&#place)));
        like.shapes.extend(&std::mem::take(&mut like.reads));
        like
    }

    /// Exchanges the values of two places: floats of their own by copies, all others at once.
    pub fn swap_places(&mut self, a: Value, b: Value, span: Span) {
        let (a, b) = (a.dereferenced_fully(), b.dereferenced_fully());
        if let (Value::Active(x), Value::Active(y)) = (&a, &b)
            && self.exchange(&x.place, &y.place, span)
        {
            return;
        }
        let old = self.snapshot(a.clone(), span);
        let new = self.snapshot(b.clone(), span);
        self.store(a, new, span);
        self.store(b, old, span);
    }

    /// A [`Stmt::Swap`], if both places can be borrowed at once.
    fn exchange(&mut self, a: &Place, b: &Place, span: Span) -> bool {
        let siblings = crate::ir::visit::siblings(a, b).is_some();
        let cells = [a, b].iter().any(|p| p.path.is_empty() && self.ty_of(p) == Ty::Float);
        if cells || a.root == b.root && !siblings {
            return false;
        }
        let ty = types::join(self.ty_of(a), self.ty_of(b));
        for place in [a, b] {
            let info = self.info_mut(place.root);
            info.mutable = true;
            if place.path.is_empty() {
                info.ty = ty.clone();
            }
        }
        self.emit(Stmt::Swap { a: a.clone(), b: b.clone(), span });
        true
    }
}
