//! `&mut pair`, where the members of the pair are variables by themselves: a call changes a whole one, whose members are taken back.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Lower {
    /// A tuple that is lent to a call as a whole.
    pub fn lent_tuple(&mut self, arg: &syn::Expr) -> Option<CallArg> {
        let syn::Expr::Reference(r) = strip_parens(arg) else { return None };
        let lent = strip_parens(&r.expr);
        let named = matches!(lent, syn::Expr::Path(_) | syn::Expr::Field(_));
        if r.mutability.is_none() || !named && (!matches!(lent, syn::Expr::Tuple(_)) || self.is_passive(arg)) {
            return None;
        }
        let tuple = self.expr(lent);
        if !matches!(tuple, Value::Tuple(_)) || !tuple.is_active() {
            return None;
        }
        let Operand::Place(place) = self.whole(&tuple, arg.span()) else { return None };
        self.info_mut(place.root).mutable = true;
        self.fact_mut(place.root).changes = true;
        if named {
            self.lent.push((place.root, tuple));
        }
        Some(CallArg::Mut(place))
    }

    /// The members of the tuples that a call has changed, and the contents of options.
    pub fn take_back(&mut self, lent: &[Var], call: Var, span: Span) {
        let (changed, kept) = std::mem::take(&mut self.lent).into_iter().partition(|(v, _)| lent.contains(v));
        self.lent = kept;
        let changed: Vec<(Var, Value)> = changed;
        for (var, to) in changed {
            match to {
                Value::Maybe(maybe) => self.take_back_content(&Place::var(var), &maybe, span),
                Value::Passive(p) => self.take_back_integer(var, p, call, span),
                tuple => self.take_back_members(&Place::var(var), tuple, span),
            }
        }
    }

    fn take_back_members(&mut self, from: &Place, to: Value, span: Span) {
        let Value::Tuple(members) = to else { return };
        for (k, member) in members.into_iter().enumerate() {
            let mut part = from.clone();
            part.path.push(Proj::Field(syn::Member::from(k)));
            match member {
                Value::Active(a) => {
                    let value = Operand::Place(part);
                    self.info_mut(a.place.root).mutable = true;
                    self.emit(Stmt::Assign { place: a.place, op: Assign::Set, value, span });
                }
                Value::Passive(p) => match p.root {
                    Some(root) => {
                        let value = Operand::Passive(self.show_place(&part, Default::default()));
                        self.info_mut(root).mutable = true;
                        self.emit(Stmt::Assign { place: Place::var(root), op: Assign::Set, value, span });
                    }
                    None => self.refuse_member(span),
                },
                Value::Tuple(_) => self.take_back_members(&part, member, span),
                _ => self.refuse_member(span),
            }
        }
    }

    fn refuse_member(&mut self, span: Span) {
        self.errors.unsupported(span, "a tuple like this one behind `&mut`", "pass its members, or a struct");
    }
}
